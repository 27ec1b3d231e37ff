"""The documents stay true: their examples run, their links lead somewhere, and they never point outside the repository."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from ludotheque.cli.app import app

PROJECT = Path(__file__).parent.parent
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        assert "://" not in target, f"{page.name} points outside: {target}"
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), f"{page.name}: {target}"
        if anchor:
            names = [slug(heading) for heading in re.findall(r"^#+ (.+)$", other.read_text("utf-8"), re.MULTILINE)]
            numbered = {
                name if names[:place].count(name) == 0 else f"{name}-{names[:place].count(name)}"
                for place, name in enumerate(names)
            }
            assert anchor in numbered, f"{page.name}: {target}"


def commands_in(page: Path) -> Iterator[list[str]]:
    """What a page tells to type after `ludotheque`."""
    text = page.read_text("utf-8")
    lines = re.findall(r"`([^`\n]+)`", text)
    lines += [
        line
        for block in re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        for line in block.splitlines()
    ]
    for line in lines:
        if found := re.search(r"(?:^|[ /])ludotheque ([a-z][^#|]*)", line):
            yield re.sub(r"[\[\]]", "", found[1]).split()


def test_every_command_on_every_page_exists_with_its_options() -> None:
    told = [
        (page, words) for page in PAGES for words in commands_in(page) if words != ["dice", "1"]
    ]  # a text that is hashed
    assert len(told) > 30
    for page, words in told:
        command: Any = typer.main.get_command(app)
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        assert command.name != "ludotheque", f"{page.name}: ludotheque {' '.join(words)}"
        known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help"}
        asked = {word.partition("=")[0].rstrip(".,;:)") for word in words if word.startswith("--")}
        assert asked <= known, f"{page.name}: {command.name} has no {asked - known}"


def test_everything_to_be_made_can_be_made() -> None:
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    for page in PAGES:
        for target in re.findall(r"`make ([a-z-]+)`", page.read_text("utf-8")):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name}: make {target}"


def test_python_examples_run() -> None:
    for page in PAGES:
        result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
        assert result.failed == 0, page.name
    examples = re.findall(r"```python\n(from ludotheque.*?)```", (PROJECT / "README.md").read_text("utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})
