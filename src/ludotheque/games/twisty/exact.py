"""Two players' last rounds solved exactly: every turn of both until the round limit (T14), nothing estimated.

`turn_search.solve` asks for it, bench/strength/twisty.py measures what each level gives away there. With three and four players there
is no single true value: what is best depends on what the others prefer among equals.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.twisty import turns
from ludotheque.games.twisty.facts import COLOURS, DRAW, OVER, SQUARES
from ludotheque.kernels import State, rule, whole
from ludotheque.kernels.entries import Bytes

LOSS, DRAWN, WIN = 0, 1, 2  # half points
DEEPEST: Final = 256  # turns
KEY_WORDS: Final = 5
SQUARES_A_WORD: Final = 15  # of four bits each
FNV_OFFSET_BASIS, FNV_PRIME = 0x811C9DC5, 0x01000193
"""The constants of FNV-1a with 32 bits, by G. Fowler, L. C. Noll and K.-P. Vo (isthe.com/chongo/tech/comp/fnv). The 32 bits are
kept in 64-bit integers, so that nothing overflows."""
WORD: Final = 0xFFFFFFFF


class Solved(NamedTuple):
    """The positions whose values are known: a hash table with linear probing."""

    slots: NDArray[Any]
    """Number of an entry plus one, or 0 where the slot is empty; int64."""
    keys: NDArray[Any]
    """The packed positions in the order in which they were found, shape (most, KEY_WORDS), int64."""
    values: NDArray[Any]
    """LOSS, DRAWN or WIN for the player to move, int64."""
    filled: NDArray[Any]
    """How many entries there are, shape (1,), int64."""


@rule
def solved_bytes(most_positions: int) -> int:
    """How many bytes a table for so many positions needs."""
    return 16 * most_positions + 8 * (KEY_WORDS + 1) * (most_positions + 1) + 8


@rule
def solved_in(room: Bytes, most_positions: int) -> Solved:
    """An empty table for so many positions, in memory that is all 0; at most half of its slots will be used."""
    keys = 16 * most_positions
    values = keys + 8 * KEY_WORDS * (most_positions + 1)
    filled = values + 8 * (most_positions + 1)
    return Solved(
        room[:keys].view(np.int64),
        room[keys:values].view(np.int64).reshape((most_positions + 1, KEY_WORDS)),
        room[values:filled].view(np.int64),
        room[filled : filled + 8].view(np.int64),
    )


@rule
def pack(state: State, key: NDArray[Any]) -> None:
    """Write everything that tells positions of one match apart at the beginning of a turn into `key`, shape (KEY_WORDS,), int64."""
    for word in range(KEY_WORDS):
        key[word] = 0
    for square in range(SQUARES):  # words 0 to 2, and 16 bits of word 3
        key[square // SQUARES_A_WORD] |= whole(state.board[square]) << (4 * (square % SQUARES_A_WORD))
    rest = whole(state.player) << 10 | whole(state.this_round)
    for seat in range(2):
        rest = rest << 6 | (whole(state.pawns[seat]) + 1)
        rest = rest << 3 | whole(state.collected[seat])
        rest = rest << COLOURS | whole(state.protected[seat])
        for place in range(COLOURS):
            key[4] = key[4] << 3 | whole(state.series[seat, place])
    key[3] |= rest << 16


@rule
def fnv_1a(key: NDArray[Any]) -> int:
    """The FNV-1a hash of a key's bytes, the lowest of each word first."""
    found = FNV_OFFSET_BASIS
    for word in range(KEY_WORDS):
        for byte in range(8):
            found = ((found ^ ((whole(key[word]) >> (8 * byte)) & 0xFF)) * FNV_PRIME) & WORD
    return found


@rule
def find_slot(solved: Solved, key: NDArray[Any], hashed: int) -> int:
    """The slot of a key, or the empty one where it belongs. Keys are compared: equal hashes are no proof."""
    slot = hashed % len(solved.slots)
    while solved.slots[slot] != 0:
        entry = solved.slots[slot] - 1
        same = True
        for word in range(KEY_WORDS):
            if solved.keys[entry, word] != key[word]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) % len(solved.slots)
    return slot


@rule
def store(solved: Solved, key: NDArray[Any], hashed: int, value: int) -> bool:
    """Add a position that is not known yet; False where the table is full."""
    entry = solved.filled[0]
    if entry >= len(solved.values):
        return False
    for word in range(KEY_WORDS):
        solved.keys[entry, word] = key[word]
    solved.values[entry] = value
    solved.slots[find_slot(solved, key, hashed)] = entry + 1
    solved.filled[0] = entry + 1
    return True


@rule
def worth(states: NDArray[Any], depth: int, solved: Solved) -> int:
    """LOSS, DRAWN or WIN for the player to move in `states[depth]`, at the beginning of a turn; -1 where the table is too small."""
    state = states[depth]
    player = whole(state.player)
    key = np.empty(KEY_WORDS, np.int64)
    pack(state, key)
    hashed = fnv_1a(key)
    slot = find_slot(solved, key, hashed)
    if solved.slots[slot] != 0:
        return whole(solved.values[solved.slots[slot] - 1])
    listed = np.zeros(turns.MOST_TURNS, np.int64)
    best = LOSS
    for which in range(turns.list_turns(state, listed)):
        states[depth + 1] = state
        after = states[depth + 1]
        turns.play_turn(after, whole(listed[which]))
        value = over_for(after, player)
        if value < 0:
            value = worth(states, whole(depth + 1), solved)
            if value < 0:
                return -1
            value = WIN - value
        best = max(best, value)
        if best == WIN:
            break
    return best if store(solved, key, hashed, best) else -1


@rule
def over_for(state: State, player: int) -> int:
    """What a position that is over is worth to a player, -1 where it is not over."""
    if state.phase != OVER:
        return -1
    if state.winner == DRAW:
        return DRAWN
    return WIN if state.winner == player else LOSS
