"""What can be wrong with a wish at a table, told to people in their language and to programs by a stable code.

Problems of games, options and records are the core's; this gives every code its HTTP status.
"""

from typing import Final

from ludotheque.core import Problem


class WhoAreYou(Problem):
    """A secret is needed, or the one given is unknown."""

    code = "who-are-you"


class NotAllowed(Problem):
    """Somebody else's business."""

    code = "not-allowed"


class NotFound(Problem):
    """No such table, record, person or link."""

    code = "not-found"


class TooMany(Problem):
    """More often than the server takes."""

    code = "too-many"


class TooLarge(Problem):
    """More than the server reads."""

    code = "too-large"


class Later(Problem):
    """The server is starting, stopping or full."""

    code = "later"


STATUS: Final = {
    "who-are-you": 401,
    "not-allowed": 403,
    "not-found": 404,
    "unknown-game": 404,
    "too-large": 413,
    "too-many": 429,
    "later": 503,
}


def status_of(problem: Problem) -> int:
    """The HTTP status that goes with a problem."""
    return STATUS.get(problem.code, 400)


def language_of(accepted: str) -> str:
    """The reader's language, by an Accept-Language: French where it comes before English."""
    for wanted in accepted.lower().split(","):
        if wanted.strip()[:2] in ("en", "fr"):
            return wanted.strip()[:2]
    return "en"


def too_large(most: int) -> TooLarge:
    """More than so many bytes."""
    kilobytes = most // 1024
    return TooLarge(
        f"This is too large: at most {kilobytes} KB are read here.",
        f"C'est trop grand : {kilobytes} Ko au plus sont lus ici.",
    )


def not_found(english: str, french: str) -> NotFound:
    """There is no such thing here."""
    return NotFound(f"There is no such {english} here.", f"Il n'y a pas de {french} de ce nom ici.")


def slow_down() -> TooMany:
    """Too many requests."""
    return TooMany(
        "That was too much at once; wait a moment and try again.",
        "C'était trop à la fois ; attendez un instant et réessayez.",
    )


def come_later() -> Later:
    """The server cannot serve this now."""
    return Later(
        "The server is busy or restarting; try again in a moment.",
        "Le serveur est occupé ou redémarre ; réessayez dans un instant.",
    )
