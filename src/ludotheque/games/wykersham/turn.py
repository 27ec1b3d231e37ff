"""One turn of Wykersham, enumerated completely: every order, slide, goal and way to take, and the boards that it may end with.

The rules are those of rules.py, played out. What the boards are worth is judge.py's business.
"""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.wykersham.endgame import DEEPEST
from ludotheque.games.wykersham.rules import CUP, ENDED, MOST_ACTIONS, ROLLING, STATE, legal, play
from ludotheque.games.wykersham.tables import CUPS, RAILS
from ludotheque.kernels import Actions, State, rule, whole
from ludotheque.kernels.playout import States

Whole: TypeAlias = NDArray[Any]
"""int64"""

MOST_ENDS: Final = 8192
"""Boards that one turn may end with. Some 120 are usual; whoever could take tall stacks in thousands of ways is not shown all."""
SPOTS: Final = 4 * MOST_ENDS  # in the table that finds a board again

# A board is known by a sum with large random parts: no two boards of one turn ever had the same. 55 × 30 × 2^48 is below 2^63.
_PARTS = np.random.default_rng(7).integers(1 << 40, 1 << 48, RAILS * CUPS + RAILS + 2, np.int64)
CUP_PARTS = _PARTS[: RAILS * CUPS].reshape(RAILS, CUPS).copy()
OFFSET_PARTS = _PARTS[RAILS * CUPS : -2].copy()
WINNINGS_PARTS = _PARTS[-2:].copy()


class Room(NamedTuple):
    """Room to enumerate a turn in. After `collect_turn` the first `found[0]` of `ends` and `keys` are the boards found.

    `reached[0]` counts how often a turn was played to its end here: what the work has cost, told without a clock.
    """

    stack: States
    rows: Actions
    ends: States
    keys: Whole
    spots: Whole
    table: Whole
    found: Whole
    reached: Whole


def new_room() -> Room:
    """An empty room."""
    return Room(
        np.zeros(DEEPEST, STATE).view(np.recarray),
        np.zeros((DEEPEST, MOST_ACTIONS), np.int32),
        np.zeros(MOST_ENDS, STATE).view(np.recarray),
        np.zeros(MOST_ENDS, np.int64),
        np.zeros(MOST_ENDS, np.int64),
        np.zeros(SPOTS, np.int64),
        np.zeros(2, np.int64),
        np.zeros(1, np.int64),
    )


@rule
def marbles_key(state: State, player: int) -> int:
    """A number that tells apart how the rails and one player's marbles on them lie."""
    key = whole(0)
    for rail in range(RAILS):
        key += (2 + whole(state.offsets[rail])) * OFFSET_PARTS[rail]
        for cup in range(CUPS):
            key += whole(state.cups[player, rail, cup]) * CUP_PARTS[rail, cup]
    return key


@rule
def key_of(state: State, mover: int) -> int:
    """A number that tells the boards of one turn apart: only the mover's marbles, the rails and the winnings change in it."""
    key = marbles_key(state, mover)
    for player in range(2):
        key += whole(state.winnings[player]) * WINNINGS_PARTS[player]
    return key


@rule
def spot_of(room: Room, key: int) -> int:
    """Where the table has this key, or has room for it; it holds the number of the end, counted from 1."""
    spot = (key ^ (key >> 21)) % SPOTS
    while room.table[spot] != 0 and room.keys[room.table[spot] - 1] != key:
        spot = (spot + 1) % SPOTS
    return spot


@rule
def collect(room: Room, depth: int, mover: int) -> None:
    """Every board that the turn may end with from `stack[depth]` on; those that are known already are not noted again."""
    state = room.stack[depth]
    if state.phase in (ROLLING, ENDED):
        room.reached[0] += 1
        key = key_of(state, mover)
        spot = spot_of(room, key)
        number = room.found[0]
        if room.table[spot] == 0 and number < MOST_ENDS:
            room.ends[number] = state
            room.keys[number] = key
            room.spots[number] = spot
            room.found[0] = number + 1
            room.table[spot] = number + 1
        return
    count = legal(state, room.rows[depth])
    for which in range(count - 1, -1, -1):  # of a cup, all marbles first
        if room.found[0] == MOST_ENDS:
            return
        if room.found[1] and state.phase == CUP and 0 < which < count - 3:
            continue
        room.stack[depth + 1] = state
        play(room.stack[depth + 1], whole(room.rows[depth, which]))
        collect(room, depth + 1, mover)


@rule
def collect_turn(room: Room, mover: int, every_way: bool) -> int:
    """The boards that the mover's turn may end with from `stack[0]` on, where the dice lie; returns how many.

    After the last action of a turn it is the board itself. Unless `every_way` is asked for, one, all, or all but one or two of a
    cup's marbles are taken: tall stacks would make thousands of ends.
    """
    for end in range(room.found[0]):
        room.table[room.spots[end]] = 0
    room.found[0] = 0
    room.found[1] = 0 if every_way else 1
    # whole: a constant would make another version of the recursive function, and numba cannot keep several of one.
    collect(room, whole(0), mover)
    return whole(room.found[0])
