"""What can go wrong, told to a person: what happened, what is allowed, what to do.

Sentences come from catalogues (catalogue.py); programs get a stable `code` besides.
"""

import errno
from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar, Final

from ludotheque.core.catalogue import FALLBACK, Fact, Text, literal, text


class Problem(ValueError):
    """Bad input from a person or a program; nothing has been changed. `code` stays the same between versions."""

    code: ClassVar[str] = "problem"

    def __init__(self, said: Text | str, /, **facts: Fact) -> None:
        """A text, or a key of the program's catalogue with its facts."""
        self.text = text(said, **facts) if isinstance(said, str) else said
        super().__init__(self.text.sentence(FALLBACK))

    def __reduce__(self) -> "tuple[type[Problem], tuple[Text]]":
        return type(self), (self.text,)

    def sentence(self, language: str) -> str:
        """The message in the reader's language."""
        return self.text.sentence(language)


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
    """A request that makes no sense now, or that lacks something."""

    code = "bad-request"


# What happens to people's files and ports; the system itself may speak another language than the reader.
_SYSTEM: Final = (
    errno.ENOENT,
    errno.EACCES,
    errno.EPERM,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENOSPC,
    errno.EROFS,
    errno.ENAMETOOLONG,
    errno.ENOEXEC,
    errno.EADDRINUSE,
    errno.EADDRNOTAVAIL,
    errno.ECONNREFUSED,
)


def reason(error: OSError) -> Text:
    """Why the system refused, to be part of a sentence."""
    if error.errno in _SYSTEM:
        return text(f"system.{errno.errorcode[error.errno].lower()}")
    return literal(error.strerror or str(error))


def unwritable(file: object, error: OSError) -> BadOption:
    """The problem to raise where a file that somebody named cannot be written."""
    return BadOption("core.unwritable", file=str(file), why=reason(error))


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that a person probably meant, if one is near."""
    found = get_close_matches(word.lower(), list(choices), n=1, cutoff=0.5)
    return found[0] if found else None


def shortened(text: str, length: int = 60) -> str:
    """A text from outside, short and harmless enough to be repeated in a message."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in text[: length + 1])
    return clean if len(clean) <= length else clean[: length - 1] + "…"
