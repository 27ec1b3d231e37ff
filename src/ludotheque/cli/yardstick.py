"""`ludotheque yardstick GAME PLAYER`: marks any player by positions with exact values, read by `ludotheque.arena.yardstick`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludotheque.cli import game_list
from ludotheque.cli.arena_players import NamedPlayers
from ludotheque.cli.parameters import ALL_CORES, GameArgument, JobsOption, RayOption, ResultsAsJson
from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.core import find_game, write_json

if TYPE_CHECKING:
    from ludotheque.arena.yardstick import Answer, Mark


def yardstick(
    ctx: typer.Context,
    game: GameArgument,
    player: Annotated[str, typer.Argument(help="help.yardstick.player")],
    seconds: Annotated[float | None, typer.Option(min=0.001, max=600, help="help.arena.seconds")] = None,
    weights: Annotated[Path | None, typer.Option(dir_okay=False, help="help.arena.weights")] = None,
    jobs: JobsOption = ALL_CORES,
    ray: RayOption = None,
    as_json: ResultsAsJson = False,
    language: LanguageOption = None,
) -> None:
    """Mark a player by the exact values of last turns."""
    from ludotheque.arena.distributed import Backend  # noqa: PLC0415 - `--help` does not wait for it
    from ludotheque.arena.yardstick import answers, marks_json, read_yardstick  # noqa: PLC0415

    translator = translator_of(ctx, language)
    found = find_game(game_list.check_game(game))
    read_yardstick(found.name)
    named = NamedPlayers.read(found, [player], weights)
    [(label, name)] = named.players
    newgame = label in named.introduce()
    told: dict[int, Answer] = {}
    for some in answers(found.name, name, Backend(jobs, ray), seconds=seconds, newgame=newgame):
        told.update(some)
    given = [told[number] for number in sorted(told)]
    if as_json:
        versions = named.versions()
        typer.echo(write_json({"game": found.name, "player": label, **marks_json(given), "versions": versions}))
    else:
        _show(label, given, translator)


def _show(label: str, given: "list[Answer]", translator: Translator) -> None:
    """The marks as a table: each number of turns left, then all together."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    from ludotheque.arena.yardstick import mark, marks_by_turns_left  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for column in ("left", "positions", "best", "loss", "largest"):
        table.add_column(translator.say(f"yardstick.{column}"), justify="right")

    def row(what: str, one: "Mark") -> None:
        percent = [
            f"{translator.number(100 * part, digits)} %"
            for part, digits in ((one.best, 1), (one.mean_loss, 2), (one.largest_loss, 1))
        ]
        table.add_row(what, str(one.positions), *percent)

    for left, one in marks_by_turns_left(given).items():
        row(str(left), one)
    total = mark(given)
    row(translator.say("yardstick.all"), total)
    typer.echo(label)
    Console().print(table)
    if total.failed:
        typer.echo(translator.say("yardstick.failed", count=total.failed))
