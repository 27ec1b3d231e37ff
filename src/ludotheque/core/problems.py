"""What can go wrong, told to a person: what happened, what is allowed, what to do. In English and in French.

A program gets a stable `code` besides; how a problem reaches its reader is the business of whoever catches it.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar


class Problem(ValueError):
    """Bad input from a person or a program; nothing has been changed. `code` stays the same between versions."""

    code: ClassVar[str] = "problem"

    def __init__(self, english: str, french: str | None = None) -> None:
        super().__init__(english)
        self.english = english
        self.french = french or english

    def sentence(self, language: str) -> str:
        """The message in the reader's language."""
        return self.french if language == "fr" else self.english


class UnknownGame(Problem):
    """No game of that name is installed."""

    code = "unknown-game"


class BadOption(Problem):
    """An option that the game does not have, or a value that it does not take; or a wrong number of players."""

    code = "bad-option"


class IllegalAction(Problem):
    """An action that the rules do not allow now, or a text that is no action."""

    code = "illegal-action"


class BadView(Problem):
    """A position that cannot be set up."""

    code = "bad-position"


class BadRecord(Problem):
    """A record that cannot be read or does not replay."""

    code = "bad-record"


class BadJson(Problem):
    """Text that is not JSON as we accept it."""

    code = "bad-json"


class BadRequest(Problem):
    """A wish that makes no sense now, or that lacks something."""

    code = "bad-request"


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that a person probably meant, if one is near."""
    found = get_close_matches(word.lower(), list(choices), n=1, cutoff=0.5)
    return found[0] if found else None


def shortened(text: str, length: int = 60) -> str:
    """A text from outside, short and harmless enough to be repeated in a message."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in text[: length + 1])
    return clean if len(clean) <= length else clean[: length - 1] + "…"
