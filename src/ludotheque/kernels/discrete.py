"""A game whose rules are kernels: positions are states, and text, views and records come from a few translations.

The rules are in the game's rules.py, and `targets` runs them. Nothing here needs numpy, except what bots ask for.
"""

import sys
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from ludotheque.core import (
    CHANCE,
    Event,
    Game,
    Json,
    JsonObject,
    Legal,
    Options,
    Paint,
    Position,
    SetupDice,
    Step,
    ToMove,
    find_game,
    plain,
    write_json,
)
from ludotheque.kernels.layout import Fields, Layout, MutableState
from ludotheque.kernels.signatures import Kernels
from ludotheque.kernels.targets import CHANCE as CHANCE_MOVES
from ludotheque.kernels.targets import RulesTarget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludotheque.kernels.cold_start import ColdStart
    from ludotheque.kernels.rules import Rules, State


class HasBytes(Protocol):
    """A state in any form: what is being built, or a record."""

    def tobytes(self) -> bytes:
        """It as bytes."""


@dataclass
class ChanceOutcomes:
    """Chance's outcomes: their numbers, their weights, the running totals of the weights, and their texts once asked for."""

    numbers: list[int]
    known: frozenset[int]
    weights: tuple[int, ...]
    totals: list[int]
    legal: Legal | None = None


class DiscreteGame(Game):
    """A game with kernels. A game's game.py gives the translations below; everything else follows."""

    layout: ClassVar[Layout]
    """How a state lies in memory."""
    _target: RulesTarget | None = None
    _kernels: Kernels | None = None

    @abstractmethod
    def first_state(self, players: int, options: Options, dice: SetupDice) -> MutableState:
        """The state of the first position; options that the rules read are fields of it."""

    @abstractmethod
    def state_from_view(self, view: JsonObject, players: int, options: Options) -> MutableState:
        """The state that a view describes; BadView if no game can reach it in shape or in counts."""

    @abstractmethod
    def view_of(self, position: "DiscretePosition") -> JsonObject:
        """The position as docs/protocol.md shows it."""

    @abstractmethod
    def write(self, fields: Fields, action: int) -> str:
        """The one text of a legal action, or of chance's outcome."""

    def write_all(self, fields: Fields, actions: Sequence[int]) -> tuple[str, ...]:
        """The texts of many actions of one state; a game with long lists may do it faster."""
        return tuple(self.write(fields, action) for action in actions)

    @abstractmethod
    def read(self, fields: Fields, action: str) -> int | None:
        """The number of an action's text. Returns None if the text is malformed; legality is not checked."""

    def chance_key(self, fields: Fields) -> int | None:
        """On chance's turn, a number for all that its outcomes and their texts depend on: they are then listed once for each.

        None: they are listed each time.
        """
        del fields
        return None

    def roller(self, fields: Fields) -> int | None:
        """On chance's turn, the seat whose dice they are; None if they are nobody's. Usually the player whose turn it is."""
        player: int = fields.player
        return player

    @abstractmethod
    def events_of(self, before: "DiscretePosition", action: int, after: "DiscretePosition") -> Sequence[Event]:
        """What an action did, in order."""

    @abstractmethod
    def picture_of(self, position: "DiscretePosition", paint: Paint, language: str) -> str:
        """The board in a terminal."""

    @property
    def rules_module(self) -> str:
        """The full name of the rules module."""
        return f"{self.package}.rules"

    @cached_property
    def rules(self) -> "Rules":
        """The rules as numpy records and compiled functions, for bots, search and batches."""
        from ludotheque.kernels.rules import Rules, record_type  # noqa: PLC0415 - numpy and numba are for those who need them

        rules = Rules(self.rules_module)
        if rules.dtype != record_type(self.layout):
            raise TypeError(f"STATE in {self.rules_module} is not made from the layout of {self.name}")
        return rules

    @property
    def folder(self) -> Path:
        """The folder of the game's package."""
        file = sys.modules[self.package].__file__
        assert file is not None
        return Path(file).parent

    @cached_property
    def cold_start(self) -> "ColdStart | None":
        """WebAssembly, where that is quicker at hand than native code; looked for once."""
        from ludotheque.kernels.cold_start import cold_start_of  # noqa: PLC0415 - a browser has neither files nor processes

        return cold_start_of(self)

    @property
    def target(self) -> RulesTarget:
        """What the rules run on: the target given, otherwise native once compiled; until then WebAssembly, or interpreted."""
        target = self._target
        if target is None:
            cold = self.cold_start
            if cold is not None and not cold.is_native:
                return cold.target
            target = self.rules.target
            if self.rules.is_compiled:
                self._target = target
        return target

    def use_target(self, target: RulesTarget | None) -> None:
        """From now on run the rules of this game object on a target; None: on this machine again."""
        self._target = target

    @property
    def kernels(self) -> Kernels:
        """The kernel entries that bots, hints, reviews and puzzles call: those given, otherwise this machine's."""
        if self._kernels is None:
            if self.cold_start is not None:
                return self.cold_start.kernels
            from ludotheque.kernels.entries import LocalKernels  # noqa: PLC0415 - numpy and numba are for those who need them

            self._kernels = LocalKernels(self.rules)
        return self._kernels

    def use_kernels(self, kernels: Kernels | None) -> None:
        """From now on call the kernel entries of this game object there; None: on this machine again."""
        self._kernels = kernels

    @cached_property
    def listed_outcomes(self) -> dict[int, ChanceOutcomes]:
        """Chance's outcomes by `chance_key`, as far as they have been listed."""
        return {}

    def start(self, players: int, options: Options, dice: SetupDice) -> "DiscretePosition":
        """The first position."""
        return self._position(self.first_state(players, options, dice), players, options)

    def from_view(self, view: JsonObject, players: int, options: Options) -> "DiscretePosition":
        """The position that a view describes."""
        return self._position(self.state_from_view(view, players, options), players, options)

    def _position(self, state: MutableState, players: int, options: Options) -> "DiscretePosition":
        packed = state.tobytes()
        prepared = self.target.prepare(packed) if self.layout.has_derived else packed
        return DiscretePosition(self, prepared, players, options)


def _mover(number: int) -> ToMove:
    """Whose turn it is, from the number that rules answer."""
    return number if number >= 0 else CHANCE if number == CHANCE_MOVES else None


class DiscretePosition(Position):
    """A position of a game with kernels. It is held as bytes; everything else is made from them when it is first asked for."""

    game: DiscreteGame
    state_bytes: bytes
    """The state in the game's layout."""
    _state: "State | None" = None
    _fields: Fields = None
    _numbers: list[int] | None = None
    _outcomes: ChanceOutcomes | None = None
    _legal: Legal | None = None
    _view: JsonObject | None = None
    _hash: int | None = None

    def __init__(self, game: DiscreteGame, state: bytes | HasBytes, players: int, options: Options) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.state_bytes = state if isinstance(state, bytes) else state.tobytes()

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self.view()}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DiscretePosition)
            and self.game is other.game
            and self.players == other.players
            and self.options == other.options
            and self.view() == other.view()
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.game.name, self.players, write_json(self.view())))  # what equality compares
        return self._hash

    def __copy__(self) -> "DiscretePosition":
        return self  # it never changes

    def __deepcopy__(self, memo: object) -> "DiscretePosition":
        return self

    def __reduce__(self) -> "tuple[object, tuple[str, int, bytes, int, Options]]":
        return _unpickled, (
            self.game.name,
            self.game.rules_version,
            self.state_bytes,
            self.players,
            dict(self.options),
        )

    @cached_property
    def to_move(self) -> ToMove:
        """Whose turn it is."""
        return _mover(self.game.target.to_move(self.state_bytes))

    @property
    def acting(self) -> int | None:
        """The seat to move or, on chance's turn, whose dice they are; None if nobody's, or when over."""
        return self.game.roller(self.fields) if self.to_move == CHANCE else self.to_move

    @property
    def fields(self) -> Fields:
        """The state's fields as plain numbers."""
        if self._fields is None:
            self._fields = self.game.layout.fields(self.state_bytes)
        return self._fields

    def call(self, name: str, *arguments: int) -> int:
        """The answer of one of the functions that the rules module exports."""
        return self.game.target.call(name, self.state_bytes, *arguments)

    @property
    def state(self) -> "State":
        """The state as a numpy record, for bots and search; not to be changed."""
        if self._state is None:
            self._state = self.game.rules.state_of(self.state_bytes)
        return self._state

    def numbers(self) -> "NDArray[np.int32]":
        """The numbers of all legal actions, or of chance's outcomes, as rules take them."""
        return self.game.rules.actions_of(self.action_numbers())

    def action_numbers(self) -> list[int]:
        """The numbers of all legal actions, or of chance's outcomes; not to be changed."""
        if self._numbers is None:
            if self.to_move == CHANCE:
                self._numbers = self._chance().numbers
            else:
                self._numbers = [] if self.over else self.game.target.legal(self.state_bytes)
        return self._numbers

    def _chance(self) -> ChanceOutcomes:
        """On chance's turn, its outcomes."""
        if self._outcomes is None:
            key = self.game.chance_key(self.fields)
            outcomes = None if key is None else self.game.listed_outcomes.get(key)
            if outcomes is None:
                target = self.game.target
                numbers = target.legal(self.state_bytes)
                weights = target.weights(self.state_bytes, numbers)
                outcomes = ChanceOutcomes(numbers, frozenset(numbers), tuple(weights), list(accumulate(weights)))
                if key is not None:
                    self.game.listed_outcomes[key] = outcomes
            self._outcomes = outcomes
        return self._outcomes

    def legal(self) -> Legal:
        """Everything that the player to move, or chance, can do."""
        if self._legal is None:
            if self.to_move == CHANCE:
                outcomes = self._chance()
                if outcomes.legal is None:
                    texts = self.game.write_all(self.fields, outcomes.numbers)
                    outcomes.legal = Legal(texts, outcomes.weights)
                self._legal = outcomes.legal
            else:
                self._legal = Legal(self.game.write_all(self.fields, self.action_numbers()))
        return self._legal

    def total_weight(self) -> int:
        """On chance's turn, the sum of all weights."""
        return self._chance().totals[-1]

    def outcome_at(self, number: int) -> str:
        """On chance's turn, the outcome that a number drawn below the total means; no other is written out."""
        outcomes = self._chance()
        return self.game.write(self.fields, outcomes.numbers[bisect_right(outcomes.totals, number)])

    def number_of(self, action: str) -> int:
        """The number of a legal action; IllegalAction for any other text."""
        number = self.game.read(self.fields, action)
        if number is None or number not in (self._chance().known if self.to_move == CHANCE else self.action_numbers()):
            raise self.refuse(action)
        return number

    def play(self, action: str, outcome: Json = None) -> Step:
        """The position after one legal action."""
        del outcome  # the action says it all
        number = self.number_of(action)
        state, mover, numbers = self.game.target.advance(self.state_bytes, number)
        after = DiscretePosition(self.game, state, self.players, self.options)
        after.to_move = _mover(mover)
        if mover >= 0:
            after._numbers = numbers
        return Step(after, tuple(self.game.events_of(self, number, after)))

    def after(self, actions: Iterable[str]) -> "DiscretePosition":
        """The position after some legal actions, one after the other."""
        position = self
        for action in actions:
            following = position.play(action).position
            assert isinstance(following, DiscretePosition)
            position = following
        return position

    def view(self) -> JsonObject:
        """The whole position as JSON; made once, since a position never changes."""
        if self._view is None:
            self._view = self.game.view_of(self)
        return self._view

    def returns(self) -> tuple[float, ...]:
        """What each seat got, when over."""
        if self.to_move is not None:
            return ()
        return tuple(self.game.target.returns(self.state_bytes)[: self.players])

    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        """The board in a terminal."""
        return self.game.picture_of(self, paint, language)


def _unpickled(name: str, rules: int, state: bytes, players: int, options: Options) -> DiscretePosition:
    game = find_game(name).at_version(rules)
    assert isinstance(game, DiscreteGame)
    return DiscretePosition(game, state, players, options)
