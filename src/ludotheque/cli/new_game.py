"""`ludotheque new-game NAME`: writes a package with a small game that runs, to be changed into another.

What it writes is in `new_game_files`, with names to be filled in.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Annotated, Final

import typer

from ludotheque.cli.translator import LanguageOption, translator_of
from ludotheque.core import BadOption, game_names
from ludotheque.core.problems import shortened

NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST_NAME: Final = 40
PACKAGE: Final = "package"
"""The folder of the files whose name becomes the package's."""
ENDING: Final = ".txt"
"""What the files end with, so that nobody takes them for modules of this package."""


def new_game(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="help.new-game.name")],
    title: Annotated[str | None, typer.Option(help="help.new-game.title")] = None,
    folder: Annotated[Path | None, typer.Option(help="help.new-game.folder")] = None,
    language: LanguageOption = None,
) -> None:
    """Write a package with a small game that runs."""
    translator = translator_of(ctx, language)
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise BadOption("new-game.bad-name", name=shortened(name))
    if name in game_names():
        raise BadOption("new-game.installed", name=name)
    target = folder or Path(f"ludotheque-{name}")
    if target.exists():
        raise BadOption("new-game.exists", folder=str(target))
    write_package(target, name, title or name.replace("-", " ").title())
    typer.echo(translator.say("new-game.done", folder=str(target), name=name))


def write_package(target: Path, name: str, title: str) -> None:
    """Write the package of a game; its files say what is to be changed."""
    package = f"ludotheque_{name.replace('-', '_')}"
    words = "".join(part.capitalize() for part in name.split("-"))
    facts = {"name": name, "title": title.replace('"', "'"), "package": package, "klass": words}
    for file, path in _files(files("ludotheque.cli") / "new_game_files", Path()):
        parts = [package if part == PACKAGE else part for part in path.parts]
        written = target.joinpath(*parts)
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(Template(file.read_text("utf-8")).substitute(facts), "utf-8")


def _files(folder: Traversable, path: Path) -> Iterator[tuple[Traversable, Path]]:
    """Every file below a folder, and where it is written."""
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files(file, path / file.name)
        elif file.name.endswith(ENDING):
            yield file, path / file.name.removesuffix(ENDING)
