"""`ludotheque games`: which games there are."""

import json
from typing import Annotated

import typer

from ludotheque.cli import game_list
from ludotheque.cli.translator import LanguageOption, translator_of
from ludotheque.core import game_names


def show_games(
    ctx: typer.Context,
    language: LanguageOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="help.games.as-json")] = False,
) -> None:
    """List the installed games."""
    translator = translator_of(ctx, language)
    names = game_names()
    rows = [
        (name, game_list.title(name, translator.language), game_list.about(name, translator.language)) for name in names
    ]
    if as_json:
        typer.echo(json.dumps([{"name": name, "title": title, "about": about} for name, title, about in rows]))
        return
    if not rows:
        typer.echo(translator.say("games.none"))
        return
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, title, about in rows:
        typer.echo(f"  {name:{widths[0]}}   {title:{widths[1]}}   {about}".rstrip())
    typer.echo("\n" + translator.say("games.more", game=names[0]))
