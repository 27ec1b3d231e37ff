"""Problems of the server's own, and the HTTP status of every problem's code. Those of games and records are in `core`."""

from typing import Final

from ludotheque.core import Problem


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
    "bad-entry": 500,
    "later": 503,
}


def status_of(problem: Problem) -> int:
    """The HTTP status that goes with a problem."""
    return STATUS.get(problem.code, 400)


def too_large(most: int) -> TooLarge:
    """More than so many bytes."""
    return TooLarge("server.too-large", kilobytes=most // 1024)


def not_found(what: str) -> NotFound:
    """There is no such thing here; the catalogue has a sentence for each."""
    return NotFound(f"server.not-found.{what}")


def slow_down() -> TooMany:
    """Too many requests."""
    return TooMany("server.slow-down")


def busy() -> Later:
    """The server cannot serve this now."""
    return Later("server.busy")
