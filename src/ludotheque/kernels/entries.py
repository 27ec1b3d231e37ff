"""Kernel entries on this machine: the `@entry` decorator that declares them, and `LocalKernels`, which calls them.

An entry is a compiled function over plain numbers and flat arrays, so that every target can call it. Its annotations are its
signature. Callers use `game.kernels` (`signatures`) and import nothing from here.
"""

import inspect
from array import array
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.cache_keys import ENTRIES_READY, cache_folder
from ludotheque.kernels.common_entries import common_functions
from ludotheque.kernels.jit import JIT, rule_in
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.signatures import ITEM_SIZES, Answer, Argument, Item, Number, Room, Signature, Unavailable

P = ParamSpec("P")
R = TypeVar("R")

Bytes: TypeAlias = NDArray[np.uint8]
"""A state, or several: `state.view(RECORD)[0]` is the record, with `RECORD = np.dtype((np.record, STATE))`."""
Int8s: TypeAlias = NDArray[np.int8]
Int16s: TypeAlias = NDArray[np.int16]
Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Float32s: TypeAlias = NDArray[np.float32]
Float64s: TypeAlias = NDArray[np.float64]


class Entry(NamedTuple):
    """An entry: its signature and its function."""

    signature: Signature
    function: Callable[..., Any]


_declared: dict[str, dict[str, Entry]] = {}  # by module and name


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Declare a kernel entry. It is compiled like a rule.

    Parameters are annotated by `int`, `float` or one of the array types above; it answers an int, a float, a tuple of them or
    nothing. It keeps nothing between calls except in arrays that it is given.
    """
    compiled = rule_in(Path(inspect.getfile(function)).parent)(function)
    _declared.setdefault(function.__module__, {})[function.__name__] = Entry(signature_of(function), compiled)
    return compiled


def signature_of(function: Callable[..., Any]) -> Signature:
    """The signature that the annotations of a function say; TypeError where they say none."""
    hints = get_type_hints(function)
    answers = hints.pop("return", None)
    parameters = tuple(_kind(function, name, hint) for name, hint in hints.items())
    if answers is type(None):
        return Signature(function.__name__, parameters)
    parts = get_args(answers) if get_origin(answers) is tuple else (answers,)
    return Signature(function.__name__, parameters, tuple(_number(function, part) for part in parts))


def _kind(function: Callable[..., Any], name: str, hint: Any) -> Number | Item:
    if hint in (int, float):
        return _number(function, hint)
    alias = getattr(get_origin(hint), "__value__", None)  # from numpy 2.5 on NDArray is an alias of Python 3.12's kind
    if alias is not None:
        hint = alias[get_args(hint)]
    items: Any = get_args(get_args(hint)[1])[0] if get_origin(hint) is np.ndarray else None
    item: Any = None if items is None or get_origin(items) else np.dtype(items).name
    if item not in ITEM_SIZES:
        raise TypeError(
            f"{function.__name__}: {name} is neither int, float nor one of the array types of kernels.entries"
        )
    kind: Item = item
    return kind


def _number(function: Callable[..., Any], hint: Any) -> Number:
    if hint not in (int, float):
        raise TypeError(f"{function.__name__} answers neither int, float, a tuple of them nor None")
    return "int" if hint is int else "float"


def numba_type(kind: Number | Item) -> Any:
    """The type that a parameter is compiled for."""
    if kind in ITEM_SIZES:
        return numba.types.Array(getattr(numba, kind), 1, "C")
    return numba.int64 if kind == "int" else numba.float64


def entries_of(rules: Rules) -> Mapping[str, Entry]:
    """The entries of a game: those that every game has, and those that its entries.py declares."""
    common = {
        name: Entry(signature_of(one), rule_in(rules.folder)(one)) for name, one in common_functions(rules).items()
    }
    module = f"{rules.module_name.rpartition('.')[0]}.entries"
    if find_spec(module) is None:
        return common
    import_module(module)
    return {**common, **_declared.get(module, {})}


class LocalRoom:
    """A room in this process. Pages that nobody has touched cost nothing."""

    def __init__(self, content: Bytes) -> None:
        self._content = content
        self._views: dict[str, NDArray[Any]] = {"uint8": content}

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return int(self._content.nbytes)

    def view(self, item: str) -> NDArray[Any]:
        """It as an array of such items."""
        view = self._views.get(item)
        if view is None:
            view = self._views[item] = self._content.view(item)
        return view


class LocalKernels:
    """A game's entries in this process: compiled when they are first called, or plain Python with the JIT off."""

    def __init__(self, rules: Rules) -> None:
        self.entries = entries_of(rules)
        self._ready = cache_folder(rules.folder) / ENTRIES_READY

    def call(self, name: str, *arguments: Argument) -> Answer:
        """Call an entry over views of the caller's arrays."""
        found = self.entries.get(name)
        if found is None:
            raise Unavailable(name, list(self.entries))
        signature, function = found
        signature.check(arguments)
        answer = function(*map(_passed, signature.parameters, arguments))
        if not signature.results:
            return None
        answers = answer if isinstance(answer, tuple) else (answer,)
        kinds = zip(signature.results, answers, strict=True)
        return signature.answer([int(one) if kind == "int" else float(one) for kind, one in kinds])

    def keep(self, content: "bytes | bytearray | memoryview | array[Any]") -> Room:
        """A room with this content."""
        return LocalRoom(np.frombuffer(bytearray(content), np.uint8))

    def room(self, nbytes: int) -> Room:
        """A room of zeros."""
        return LocalRoom(np.zeros(nbytes, np.uint8))

    def compile(self) -> None:
        """Compile all entries now."""
        if JIT:
            for signature, function in self.entries.values():
                compiled: Any = function
                compiled.compile(tuple(map(numba_type, signature.parameters)))
            with suppress(OSError):  # nowhere to keep them: this process has them all the same
                self._ready.parent.mkdir(parents=True, exist_ok=True)
                self._ready.touch()


def _passed(kind: Number | Item, argument: Argument) -> Any:
    """An argument as the compiled function takes it."""
    if kind == "int":
        assert isinstance(argument, int)
        return argument
    if kind == "float":
        assert isinstance(argument, int | float)
        return float(argument)
    if isinstance(argument, LocalRoom):
        return argument.view(kind)
    buffer: Any = argument
    # A view of `bytes` would be of another type, one that nothing can be written to.
    return np.frombuffer(bytearray(buffer) if isinstance(argument, bytes) else buffer, kind)
