"""The rules of a discrete game as one bundle of functions, interpreted at once and compiled when ready.

People never wait for a compiler: until the compiled rules are there, the same source runs interpreted.
Texts, views and options are the business of discrete.py and of the games.
"""

import math
import operator
import struct
import threading
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import JIT, cache_folder, interpreted, rule_in, whole
from ludotheque.kernels.random import Random, seeded

State: TypeAlias = np.record
Actions: TypeAlias = NDArray[Any]
"""int32"""
Returns: TypeAlias = NDArray[Any]
"""float64"""
Weights: TypeAlias = NDArray[Any]
"""int64"""
Content: TypeAlias = NDArray[Any]
"""uint8: a state as bytes, which go into a compiled call twenty times as fast as a record"""

CHANCE: Final = -1
OVER: Final = -2


class QuickRecord(np.record):  # type: ignore[misc] # final for type checkers only
    """A record whose methods, which every compiled call uses, are found at once: numpy's own looks among the fields first."""

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment] # its overloads are a record's, less one

    def __getattr__(self, name: str) -> Any:
        """A field."""
        try:
            return np.void.__getitem__(self, name)
        except ValueError:
            raise AttributeError(f"the state has no field {name}") from None


@dataclass(frozen=True)
class Functions:
    """What a rules module defines; every name below is a function in it."""

    to_move: Callable[[State], int]
    """Whose turn it is: a seat, CHANCE or OVER."""
    legal: Callable[[State, Actions], int]
    """Fills in every legal action, or chance's outcomes, and returns how many there are."""
    play: Callable[[State, int], None]
    """Changes the state by one legal action."""
    weight: Callable[[State, int], int]
    """On chance's turn, the integer weight of an outcome."""
    draw: Callable[[State, Random], int]
    """On chance's turn, an outcome drawn by those weights, fast."""
    returns: Callable[[State, Returns], None]
    """When over, what each seat gets."""
    weigh: Callable[[State, Actions, int, Weights], None]
    """`weight` of many outcomes at once; made from it."""
    advance: Callable[[Content, int, Content, Actions], tuple[int, int]]
    """One legal action of a state's bytes into other bytes; fills in what is legal then, unless it is chance's turn.
    Returns whose turn it is and how many actions there are; made from the rest, since every call from Python costs."""
    module: ModuleType
    """The module itself, for the functions that it names in ALSO."""


NAMES: Final = ("to_move", "legal", "play", "weight", "draw", "returns")


def _functions(module: ModuleType) -> Functions:
    file = module.__file__
    assert file is not None
    weight: Callable[[State, int], int] = module.weight
    play: Callable[[State, int], None] = module.play
    to_move: Callable[[State], int] = module.to_move
    legal: Callable[[State, Actions], int] = module.legal
    layout = np.dtype((np.record, module.STATE))

    @rule_in(Path(file).parent)
    def weigh(state: State, outcomes: Actions, count: int, weights: Weights) -> None:
        for which in range(count):
            weights[which] = weight(state, whole(outcomes[which]))

    @rule_in(Path(file).parent)
    def advance(before: Content, action: int, after: Content, actions: Actions) -> tuple[int, int]:
        after[:] = before
        state = after.view(layout)[0]
        play(state, action)
        mover = to_move(state)
        return mover, legal(state, actions) if mover >= 0 else 0

    return Functions(**{name: getattr(module, name) for name in NAMES}, weigh=weigh, advance=advance, module=module)


class Rules:
    """A game's compiled rules: its state's type, its functions, and its limits.

    `module` names the rules module. It defines STATE (an aligned numpy dtype), MOST_ACTIONS (the most that `legal` fills in),
    MOST_PLAYERS, and the functions of `Functions`; all rules that these call are in that one module. It may also define:
    - `casual(state, actions, count, random) -> action`: what a hasty but sensible player does; search plays on by it;
    - `ALSO`: further functions that game.py calls, by name, with the number of whole numbers that follow the state.
    """

    def __init__(self, module: str) -> None:
        self.module_name = module
        self._ready: Functions | None = None
        self._lock = threading.Lock()
        self._background: threading.Thread | None = None

    @cached_property
    def module(self) -> ModuleType:
        """The rules module, compiled where the JIT is on."""
        return import_module(self.module_name)

    @cached_property
    def folder(self) -> Path:
        """The game's folder: the cache is keyed by its sources."""
        file = self.module.__file__
        assert file is not None
        return Path(file).parent

    @cached_property
    def dtype(self) -> "np.dtype[np.void]":
        """The type of the state."""
        dtype: np.dtype[np.void] = self.module.STATE
        return dtype

    @cached_property
    def most_actions(self) -> int:
        """The most actions that `legal` ever fills in."""
        return int(self.module.MOST_ACTIONS)

    @cached_property
    def most_players(self) -> int:
        """The most players."""
        return int(self.module.MOST_PLAYERS)

    @cached_property
    def interpreted(self) -> Functions:
        """The same rules as plain Python, from a twin of the module."""
        if not JIT:
            return _functions(self.module)
        spec = find_spec(self.module_name)
        assert spec is not None
        assert spec.loader is not None
        twin = module_from_spec(spec)
        with interpreted():
            spec.loader.exec_module(twin)
            return _functions(twin)

    @property
    def compiled(self) -> Functions:
        """The compiled rules. They are read from the cache, or compiled here and now."""
        if self._ready is None:
            with self._lock:
                if self._ready is None:
                    self._ready = self._compile()
        return self._ready

    @property
    def current(self) -> Functions:
        """The rules for serving people: compiled if at hand, otherwise interpreted while a thread compiles them."""
        if self._ready is not None:
            return self._ready
        if not JIT or self.cached:
            return self.compiled
        if self._background is None:
            self._background = threading.Thread(target=lambda: self.compiled, name="compile rules", daemon=True)
            self._background.start()
        return self.interpreted

    @property
    def _stamp(self) -> Path:
        return cache_folder(self.folder) / "rules.ready"

    @property
    def cached(self) -> bool:
        """Whether an earlier process left these very rules compiled."""
        return self._stamp.exists()

    def _compile(self) -> Functions:
        functions = _functions(self.module)
        if JIT:
            record = numba.from_dtype(self.dtype)
            actions = numba.types.Array(numba.int32, 1, "C")
            returns = numba.types.Array(numba.float64, 1, "C")
            random = numba.types.Array(numba.int64, 1, "C")
            whole = numba.int64
            signatures = {
                "to_move": (record,),
                "legal": (record, actions),
                "play": (record, whole),
                "weight": (record, whole),
                "draw": (record, random),
                "returns": (record, returns),
            }
            for name, further in getattr(self.module, "ALSO", {}).items():
                signatures[name] = (record, *[whole] * further)
            for name, signature in signatures.items():
                getattr(self.module, name).compile(signature)
            content = numba.types.Array(numba.uint8, 1, "C")
            getattr(functions.weigh, "compile")((record, actions, whole, random))  # noqa: B009 - a dispatcher has no type
            getattr(functions.advance, "compile")((content, whole, content, actions))  # noqa: B009
            try:
                self._stamp.parent.mkdir(parents=True, exist_ok=True)
                self._stamp.touch()
            except OSError:  # nowhere to keep them: this process has them all the same
                return functions
        return functions

    @cached_property
    def _record(self) -> "np.dtype[np.void]":
        """The type of the state, as an array of which every element is one."""
        return np.dtype((QuickRecord, self.dtype))

    def state_of(self, content: bytes | bytearray) -> State:
        """A state of its own with that content. Through bytes: ten times as fast as through arrays."""
        return self.state_in(self.content_of(content))

    def content_of(self, content: bytes | bytearray) -> Content:
        """Bytes of their own for a state."""
        return np.frombuffer(bytearray(content), np.uint8)

    def state_in(self, content: Content) -> State:
        """The state whose bytes these are; it changes with them."""
        state: State = np.frombuffer(content, self._record)[0]  # `view` asks three Python functions whether it may
        return state

    def new_state(self) -> State:
        """A state with every field 0."""
        return self.state_of(bytes(self.dtype.itemsize))

    def copy(self, state: State) -> State:
        """Another state with the same content."""
        return self.state_of(state.tobytes())

    @cached_property
    def _plain(self) -> "tuple[struct.Struct, operator.itemgetter[Any], Callable[[Any], Any]]":
        """How a state's bytes are read as plain numbers, what picks each field out of them, and what names the fields."""
        fields = self.dtype.fields
        assert fields is not None
        text, end, read = "=", 0, 0
        names: list[str] = []
        places: list[Any] = []
        for name, (kind, offset, *_) in sorted(fields.items(), key=lambda field: field[1][1]):
            count = math.prod(kind.shape)
            text += f"{offset - end}x{count}{kind.base.char}"
            names.append(name)
            places.append(slice(read, read + count) if kind.shape else read)
            end, read = offset + kind.itemsize, read + count
        layout = struct.Struct(f"{text}{self.dtype.itemsize - end}x")
        return layout, operator.itemgetter(*places), getattr(namedtuple("Fields", names), "_make")  # noqa: B009 - its fields are a game's

    def fields(self, content: Content) -> Any:
        """The fields of a state's bytes by name as plain numbers, arrays of them as flat tuples; all read at once: reading a
        record's fields one by one takes ten times as long.
        """
        layout, picked, named = self._plain
        return named(picked(layout.unpack(content)))  # type: ignore[arg-type] # an array is a buffer

    def random(self, seed: int) -> Random:
        """A random generator for playouts and search."""
        return seeded(seed)
