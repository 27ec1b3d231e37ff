"""Sentences in the players' languages: one file of templates a language, beside the code that speaks them.

Templates are `str.format` texts under dotted names; a name ending in `.one` is taken when `count` is 1 (in French, 0 too).
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from ludotheque.core.jsons import Json, Reader, parse
from ludotheque.core.problems import BadJson

LANGUAGES: Final = ("en", "fr")
COLON: Final = {"en": ": ", "fr": " : "}
"""Between a name and what is said of it."""


def bare(typed: str) -> str:
    """A text as people type it in a hurry: without accents and capitals, and with single blanks."""
    apart = unicodedata.normalize("NFD", " ".join(typed.split()).lower())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


@cache
def _templates(package: str, language: str) -> Mapping[str, str]:
    text = (files(package) / f"words.{language}.json").read_text("utf-8")
    reader = Reader(parse(text), BadJson, f"{package}/words.{language}.json")
    return {name: reader.key(name).text() for name in reader.object()}


class Words:
    """The sentences of one package, from its words.en.json and words.fr.json."""

    def __init__(self, package: str) -> None:
        self.package = package

    def templates(self, language: str) -> Mapping[str, str]:
        """All templates of a language, by name; an unknown language reads English."""
        return _templates(self.package, language if language in LANGUAGES else "en")

    def say(self, name: str, language: str, facts: Mapping[str, Json] | None = None) -> str:
        """The sentence of that name, with the facts filled in."""
        templates = self.templates(language)
        if not facts:
            return templates[name].format()
        count = facts.get("count")
        alone = isinstance(count, int) and (count == 1 or (count == 0 and language == "fr"))
        template = templates.get(f"{name}.one") if alone else None
        return (template or templates[name]).format_map(facts)
