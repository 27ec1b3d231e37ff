"""Wykersham's bots, from 1 (a child's first opponent) to 5: a learned evaluation, every turn enumerated, the last ones exact.

What is compiled is called through `entries`; its parts are `turn` (all ends of a turn), `evaluation` (the board), `search` (how far
and how well a level sees) and `endgame`. Nothing here needs numpy.
"""

import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ludotheque.bots.cache import BoundedCache
from ludotheque.bots.networks import level_networks, network_on
from ludotheque.bots.turn_player import STRONGEST, TurnPlayer
from ludotheque.core import Position
from ludotheque.games.wykersham.facts import ROLLING, STARTING, TURNS
from ludotheque.games.wykersham.features import handmade_network
from ludotheque.games.wykersham.levels import DEEPER, SKILLS, STANDING, Skill
from ludotheque.kernels import DiscretePosition
from ludotheque.kernels.signatures import Kernels, Room
from ludotheque.kernels.weights import NetworkWeights

__all__ = ["SKILLS", "WykershamPlayer", "exact_values", "last_turn_value", "learned", "network_of"]

DEEPER_COST: Final = 5 * (1 + 21 * 3)  # at most, in boards looked one turn further at
WIDEST: Final = 60
CACHED_POSITIONS: Final = 64  # a turn is asked about several times


learned, network_of = level_networks("ludotheque.games.wykersham", handmade_network)
"""The network that self-play has taught, and the network of each level."""


def last_turn_value(position: Position) -> float | None:
    """The exact chance to win, draws counted half, of the player whose last turn is the last of the game.

    The turn may be before its roll or anywhere after it. None on every other turn.
    """
    assert isinstance(position, DiscretePosition)
    value = float(position.game.kernels.call("last_turn_value", position.state_bytes))
    return None if value < 0 else value


def exact_values(position: Position) -> Mapping[str, float] | None:
    """The exact chance to win by each action of the player to move, in the game's last two turns; None before them."""
    assert isinstance(position, DiscretePosition)
    if position.fields.phase in (STARTING, ROLLING) or position.over or turns_left(position) > 2:
        return None
    player = WykershamPlayer(STRONGEST)
    return {one.action: one.value for one in player.choose(position).considered}


def turns_left(position: DiscretePosition) -> int:
    """W20: of both players together."""
    played: int = sum(position.fields.turns)
    return 2 * TURNS - played


class WykershamPlayer(TurnPlayer[Skill]):
    """A bot of one level."""

    def __init__(self, level: int, skill: Skill | None = None, network: NetworkWeights | None = None) -> None:
        super().__init__(level, skill or SKILLS[level], network or network_of(level))
        self._rooms: dict[Kernels, Room] = {}
        self._planned: BoundedCache[tuple[bytes, float | None], tuple[dict[int, float], int]] = BoundedCache(
            CACHED_POSITIONS
        )

    def plan(self, position: DiscretePosition, seconds: float | None) -> tuple[dict[int, float], int]:
        """The value of each legal action without noise, and the action that this level takes."""
        key = (position.state_bytes, seconds)
        if key not in self._planned:
            if seconds is None:
                self.evaluate(position, self.skill)
            else:
                self._evaluate_for(seconds, position)
            noise_seed = position.game.kernels.call("noise_seed", position.state_bytes)
            self._planned[key] = self._decide(position, noise_seed)
        return self._planned[key]

    def choices(self, position: DiscretePosition, noise_seeds: Iterable[int]) -> Iterator[int]:
        """The action that this level would take with each seed of its noise."""
        self.evaluate(position, self.skill)
        for seed in noise_seeds:
            yield self._decide(position, position.game.kernels.call("mixed_seed", seed))[1]

    def value(self, position: DiscretePosition) -> float:
        """The chance to win of the player whose turn it is, evaluated without noise, one turn ahead.

        Before a roll it is the mean of what it is after each, so that luck is nothing but the dice.
        """
        fields, kernels = position.fields, position.game.kernels
        if fields.phase == STARTING:
            mover: int = fields.player
            return sum(self.standing(position.play(start).position)[mover] for start in ("2-1", "1-2")) / 2
        if fields.phase == ROLLING:
            arguments = (*network_on(kernels, self.network), array("d", STANDING), self.search_room(kernels))
            return float(kernels.call("value_before_rolls", *arguments, position.state_bytes))
        self.evaluate(position, STANDING)
        return float(kernels.call("best_value", *self._size, self.search_room(kernels)))

    def evaluate(self, position: DiscretePosition, skill: Skill) -> int:
        """Evaluate all ends of a turn as that skill does; they are in the search's room. Returns how many there are."""
        kernels = position.game.kernels
        arguments = (*network_on(kernels, self.network), array("d", skill), self.search_room(kernels))
        return int(kernels.call("evaluate_ends_of_turn", *arguments, position.state_bytes))

    def search_room(self, kernels: Kernels) -> Room:
        """The memory that this player searches in, beside the kernels (`search.search_in`)."""
        room = self._rooms.get(kernels)
        if room is None:
            room = self._rooms[kernels] = kernels.room(kernels.call("search_size", *self._size))
        return room

    @property
    def _size(self) -> tuple[int, int]:
        return self.network.width, self.network.inner

    def _decide(self, position: DiscretePosition, noise_seed: int) -> tuple[dict[int, float], int]:
        """After `evaluate`: the values of all actions, and the one that leads to the end that this level chooses."""
        kernels, numbers = position.game.kernels, position.action_numbers()
        values = array("d", bytes(8 * len(numbers)))
        search = (*self._size, self.search_room(kernels))
        action = kernels.call(
            "choose_action",
            array("d", self.skill),
            *search,
            position.state_bytes,
            noise_seed,
            array("i", numbers),
            values,
        )
        return dict(zip(numbers, values, strict=True)), int(action)

    def _evaluate_for(self, seconds: float, position: DiscretePosition) -> None:
        """Evaluate the turn, looking at one more end, at many, or two turns ahead, as time allows."""
        began = time.perf_counter()
        skill = self.skill
        self.evaluate(position, skill._replace(depth=0))
        if turns_left(position) <= 2:  # exact, whatever the time
            return
        glanced = time.perf_counter() - began
        if 30 * glanced > seconds:
            return
        self.evaluate(position, skill._replace(width=1))
        one = time.perf_counter() - began - glanced
        left = seconds - one - glanced
        width = max(1, min(WIDEST, int(left / one)))
        further = DEEPER if left > DEEPER_COST * one else skill._replace(width=width, margin=2 * skill.margin)
        self.evaluate(position, further)
