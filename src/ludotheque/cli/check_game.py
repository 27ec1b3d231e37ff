"""`ludotheque check-game GAME…`: runs the conformance suite over games and says what is wrong. The checks are in `conformance`."""

import textwrap
import traceback
from typing import TYPE_CHECKING, Annotated

import typer

from ludotheque.cli import game_list
from ludotheque.cli.translator import LanguageOption, Translator, translator_of

if TYPE_CHECKING:
    from ludotheque.conformance import Check
    from ludotheque.core import Game


def check_games(
    ctx: typer.Context,
    games: Annotated[
        list[str],
        typer.Argument(metavar="GAME", help="help.check-game.games", autocompletion=game_list.complete_game),
    ],
    language: LanguageOption = None,
) -> None:
    """Check that games do what every game must."""
    from ludotheque.core import find_game  # noqa: PLC0415

    translator = translator_of(ctx, language)
    broken = [_check(find_game(name), translator) for name in games]
    if any(broken):
        raise typer.Exit(1)


def _check(game: "Game", translator: Translator) -> int:
    """Run every check of a game, print each with its result, and return how many failed."""
    from ludotheque.conformance import checks_of  # noqa: PLC0415 - imports the compiler

    typer.echo(translator.say("check-game.checking", title=game.title))
    broken = 0
    for check in checks_of(game):
        wrong = _problems(game, check, translator)
        typer.echo(f"  {'✗' if wrong else '✓'} {check.about}")
        for told in wrong:
            typer.echo(textwrap.indent(told, "      "))
        broken += bool(wrong)
    key = "check-game.broken" if broken else "check-game.kept"
    typer.echo(translator.say(key, title=game.title, count=broken))
    return broken


def _problems(game: "Game", check: "Check", translator: Translator) -> list[str]:
    """What a check finds wrong, each problem once, with the first number of players that shows it."""
    from ludotheque.conformance import Broken  # noqa: PLC0415

    found: dict[str, int | None] = {}
    for players in sorted(game.seats) if check.each_table is not None else [None]:
        try:
            check.run(game, players)
        except Broken as broken:
            found.setdefault(str(broken), players)
        except Exception as error:
            found.setdefault(_where(error), players)
    return [
        told if players is None else f"{translator.say('check-game.with-players', players=players)}: {told}"
        for told, players in found.items()
    ]


def _where(error: Exception) -> str:
    """An exception out of a game's code, with the last lines that led to it."""
    return "".join(traceback.format_exception(error, limit=-3)).rstrip()
