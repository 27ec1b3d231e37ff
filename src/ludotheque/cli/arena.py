"""`ludotheque arena GAME --seat … --seat …`: let players play many matches and tell who is better. ludotheque.arena plays them."""

import os
import secrets
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from ludotheque.cli import shelf
from ludotheque.cli.play import read_given_options
from ludotheque.cli.speech import LanguageOption, Speech, speech_of
from ludotheque.core import BadOption, find_game, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ludotheque.arena import Played, Tally

INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("arena")(arena)


def arena(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(help="As in `ludotheque games`.", autocompletion=shelf.complete_game)],
    seat: Annotated[
        list[str], typer.Option("--seat", help='A player: random, bot:1 to bot:5, "cmd:PROGRAM ARGS"; once for each.')
    ],
    games: Annotated[int, typer.Option(min=1, help="How many matches.")] = 100,
    seed: Annotated[str | None, typer.Option(help="The same seed gives the same series.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", help="An option of the game, as NAME=VALUE.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=600,
            help="The most time for a decision (programs: 10 s); bots use it, so that "
            "results then depend on the machine.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play at once.")] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="Results for programs.")] = False,
    language: LanguageOption = None,
) -> None:
    """Play a series: every seed once with each rotation of the players around the seats.

    The 95 % interval of the share is Wilson's, widened or narrowed by how much the seeds' results spread.
    """
    from ludotheque.arena import Series, play_series, tallies  # noqa: PLC0415 - `--help` does not wait for it
    from ludotheque.players import check_player  # noqa: PLC0415

    speech = speech_of(ctx, language)
    found = find_game(shelf.check_game(game))
    for name in seat:
        check_player(name)
    if len(seat) not in found.seats:
        counts = ", ".join(map(str, found.seats))
        raise BadOption(
            f"{found.title} is for {counts} players; give --seat as often.",
            f"{found.title} se joue à {counts} ; donnez --seat autant de fois.",
        )
    options = found.read_options(read_given_options(option or []))
    series = Series(
        game, tuple(seat), games, seed if seed is not None else secrets.token_hex(8), dict(options), seconds
    )
    if games % len(seat) and not as_json:
        better = games + len(seat) - games % len(seat)
        typer.echo(speech.say("arena.uneven", games=games, better=better), err=True)
    played: list[Played] = []
    stopped = False
    try:
        with closing(play_series(series, jobs)) as results:
            _collect(results, played, games, speech)
    except KeyboardInterrupt:
        stopped = True
        typer.echo(speech.say("arena.stopped", done=len(played), games=games), err=True)
    results_of_all = tallies(series, played)
    if as_json:
        typer.echo(write_json({"game": game, "games": len(played), "players": [one.json() for one in results_of_all]}))
    else:
        _show(results_of_all, speech)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _collect(results: "Iterator[list[Played]]", played: "list[Played]", games: int, speech: Speech) -> None:
    """Gather results, with a bar on standard error where somebody looks at it."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        bar = progress.add_task(speech.say("arena.working", done=0, games=games), total=games)
        for some in results:
            played.extend(some)
            told = speech.say("arena.working", done=len(played), games=games)
            progress.update(bar, completed=len(played), description=told)


def _show(results: "list[Tally]", speech: Speech) -> None:
    """The results as a table."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    table.add_column(speech.say("arena.player"), overflow="fold")
    for column in ("wins", "draws", "losses", "share", "interval", "pace"):
        table.add_column(speech.say(f"arena.{column}"), justify="right", no_wrap=True)
    for one in results:
        low, high = one.interval
        share, within = f"{100 * one.share:.1f} %", f"{100 * low:.1f}–{100 * high:.1f} %"
        counts = (str(one.wins), str(one.draws), str(one.losses))
        table.add_row(Text(one.player), *counts, share, within, f"{one.seconds_per_decision:.4f}")
    Console().print(table)
    for one in results:
        if one.forfeits:
            lost = sum(games for _, games in one.forfeits)
            typer.echo(speech.say("arena.forfeits", player=one.player, count=lost))
            for why, games in one.forfeits:
                typer.echo(speech.say("arena.reason", count=games, why=why))
