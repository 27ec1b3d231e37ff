"""A game's rules module as one bundle of functions over numpy records: interpreted at once, compiled in the background.

People never wait for a compiler: until the compiled rules are there, the same source runs interpreted.
Text modules use the rules through `targets`; bots, search and batches use them from here.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.cache_keys import RULES_READY, cache_folder
from ludotheque.kernels.jit import JIT, interpreted
from ludotheque.kernels.native import LocalTarget, exports_of, make_entry_points
from ludotheque.kernels.random import Random
from ludotheque.kernels.records import Actions, FastRecord, Returns, State, Weights, record_type

__all__ = ["Actions", "Returns", "Rules", "RulesFunctions", "State", "Weights", "record_type"]


@dataclass(frozen=True)
class RulesFunctions:
    """What a rules module defines; every name in NAMES is a function in it."""

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
    target: LocalTarget
    """The same rules over bytes."""
    module: ModuleType
    """The module itself, for its further functions."""


NAMES: Final = ("to_move", "legal", "play", "weight", "draw", "returns")


def _folder(module: ModuleType) -> Path:
    assert module.__file__ is not None
    return Path(module.__file__).parent


def _functions(module: ModuleType) -> RulesFunctions:
    entries = make_entry_points(module, _folder(module))
    target = LocalTarget(entries, module.STATE.itemsize, module.MOST_ACTIONS, module.MOST_PLAYERS)
    return RulesFunctions(**{name: getattr(module, name) for name in NAMES}, target=target, module=module)


class Rules:
    """A game's rules: the type of its state, its functions, and its limits.

    `module` names the rules module. It defines STATE (an aligned numpy dtype), MOST_ACTIONS (the most that `legal` fills in),
    MOST_PLAYERS, and the functions of `RulesFunctions`; all rules that these call are in that one module. It may also define:
    - `casual(state, actions, count, random) -> action`: the choice of a quick but sensible player, used in playouts;
    - `prepare(state)`: fills in the derived fields when a position is set up;
    - `EXPORTS`: further functions that text modules call, by name, with the number of whole numbers (at most three) that
      follow the state; each answers a whole number.
    """

    def __init__(self, module: str) -> None:
        self.module_name = module
        self._compiled: RulesFunctions | None = None
        self._lock = threading.Lock()
        self._background: threading.Thread | None = None

    @cached_property
    def module(self) -> ModuleType:
        """The rules module, compiled where the JIT is on."""
        return import_module(self.module_name)

    @cached_property
    def folder(self) -> Path:
        """The game's folder: the cache is keyed by its sources."""
        return _folder(self.module)

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
    def interpreted(self) -> RulesFunctions:
        """The same rules as plain Python, from a second copy of the module."""
        if not JIT:
            return _functions(self.module)
        spec = find_spec(self.module_name)
        assert spec is not None
        assert spec.loader is not None
        copy = module_from_spec(spec)
        with interpreted():
            spec.loader.exec_module(copy)
            return _functions(copy)

    @property
    def compiled(self) -> RulesFunctions:
        """The compiled rules. They are read from the cache, or compiled here and now."""
        if self._compiled is None:
            with self._lock:
                if self._compiled is None:
                    self._compiled = self._compile()
        return self._compiled

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled rules are loaded; with the JIT off, the plain ones in their place."""
        return self._compiled is not None

    @property
    def current(self) -> RulesFunctions:
        """The rules for serving people: compiled if at hand, otherwise interpreted while a thread compiles them."""
        if self._compiled is not None:
            return self._compiled
        if not JIT or self.cached:
            return self.compiled
        if self._background is None:
            self._background = threading.Thread(target=lambda: self.compiled, name="compile rules", daemon=True)
            self._background.start()
        return self.interpreted

    @property
    def target(self) -> LocalTarget:
        """The current rules over bytes."""
        return self.current.target

    @property
    def _stamp(self) -> Path:
        return cache_folder(self.folder) / RULES_READY

    @property
    def cached(self) -> bool:
        """Whether an earlier process left these very rules compiled."""
        return self._stamp.exists()

    def _compile(self) -> RulesFunctions:
        functions = _functions(self.module)
        if JIT:
            record = numba.from_dtype(self.dtype)
            actions = numba.types.Array(numba.int32, 1, "C")
            returns = numba.types.Array(numba.float64, 1, "C")
            random = numba.types.Array(numba.int64, 1, "C")
            number = numba.int64
            exports = exports_of(self.module)
            signatures = {
                "to_move": (record,),
                "legal": (record, actions),
                "play": (record, number),
                "weight": (record, number),
                "draw": (record, random),
                "returns": (record, returns),
                **{name: (record, *[number] * arguments) for name, arguments in exports.items()},
            }
            if hasattr(self.module, "prepare"):
                signatures["prepare"] = (record,)
            for name, signature in signatures.items():
                getattr(self.module, name).compile(signature)
            functions.target.entries.compile(exports)
            try:
                self._stamp.parent.mkdir(parents=True, exist_ok=True)
                self._stamp.touch()
            except OSError:  # nowhere to keep them: this process has them all the same
                return functions
        return functions

    @cached_property
    def _record(self) -> "np.dtype[np.void]":
        """The type of the state, as an array of which every element is a FastRecord."""
        return np.dtype((FastRecord, self.dtype))

    def state_of(self, state: bytes | bytearray) -> State:
        """A record of its own with the content of a state."""
        record: State = np.frombuffer(bytearray(state), self._record)[
            0
        ]  # `view` asks three Python functions whether it may
        return record

    def new_state(self) -> State:
        """A record with every field 0."""
        return self.state_of(bytes(self.dtype.itemsize))

    def copy(self, state: State) -> State:
        """Another record with the same content. Through bytes: ten times as fast as through arrays."""
        return self.state_of(state.tobytes())

    def actions_of(self, numbers: Sequence[int]) -> NDArray[np.int32]:
        """Numbers of actions as rules take them."""
        return np.array(numbers, np.int32)
