"""A game whose rules are kernels: positions are states, and text, views and records come from a few translations.

The rules stay in the game's rules.py; this only carries texts to them and back.
"""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

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
)
from ludotheque.kernels.rules import CHANCE as CHANCE_MOVES
from ludotheque.kernels.rules import Content, Rules, State


@dataclass(frozen=True)
class Chances:
    """Chance's outcomes: their numbers, their weights, and the sums of weights that they reach one after the other."""

    numbers: NDArray[np.int32]
    listed: list[int]
    known: frozenset[int]
    weights: tuple[int, ...]
    reached: list[int]


class DiscreteGame(Game):
    """A game with kernels. A game's game.py gives the translations below; everything else follows."""

    rules: ClassVar[Rules]
    reads_plainly: ClassVar[bool] = False
    """Whether `write`, `write_all`, `read` and `chance_key` may be given a position's plain fields for its record: they are
    read ten times as fast, and by name alike."""

    @abstractmethod
    def first_state(self, players: int, options: Options, dice: SetupDice) -> State:
        """The state of the first position; options that the rules read are fields of it."""

    @abstractmethod
    def state_from_view(self, view: JsonObject, players: int, options: Options) -> State:
        """The state that a view describes; BadView if no game can reach it in shape or in counts."""

    @abstractmethod
    def view_of(self, state: State, players: int) -> JsonObject:
        """The state as docs/protocol.md shows it."""

    @abstractmethod
    def write(self, state: State, action: int) -> str:
        """The one text of a legal action, or of chance's outcome."""

    def write_all(self, state: State, actions: Sequence[int]) -> tuple[str, ...]:
        """The texts of many actions of one state; a game with long lists may do it faster."""
        return tuple(self.write(state, action) for action in actions)

    def chance_key(self, state: State) -> int | None:
        """On chance's turn, a number that says all that its outcomes depend on, if there are few: each list is then made once."""
        del state
        return None

    @cached_property
    def known_chances(self) -> dict[int, Chances]:
        """The lists made so far."""
        return {}

    @abstractmethod
    def read(self, state: State, action: str) -> int | None:
        """The number of an action's text, None if it is none; whether it is legal here is not asked."""

    @abstractmethod
    def events_of(self, before: State, action: int, after: State) -> Sequence[Event]:
        """What an action did, in order."""

    def view_at(self, position: "DiscretePosition") -> JsonObject:
        """`view_of` a position; a game that is played a lot may read the position's plain fields instead of its record."""
        return self.view_of(position.state, position.players)

    def events_between(self, before: "DiscretePosition", action: int, after: "DiscretePosition") -> Sequence[Event]:
        """`events_of` two positions; likewise."""
        return self.events_of(before.state, action, after.state)

    @abstractmethod
    def picture_of(self, state: State, players: int, paint: Paint, language: str) -> str:
        """The board in a terminal."""

    def start(self, players: int, options: Options, dice: SetupDice) -> "DiscretePosition":
        """The first position."""
        return DiscretePosition(self, self.first_state(players, options, dice), players, options)

    def from_view(self, view: JsonObject, players: int, options: Options) -> "DiscretePosition":
        """The position that a view describes."""
        return DiscretePosition(self, self.state_from_view(view, players, options), players, options)


def mover_of(number: int) -> ToMove:
    """Whose turn it is, as the kernels say it in a number."""
    return int(number) if number >= 0 else CHANCE if number == CHANCE_MOVES else None


class DiscretePosition(Position):
    """A position of a game with kernels; `state` is what the kernels work on and is not to be changed.

    It is held as bytes; everything else follows from them and is made when it is first asked for.
    """

    game: DiscreteGame
    _content: Content
    _state: State | None = None
    _fields: Any = None
    _listed: list[int] | None = None
    _chances: Chances | None = None
    _legal: Legal | None = None
    _view: JsonObject | None = None

    def __init__(self, game: DiscreteGame, state: State | Content, players: int, options: Options) -> None:
        self.game = game
        self.players = players
        self.options = options
        self._content = game.rules.content_of(state.tobytes()) if isinstance(state, np.void) else state

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

    __hash__ = None  # type: ignore[assignment] # views are dictionaries

    def __reduce__(self) -> "tuple[object, tuple[str, bytes, int, Options]]":
        return _restored, (self.game.name, self._content.tobytes(), self.players, dict(self.options))

    @cached_property
    def to_move(self) -> ToMove:
        """Whose turn it is."""
        return mover_of(self.game.rules.current.to_move(self.state))

    @property
    def acting(self) -> int | None:
        """The seat to move, or whose dice they are."""
        to_move = self.to_move
        player = self.view().get("player") if to_move == CHANCE else to_move
        return player if isinstance(player, int) else None

    @property
    def state(self) -> State:
        """What the kernels work on; not to be changed."""
        if self._state is None:
            self._state = self.game.rules.state_in(self._content)
        return self._state

    @property
    def fields(self) -> Any:
        """The state's fields as plain numbers (`Rules.fields`)."""
        if self._fields is None:
            self._fields = self.game.rules.fields(self._content)
        return self._fields

    @property
    def _look(self) -> Any:
        """What the game reads its texts by."""
        return self.fields if self.game.reads_plainly else self.state

    def numbers(self) -> NDArray[np.int32]:
        """The kernels' numbers of all legal actions, or of chance's outcomes."""
        return self._chance().numbers if self.to_move == CHANCE else np.array(self._list(), np.int32)

    def _all_legal(self) -> NDArray[np.int32]:
        actions = np.zeros(self.game.rules.most_actions, np.int32)
        count = 0 if self.over else self.game.rules.current.legal(self.state, actions)
        return actions[:count]

    def _chance(self) -> Chances:
        """On chance's turn, what can come."""
        if self._chances is None:
            key = self.game.chance_key(self._look)
            known = None if key is None else self.game.known_chances.get(key)
            if known is None:
                numbers = self._all_legal()
                weights = np.zeros(len(numbers), np.int64)
                self.game.rules.current.weigh(self.state, numbers, len(numbers), weights)
                listed = numbers.tolist()
                known = Chances(numbers, listed, frozenset(listed), tuple(weights.tolist()), weights.cumsum().tolist())
                if key is not None:
                    self.game.known_chances[key] = known
            self._chances = known
        return self._chances

    def _list(self) -> list[int]:
        if self._listed is None:
            self._listed = self._chance().listed if self.to_move == CHANCE else self._all_legal().tolist()
        return self._listed

    def legal(self) -> Legal:
        """Everything that the player to move, or chance, can do."""
        if self._legal is None:
            weights = self._chance().weights if self.to_move == CHANCE else ()
            self._legal = Legal(self.game.write_all(self._look, self._list()), weights)
        return self._legal

    def total_weight(self) -> int:
        """On chance's turn, the sum of all weights."""
        return self._chance().reached[-1]

    def outcome_at(self, number: int) -> str:
        """On chance's turn, the outcome that a number drawn below the total means; no other is written out."""
        chances = self._chance()
        return self.game.write(self._look, chances.listed[bisect_right(chances.reached, number)])

    def number_of(self, action: str) -> int:
        """The kernels' number of a legal action; IllegalAction for any other text."""
        number = self.game.read(self._look, action)
        if number is None or number not in (self._chance().known if self.to_move == CHANCE else self._list()):
            raise self.refuse(action)
        return number

    def play(self, action: str, outcome: Json = None) -> Step:
        """The position after one legal action."""
        del outcome  # the action says it all
        number = self.number_of(action)
        game, rules = self.game, self.game.rules
        content = np.empty_like(self._content)
        actions = np.empty(rules.most_actions, np.int32)
        mover, count = rules.current.advance(self._content, number, content, actions)
        after = DiscretePosition(game, content, self.players, self.options)
        after.to_move = mover_of(mover)
        if mover >= 0:
            after._listed = actions[:count].tolist()
        return Step(after, tuple(game.events_between(self, number, after)))

    def view(self) -> JsonObject:
        """The whole position as JSON; made once, since a position never changes."""
        if self._view is None:
            self._view = self.game.view_at(self)
        return self._view

    def returns(self) -> tuple[float, ...]:
        """What each seat got, when over."""
        if self.to_move is not None:
            return ()
        result = np.zeros(self.game.rules.most_players)
        self.game.rules.current.returns(self.state, result)
        return tuple(float(share) for share in result[: self.players])

    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        """The board in a terminal."""
        return self.game.picture_of(self.state, self.players, paint, language)


def _restored(name: str, content: bytes, players: int, options: Options) -> DiscretePosition:
    """A pickled position again."""
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    return DiscretePosition(game, game.rules.content_of(content), players, options)
