"""Evaluation of Wykersham's boards between turns: the chance to win of the player who is about to roll, by a learned network.

The features are every line as a whole, every cup, which dice make a goal at once for either player, the lead and the turns left. The
boards that a turn may end with are listed in `turn`.
"""

from typing import NamedTuple

import numpy as np

from ludotheque.games.wykersham import features
from ludotheque.games.wykersham.endgame import lead
from ludotheque.games.wykersham.facts import (
    COLUMNS,
    CUPS,
    ENDED,
    LINE_BIT,
    LINES,
    MIDDLE,
    MIDDLE_BIT,
    RAILS,
    REACH,
    ROLLS,
    TURNS,
)
from ludotheque.games.wykersham.features import (
    ABSENT,
    BOTH_FEATURE,
    BOTH_SLOT,
    BROUGHT,
    CLOSE_LEAD,
    CUP_FEATURE,
    CUP_KINDS,
    CUP_SLOT,
    LEAD_FEATURE,
    LEAD_SLOT,
    LEAST_BROUGHT,
    LEFT_FEATURE,
    LEFT_SLOT,
    LINE_FEATURE,
    LINE_SLOT,
    MOST_LEAD,
    MOST_SEEN,
    OFFSET_FEATURE,
    OFFSET_SLOT,
    OPTION_FEATURE,
    OPTION_SLOT,
    PATTERNS,
    SLOTS,
    THREAT_FEATURE,
    THREAT_SLOT,
    WAYS,
    WAYS_FEATURE,
    WAYS_SLOT,
)
from ludotheque.games.wykersham.rules import moved, play
from ludotheque.games.wykersham.tables import IS_DOUBLE, ROLL_LINES, SLOPES
from ludotheque.games.wykersham.turn import TurnEnds, Whole, list_ends
from ludotheque.kernels import State, rule, whole
from ludotheque.kernels.accelerators import accelerates
from ludotheque.kernels.network import Floats, Network, add_feature, remove_feature, replace_feature, win_probability

POWERS = np.array(features.POWERS, np.int64)


def _ways() -> Whole:
    """W5, W8: for each set of lines, in how many of the 36 ways the dice reach one of them."""
    reached = np.arange(1 << LINES)[:, None] & ROLL_LINES[None, :].astype(np.int64)
    ways: Whole = ((reached != 0) * np.where(IS_DOUBLE, 1, 2)).sum(axis=1)
    return ways


WAYS_TO = _ways()


@rule
def marbles_on(state: State, player: int, rail: int, column: int) -> int:
    """How many marbles of a player lie on a rail in a column (a bit's number)."""
    cup = column - MIDDLE_BIT - whole(state.offsets[rail])
    return whole(state.cups[player, rail, cup]) if 0 <= cup < CUPS else 0


@accelerates("rules.legal and rules.play: which dice let a player make a goal with one marble and a slide")
@rule
def threats(state: State, player: int, sizes: Whole) -> int:
    """For each line: how many marbles a goal brings that one marble there and a slide make, 0 if none. Returns the set of lines.

    Of several goals the largest counts.
    """
    sizes[:] = 0
    lines = 0
    for rail in range(RAILS):
        if rail == MIDDLE:
            continue
        for which in range(3):
            slope = whole(SLOPES[which])
            wanted = -1  # the columns of this rail that would complete a line of this slope
            for other in range(RAILS):
                if other != rail:
                    wanted &= moved(whole(state.filled[player, other]), slope * (rail - other))
            if wanted == 0:
                continue
            for column in range(COLUMNS):
                if (wanted >> column) & 1 == 0:
                    continue
                others = 0
                for other in range(RAILS):
                    if other != rail:
                        others += marbles_on(state, player, other, column + slope * (other - rail))
                for step in (-1, 1):
                    if abs(whole(state.offsets[rail]) + step) > REACH:
                        continue
                    there = marbles_on(state, player, rail, column - step)
                    for line in range(LINES):
                        exact = LINE_BIT + line == column - step
                        barred = (whole(state.filled[1 - player, rail]) >> (LINE_BIT + line)) & 1
                        if not barred and (exact or there > 0):
                            sizes[line] = max(sizes[line], others + there + (1 if exact else 0))
                            lines |= 1 << line
    return lines


@rule
def turns_left(state: State) -> int:
    """W20: of both players together."""
    return 2 * TURNS - whole(state.turns[0]) - whole(state.turns[1])


@rule
def fill_slots(state: State, slots: Whole, sizes: Whole) -> None:
    """The features of a board between turns, as the player who is about to roll sees it."""
    mine, theirs = whole(state.player), 1 - whole(state.player)
    slots[CUP_SLOT:THREAT_SLOT] = ABSENT
    for which in range(3):
        slope = whole(SLOPES[which])
        for line in range(LINES):
            slots[LINE_SLOT + which * LINES + line] = LINE_FEATURE + (which * LINES + line) * PATTERNS
        for rail in range(RAILS):
            first = LINE_BIT + slope * (rail - MIDDLE)
            own, others = whole(state.filled[mine, rail]) >> first, whole(state.filled[theirs, rail]) >> first
            for line in range(LINES):
                cup = ((own >> line) & 1) + 2 * ((others >> line) & 1)
                slots[LINE_SLOT + which * LINES + line] += POWERS[rail] * cup
    for rail in range(RAILS):
        place = rail * COLUMNS + MIDDLE_BIT + whole(state.offsets[rail])
        for cup in range(CUPS):
            own, others = whole(state.cups[mine, rail, cup]), whole(state.cups[theirs, rail, cup])
            if own + others > 0:
                kind = (MOST_SEEN + 1) * min(own, MOST_SEEN) + min(others, MOST_SEEN)
                slots[CUP_SLOT + place + cup] = CUP_FEATURE + (place + cup) * CUP_KINDS + kind
        slots[OFFSET_SLOT + rail] = OFFSET_FEATURE + rail * (2 * REACH + 1) + REACH + whole(state.offsets[rail])
    for who in range(2):
        lines = threats(state, mine if who == 0 else theirs, sizes)
        for line in range(LINES):
            feature = ABSENT
            if sizes[line] > 0:
                feature = (
                    THREAT_FEATURE + (who * LINES + line) * BROUGHT + min(sizes[line] - LEAST_BROUGHT, BROUGHT - 1)
                )
            slots[THREAT_SLOT + who * LINES + line] = feature
        slots[WAYS_SLOT + who] = WAYS_FEATURE + who * (WAYS + 1) + WAYS_TO[lines]
    ahead = lead(state, mine)
    left = turns_left(state)
    slots[LEAD_SLOT] = LEAD_FEATURE + MOST_LEAD + min(max(ahead, -MOST_LEAD), MOST_LEAD)
    slots[LEFT_SLOT] = LEFT_FEATURE + left
    close = CLOSE_LEAD + min(max(ahead, -CLOSE_LEAD), CLOSE_LEAD)
    slots[BOTH_SLOT] = BOTH_FEATURE + left * (2 * CLOSE_LEAD + 1) + close
    slots[OPTION_SLOT] = ABSENT if state.same_direction else OPTION_FEATURE
    slots[OPTION_SLOT + 1] = ABSENT if state.shared_middle else OPTION_FEATURE + 1
    slots[OPTION_SLOT + 2] = OPTION_FEATURE + 2 if state.forced_goals else ABSENT


class EvaluationBuffers(NamedTuple):
    """Memory to evaluate boards in, one after the other."""

    slots: Whole
    """The features of the board."""
    previous: Whole
    """The features of the board before it."""
    threat_sizes: Whole
    accumulator: Floats
    """The first layer's sums for the board before it."""
    hidden: Floats


@rule
def new_evaluation_buffers(network: Network) -> EvaluationBuffers:
    """Memory for a network of this size."""
    return EvaluationBuffers(
        slots=np.empty(SLOTS, np.int64),
        previous=np.empty(SLOTS, np.int64),
        threat_sizes=np.empty(LINES, np.int64),
        accumulator=np.empty_like(network.first_bias),
        hidden=np.empty_like(network.second_bias),
    )


@rule
def evaluate_next(network: Network, buffers: EvaluationBuffers, state: State, afresh: bool) -> float:
    """The chance to win of the player who is about to roll. Unless `afresh`, only what differs from the last board is summed up."""
    fill_slots(state, buffers.slots, buffers.threat_sizes)
    if afresh:
        buffers.accumulator[:] = network.first_bias
        buffers.previous[:] = ABSENT
    for slot in range(SLOTS):
        before, now = buffers.previous[slot], buffers.slots[slot]
        if before != now:
            if before == ABSENT:
                add_feature(buffers.accumulator, network, now)
            elif now == ABSENT:
                remove_feature(buffers.accumulator, network, before)
            else:
                replace_feature(buffers.accumulator, network, before, now)
            buffers.previous[slot] = now
    return win_probability(network, buffers.accumulator, buffers.hidden)


@rule
def result_of(state: State, player: int) -> float:
    """W20: what a finished game is worth to a player."""
    ahead = lead(state, player)
    return 1.0 if ahead > 0 else (0.5 if ahead == 0 else 0.0)


@rule
def evaluate_ends(network: Network, buffers: EvaluationBuffers, turn: TurnEnds, mover: int) -> int:
    """Fill in the values of the listed ends of the mover's turn; returns the best end."""
    best = 0
    for end in range(turn.found[0]):
        state = turn.ends[end]
        if state.phase == ENDED:
            turn.values[end] = result_of(state, mover)
        else:
            turn.values[end] = 1.0 - evaluate_next(network, buffers, state, end == 0)
        if turn.values[end] > turn.values[best]:
            best = end
    return best


@rule
def value_before_roll(network: Network, buffers: EvaluationBuffers, state: State, turn: TurnEnds) -> float:
    """The chance to win of the player who is about to roll: the mean over all rolls, each followed by the best turn."""
    total = 0.0
    mover = whole(state.player)
    for roll in range(ROLLS):
        turn.path[0] = state
        play(turn.path[0], roll)
        list_ends(turn, mover, False)
        total += (1.0 if IS_DOUBLE[roll] else 2.0) * turn.values[evaluate_ends(network, buffers, turn, mover)]
    return total / WAYS


def evaluate(network: Network, state: State) -> float:
    """The chance to win of the player who is about to roll."""
    return float(evaluate_next(network, new_evaluation_buffers(network), state, True))
