"""docs/operating.md names every command of `ludotheque admin`, and none that is not there."""

import re
from pathlib import Path

import typer

from ludotheque.cli.app import app

PAGE = (Path(__file__).parents[1] / "docs/operating.md").read_text("utf-8")


def test_the_page_names_every_command() -> None:
    command = typer.main.get_command(app).commands["admin"]  # type: ignore[attr-defined] # typer's group
    told = set(re.findall(r"^\| `ludotheque admin ([a-z-]+)", PAGE, re.MULTILINE))
    assert told == set(command.commands)
