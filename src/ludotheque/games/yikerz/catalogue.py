"""The sentences of Yikerz!, in `locales`."""

from typing import Final

from ludotheque.core import Catalogue, Text, per_language

CATALOGUE: Final = Catalogue("ludotheque.games.yikerz")
PROGRAM: Final = Catalogue("ludotheque")

text = CATALOGUE.text
"""A sentence of the game by its key, with its facts."""


def number_text(value: float, spec: str) -> Text:
    """A number written by a format specification, with the decimal sign of each language."""
    return per_language(lambda language: f"{value:{spec}}".replace(".", PROGRAM.say("number.decimal", language)))
