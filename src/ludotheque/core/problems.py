"""What can go wrong, told to a person: what happened, what is allowed, what to do. In English and in French.

A program gets a stable `code` besides; how a problem reaches its reader is the business of whoever catches it.
"""

import errno
from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar, Final, NamedTuple


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


class Reason(NamedTuple):
    """Why something could not be done, to be part of a sentence."""

    english: str
    french: str

    def sentence(self, language: str) -> str:
        """It in the reader's language."""
        return self.french if language == "fr" else self.english


# The system speaks English, or the language that it was installed in: these are what happens to people's files and ports.
_IN_FRENCH: Final = {
    errno.ENOENT: "fichier ou dossier introuvable",
    errno.EACCES: "accès refusé",
    errno.EPERM: "opération interdite",
    errno.EEXIST: "existe déjà",
    errno.ENOTDIR: "un dossier du chemin n'en est pas un",
    errno.EISDIR: "c'est un dossier",
    errno.ENOSPC: "plus de place sur le disque",
    errno.EROFS: "disque en lecture seule",
    errno.ENAMETOOLONG: "nom trop long",
    errno.ENOEXEC: "ce n'est pas un programme",
    errno.EADDRINUSE: "déjà utilisé",
    errno.EADDRNOTAVAIL: "cette machine n'a pas cette adresse",
    errno.ECONNREFUSED: "connexion refusée",
}


def reason(error: OSError) -> Reason:
    """Why the system refused."""
    english = error.strerror or str(error)
    return Reason(english, _IN_FRENCH.get(error.errno or 0, english))


def unwritable(file: object, error: OSError) -> BadOption:
    """The problem to raise where a file that somebody named cannot be written."""
    why = reason(error)
    return BadOption(f"{file} cannot be written: {why.english}.", f"{file} ne peut pas être écrit : {why.french}.")


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that a person probably meant, if one is near."""
    found = get_close_matches(word.lower(), list(choices), n=1, cutoff=0.5)
    return found[0] if found else None


def shortened(text: str, length: int = 60) -> str:
    """A text from outside, short and harmless enough to be repeated in a message."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in text[: length + 1])
    return clean if len(clean) <= length else clean[: length - 1] + "…"
