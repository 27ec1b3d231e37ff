"""Encodings: a game's actions as fixed numbers and its positions as arrays, for learning programs.

A game's folder has the functions over one state (`observe`, `deal`); `batch` runs them over many. Rules know nothing of this.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.core import BadOption, Game, IllegalAction, shortened
from ludotheque.kernels.discrete import DiscreteGame, DiscretePosition
from ludotheque.kernels.random import Random
from ludotheque.kernels.records import State

Observation: TypeAlias = NDArray[Any]
"""One row of observations; int8 or float32, with the same numbers in both."""
Observe: TypeAlias = Callable[[State, int, Observation], None]
"""(state, seat, out): fills in the position as a seat sees it. Every number of `out` is written."""
Deal: TypeAlias = Callable[[State, Random, bool], None]
"""(state, random, by_lot): makes a first position out of an undealt one; `by_lot` says whether the lot decides who starts."""


class Feature(NamedTuple):
    """One named part of an observation: a plane, a list or a single number."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)


def places_of(features: Sequence[Feature]) -> dict[str, int]:
    """Where each feature begins in an observation."""
    places: dict[str, int] = {}
    first = 0
    for feature in features:
        places[feature.name] = first
        first += feature.size
    return places


class Symmetries(NamedTuple):
    """Ways to turn a position into another one that is worth the same, a row each; the first changes nothing."""

    places: NDArray[np.int64]
    """`observation[places[which]]` is the observation of the other position; shape (symmetries, observation size)."""
    actions: NDArray[np.int64]
    """`actions[which][action]` is the number that an action has there; shape (symmetries, actions)."""


class Encoding:
    """How a discrete game is written for learning programs. It comes from one module of the game's folder, which defines:

    - `VERSION`: a number that changes whenever a number of an action or of an observation changes its meaning;
    - `ACTION_TEXTS`: the text of every action of a player, in the order of their numbers, which are those of the rules;
    - `NUM_OUTCOMES`: chance's outcomes have the numbers below it; 0 if chance never moves;
    - `FEATURES`: the parts of an observation, in order;
    - `observe`: a rule that fills one in;
    - `deal`, if it likes: a rule that lays out a new match. Without it new matches are laid out by Python, which is slower;
    - `observe_alike`, if it likes: a rule like `observe` for our own learner, which makes positions that differ in names alone look
      alike; actions keep their numbers;
    - `symmetries`, if it likes: a function that gives `Symmetries` of what `observe_alike` or `observe` fills in.
    """

    def __init__(self, game: DiscreteGame, module: str) -> None:
        self.game: Final = game
        self.module_name: Final = module

    def __repr__(self) -> str:
        return f"<Encoding {self.version} of {self.game.name}: {self.num_actions} actions, {self.observation_size} numbers>"

    @cached_property
    def module(self) -> ModuleType:
        """The module that defines it."""
        return import_module(self.module_name)

    @cached_property
    def version(self) -> int:
        """Changes whenever the meaning of a number changes."""
        return int(self.module.VERSION)

    @cached_property
    def action_texts(self) -> tuple[str, ...]:
        """The text of each player's action, by its number."""
        return tuple(self.module.ACTION_TEXTS)

    @property
    def num_actions(self) -> int:
        """How many actions players can have; the legal ones of a position are some of them."""
        return len(self.action_texts)

    @cached_property
    def num_outcomes(self) -> int:
        """How many outcomes chance can have; 0 if it never moves."""
        return int(self.module.NUM_OUTCOMES)

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The parts of an observation, in order."""
        return tuple(self.module.FEATURES)

    @cached_property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return sum(feature.size for feature in self.features)

    @cached_property
    def lows(self) -> NDArray[np.int8]:
        """The least that each number of an observation can be."""
        return np.concatenate([np.full(feature.size, feature.low, np.int8) for feature in self.features])

    @cached_property
    def highs(self) -> NDArray[np.int8]:
        """The most that each number of an observation can be."""
        return np.concatenate([np.full(feature.size, feature.high, np.int8) for feature in self.features])

    @cached_property
    def observe_rule(self) -> Observe:
        """The game's function that fills in an observation."""
        function: Observe = self.module.observe
        return function

    @cached_property
    def observe_alike_rule(self) -> Observe:
        """The game's function that fills in an observation for our own learner: `observe`, unless there is a better one."""
        function: Observe = getattr(self.module, "observe_alike", self.observe_rule)
        return function

    @cached_property
    def symmetries(self) -> Symmetries | None:
        """Positions that are worth the same, if the game tells of some."""
        made: Callable[[], Symmetries] | None = getattr(self.module, "symmetries", None)
        return None if made is None else made()

    @cached_property
    def deal_rule(self) -> Deal | None:
        """The game's function that lays out a new match, if it has one."""
        function: Deal | None = getattr(self.module, "deal", None)
        return function

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {text: number for number, text in enumerate(self.action_texts)}

    def action_text(self, action: object, position: DiscretePosition | None = None) -> str:
        """The text of an action; with a position, as it is written there (`give 3` for `give`)."""
        number = self._checked(action)
        return self.action_texts[number] if position is None else self.game.write(position.fields, number)

    def action_id(self, action: str, position: DiscretePosition | None = None) -> int:
        """The number of an action's text; with a position, also of a text that only makes sense there. Legality is not checked."""
        number = self._numbers.get(action)
        if number is None and position is not None and position.to_move in range(position.players):
            number = self.game.read(position.fields, action)
        if number is None:
            raise IllegalAction("encoding.text", title=self.game.title, action=shortened(str(action)))
        return number

    def outcome_text(self, outcome: int, position: DiscretePosition) -> str:
        """The text of one of chance's outcomes, on its turn in a position."""
        if outcome not in position.action_numbers() or position.to_move != "chance":
            raise IllegalAction("encoding.outcome", outcome=shortened(str(outcome)))
        return self.game.write(position.fields, outcome)

    def outcome_id(self, outcome: str, position: DiscretePosition) -> int:
        """The number of an outcome's text, on chance's turn in a position."""
        return position.number_of(outcome)

    def _checked(self, action: object) -> int:
        if isinstance(action, bool) or not isinstance(action, int | np.integer) or not 0 <= action < self.num_actions:
            raise IllegalAction(
                "encoding.action", title=self.game.title, last=self.num_actions - 1, action=shortened(str(action))
            )
        return int(action)

    def observe(self, position: DiscretePosition, seat: int | None = None) -> NDArray[np.int8]:
        """One position as numbers, as a seat sees it; by default the one to move, or seat 0 where none is."""
        if seat is None:
            seat = position.to_move if isinstance(position.to_move, int) else 0
        if isinstance(seat, bool) or seat not in range(position.players):
            raise BadOption("encoding.seat", last=position.players - 1, seat=shortened(str(seat)))
        row = np.zeros(self.observation_size, np.int8)
        self.observe_rule(position.state, seat, row)
        return row

    def mask(self, position: DiscretePosition) -> NDArray[np.int8]:
        """1 for each action that is legal in a position; all 0 where no player is to move."""
        row = np.zeros(self.num_actions, np.int8)
        if position.to_move in range(position.players):
            row[position.numbers()] = 1
        return row

    def named(self, observations: Observation) -> dict[str, Observation]:
        """The parts of one or many observations by name, each in its shape. They share memory with the whole."""
        if observations.shape[-1:] != (self.observation_size,):
            raise BadOption(
                "encoding.observation", size=self.observation_size, title=self.game.title, shape=str(observations.shape)
            )
        places = places_of(self.features)
        return {
            one.name: observations[..., places[one.name] : places[one.name] + one.size].reshape(
                (*observations.shape[:-1], *one.shape)
            )
            for one in self.features
        }


def encoding_of(game: object) -> Encoding:
    """A game's encoding; BadOption, with a sentence, for a game that has none."""
    if not isinstance(game, DiscreteGame):
        raise BadOption("encoding.not-discrete", game=game.title if isinstance(game, Game) else shortened(str(game)))
    if game.capabilities.encoding is None:
        raise BadOption("encoding.none", title=game.title)
    return _encoding(game, game.capabilities.encoding)


@cache
def _encoding(game: DiscreteGame, module: str) -> Encoding:
    return Encoding(game, module)
