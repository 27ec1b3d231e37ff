"""How a bot of Yam Master plans a turn by its skill: its noisy evaluation, and what it decides after a roll.

The skills of the levels are in `levels`, the evaluation without noise in `evaluation`, the exact turn in `turn`.
"""

from typing import NamedTuple

import numpy as np

from ludotheque.games.yam_master.evaluation import Board, Whole, search_ends
from ludotheque.games.yam_master.facts import ANNOUNCE, CELLS, ENDS, FIRST_ROLL, IMPOSSIBLE, KEEP, PASS, ROLLS
from ludotheque.games.yam_master.levels import Skill
from ludotheque.games.yam_master.tables import KEEP_COUNTS, KEEPS
from ludotheque.games.yam_master.turn import (
    CHANCES,
    MORE,
    SETS,
    Numbers,
    end_allowed,
    keep_row,
    solve_ends,
)
from ludotheque.kernels import rule, whole
from ludotheque.kernels.network import Network
from ludotheque.kernels.noise import noise_of
from ludotheque.kernels.random import WORD, mixed


class TurnPlan(NamedTuple):
    """A planned turn: the value of every end and of every set to keep, without noise and as the bot sees them."""

    end_values: Numbers
    keep_values: Numbers
    noisy_end_values: Numbers
    noisy_keep_values: Numbers


@rule
def new_plan() -> TurnPlan:
    """Memory for a plan."""
    return TurnPlan(np.empty(ENDS), np.empty((4, SETS)), np.empty(ENDS), np.empty((4, SETS)))


@rule
def add_noise(skill: Skill, board: Board, turns_left: Whole, noise_seed: int, plan: TurnPlan) -> None:
    """Fill in the noisy values of a turn's ends: the same all through the turn, so that a bot follows one plan."""
    key = mixed(noise_seed & WORD)
    for cell in range(CELLS):
        key = mixed(key * 3 + whole(board[cell]) + 1)
    key = mixed(key + turns_left[0] * 1009 + turns_left[1] * 9176)
    for action in range(ENDS):
        value = plan.end_values[action]
        if value == 1.0:
            value += skill.noise * skill.sees_wins  # then better than anything else can look
        elif value != IMPOSSIBLE:
            value += skill.noise * noise_of(mixed(key + 2 * action) + mixed(key + 2 * action + 1), 2)
        plan.noisy_end_values[action] = value


@rule
def plan_turn(
    network: Network, skill: Skill, board: Board, mover: int, turns_left: Whole, noise_seed: int, plan: TurnPlan
) -> float:
    """Plan a turn before its first roll; returns its chance to win without noise."""
    search_ends(network, board, mover, turns_left, skill.depth, plan.end_values)
    return plan_from_ends(skill, board, turns_left, noise_seed, plan)


@rule
def plan_from_ends(skill: Skill, board: Board, turns_left: Whole, noise_seed: int, plan: TurnPlan) -> float:
    """`plan_turn` where the values of the ends are filled in already."""
    stop_values = np.empty((3, ROLLS))
    value = solve_ends(plan.end_values, stop_values, plan.keep_values)
    plan.noisy_end_values[:] = plan.end_values
    plan.noisy_keep_values[:] = plan.keep_values
    if skill.noise > 0.0:
        add_noise(skill, board, turns_left, noise_seed, plan)
        solve_ends(plan.noisy_end_values, stop_values, plan.noisy_keep_values)
    return value


@rule
def seen_row(rolls: int, challenge: bool, rolls_ahead: int) -> int:
    """`keep_row`, but who plans one roll ahead always takes the next roll for the last."""
    return keep_row(rolls if rolls_ahead > 1 else 2, challenge)


@rule
def decide(skill: Skill, plan: TurnPlan, rolls: int, dice: int, challenge: bool) -> int:
    """The decision after a roll: what looks best with noise among all that gives away no more than it may. Of equals, the end."""
    least = -1.0
    if skill.max_loss < 1.0:
        for action in range(ENDS):
            if plan.end_values[action] > least and end_allowed(action, rolls, dice, challenge):
                least = plan.end_values[action]
        if rolls < 3:
            for which in range(KEEP_COUNTS[dice]):
                kept = KEEPS[dice, which]
                least = max(least, plan.keep_values[keep_row(rolls, challenge), kept])
                if rolls == 1:
                    least = max(least, plan.keep_values[keep_row(rolls, True), kept])
        least -= skill.max_loss
    chosen, best = PASS, -9.0
    for action in range(ENDS):
        value = plan.end_values[action]
        possible = value != IMPOSSIBLE and value >= least and plan.noisy_end_values[action] > best
        if possible and end_allowed(action, rolls, dice, challenge):
            chosen, best = action, plan.noisy_end_values[action]
    if rolls < 3:
        row, announced = keep_row(rolls, challenge), keep_row(rolls, True)
        seen, seen_announced = seen_row(rolls, challenge, skill.rolls_ahead), seen_row(rolls, True, skill.rolls_ahead)
        for which in range(KEEP_COUNTS[dice]):
            kept = whole(KEEPS[dice, which])
            looks = plan.noisy_keep_values[seen, kept]
            if looks > best and plan.keep_values[row, kept] >= least:
                chosen, best = KEEP + kept, looks
            looks = plan.noisy_keep_values[seen_announced, kept]
            if rolls == 1 and skill.announces and looks > best and plan.keep_values[announced, kept] >= least:
                chosen, best = ANNOUNCE + kept, looks
    return chosen


@rule
def policy_value(skill: Skill, truth: Numbers, plan: TurnPlan) -> float:
    """What a turn brings on average if a bot plays it by its own plan, while its ends are really worth `truth`.

    What the best play brings, less this, is what the bot gives away in the turn.
    """
    rolled = np.empty((2, 2, SETS))  # before the second and the third roll; without and with a challenge; by kept set
    value = 0.0
    for rolls in range(3, 0, -1):
        for challenge in range(2 if rolls > 1 else 1):
            for dice in range(ROLLS):
                action = decide(skill, plan, rolls, dice, challenge == 1)
                if action < ENDS:
                    brought = truth[action]
                elif action < ANNOUNCE:
                    brought = rolled[rolls - 1, challenge, action - KEEP]
                else:
                    brought = rolled[rolls - 1, 1, action - ANNOUNCE]
                if rolls > 1:
                    rolled[rolls - 2, challenge, FIRST_ROLL + dice] = brought
                else:
                    value += CHANCES[dice] * brought
            if rolls > 1:
                for kept in range(FIRST_ROLL - 1, -1, -1):
                    total = 0.0
                    for face in range(6):
                        total += rolled[rolls - 2, challenge, MORE[kept, face]]
                    rolled[rolls - 2, challenge, kept] = total / 6.0
    return value
