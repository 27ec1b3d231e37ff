"""The clauses of the rules, their marks and their tests. Clauses are in docs/rules; tests name theirs by `@pytest.mark.clause`.

`python tests/clauses.py` lists the clauses without a test; there should be none.
"""

import ast
import re
import sys
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
PAGES = TESTS.parent / "docs" / "rules"


MARKS = ("Printed", "Published", "Ruling")
CLAUSE = re.compile(r"^- \*\*([A-Z]\d+)\*\* (.*?)(?=^- \*\*[A-Z]|^#|\Z)", re.MULTILINE | re.DOTALL)


def page_of(game: str) -> str:
    return (PAGES / f"{game}.md").read_text("utf-8")


def clauses_of(game: str) -> list[str]:
    """The clauses on a game's page, in order."""
    return [number for number, _ in CLAUSE.findall(page_of(game))]


def marks_in(clause: str) -> list[str]:
    """Where the parts of a clause come from. Every clause opens with a mark; the list is empty if it does not."""
    found = re.findall(rf"\*({'|'.join(MARKS)})[:, *]", clause)
    return found if re.match(rf"\*({'|'.join(MARKS)})[:, *]", clause) else []


def marks_of(game: str) -> dict[str, list[str]]:
    """The marks of each clause of a game."""
    return {number: marks_in(text) for number, text in CLAUSE.findall(page_of(game))}


def statements_of(game: str) -> dict[str, list[str]]:
    """What the printed rules say, statement by statement, and where it is now: clauses, or "advice"."""
    _, _, section = page_of(game).partition("## Where the printed statements are\n")
    rows = re.findall(r"^\| (.+) \| ([^|]+) \|$", section.partition("\n## ")[0], re.MULTILINE)
    return {statement: places.split(", ") for statement, places in rows if statement != "printed statement"}


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
