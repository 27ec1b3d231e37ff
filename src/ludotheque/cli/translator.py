"""The reader's language, sentences and numbers in it, and colours where the terminal has them."""

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from ludotheque.core import Catalogue, Fact, Json, Paint, Text, languages, plain
from ludotheque.core.catalogue import FALLBACK, PROGRAM

if TYPE_CHECKING:
    Language: TypeAlias = str
else:
    Language = Literal[languages()]  # those that have a catalogue
LanguageOption: TypeAlias = Annotated[Language | None, typer.Option("--language", help="help.shared.language")]


def language_of_system() -> str:
    """The language of the environment, if it has a catalogue; otherwise English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if asked := os.environ.get(name):
            return asked[:2] if asked[:2] in languages() else FALLBACK
    return FALLBACK


def language_asked_for(typed: Sequence[str]) -> str:
    """The language of a command line before it is parsed: that of its last `--language`, otherwise the system's."""
    named = [after for word, after in pairwise(typed) if word == "--language"]
    named += [word.partition("=")[2] for word in typed if word.startswith("--language=")]
    return named[-1] if named and named[-1] in languages() else language_of_system()


class Translator:
    """Sentences and numbers in the language of one command."""

    def __init__(self, language: str | None = None) -> None:
        self.language = language or language_of_system()
        self._catalogue = Catalogue(PROGRAM)

    def say(self, key: str, **facts: "Fact | Json") -> str:
        """A sentence of the program's catalogue."""
        told = {name: fact.sentence(self.language) if isinstance(fact, Text) else fact for name, fact in facts.items()}
        return self._catalogue.say(key, self.language, told)

    def number(self, value: float, digits: int = 1, *, signed: bool = False) -> str:
        """A number as this language writes it; what rounds to nothing has no minus."""
        told = f"{round(value, digits) + 0.0:{'+' if signed else ''}.{digits}f}"
        return told.replace(".", self.say("number.decimal"))

    def grouped(self, value: float, digits: int = 0) -> str:
        """A number with its thousands separated."""
        return f"{value:,.{digits}f}".replace(",", self.say("number.group"))


def translator_of(ctx: typer.Context, language: str | None = None) -> Translator:
    """The translator of a running command; a language given to the command overrides one given to `ludotheque`."""
    translator: Translator = ctx.obj
    if language is not None:
        translator.language = language
    return translator


def paint_for_terminal() -> Paint:
    """Colours for standard output: none when it is piped or NO_COLOR is set."""
    from rich.color import ColorSystem  # noqa: PLC0415 - not for commands that draw nothing
    from rich.console import Console  # noqa: PLC0415
    from rich.style import Style  # noqa: PLC0415

    console = Console()
    if console.color_system is None or console.no_color:
        return plain

    def paint(style: str, text: str) -> str:
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)

    return paint
