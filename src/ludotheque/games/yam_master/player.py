"""Yam Master's bots, from 1 (a child's first opponent) to 5: a learned evaluation of boards, and every turn's dice played exactly.

What is compiled is called through `entries`; its parts are `turn` (the exact turn), `evaluation` (the board) and `skill` (how a
level plans). Nothing here needs numpy.
"""

import time
from array import array
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from ludotheque.bots.cache import BoundedCache
from ludotheque.bots.networks import level_networks, network_on
from ludotheque.bots.turn_player import TurnPlayer
from ludotheque.games.yam_master.facts import ENDS, IMPOSSIBLE, KIND_NAMES
from ludotheque.games.yam_master.features import handmade_network
from ludotheque.games.yam_master.levels import SKILLS, Skill
from ludotheque.kernels import DiscretePosition
from ludotheque.kernels.weights import NetworkWeights

__all__ = ["SKILLS", "YamPlayer", "action_values", "end_values", "learned", "network_of", "odds"]

DEEPEST: Final = 8
NEAR_THE_END: Final = 2  # turns beyond the own one that are always looked through, if there are no more
CACHED_BOARDS: Final = 64  # a turn has up to three decisions on one board: it is evaluated once

Values: TypeAlias = "array[float]"
"""What each end of a turn is worth."""

learned, network_of = level_networks("ludotheque.games.yam_master", handmade_network)
"""The network that self-play has taught, and the network of each level."""


class YamPlayer(TurnPlayer[Skill]):
    """A bot of one level."""

    def __init__(self, level: int, skill: Skill | None = None, network: NetworkWeights | None = None) -> None:
        super().__init__(level, skill or SKILLS[level], network or network_of(level))
        self._skill = array("d", self.skill)
        self._evaluated: BoundedCache[tuple[object, ...], tuple[Values, int, float]] = BoundedCache(CACHED_BOARDS)

    def plan(self, position: DiscretePosition, seconds: float | None) -> tuple[dict[int, float], int]:
        """The value of each legal action without noise, and the action that this level takes."""
        ends = self._end_values(position, seconds)
        return _planned(position, self._skill, self.level, ends)

    def choices(self, position: DiscretePosition, noise_seeds: Iterable[int]) -> Iterator[int]:
        """The action that this level would take with each seed of its noise."""
        for seed in noise_seeds:
            yield _planned(position, self._skill, seed, self._end_values(position, None))[1]

    def value(self, position: DiscretePosition) -> float:
        """The chance to win of the player whose turn it is, evaluated without noise."""
        ends = self._end_values(position, None)
        return float(position.game.kernels.call("value_now", ends, position.state_bytes))

    def _end_values(self, position: DiscretePosition, seconds: float | None) -> Values:
        """The values of the ends of this turn; with seconds, looking as deep as they allow."""
        # What was found with more time is no level's fixed effort: a choice without a clock must not depend on it.
        fields = position.fields
        key = (fields.board, fields.turns, fields.max_turns, fields.player, seconds is not None)
        ends, depth, took = self._evaluated.get(key, (array("d"), -1, 0.0))
        goal = self.skill.depth
        to_the_end = turns_left(position) - 1
        if 0 < goal < to_the_end <= NEAR_THE_END:  # M23: then nothing is left to evaluate
            goal = to_the_end
        began = time.perf_counter()
        while depth < (goal if seconds is None else DEEPEST):
            if seconds is not None and depth >= goal:
                branches = max(2, ENDS - ends.count(IMPOSSIBLE))
                if time.perf_counter() - began + 1.5 * took * branches > seconds:
                    break
            start = time.perf_counter()
            depth = max(goal, depth + 1)
            ends = _looked_ahead(self.network, position, depth)
            took = time.perf_counter() - start
        self._evaluated[key] = (ends, depth, took)
        return ends


def _looked_ahead(network: NetworkWeights, position: DiscretePosition, depth: int) -> Values:
    """The values of the ends of this turn, looking `depth` whole turns beyond it."""
    kernels = position.game.kernels
    ends = array("d", bytes(8 * ENDS))
    kernels.call("ends_of_turn", *network_on(kernels, network), position.state_bytes, depth, ends)
    return ends


def _planned(position: DiscretePosition, skill: Values, noise_seed: int, ends: Values) -> tuple[dict[int, float], int]:
    """The value of each legal action without noise, and the action that a skill takes, where the ends are worth that much."""
    numbers = position.action_numbers()
    values = array("d", bytes(8 * len(numbers)))
    action = position.game.kernels.call(
        "plan_turn", skill, position.state_bytes, noise_seed, ends, array("i", numbers), values
    )
    return dict(zip(numbers, values, strict=True)), int(action)


def turns_left(position: DiscretePosition) -> int:
    """M23: how many turns both players still have, the one that is played included."""
    fields = position.fields
    return sum(max(0, fields.max_turns - turns) for turns in fields.turns)


def end_values(position: DiscretePosition, depth: int = 1) -> Values:
    """What the ends of the turn that is being played are worth by the learned network, looking `depth` whole turns beyond it."""
    return _looked_ahead(learned(), position, depth)


def action_values(position: DiscretePosition, depth: int) -> dict[int, float]:
    """What each legal action is worth by the learned network, looking `depth` whole turns beyond this one."""
    return _planned(position, array("d", Skill()), 0, end_values(position, depth))[0]


def odds(position: DiscretePosition) -> dict[str, float]:
    """For each combination: the chance to place on one of its free cells this turn, by going for nothing else.

    Combinations without a free cell are left out. The turn may be at any point, dice in the air or on the table.
    """
    chances = array("d", bytes(8 * len(KIND_NAMES)))
    position.game.kernels.call("odds_of_kinds", position.state_bytes, chances)
    return {name: chance for name, chance in zip(KIND_NAMES, chances, strict=True) if chance >= 0}
