"""Two players' last rounds solved exactly: every turn of both until the round limit (T14), nothing judged.

What a level gives away there is measured by bench/twisty_strength.py. With three and four players there is no single true value:
what is best depends on what the others prefer among equals.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.twisty import turns
from ludotheque.games.twisty.facts import COLOURS, DRAW, OVER, SQUARES
from ludotheque.kernels import Rules, State, rule, whole

LOSS, DRAWN, WIN = 0, 1, 2  # half points
KNOWN: Final = np.dtype([("key", np.uint64), ("value", np.int8)])
DEEPEST: Final = 256


@rule
def fingerprint(state: State) -> int:
    """64 bits that tell positions at the beginning of a turn apart."""
    mark = 1469598103934665603
    for square in range(SQUARES):
        mark = ((mark ^ whole(state.board[square])) * 1099511628211) & 0x7FFFFFFFFFFFFFFF
        mark ^= mark >> 29
    for seat in range(2):
        for place in range(COLOURS):
            mark = ((mark ^ whole(state.series[seat, place])) * 1099511628211) & 0x7FFFFFFFFFFFFFFF
        for part in (whole(state.pawns[seat]), whole(state.collected[seat]), whole(state.protected[seat])):
            mark = ((mark ^ (part + 2)) * 1099511628211) & 0x7FFFFFFFFFFFFFFF
            mark ^= mark >> 31
    for part in (whole(state.player), whole(state.this_round)):
        mark = ((mark ^ part) * 1099511628211) & 0x7FFFFFFFFFFFFFFF
        mark ^= mark >> 30
    return mark | 1  # never 0: that is an empty place


@rule
def worth(states: NDArray[Any], depth: int, known: NDArray[Any], counted: NDArray[Any]) -> int:
    """LOSS, DRAWN or WIN for the player to move in `states[depth]`, at the beginning of a turn; -1 where `known` is too small."""
    state = states[depth]
    player = whole(state.player)
    mark = fingerprint(state)
    place = mark % len(known)
    while known[place].key != 0:
        if known[place].key == np.uint64(mark):
            return whole(known[place].value)
        place = (place + 1) % len(known)
    listed = np.zeros(turns.MOST_TURNS, np.int64)
    best = LOSS
    for which in range(turns.list_turns(state, listed)):
        states[depth + 1] = state
        after = states[depth + 1]
        turns.play_turn(after, whole(listed[which]))
        value = over_for(after, player)
        if value < 0:
            value = worth(states, whole(depth + 1), known, counted)
            if value < 0:
                return -1
            value = WIN - value
        best = max(best, value)
        if best == WIN:
            break
    if 2 * counted[0] > len(known):
        return -1
    place = mark % len(known)
    while known[place].key != 0:
        place = (place + 1) % len(known)
    known[place].key, known[place].value = np.uint64(mark), best
    counted[0] += 1
    return best


@rule
def over_for(state: State, player: int) -> int:
    """What a position that is over is worth to a player, -1 where it is not over."""
    if state.phase != OVER:
        return -1
    if state.winner == DRAW:
        return DRAWN
    return WIN if state.winner == player else LOSS


def solve(game: Rules, root: State, most_positions: int = 4_000_000) -> dict[int, float] | None:
    """Every turn at the root with its exact value in points; None where there are too many positions.

    `root` has been prepared, is at the beginning of a turn, and not many rounds are left.
    """
    known = np.zeros(2 * most_positions, KNOWN).view(np.recarray)
    counted = np.zeros(1, np.int64)
    states = np.zeros(DEEPEST, game.dtype).view(np.recarray)
    listed = np.zeros(turns.MOST_TURNS, np.int64)
    player = int(root.player)
    values: dict[int, float] = {}
    for turn in listed[: turns.list_turns(root, listed)].tolist():
        states[0] = root
        turns.play_turn(states[0], turn)
        value = over_for(states[0], player)
        if value < 0:
            value = worth(states, np.int64(0), known, counted)  # type: ignore[arg-type] # as recursive rules are called
            if value < 0:
                return None
            value = WIN - value
        values[turn] = value / 2
    return values
