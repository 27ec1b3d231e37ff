"""How the command line speaks: the reader's language, the sentences of words.*.json, and colours where they are wanted."""

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias

import typer

from ludotheque.core import LANGUAGES, Json, Paint, Words, plain

Language: TypeAlias = Literal["en", "fr"]
LanguageOption: TypeAlias = Annotated[
    Language | None, typer.Option("--language", help="Speak English or French; otherwise as LANG says.")
]


def language_of_system() -> str:
    """The language that the environment asks for, if it is one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if asked := os.environ.get(name):
            return asked[:2] if asked[:2] in LANGUAGES else "en"
    return "en"


def language_asked_for(typed: Sequence[str]) -> str:
    """The language of a whole command line, before it is read: that of its last `--language`, otherwise the system's."""
    named = [after for word, after in pairwise(typed) if word == "--language"]
    named += [word.partition("=")[2] for word in typed if word.startswith("--language=")]
    return named[-1] if named and named[-1] in LANGUAGES else language_of_system()


class Speech:
    """The language of one command."""

    def __init__(self, language: str | None = None) -> None:
        self.language = language or language_of_system()
        self._words = Words("ludotheque.cli")

    def say(self, name: str, **facts: Json) -> str:
        """A sentence of the command line's words."""
        return self._words.say(name, self.language, facts)

    def number(self, value: float, digits: int = 1, *, signed: bool = False) -> str:
        """A number as this language writes it; what rounds to nothing has no minus."""
        told = f"{round(value, digits) + 0.0:{'+' if signed else ''}.{digits}f}"
        return told.replace(".", ",") if self.language == "fr" else told


def speech_of(ctx: typer.Context, language: str | None = None) -> Speech:
    """The speech of a running command; a language given to the command itself goes before one given to `ludotheque`."""
    speech: Speech = ctx.obj
    if language is not None:
        speech.language = language
    return speech


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
