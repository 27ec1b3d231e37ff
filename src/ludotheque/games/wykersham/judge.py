"""How a board of Wykersham is judged between turns: the chance to win of the player who is about to roll, by a learned network.

It sees every line whole, every cup, which dice make a goal at once for either player, the lead and the turns left. Which boards a
turn may end with is turn.py's business.
"""

from typing import Final, NamedTuple

import numpy as np

from ludotheque.games.wykersham.endgame import WAYS, lead
from ludotheque.games.wykersham.rules import ENDED, moved, play
from ludotheque.games.wykersham.tables import (
    COLUMNS,
    CUPS,
    IS_DOUBLE,
    LINE_BIT,
    LINES,
    MIDDLE,
    MIDDLE_BIT,
    RAILS,
    REACH,
    ROLL_LINES,
    ROLLS,
    SLOPES,
    TURNS,
)
from ludotheque.games.wykersham.turn import MOST_ENDS, Room, Whole, collect_turn
from ludotheque.kernels import State, rule, whole
from ludotheque.kernels.network import Floats, Network, add_row, chance_of, drop_row, swap_row

# A slot holds the row of one thing that is true, or NOTHING: two boards are compared slot by slot.
NOTHING: Final = -1
GOAL_LINES: Final = 3 * LINES  # W13: by slope, then by column on the middle rail
PATTERNS: Final = 3**4 * 4  # cups free, mine or theirs; on the middle rail also both
POWERS = np.array([4, 12, 1, 36, 108], np.int64)
"""What a cup of each rail counts in a line's pattern, once if mine, twice if theirs; the middle rail's may be both."""
MOST_SEEN: Final = 3  # marbles in a cup; more look the same
CUP_KINDS: Final = (MOST_SEEN + 1) ** 2
LEAST_BROUGHT: Final = 5
BROUGHT: Final = 5  # a goal within reach brings 5, 6, 7, 8, or more
MOST_LEAD: Final = 20
CLOSE_LEAD: Final = 12

LINE_SLOT: Final = 0
CUP_SLOT: Final = LINE_SLOT + GOAL_LINES
THREAT_SLOT: Final = CUP_SLOT + RAILS * COLUMNS
WAYS_SLOT: Final = THREAT_SLOT + 2 * LINES
OFFSET_SLOT: Final = WAYS_SLOT + 2
LEAD_SLOT: Final = OFFSET_SLOT + RAILS
LEFT_SLOT: Final = LEAD_SLOT + 1
BOTH_SLOT: Final = LEFT_SLOT + 1
OPTION_SLOT: Final = BOTH_SLOT + 1
SLOTS: Final = OPTION_SLOT + 3

LINE_ROW: Final = 0
CUP_ROW: Final = LINE_ROW + GOAL_LINES * PATTERNS
THREAT_ROW: Final = CUP_ROW + RAILS * COLUMNS * CUP_KINDS
WAYS_ROW: Final = THREAT_ROW + 2 * LINES * BROUGHT
OFFSET_ROW: Final = WAYS_ROW + 2 * (WAYS + 1)
LEAD_ROW: Final = OFFSET_ROW + RAILS * (2 * REACH + 1)
LEFT_ROW: Final = LEAD_ROW + 2 * MOST_LEAD + 1
BOTH_ROW: Final = LEFT_ROW + 2 * TURNS + 1
OPTION_ROW: Final = BOTH_ROW + (2 * CLOSE_LEAD + 1) * (2 * TURNS + 1)
ROWS: Final = OPTION_ROW + 3


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


@rule
def threats(state: State, player: int, brings: Whole) -> int:
    """For each line: how many marbles a goal brings that one marble there and a slide make, 0 if none. Returns the set of lines.

    Of several goals the largest counts.
    """
    brings[:] = 0
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
                            brings[line] = max(brings[line], others + there + (1 if exact else 0))
                            lines |= 1 << line
    return lines


@rule
def turns_left(state: State) -> int:
    """W20: of both players together."""
    return 2 * TURNS - whole(state.turns[0]) - whole(state.turns[1])


@rule
def fill_slots(state: State, slots: Whole, brings: Whole) -> None:
    """Everything that is true of a board between turns, as the player who is about to roll sees it."""
    mine, theirs = whole(state.player), 1 - whole(state.player)
    slots[CUP_SLOT:THREAT_SLOT] = NOTHING
    for which in range(3):
        slope = whole(SLOPES[which])
        for line in range(LINES):
            slots[LINE_SLOT + which * LINES + line] = LINE_ROW + (which * LINES + line) * PATTERNS
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
                slots[CUP_SLOT + place + cup] = CUP_ROW + (place + cup) * CUP_KINDS + kind
        slots[OFFSET_SLOT + rail] = OFFSET_ROW + rail * (2 * REACH + 1) + REACH + whole(state.offsets[rail])
    for who in range(2):
        lines = threats(state, mine if who == 0 else theirs, brings)
        for line in range(LINES):
            row = NOTHING
            if brings[line] > 0:
                row = THREAT_ROW + (who * LINES + line) * BROUGHT + min(brings[line] - LEAST_BROUGHT, BROUGHT - 1)
            slots[THREAT_SLOT + who * LINES + line] = row
        slots[WAYS_SLOT + who] = WAYS_ROW + who * (WAYS + 1) + WAYS_TO[lines]
    ahead = lead(state, mine)
    left = turns_left(state)
    slots[LEAD_SLOT] = LEAD_ROW + MOST_LEAD + min(max(ahead, -MOST_LEAD), MOST_LEAD)
    slots[LEFT_SLOT] = LEFT_ROW + left
    close = CLOSE_LEAD + min(max(ahead, -CLOSE_LEAD), CLOSE_LEAD)
    slots[BOTH_SLOT] = BOTH_ROW + left * (2 * CLOSE_LEAD + 1) + close
    slots[OPTION_SLOT] = NOTHING if state.same_direction else OPTION_ROW
    slots[OPTION_SLOT + 1] = NOTHING if state.shared_middle else OPTION_ROW + 1
    slots[OPTION_SLOT + 2] = OPTION_ROW + 2 if state.forced_goals else NOTHING


class Desk(NamedTuple):
    """Room to judge boards in."""

    slots: Whole
    before: Whole
    brings: Whole
    hidden: Floats
    inner: Floats


@rule
def desk_for(network: Network) -> Desk:
    """A desk for a network of this size."""
    return Desk(
        np.empty(SLOTS, np.int64),
        np.empty(SLOTS, np.int64),
        np.empty(LINES, np.int64),
        np.empty_like(network.first_bias),
        np.empty_like(network.second_bias),
    )


@rule
def look_at(network: Network, desk: Desk, state: State, afresh: bool) -> float:
    """The chance to win of the player who is about to roll. Unless `afresh`, only what differs from the last board is added up."""
    fill_slots(state, desk.slots, desk.brings)
    if afresh:
        desk.hidden[:] = network.first_bias
        desk.before[:] = NOTHING
    for slot in range(SLOTS):
        before, now = desk.before[slot], desk.slots[slot]
        if before != now:
            if before == NOTHING:
                add_row(desk.hidden, network, now)
            elif now == NOTHING:
                drop_row(desk.hidden, network, before)
            else:
                swap_row(desk.hidden, network, before, now)
            desk.before[slot] = now
    return chance_of(network, desk.hidden, desk.inner)


@rule
def result_of(state: State, player: int) -> float:
    """W20: what a finished game is worth to a player."""
    ahead = lead(state, player)
    return 1.0 if ahead > 0 else (0.5 if ahead == 0 else 0.0)


@rule
def judge_ends(network: Network, desk: Desk, room: Room, mover: int, values: Floats) -> int:
    """What every end of the mover's turn in `room` is worth to the mover; returns the best."""
    best = 0
    for end in range(room.found[0]):
        state = room.ends[end]
        values[end] = result_of(state, mover) if state.phase == ENDED else 1.0 - look_at(network, desk, state, end == 0)
        if values[end] > values[best]:
            best = end
    return best


@rule
def before_roll(network: Network, desk: Desk, state: State, room: Room, values: Floats) -> float:
    """The chance to win of the player who is about to roll: the mean over all rolls, each followed by the best turn."""
    total = 0.0
    mover = whole(state.player)
    for roll in range(ROLLS):
        room.stack[0] = state
        play(room.stack[0], roll)
        collect_turn(room, mover, False)
        total += (1.0 if IS_DOUBLE[roll] else 2.0) * values[judge_ends(network, desk, room, mover, values)]
    return total / WAYS


def judge(network: Network, state: State) -> float:
    """The chance to win of the player who is about to roll, at a glance."""
    return float(look_at(network, desk_for(network), state, True))


def new_values() -> Floats:
    """Room for what the ends of a turn are worth."""
    return np.empty(MOST_ENDS)
