"""`ludotheque record show|verify FILE`: tells the match of a record, or proves or refutes its dice. `core.record` verifies them."""

from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.saves import read_file
from ludotheque.cli.translator import LanguageOption, paint_for_terminal, translator_of
from ludotheque.core import CHANCE, Record, verify, write_json

FileArgument = Annotated[Path, typer.Argument(help="help.shared.file", show_default=False)]

REFUTED = 1
UNKNOWN = 3

commands = typer.Typer(name="record", help="help.record", no_args_is_help=True)


def names_of(record: Record, language: str) -> list[str]:
    """The players' names: those in the record, or those of the seats if it only numbers them."""
    game = record.match.game
    return [
        game.seat_name(seat, language) if one.name in ("", str(seat + 1)) else one.name
        for seat, one in enumerate(record.seated)
    ]


@commands.command("show", help="help.record.show")
def show(ctx: typer.Context, file: FileArgument, language: LanguageOption = None) -> None:
    """Tell a match in words, turn by turn, and show how it stands at the end."""
    translator = translator_of(ctx, language)
    record = read_file(file)
    match, names = record.match, names_of(record, translator.language)
    people = ", ".join(
        name + (f" ({one.kind})" if one.kind not in ("human", name) else "")
        for name, one in zip(names, record.seated, strict=True)
    )
    typer.echo(translator.say("record.title", title=match.game.title, players=people))
    if match.options:
        options = ", ".join(f"{name} {write_json(value)}" for name, value in match.options.items())
        typer.echo(translator.say("record.options", options=options))
    typer.echo("")
    width = len(str(len(match.log)))
    for place, (entry, step) in enumerate(match.steps()):
        told = "; ".join(match.game.tell(event, translator.language, names) for event in step.events) or entry.action
        typer.echo(f"{place:{width}}  {'· ' if entry.by == CHANCE else ''}{told}")
    typer.echo("\n" + match.position.picture(paint_for_terminal(), translator.language))
    if not match.over:
        typer.echo("\n" + translator.say("record.unfinished", count=len(match.log)))


@commands.command("verify", help="help.record.verify")
def check(ctx: typer.Context, file: FileArgument, language: LanguageOption = None) -> None:
    """Prove or refute that the dice were fixed before the match.

    Exit status 0: proven; 1: refuted; 3: the record does not say enough; 2: it is damaged.
    """
    translator = translator_of(ctx, language)
    verdict = verify(read_file(file))
    typer.echo(verdict.text.sentence(translator.language))
    if verdict.order is not None:
        typer.echo(verdict.order.sentence(translator.language))
    if verdict.fair is not True:
        raise typer.Exit(REFUTED if verdict.fair is False else UNKNOWN)
