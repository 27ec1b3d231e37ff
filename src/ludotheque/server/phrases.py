"""The friendly phrases that people can say at a table without chat; the catalogue has them as `server.phrase.…`."""

from ludotheque.core import Text, text
from ludotheque.table.speech import PHRASES

__all__ = ["PHRASES", "phrase_text"]


def phrase_text(phrase: str) -> Text:
    """A phrase in words."""
    return text(f"server.phrase.{phrase}")
