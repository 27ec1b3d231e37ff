"""`ludotheque games`: which games there are; `ludotheque games GAME`: the options of one."""

import json
import textwrap
from typing import Annotated

import typer

from ludotheque.cli import game_list
from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.core import find_game, game_names, write_json


def show_games(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Argument(help="help.games.game", autocompletion=game_list.complete_game)] = None,
    language: LanguageOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="help.games.as-json")] = False,
) -> None:
    """List the installed games, or explain the options of one."""
    translator = translator_of(ctx, language)
    if game is not None:
        _show_game(game_list.check_game(game), translator, as_json=as_json)
        return
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


def _show_game(name: str, translator: Translator, *, as_json: bool) -> None:
    """How many play a game, and its options with their defaults, each explained."""
    game, language = find_game(name), translator.language
    sentences = game.catalogue.templates(language)
    if as_json:
        options = [
            {**option.describe(), "about": sentences.get(f"option.{option.name}.about")}
            for option in game.declared_options
        ]
        typer.echo(write_json({"name": name, "title": game.title, "seats": list(game.seats), "options": options}))
        return
    typer.echo(f"{game.title}   {game_list.about(name, language)}".rstrip())
    typer.echo(translator.say("games.seats", counts=", ".join(map(str, sorted(game.seats)))))
    typer.echo(translator.say("games.options" if game.declared_options else "games.no-options"))
    for option in game.declared_options:
        default = translator.say("play.no-limit") if option.default is None else write_json(option.default).strip('"')
        typer.echo(f"\n  {option.name}={default}   {sentences.get(f'option.{option.name}', '')}".rstrip())
        if about := sentences.get(f"option.{option.name}.about"):
            typer.echo(textwrap.fill(about, 100, initial_indent="    ", subsequent_indent="    "))
