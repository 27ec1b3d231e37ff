"""Every code block of every page is run, or checked as far as what it is allows: none is only there to be read.

A block says what it is. Python runs (sessions with `>>>` in test_docs); commands are parsed by their own commands; data are read;
`text` is for what is neither code nor data. Blocks with a title belong to the tutorial, whose test builds them.
"""

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import create_autospec

import pytest
import typer

from ludotheque.cli.app import app
from ludotheque.table import Table

PROJECT = Path(__file__).parents[1]
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page."""

    page: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks() -> list[Block]:
    found = []
    for page in PAGES:
        text = page.read_text("utf-8")
        for block in BLOCK.finditer(text):
            line = text[: block.start()].count("\n") + 1
            found.append(Block(str(page.relative_to(PROJECT)), line, block[2], block[3]))
    return found


def run_python(block: Block) -> None:
    if ">>>" in block.text or block.page in ELSEWHERE:
        return
    for library in re.findall(
        r"^(?:import|from) (gymnasium|pyspiel|torch)|envs\.(pettingzoo)", block.text, re.MULTILINE
    ):
        if find_spec(next(filter(None, library))) is None:
            pytest.skip("the library is not installed; make test-envs installs it")
    exec(compile(block.text, str(block), "exec"), dict(NAMES.get(block.page, dict)()))


def names_of_table() -> dict[str, Any]:
    return {
        "Table": create_autospec(Table),
        **dict.fromkeys(("table_id", "entries", "now", "request", "actor", "work", "result")),
    }


def names_of_layout() -> dict[str, Any]:
    from ludotheque.kernels import Field, Layout  # noqa: PLC0415

    return {"Field": Field, "Layout": Layout}


NAMES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "docs/architecture.md": names_of_table,
    "docs/add-a-game.md": names_of_layout,
    "docs/translating.md": lambda: {"name": "results.json"},
}
"""What a page's Python uses without having made it."""
ELSEWHERE = {"docs/network.md"}
"""Pages whose Python a test of its own runs: that one plays at a server (tests/server/test_tables.py)."""


def parse_commands(block: Block) -> None:
    for line in block.text.splitlines():
        words = shlex.split(line, comments=True)
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):  # the environment
            words.pop(0)
        if not words:
            continue
        assert words[0] in ("ludotheque", "make", "pip", "pytest", "python", "docker"), line
        if words[0] == "ludotheque":
            command: Any = typer.main.get_command(app)
            path = words.pop(0)
            while words and words[0] in getattr(command, "commands", {}):
                path += f" {words[0]}"
                command = command.commands[words.pop(0)]
            command.make_context(path, words)  # parsed and checked, not invoked
        elif words[:2] == ["python", "-m"]:
            assert find_spec(words[2]), line


def read_json(block: Block) -> None:
    if not re.search(
        r"^[<>] ", block.text, re.MULTILINE
    ):  # what the engine is asked and answers: test_protocol_page plays it
        json.loads(block.text)


def parse_javascript(block: Block) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on the path")
    done = subprocess.run(
        [node, "--input-type=module", "--check", "-"], input=block.text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def balanced(block: Block) -> None:
    assert block.text.count("{") == block.text.count("}") > 0


KINDS: Mapping[str, Callable[[Block], object]] = {
    "python": run_python,
    "sh": parse_commands,
    "json": read_json,
    "toml": lambda block: tomllib.loads(block.text),
    "js": parse_javascript,
    "caddy": balanced,
    "nginx": balanced,
    "markdown": lambda _block: None,
    "text": lambda _block: None,
}


@pytest.mark.parametrize("block", [one for one in blocks() if "title=" not in one.kind], ids=str)
def test_a_block_does_what_it_says(block: Block) -> None:
    assert block.kind.split(" ")[0] in KINDS, f"{block} is a block of {block.kind or 'nothing'}: say what it is"
    KINDS[block.kind.split(" ")[0]](block)


def test_blocks_with_a_title_are_the_tutorials() -> None:
    assert {one.page for one in blocks() if "title=" in one.kind} == {"docs/tutorial.md"}
