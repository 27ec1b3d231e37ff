"""The targets of this machine: a rules module run by Python over numpy arrays, compiled (native) or plain (interpreted).

A target's entry points take states as bytes, which go into a compiled call several times as fast as records. They are what
any other target has to export, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import rule_in, whole
from ludotheque.kernels.records import Actions, Returns, State, Weights

Buffer: TypeAlias = NDArray[Any]
"""uint8: room for a state's bytes"""
MOST_ARGUMENTS = 3  # of an exported function, beside the state


@dataclass(frozen=True)
class EntryPoints:
    """The functions of a target, over bytes and arrays to be filled in."""

    to_move: Callable[[bytes], int]
    legal: Callable[[bytes, Actions], int]
    """Fills in the actions and returns how many there are."""
    weights: Callable[[bytes, Actions, int, Weights], None]
    advance: Callable[[bytes, int, Buffer, Actions], tuple[int, int]]
    """Fills in the state after an action and, unless it is chance's turn then, the actions; returns whose turn it is and how many."""
    returns: Callable[[bytes, Returns], None]
    prepare: Callable[[bytes, Buffer], None] | None
    exports: Mapping[str, Callable[..., int]]

    def signatures(self, exports: Mapping[str, int]) -> Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Every function by name, and the types that it is compiled for. The names are those of `RulesTarget`."""
        state, number = numba.typeof(b""), numba.int64
        buffer, actions, weights, returns = (
            numba.types.Array(kind, 1, "C") for kind in (numba.uint8, numba.int32, numba.int64, numba.float64)
        )
        signatures: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
            "to_move": (self.to_move, (state,)),
            "legal": (self.legal, (state, actions)),
            "weights": (self.weights, (state, actions, number, weights)),
            "advance": (self.advance, (state, number, buffer, actions)),
            "returns": (self.returns, (state, returns)),
        }
        if self.prepare is not None:
            signatures["prepare"] = (self.prepare, (state, buffer))
        for name, arguments in exports.items():
            signatures[f"call.{name}"] = (self.exports[name], (state, *[number] * arguments))
        return signatures

    def compile(self, exports: Mapping[str, int]) -> None:
        """Compile all of them now."""
        for function, signature in self.signatures(exports).values():
            dispatcher: Any = function
            dispatcher.compile(signature)


def exports_of(module: ModuleType) -> Mapping[str, int]:
    """The functions that a rules module exports beside the usual ones, and how many whole numbers they take after the state."""
    exports: Mapping[str, int] = getattr(module, "EXPORTS", {})
    return exports


def make_entry_points(module: ModuleType, folder: Path) -> EntryPoints:
    """The entry points of a rules module: compiled where its rules are, otherwise plain Python."""
    layout = np.dtype((np.record, module.STATE))
    to_move_rule: Callable[[State], int] = module.to_move
    legal_rule: Callable[[State, Actions], int] = module.legal
    play_rule: Callable[[State, int], None] = module.play
    weight_rule: Callable[[State, int], int] = module.weight
    returns_rule: Callable[[State, Returns], None] = module.returns
    prepare_rule: Callable[[State], None] | None = getattr(module, "prepare", None)

    @rule_in(folder)
    def to_move(state: bytes) -> int:
        return to_move_rule(np.frombuffer(state, layout)[0])

    @rule_in(folder)
    def legal(state: bytes, actions: Actions) -> int:
        return legal_rule(np.frombuffer(state, layout)[0], actions)

    @rule_in(folder)
    def weights(state: bytes, outcomes: Actions, count: int, found: Weights) -> None:
        record = np.frombuffer(state, layout)[0]
        for which in range(count):
            found[which] = weight_rule(record, whole(outcomes[which]))

    @rule_in(folder)
    def advance(before: bytes, action: int, after: Buffer, actions: Actions) -> tuple[int, int]:
        after[:] = np.frombuffer(before, np.uint8)
        record = after.view(layout)[0]
        play_rule(record, action)
        mover = to_move_rule(record)
        return mover, legal_rule(record, actions) if mover >= 0 else 0

    @rule_in(folder)
    def returns(state: bytes, result: Returns) -> None:
        returns_rule(np.frombuffer(state, layout)[0], result)

    prepare: Callable[[bytes, Buffer], None] | None = None
    if prepare_rule is not None:

        @rule_in(folder)
        def prepare(before: bytes, after: Buffer) -> None:
            after[:] = np.frombuffer(before, np.uint8)
            prepare_rule(after.view(layout)[0])

    exports = {
        name: _export(getattr(module, name), arguments, layout, folder)
        for name, arguments in exports_of(module).items()
    }
    return EntryPoints(to_move, legal, weights, advance, returns, prepare, exports)


def _export(function: Callable[..., int], arguments: int, layout: "np.dtype[Any]", folder: Path) -> Callable[..., int]:
    """An exported function's entry point. One for each number of arguments: compiled functions take no open list of them."""
    assert arguments <= MOST_ARGUMENTS

    @rule_in(folder)
    def call_0(state: bytes) -> int:
        return whole(function(np.frombuffer(state, layout)[0]))

    @rule_in(folder)
    def call_1(state: bytes, first: int) -> int:
        return whole(function(np.frombuffer(state, layout)[0], first))

    @rule_in(folder)
    def call_2(state: bytes, first: int, second: int) -> int:
        return whole(function(np.frombuffer(state, layout)[0], first, second))

    @rule_in(folder)
    def call_3(state: bytes, first: int, second: int, third: int) -> int:
        return whole(function(np.frombuffer(state, layout)[0], first, second, third))

    return (call_0, call_1, call_2, call_3)[arguments]


class LocalTarget:
    """A `RulesTarget` in this process. It may be used by several threads at once."""

    def __init__(self, entries: EntryPoints, size: int, most_actions: int, most_players: int) -> None:
        self.entries = entries
        self._size = size
        self._most_actions = most_actions
        self._most_players = most_players
        self._spare: list[tuple[Buffer, Actions]] = []  # buffers that no thread is using

    def _buffers(self) -> tuple[Buffer, Actions]:
        """Room for a state and its actions: making it takes as long as playing an action."""
        try:
            return self._spare.pop()
        except IndexError:
            return np.empty(self._size, np.uint8), np.empty(self._most_actions, np.int32)

    def to_move(self, state: bytes) -> int:
        """Whose turn it is."""
        return int(self.entries.to_move(state))

    def legal(self, state: bytes) -> list[int]:
        """Every legal action, or chance's outcomes."""
        buffers = self._buffers()
        count = self.entries.legal(state, buffers[1])
        found: list[int] = buffers[1][:count].tolist()
        self._spare.append(buffers)
        return found

    def weights(self, state: bytes, outcomes: Sequence[int]) -> list[int]:
        """The weights of outcomes."""
        weights = np.zeros(len(outcomes), np.int64)
        self.entries.weights(state, np.array(outcomes, np.int32), len(outcomes), weights)
        found: list[int] = weights.tolist()
        return found

    def advance(self, state: bytes, action: int) -> tuple[bytes, int, list[int]]:
        """One legal action."""
        buffers = self._buffers()
        after, actions = buffers
        mover, count = self.entries.advance(state, action, after, actions)
        result = after.tobytes(), int(mover), actions[:count].tolist()
        self._spare.append(buffers)
        return result

    def returns(self, state: bytes) -> list[float]:
        """What each seat gets."""
        result = np.zeros(self._most_players)
        self.entries.returns(state, result)
        shares: list[float] = result.tolist()
        return shares

    def prepare(self, state: bytes) -> bytes:
        """The state with its derived fields."""
        if self.entries.prepare is None:
            return state
        after = np.empty(self._size, np.uint8)
        self.entries.prepare(state, after)
        return after.tobytes()

    def call(self, name: str, state: bytes, *arguments: int) -> int:
        """The answer of an exported function."""
        return int(self.entries.exports[name](state, *arguments))
