"""Arguments and options that several commands share."""

import os
from typing import Annotated, Final, TypeAlias

import typer

from ludotheque.cli import game_list

ALL_CORES: Final = os.cpu_count() or 1

GameArgument: TypeAlias = Annotated[
    str, typer.Argument(help="help.shared.game", autocompletion=game_list.complete_game)
]
GameOptions: TypeAlias = Annotated[list[str] | None, typer.Option("--option", help="help.shared.option")]
JobsOption: TypeAlias = Annotated[int, typer.Option(min=1, help="help.shared.jobs")]
RayOption: TypeAlias = Annotated[str | None, typer.Option(help="help.shared.ray")]
ResultsAsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="help.shared.as-json")]
