"""Wykersham's bots, from 1 (a child's first opponent) to 5: a learned evaluation, every turn enumerated, the last ones exact.

The parts are `turn` (all ends of a turn), `evaluation` (the board), `search` (how far and how well a level sees) and `endgame`.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

import numpy as np

from ludotheque.bots.cache import BoundedCache
from ludotheque.bots.networks import level_networks
from ludotheque.bots.turn_player import STRONGEST, TurnPlayer
from ludotheque.core import Position
from ludotheque.games.wykersham.endgame import Endgame, on_last_turn
from ludotheque.games.wykersham.evaluation import turns_left
from ludotheque.games.wykersham.facts import ROLLING, STARTING
from ludotheque.games.wykersham.search import (
    SearchBuffers,
    Skill,
    choose_end,
    evaluate_actions,
    evaluate_turn,
    handmade_network,
    new_search_buffers,
    value_before_two_rolls,
)
from ludotheque.kernels import Actions, DiscretePosition, State
from ludotheque.kernels.network import Floats, Network
from ludotheque.kernels.random import mixed

__all__ = ["SKILLS", "WykershamPlayer", "exact_values", "last_turn_value", "learned", "network_of"]

SKILLS: Final = {
    1: Skill(noise=0.1),
    2: Skill(noise=0.02),
    3: Skill(noise=0.32, max_loss=0.13, exact=1),
    4: Skill(noise=0.16, max_loss=0.08, exact=1),
    5: Skill(depth=1, exact=1),
}
"""The first level sees only its own marbles, the second evaluates by rule of thumb. From the third on the learned network plays: it
misjudges boards, less and less, but never by much, and plays the last two turns exactly. The last turn every level plays
perfectly."""

DEEPER: Final = Skill(depth=2, width=5, margin=0.03, replies=3, exact=1)
DEEPER_COST: Final = 5 * (1 + 21 * 3)  # at most, in boards looked one turn further at
WIDEST: Final = 60
STANDING: Final = Skill(depth=1, width=3, margin=0.03, replies=3, exact=1)
"""How chances are told before and after a roll: the best three ends one turn further on, so that both are of one kind."""
CACHED_POSITIONS: Final = 64  # a turn is asked about several times


learned, network_of = level_networks("ludotheque.games.wykersham", handmade_network)
"""The network that self-play has taught, and the network of each level."""


@cache
def _endgame() -> Endgame:
    return Endgame()


def last_turn_value(position: Position) -> float | None:
    """The exact chance to win, draws counted half, of the player whose last turn is the last of the game.

    The turn may be before its roll or anywhere after it. None on every other turn.
    """
    assert isinstance(position, DiscretePosition)
    return _endgame().value(position.state) if on_last_turn(position.state) else None


def exact_values(position: Position) -> Mapping[str, float] | None:
    """The exact chance to win by each action of the player to move, in the game's last two turns; None before them."""
    assert isinstance(position, DiscretePosition)
    if position.state.phase in (STARTING, ROLLING) or position.over or turns_left(position.state) > 2:
        return None
    player = WykershamPlayer(STRONGEST)
    return {one.action: one.value for one in player.choose(position).considered}


def noise_seed_of(state: State) -> int:
    """A number that stays the same through a turn, as the enemy's marbles do: what a level misjudges depends on it."""
    seed = int(state.turns.sum())
    for count in state.cups[1 - int(state.player)].ravel().tolist():
        seed = int(mixed(seed * 32 + count))
    return seed


class WykershamPlayer(TurnPlayer[Skill]):
    """A bot of one level."""

    def __init__(self, level: int, skill: Skill | None = None, network: Network | None = None) -> None:
        super().__init__(level, skill or SKILLS[level], network or network_of(level))
        self.search: SearchBuffers = new_search_buffers(self.network)
        self._planned: BoundedCache[tuple[bytes, float | None], tuple[dict[int, float], int]] = BoundedCache(
            CACHED_POSITIONS
        )

    def plan(self, state: State, actions: Actions, seconds: float | None) -> tuple[dict[int, float], int]:
        """The value of each action without noise, and the action that this level takes."""
        key = (state.tobytes(), seconds)
        if key not in self._planned:
            count = self.evaluate(state, self.skill) if seconds is None else self._evaluate_for(seconds, state)
            values = np.empty(len(actions))
            chosen = self._action(state, actions, count, noise_seed_of(state), values)
            self._planned[key] = dict(zip(actions.tolist(), values.tolist(), strict=True)), chosen
        return self._planned[key]

    def choices(self, state: State, actions: Actions, noise_seeds: Iterable[int]) -> Iterator[int]:
        """The action that this level would take with each seed of its noise."""
        count = self.evaluate(state, self.skill)
        for seed in noise_seeds:
            yield self._action(state, actions, count, int(mixed(seed)), np.empty(len(actions)))

    def value(self, position: DiscretePosition) -> float:
        """The chance to win of the player whose turn it is, evaluated without noise, one turn ahead.

        Before a roll it is the mean of what it is after each, so that luck is nothing but the dice.
        """
        state = position.state
        if state.phase == STARTING:
            return sum(self.standing(position.play(start).position)[int(state.player)] for start in ("2-1", "1-2")) / 2
        if state.phase == ROLLING:
            return float(value_before_two_rolls(self.network, STANDING, self.search, state))
        count = self.evaluate(state, STANDING)
        return float(self.search.turn.values[:count].max())

    def evaluate(self, state: State, skill: Skill) -> int:
        """Evaluate all ends of a turn as that skill does; they are in `search.turn`. Returns how many there are."""
        self.search.turn.path[0] = state
        return int(evaluate_turn(self.network, skill, self.search))

    def _action(self, state: State, actions: Actions, count: int, noise_seed: int, values: Floats) -> int:
        """The action that leads to the end that this level chooses; fills in the values of all actions."""
        end = int(self.search.turn.keys[choose_end(self.skill, self.search, count, noise_seed)])
        return int(evaluate_actions(self.search, state, actions, end, values))

    def _evaluate_for(self, seconds: float, state: State) -> int:
        """Evaluate the turn, looking at one more end, at many, or two turns ahead, as time allows."""
        began = time.perf_counter()
        skill = self.skill
        count = self.evaluate(state, skill._replace(depth=0))
        if turns_left(state) <= 2:  # exact, whatever the time
            return count
        glanced = time.perf_counter() - began
        if 30 * glanced > seconds:
            return count
        self.evaluate(state, skill._replace(width=1))
        one = time.perf_counter() - began - glanced
        left = seconds - one - glanced
        width = max(1, min(WIDEST, int(left / one)))
        further = DEEPER if left > DEEPER_COST * one else skill._replace(width=width, margin=2 * skill.margin)
        return self.evaluate(state, further)
