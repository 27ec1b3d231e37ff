"""What the documentation site is made of: every page has its place in the contents, and every command explains itself."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from ludotheque.cli.app import app
from ludotheque.core import languages
from tools import site

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    site.gather(folder)
    return folder


def test_every_page_is_in_the_contents_and_the_other_way_round(pages: Path) -> None:
    listed = re.findall(r"(?:- |: )(\S+\.md)$", (PROJECT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert len(set(listed)) == len(listed)
    there = {str(file.relative_to(pages)) for file in pages.rglob("*.md")}
    decisions = {one for one in there if one.startswith("docs/decisions/")}  # their README lists them
    index = (pages / "docs" / "decisions" / "README.md").read_text("utf-8")
    assert all(f"({Path(one).name})" in index for one in decisions - {"docs/decisions/README.md"})
    assert there - set(listed) <= decisions
    assert set(listed) <= there


def commands(command: Any, path: str) -> list[str]:
    below = getattr(command, "commands", {})
    return [path, *(name for one in below for name in commands(below[one], f"{path} {one}"))]


@pytest.mark.parametrize("language", languages())
def test_every_command_and_every_option_is_explained_in_every_language(pages: Path, language: str) -> None:
    page = (pages / f"commands.{language}.md").read_text("utf-8")
    asked = commands(typer.main.get_command(app), "ludotheque")
    assert len(asked) > 20
    for path in asked:
        assert re.search(rf"^##+ {path}$", page, re.MULTILINE), path
    assert "--no-browser`" in page
    assert not re.search(r"\bhelp\.[a-z]+", page), "a key of the catalogue instead of its sentence"


def test_links_to_sources_become_words_and_those_to_pages_stay(pages: Path) -> None:
    page = (pages / "docs" / "boards.md").read_text("utf-8")
    assert "[translating](translating.md)" in page
    assert "contract.ts](" not in page
    assert "[the rules, clause by clause](docs/rules/README.md)" in (pages / "index.md").read_text("utf-8")


def test_the_reference_is_made_from_docstrings(pages: Path) -> None:
    page = (pages / "reference" / "core.md").read_text("utf-8")
    assert "### Position" in page
    assert "One moment of a game. It never changes: playing gives a new one." in page
