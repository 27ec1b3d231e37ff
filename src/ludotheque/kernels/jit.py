"""The `@rule` decorator: plain Python functions, compiled by numba, with a cache between processes.

numba's own cache watches only the defining file and never hits for functions that close over other compiled functions.
Ours (`numba_cache`) is keyed by the sources of the game's whole folder and of this one: any change of a rule misses, everything
else hits. Where numba's internals are not those that it derives from, each process compiles for itself.
"""

import inspect
import logging
from collections.abc import Callable
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba.extending import register_jitable

if TYPE_CHECKING:
    from collections.abc import Iterator

P = ParamSpec("P")
R = TypeVar("R")

CACHE_PROBLEM: str | None = None
"""Why compiled rules are not stored between processes, if they are not; `ludotheque doctor` tells it."""
try:
    from ludotheque.kernels.numba_cache import RuleCache
except (ImportError, AttributeError) as error:  # numba has moved or renamed what it derives from
    CACHE_PROBLEM = str(error)

JIT = not numba.config.DISABLE_JIT
"""Whether rules are compiled in this process; NUMBA_DISABLE_JIT=1 switches it off."""

_log = logging.getLogger(__name__)
_interpreting: ContextVar[bool] = ContextVar("interpreting", default=False)


@contextmanager
def interpreted() -> "Iterator[None]":
    """Within it, `@rule` leaves functions as they are: for a copy of a rules module that runs without the compiler."""
    token = _interpreting.set(True)
    try:
        yield
    finally:
        _interpreting.reset(token)


def part_of_rules(function: Callable[P, R]) -> Callable[P, R]:
    """A small function for use in rules: compiled with them, plain Python where they are interpreted."""
    compiled_in: Callable[P, R] = register_jitable(function)
    return compiled_in


@part_of_rules
def whole(number: Any) -> int:
    """A number of an array as a 64-bit integer: narrow ones wrap around when compiled and warn when interpreted."""
    return np.int64(number)  # type: ignore[return-value] # an int for all purposes of the rules


def _store(dispatcher: Any, function: Callable[..., object], folder: Path) -> None:
    """Let a dispatcher load and store what it compiles, if this version of numba lets us."""
    global CACHE_PROBLEM  # noqa: PLW0603 - found out by the first function that is compiled
    if CACHE_PROBLEM is not None:
        return
    try:
        if not hasattr(dispatcher, "_cache"):
            raise AttributeError("a dispatcher without _cache")
        dispatcher._cache = RuleCache(function, folder)
    except (AttributeError, TypeError) as error:
        CACHE_PROBLEM = str(error)
        _log.warning("compiled rules cannot be stored with this version of numba: %s", error)


def rule_in(folder: Path, **settings: object) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`@rule` for a function that is made for the game in that folder, such as its search.

    `settings` are numba's: a simulation may want `fastmath`, which rules must not have.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        if not JIT or _interpreting.get():
            return function
        dispatcher = numba.njit(nogil=True, **settings)(function)
        _store(dispatcher, function, folder)
        compiled: Callable[P, R] = dispatcher
        return compiled

    return decorate


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a rule. The same source runs interpreted where the JIT is off."""
    return rule_in(Path(inspect.getfile(function)).parent)(function)
