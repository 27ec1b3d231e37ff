"""A bound on simulated time: how many seconds of physics a caller lets games compute for it.

Games with physics report what they simulate; a server sets the bound. Without one there is no limit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from ludotheque.core.problems import BadRequest


class _Bound:
    """So many seconds may be simulated, and so many have been."""

    def __init__(self, most: float) -> None:
        self.most = most
        self.spent = 0.0


_BOUND: Final[ContextVar[_Bound | None]] = ContextVar("simulation bound", default=None)


@contextmanager
def simulating_at_most(seconds: float) -> Iterator[None]:
    """Bound what is simulated within, in simulated seconds; also a decorator."""
    token = _BOUND.set(_Bound(seconds))
    try:
        yield
    finally:
        _BOUND.reset(token)


def must_be_simulated(seconds: float) -> None:
    """BadRequest if so many more seconds would exceed the bound: for whoever knows before how long it takes."""
    bound = _BOUND.get()
    if bound is not None and bound.spent + seconds > bound.most:
        raise BadRequest("core.simulated-too-long", most=f"{bound.most:g}")


def count_simulated(seconds: float) -> None:
    """Count seconds that are simulated now; BadRequest once the bound is exceeded."""
    must_be_simulated(seconds)
    if (bound := _BOUND.get()) is not None:
        bound.spent += seconds
