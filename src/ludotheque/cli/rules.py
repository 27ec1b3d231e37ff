"""`ludotheque rules GAME`: the rules as players read them."""

import typer

from ludotheque.cli import game_list
from ludotheque.cli.parameters import GameArgument
from ludotheque.cli.translator import LanguageOption, translator_of


def show_rules(
    ctx: typer.Context,
    game: GameArgument,
    language: LanguageOption = None,
) -> None:
    """Show the rules of a game."""
    translator = translator_of(ctx, language)
    print_markdown(game_list.rules_page(game_list.check_game(game), translator.language))


def print_markdown(page: str) -> None:
    """Print a page: formatted in a terminal, as it is in a pipe."""
    from rich.console import Console  # noqa: PLC0415 - `--help` does not wait for it
    from rich.markdown import Markdown  # noqa: PLC0415

    console = Console()
    if console.is_terminal:
        console.print(Markdown(page), width=min(console.width, 100))
    else:
        typer.echo(page.rstrip())
