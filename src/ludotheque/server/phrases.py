"""The friendly phrases that people can say at a table without chat; the catalogue has them as `server.phrase.…`."""

from typing import Final

from ludotheque.core import Text, text

PHRASES: Final = (
    "hello",
    "good-luck",
    "well-played",
    "thanks",
    "sorry",
    "thinking",
    "your-turn",
    "lucky",
    "unlucky",
    "close",
    "again",
    "back-soon",
    "goodbye",
)


def phrase_text(phrase: str) -> Text:
    """A phrase in words."""
    return text(f"server.phrase.{phrase}")
