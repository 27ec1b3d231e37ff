"""Yam Master's kernel entries: what its bots, odds and reasons ask of compiled code, over plain arrays. Called from `player`.

Each works on a whole decision at once; the parts are in `turn`, `evaluation` and `skill`.
"""

import numpy as np

from ludotheque.games.yam_master.evaluation import search_ends, turns_left_of
from ludotheque.games.yam_master.facts import CELLS, ENDS, FIVE_GAIN, FREE, IMPOSSIBLE, KINDS, PASS, PLACE, ROLLS
from ludotheque.games.yam_master.levels import Skill
from ludotheque.games.yam_master.rules import STATE, five_in_line, points
from ludotheque.games.yam_master.skill import decide, new_plan, plan_from_ends
from ludotheque.games.yam_master.tables import BOARD
from ludotheque.games.yam_master.turn import (
    SETS,
    Numbers,
    best_action,
    keep_row,
    solve_ends,
    value_of,
)
from ludotheque.kernels import State, rule, whole
from ludotheque.kernels.entries import Bytes, Float32s, Float64s, Int32s, Int64s, entry
from ludotheque.kernels.network import network_in

RECORD = np.dtype((np.record, STATE))


@entry
def ends_of_turn(
    network: Float32s, features: int, width: int, inner: int, state: Bytes, depth: int, end_values: Float64s
) -> float:
    """Fill in what the ends of this turn are worth (ENDS), looking `depth` turns further; returns what the turn is before its roll."""
    record = state.view(RECORD)[0]
    weights = network_in(network, features, width, inner)
    return search_ends(weights, record.board.copy(), whole(record.player), turns_left_of(record), depth, end_values)


@entry
def plan_turn(
    skill: Float64s, state: Bytes, noise_seed: int, end_values: Float64s, actions: Int32s, values: Float64s
) -> int:
    """The decision of a skill where the ends are worth that much; fills in the values of some actions, without noise."""
    record = state.view(RECORD)[0]
    able = Skill(int(skill[0]), skill[1], int(skill[2]), int(skill[3]), int(skill[4]), skill[5])
    plan = new_plan()
    plan.end_values[:] = end_values
    plan_from_ends(able, record.board.copy(), turns_left_of(record), noise_seed, plan)
    rolls, dice, challenge = whole(record.rolls), whole(record.dice), bool(record.challenge)
    for which in range(len(actions)):
        values[which] = value_of(plan.end_values, plan.keep_values, whole(actions[which]), rolls, dice, challenge)
    return whole(decide(able, plan, rolls, dice, challenge))


@rule
def value_here(end_values: Numbers, state: State) -> float:
    """What a turn whose ends are worth that much is worth at this point of it, dice in the air or on the table."""
    keep_values = np.empty((4, SETS))
    before = solve_ends(end_values, np.empty((3, ROLLS)), keep_values)
    rolls, challenge = whole(state.rolls), bool(state.challenge)
    if state.rolling:
        return before if rolls == 0 else keep_values[keep_row(rolls, challenge), whole(state.kept)]
    dice = whole(state.dice)
    best = best_action(end_values, keep_values, rolls, dice, challenge)
    return value_of(end_values, keep_values, best, rolls, dice, challenge)


@entry
def value_now(end_values: Float64s, state: Bytes) -> float:
    """`value_here` of a state in bytes."""
    return value_here(end_values, state.view(RECORD)[0])


@entry
def odds_of_kinds(state: Bytes, chances: Float64s) -> int:
    """For each kind of cell (KINDS): the chance to place on a free one this turn by going for nothing else; -1 where none is free.

    Returns how many kinds have one.
    """
    record = state.view(RECORD)[0]
    found = 0
    for kind in range(KINDS):
        end_values = np.full(ENDS, IMPOSSIBLE)
        end_values[PASS] = 0.0
        free = False
        for cell in range(CELLS):
            if BOARD[cell] == kind and record.board[cell] == FREE:
                end_values[PLACE + cell] = 1.0
                free = True
        chances[kind] = value_here(end_values, record) if free else -1.0
        found += free
    return found


@entry
def prospects(state: Bytes, player: int, gains: Int64s) -> int:
    """M19 to M21: fill in what one more pawn of a player brings on each cell: points, FIVE_GAIN for five in line, or 0.

    Returns on how many cells it brings something.
    """
    record = state.view(RECORD)[0]
    now = points(record, player)
    found = 0
    for cell in range(CELLS):
        gains[cell] = 0
        if record.board[cell] == FREE:
            record.board[cell] = player
            gain = FIVE_GAIN if five_in_line(record, player) else points(record, player) - now
            record.board[cell] = FREE
            gains[cell] = max(gain, 0)
            found += gain > 0
    return found
