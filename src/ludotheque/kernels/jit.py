"""The `@rule` decorator: plain Python functions, compiled by numba, with a cache between processes.

numba's own cache watches only the defining file and never hits for functions that close over other compiled functions.
Ours is keyed by the sources of the game's whole folder and of this one: any change of a rule misses, everything else hits.
"""

import hashlib
import inspect
import logging
import os
from collections.abc import Callable, Hashable
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numba
import numpy as np
import platformdirs
from numba.core import caching
from numba.extending import register_jitable

if TYPE_CHECKING:
    from collections.abc import Iterator

P = ParamSpec("P")
R = TypeVar("R")

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


@cache
def source_hash(folder: Path) -> str:
    """A hash of everything that compiled code of this folder depends on: its sources, ours, numba and its settings."""
    digest = hashlib.sha256()
    for part in (folder, Path(__file__).parent):
        for file in sorted(part.rglob("*.py")):
            digest.update(f"{file.relative_to(part)}\0".encode())
            digest.update(file.read_bytes() + b"\0")
    digest.update(f"{numba.__version__} {numba.config.BOUNDSCHECK} {numba.config.OPT}".encode())
    return digest.hexdigest()[:20]


def cache_root() -> Path:
    """Where compiled rules are kept; LUDOTHEQUE_CACHE names another place."""
    named = os.environ.get("LUDOTHEQUE_CACHE")
    return Path(named) if named else platformdirs.user_cache_path("ludotheque", ensure_exists=False) / "rules"


def cache_folder(folder: Path) -> Path:
    """Where the compiled rules of a source folder are kept, one place for each state of the sources."""
    return cache_root() / f"{folder.name}-{source_hash(folder)}"


def closure_key(function: Any) -> str:
    """A key of a function among those of the same source: its line, and a hash of what it closes over.

    A playout by uniform choices and one by a game's casual player are the same lines; only their closures differ.
    """
    source: Callable[..., object] = getattr(function, "py_func", function)
    line = source.__code__.co_firstlineno
    parts = [f"{source.__module__}.{source.__qualname__}:{line}"]
    for name, cell in zip(source.__code__.co_freevars, source.__closure__ or (), strict=True):
        try:
            content = cell.cell_contents
        except ValueError:  # the function itself, which is only now being made
            continue
        if isinstance(content, np.ndarray):
            parts.append(f"{name}={content.dtype} {content.shape} {hashlib.sha256(content.tobytes()).hexdigest()}")
        else:
            parts.append(f"{name}={closure_key(content) if callable(content) else repr(content)}")
    return f"{line}-{hashlib.sha256(' '.join(parts).encode()).hexdigest()[:12]}"


class _Locator(caching._CacheLocator):  # type: ignore[misc] # numba has no types
    """Tells numba's cache where a function's compiled code lies."""

    def __init__(self, function: Callable[..., object], folder: Path) -> None:
        self._py_file = inspect.getfile(function)  # numba reads it for its own warnings
        self._closure_key = closure_key(function)
        self._folder = folder

    def get_cache_path(self) -> str:
        return str(cache_folder(self._folder))

    def get_source_stamp(self) -> str:
        return source_hash(self._folder)

    def get_disambiguator(self) -> str:
        return self._closure_key


class _Cache(caching.FunctionCache):  # type: ignore[misc] # numba has no types
    """numba's cache of one function, keyed by our hash. Where nothing can be written, nothing is stored."""

    def __init__(self, function: Callable[..., object], folder: Path) -> None:
        class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc] # numba has no types
            _locator_classes = (self,)

        self._folder = folder
        self._impl_class = Implementation
        super().__init__(function)

    def from_function(self, function: Callable[..., object], _file: str) -> _Locator:
        """Called by numba in place of a search through its own locators."""
        return _Locator(function, self._folder)

    def _index_key(self, signature: Hashable, codegen: object) -> tuple[Hashable, ...]:
        # numba would add a hash of the closure, which holds dispatchers and is never the same twice; closure_key replaces it.
        return (signature, codegen.magic_tuple(), source_hash(self._folder))  # type: ignore[attr-defined]

    def load_overload(self, signature: Hashable, target_context: object) -> object:
        try:
            return super().load_overload(signature, target_context)
        except Exception as error:  # unpickling damaged files can raise anything
            _log.warning("compiled rules could not be read and are compiled again: %s", error)
            with suppress(OSError):  # where it cannot be removed it cannot be written either
                Path(self._cache_file._index_path).unlink()
            return None

    def save_overload(self, signature: Hashable, data: object) -> None:
        try:
            super().save_overload(signature, data)
        except OSError as error:
            _log.info("compiled rules cannot be stored: %s", error)
            self.disable()


def part_of_rules(function: Callable[P, R]) -> Callable[P, R]:
    """A small function for use in rules: compiled with them, plain Python where they are interpreted."""
    compiled_in: Callable[P, R] = register_jitable(function)
    return compiled_in


@part_of_rules
def whole(number: Any) -> int:
    """A number of an array as a 64-bit integer: narrow ones wrap around when compiled and warn when interpreted."""
    return np.int64(number)  # type: ignore[return-value] # an int for all purposes of the rules


def rule_in(folder: Path, **settings: object) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`@rule` for a function that is made for the game in that folder, such as its search.

    `settings` are numba's: a simulation may want `fastmath`, which rules must not have.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        if not JIT or _interpreting.get():
            return function
        dispatcher = numba.njit(nogil=True, **settings)(function)
        dispatcher._cache = _Cache(function, folder)
        compiled: Callable[P, R] = dispatcher
        return compiled

    return decorate


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a rule. The same source runs interpreted where the JIT is off."""
    return rule_in(Path(inspect.getfile(function)).parent)(function)
