"""One turn of Wykersham, enumerated completely: every order, slide, goal and way to take, and the boards that it may end with.

The turns are played out by the rules. The boards are evaluated in `evaluation`.
"""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.wykersham.endgame import DEEPEST
from ludotheque.games.wykersham.facts import CUP, CUPS, ENDED, MOST_ACTIONS, RAILS, ROLLING
from ludotheque.games.wykersham.rules import STATE, legal, play
from ludotheque.kernels import Actions, State, rule, whole
from ludotheque.kernels.entries import Bytes
from ludotheque.kernels.network import Floats
from ludotheque.kernels.playout import States

Whole: TypeAlias = NDArray[Any]
"""int64"""

MOST_ENDS: Final = 8192
"""Boards that one turn may end with. Some 120 are usual; whoever could take tall stacks in thousands of ways is not shown all."""
INDEX_SIZE: Final = 4 * MOST_ENDS  # slots of the table that finds a board again
SIZE: Final = STATE.itemsize
RECORD = np.dtype((np.record, STATE))

# A board is known by a sum with large random parts: no two boards of one turn ever had the same. 55 × 30 × 2^48 is below 2^63.
_PARTS = np.random.default_rng(7).integers(1 << 40, 1 << 48, RAILS * CUPS + RAILS + 2, np.int64)
CUP_PARTS = _PARTS[: RAILS * CUPS].reshape(RAILS, CUPS).copy()
OFFSET_PARTS = _PARTS[RAILS * CUPS : -2].copy()
WINNINGS_PARTS = _PARTS[-2:].copy()


class TurnEnds(NamedTuple):
    """The boards that a turn may end with, and the memory to enumerate them in. After `list_ends` the first `found[0]` are valid."""

    path: States
    """The positions on the way; `path[0]` is where the enumeration begins."""
    actions: Actions
    """The legal actions of each of them."""
    ends: States
    keys: Whole
    """A number for each end that tells it from the others."""
    values: Floats
    """The mover's chance to win after each end, once it has been evaluated."""
    hash_table: Whole
    """From keys to numbers of ends, counted from 1; 0 is an empty slot."""
    slots: Whole
    """The slot of each end in the hash table."""
    found: Whole
    abridged: Whole
    """1 where some ways to take marbles are left out."""
    played_out: Whole
    """How often turns were played to their end here: the cost of the work, counted the same on every machine."""


def new_turn_ends() -> TurnEnds:
    """Memory for the ends of a turn."""
    return TurnEnds(
        path=np.zeros(DEEPEST, STATE).view(np.recarray),
        actions=np.zeros((DEEPEST, MOST_ACTIONS), np.int32),
        ends=np.zeros(MOST_ENDS, STATE).view(np.recarray),
        keys=np.zeros(MOST_ENDS, np.int64),
        values=np.empty(MOST_ENDS),
        hash_table=np.zeros(INDEX_SIZE, np.int64),
        slots=np.zeros(MOST_ENDS, np.int64),
        found=np.zeros(1, np.int64),
        abridged=np.zeros(1, np.int64),
        played_out=np.zeros(1, np.int64),
    )


@rule
def turn_bytes() -> int:
    """How many bytes `turn_ends_in` needs."""
    states = 8 * (((DEEPEST + MOST_ENDS) * SIZE + 7) // 8)
    return states + 4 * DEEPEST * MOST_ACTIONS + 8 * (3 * MOST_ENDS + INDEX_SIZE + 3)


@rule
def turn_ends_in(room: Bytes) -> TurnEnds:
    """The ends of a turn in memory that is all 0 at first, and keeps them between calls."""
    actions = 4 * DEEPEST * MOST_ACTIONS
    keys = 8 * MOST_ENDS
    at = 8 * (3 * MOST_ENDS + INDEX_SIZE)
    states = at + 24 + actions
    return TurnEnds(
        path=room[states : states + DEEPEST * SIZE].view(RECORD),
        actions=room[at + 24 : states].view(np.int32).reshape((DEEPEST, MOST_ACTIONS)),
        ends=room[states + DEEPEST * SIZE : states + (DEEPEST + MOST_ENDS) * SIZE].view(RECORD),
        keys=room[:keys].view(np.int64),
        values=room[keys : 2 * keys].view(np.float64),
        hash_table=room[3 * keys : at].view(np.int64),
        slots=room[2 * keys : 3 * keys].view(np.int64),
        found=room[at : at + 8].view(np.int64),
        abridged=room[at + 8 : at + 16].view(np.int64),
        played_out=room[at + 16 : at + 24].view(np.int64),
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
def slot_of(turn: TurnEnds, key: int) -> int:
    """Where the table has this key, or has turn for it; it holds the number of the end, counted from 1."""
    slot = (key ^ (key >> 21)) % INDEX_SIZE
    while turn.hash_table[slot] != 0 and turn.keys[turn.hash_table[slot] - 1] != key:
        slot = (slot + 1) % INDEX_SIZE
    return slot


@rule
def collect_ends(turn: TurnEnds, depth: int, mover: int) -> None:
    """Add every board that the turn may end with from `path[depth]` on; those that are listed already are not added again."""
    state = turn.path[depth]
    if state.phase in (ROLLING, ENDED):
        turn.played_out[0] += 1
        key = key_of(state, mover)
        slot = slot_of(turn, key)
        number = turn.found[0]
        if turn.hash_table[slot] == 0 and number < MOST_ENDS:
            turn.ends[number] = state
            turn.keys[number] = key
            turn.slots[number] = slot
            turn.found[0] = number + 1
            turn.hash_table[slot] = number + 1
        return
    count = legal(state, turn.actions[depth])
    for which in range(count - 1, -1, -1):  # of a cup, all marbles first
        if turn.found[0] == MOST_ENDS:
            return
        if turn.abridged[0] and state.phase == CUP and 0 < which < count - 3:
            continue
        turn.path[depth + 1] = state
        play(turn.path[depth + 1], whole(turn.actions[depth, which]))
        collect_ends(turn, depth + 1, mover)


@rule
def list_ends(turn: TurnEnds, mover: int, every_way: bool) -> int:
    """The boards that the mover's turn may end with from `path[0]` on, where the dice lie; returns how many.

    After the last action of a turn it is the board itself. Unless `every_way` is asked for, one, all, or all but one or two of a
    cup's marbles are taken: tall stacks would make thousands of ends.
    """
    for end in range(turn.found[0]):
        turn.hash_table[turn.slots[end]] = 0
    turn.found[0] = 0
    turn.abridged[0] = 0 if every_way else 1
    # whole: a constant would make another version of the recursive function, and numba cannot keep several of one.
    collect_ends(turn, whole(0), mover)
    return whole(turn.found[0])
