"""What is not there, and the HTTP status of every problem's code. Problems of games and records are in `core`."""

from typing import Final

from ludotheque.core import Problem


class NotFound(Problem):
    """No such table, record, person or link."""

    code = "not-found"


STATUS: Final = {
    "who-are-you": 401,
    "banned": 403,
    "not-allowed": 403,
    "not-found": 404,
    "unknown-game": 404,
    "too-large": 413,
    "too-many": 429,
    "bad-entry": 500,
    "later": 503,
    "read-only": 503,
}


def status_of(problem: Problem) -> int:
    """The HTTP status that goes with a problem."""
    return STATUS.get(problem.code, 400)


def not_found(what: str) -> NotFound:
    """There is no such thing here; the catalogue has a sentence for each."""
    return NotFound(f"server.not-found.{what}")
