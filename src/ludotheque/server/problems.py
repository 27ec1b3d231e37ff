"""Problems of the server's own. Those of games and records are in `core`, those of every host in `answers.problems`."""

from ludotheque.core import Problem


class TooMany(Problem):
    """More often than the server takes."""

    code = "too-many"
    retry_after = 5
    """Seconds after which to ask again."""


class TooLarge(Problem):
    """More than the server reads."""

    code = "too-large"


class Banned(Problem):
    """The operator has banned this person or address."""

    code = "banned"


class ReadOnly(Problem):
    """The operator lets nothing be changed for a while."""

    code = "read-only"


class Later(Problem):
    """The server is starting, stopping or full."""

    code = "later"
    retry_after = 5
    """Seconds after which to ask again."""


def too_large(most: int) -> TooLarge:
    """More than so many bytes."""
    return TooLarge("server.too-large", kilobytes=most // 1024)


def slow_down() -> TooMany:
    """Too many requests."""
    return TooMany("server.slow-down")


def read_only() -> ReadOnly:
    """Nothing can be changed now."""
    return ReadOnly("server.read-only")


def draining() -> Later:
    """This process takes nothing new."""
    return Later("server.draining")


def too_costly(seconds: int) -> TooMany:
    """A network has used up its share of the workers' processor time, for so many seconds."""
    problem = TooMany("server.too-costly", count=seconds)
    problem.retry_after = seconds
    return problem


def busy() -> Later:
    """The server cannot serve this now."""
    return Later("server.busy")
