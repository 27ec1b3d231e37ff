"""`ludotheque help`: the topics of the manual; `ludotheque help TOPIC`: one of its pages, or the rules of a game."""

from typing import Annotated

import typer

from ludotheque import manual
from ludotheque.cli import game_list
from ludotheque.cli.rules import print_markdown
from ludotheque.cli.translator import LanguageOption, translator_of
from ludotheque.core import game_names


def complete_topic(incomplete: str) -> list[str]:
    """Names of topics for the shell's completion."""
    return [name for name in (*(topic.name for topic in manual.TOPICS), *game_names()) if name.startswith(incomplete)]


def show_help(
    ctx: typer.Context,
    topic: Annotated[str | None, typer.Argument(help="help.help.topic", autocompletion=complete_topic)] = None,
    language: LanguageOption = None,
) -> None:
    """Read the manual."""
    translator = translator_of(ctx, language)
    if topic is None:
        told = translator.language
        parts = {
            "page.help.players": {one.name: manual.title(one.name, told) for one in manual.TOPICS if not one.hosts},
            "page.help.rules": {name: game_list.title(name, told) for name in game_names()},
            "page.help.hosts": {one.name: manual.title(one.name, told) for one in manual.TOPICS if one.hosts},
        }
        width = max(len(name) for titles in parts.values() for name in titles)
        for heading, titles in parts.items():
            typer.echo(translator.say(heading))
            for name, title in titles.items():
                typer.echo(f"  {name:{width}}   {title}")
            typer.echo()
        typer.echo(translator.say("manual.more"))
    elif topic in game_names():
        print_markdown(game_list.rules_page(topic, translator.language))
    else:
        print_markdown(manual.page(topic, translator.language))
