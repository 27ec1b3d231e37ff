"""Yam Master's bots, from 1 (a child's first opponent) to 5: a learned evaluation of boards, and every turn's dice played exactly.

The parts are `turn` (the exact turn), `evaluation` (the board) and `skill` (how well a level plays).
"""

import time
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from ludotheque.bots.cache import BoundedCache
from ludotheque.bots.networks import level_networks
from ludotheque.bots.turn_player import TurnPlayer
from ludotheque.games.yam_master.evaluation import search_ends, turns_left_of
from ludotheque.games.yam_master.facts import CELLS, FREE, KIND_NAMES, PASS, PLACE
from ludotheque.games.yam_master.skill import Skill, decide, handmade_network, new_plan, plan_from_ends
from ludotheque.games.yam_master.tables import BOARD
from ludotheque.games.yam_master.turn import ENDS, IMPOSSIBLE, Numbers, Turn, turn_policy
from ludotheque.kernels import Actions, DiscretePosition, State
from ludotheque.kernels.network import Network

__all__ = ["SKILLS", "YamPlayer", "learned", "network_of", "odds", "solved_turn"]

SKILLS: Final = {
    1: Skill(noise=0.9, rolls_ahead=1, announces=0, sees_wins=0),
    2: Skill(noise=0.5),
    3: Skill(noise=0.45, max_loss=0.13),
    4: Skill(noise=0.18, max_loss=0.06),
    5: Skill(depth=1),
}
"""The first level sees only its own lines, plans one roll ahead, forgets the challenge and may overlook a win; the second
counts lines by rule of thumb. From the third on the learned network plays: it misjudges boards, less and less, but never by much
and never a win."""

DEEPEST: Final = 8
NEAR_THE_END: Final = 2  # turns beyond the own one that are always looked through, if there are no more
CACHED_BOARDS: Final = 64  # a turn has up to three decisions on one board: it is evaluated once


learned, network_of = level_networks("ludotheque.games.yam_master", handmade_network)
"""The network that self-play has taught, and the network of each level."""


class YamPlayer(TurnPlayer[Skill]):
    """A bot of one level."""

    def __init__(self, level: int, skill: Skill | None = None, network: Network | None = None) -> None:
        super().__init__(level, skill or SKILLS[level], network or network_of(level))
        self._evaluated: BoundedCache[tuple[bytes, bytes, int, bool], tuple[Numbers, int, float]] = BoundedCache(
            CACHED_BOARDS
        )

    def plan(self, state: State, actions: Actions, seconds: float | None) -> tuple[dict[int, float], int]:
        """The value of each action without noise, and the action that this level takes."""
        plan = new_plan()
        plan.end_values[:] = self._end_values(state, seconds)
        value = plan_from_ends(self.skill, state.board.copy(), turns_left_of(state), self.level, plan)
        rolls, dice, challenge = int(state.rolls), int(state.dice), bool(state.challenge)
        turn = Turn(plan.end_values, plan.keep_values, float(value))
        values = {one: turn.value_of(one, rolls, dice, challenge) for one in actions.tolist()}
        return values, int(decide(self.skill, plan, rolls, dice, challenge))

    def choices(self, state: State, actions: Actions, noise_seeds: Iterable[int]) -> Iterator[int]:
        """The action that this level would take with each seed of its noise."""
        del actions
        plan = new_plan()
        for seed in noise_seeds:
            plan.end_values[:] = self._end_values(state, None)
            plan_from_ends(self.skill, state.board.copy(), turns_left_of(state), seed, plan)
            yield int(decide(self.skill, plan, int(state.rolls), int(state.dice), bool(state.challenge)))

    def value(self, position: DiscretePosition) -> float:
        """The chance to win of the player whose turn it is, evaluated without noise."""
        return value_now(turn_policy(self._end_values(position.state, None)), position.state)

    def _end_values(self, state: State, seconds: float | None) -> Numbers:
        """The values of the ends of this turn; with seconds, looking as deep as they allow."""
        # What was found with more time is no level's fixed effort: a choice without a clock must not depend on it.
        turns_left = turns_left_of(state)
        key = (state.board.tobytes(), turns_left.tobytes(), int(state.player), seconds is not None)
        end_values, depth, took = self._evaluated.get(key, (np.empty(0), -1, 0.0))
        goal = self.skill.depth
        to_the_end = int(turns_left.clip(0).sum()) - 1
        if 0 < goal < to_the_end <= NEAR_THE_END:  # M23: then nothing is left to evaluate
            goal = to_the_end
        began = time.perf_counter()
        while depth < (goal if seconds is None else DEEPEST):
            if seconds is not None and depth >= goal:
                branches = max(2, int((end_values != IMPOSSIBLE).sum()))
                if time.perf_counter() - began + 1.5 * took * branches > seconds:
                    break
            start = time.perf_counter()
            depth = max(goal, depth + 1)
            end_values = np.empty(ENDS)
            search_ends(self.network, state.board.copy(), int(state.player), turns_left, depth, end_values)
            took = time.perf_counter() - start
        self._evaluated[key] = (end_values, depth, took)
        return end_values


def value_now(turn: Turn, state: State) -> float:
    """What a solved turn is worth at any point of it, dice in the air or on the table."""
    rolls, challenge = int(state.rolls), bool(state.challenge)
    if state.rolling:
        return turn.before_roll(rolls, int(state.kept), challenge)
    dice = int(state.dice)
    return turn.value_of(turn.best(rolls, dice, challenge), rolls, dice, challenge)


def solved_turn(state: State, depth: int = 1) -> Turn:
    """The turn that is being played, solved with the learned network, looking `depth` whole turns beyond it."""
    end_values = np.empty(ENDS)
    search_ends(learned(), state.board.copy(), int(state.player), turns_left_of(state), depth, end_values)
    return turn_policy(end_values)


def odds(state: State) -> dict[str, float]:
    """For each combination: the chance to place on one of its free cells this turn, by going for nothing else.

    Combinations without a free cell are left out. The turn may be at any point, dice in the air or on the table.
    """
    found: dict[str, float] = {}
    for kind, name in enumerate(KIND_NAMES):
        cells = [cell for cell in range(CELLS) if BOARD[cell] == kind and state.board[cell] == FREE]
        if cells:
            end_values = np.full(ENDS, IMPOSSIBLE)
            end_values[PASS] = 0.0
            end_values[[PLACE + cell for cell in cells]] = 1.0
            found[name] = value_now(turn_policy(end_values), state)
    return found
