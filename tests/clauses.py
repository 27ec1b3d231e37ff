"""Which clauses of the rules have no test. Clauses are in docs/rules; tests name theirs by `@pytest.mark.clause`.

`python tests/clauses.py` lists them; there should be none.
"""

import ast
import re
import sys
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
PAGES = TESTS.parent / "docs" / "rules"


def clauses_of(game: str) -> list[str]:
    """The clauses on a game's page, in order."""
    return re.findall(r"^- \*\*([A-Z]\d+)\*\*", (PAGES / f"{game}.md").read_text("utf-8"), re.MULTILINE)


@cache
def named_by_tests() -> dict[str, list[str]]:
    """The tests that name each clause."""
    found: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("mark.clause"):
                    for name in mark.args:
                        found.setdefault(ast.literal_eval(name), []).append(f"{file.name}::{node.name}")
    return found


def missing(game: str) -> list[str]:
    """The clauses of a game that no test names."""
    named = named_by_tests()
    return [clause for clause in clauses_of(game) if clause not in named]


if __name__ == "__main__":
    from ludotheque.core import game_names

    untested = {game: missing(game) for game in game_names()}
    for game, clauses in untested.items():
        print(f"{game}: {len(clauses_of(game))} clauses, without a test: {', '.join(clauses) or 'none'}")
    sys.exit(any(untested.values()))
