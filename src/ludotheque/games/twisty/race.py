"""The exact race: in how many turns a player of Twisty can win if nobody interferes. Compiled, for use in searches too.

Why it is exact. (1) A turn ends wherever the pawn stays, and a square ends it alike with a colour token, with another colour or
empty; so where a turn can end depends on the special tokens, which never move, and on other pawns, which are thought to stand
still or to be absent. What was collected changes nothing in it. (2) So a lone racer's situation is only the square and the number
of cubes: 49 × 8 of them, and `needs` is found for all by exhaustive search. (3) To land on the next colour collects it, wanted or
not; it never hurts, since whatever wins without the cube must collect one of that colour later and is open with it too.

Which squares a turn reaches is in `rules.ends_of_a_turn`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.twisty.facts import CENTRE, COLOURS, FIRST_COLOUR, GONE, OF_EACH_COLOUR, SQUARES
from ludotheque.games.twisty.rules import FAR, ends_of_a_turn
from ludotheque.games.twisty.tables import CORNERS
from ludotheque.kernels import State, rule, whole


@rule
def needs(state: State, seat: int, blocked: int, turns: NDArray[Any]) -> None:
    """Fill `turns[collected, square]` (8 × 49, int64) with the fewest turns to win from there; FAR where there is no way.

    The others' pawns stand still on the `blocked` squares (one bit each), or are absent where it is 0. Exhaustive: the turns of
    every situation are lowered until no single turn lowers any of them further.
    """
    reach = np.zeros(SQUARES, np.int64)
    for square in range(SQUARES):
        reach[square] = ends_of_a_turn(state, square, blocked)
    turns[:] = FAR
    for collected in range(COLOURS, -1, -1):
        wanted = FIRST_COLOUR + whole(state.series[seat, collected]) if collected < COLOURS else -1
        lowered = True
        while lowered:
            lowered = False
            for square in range(SQUARES):
                best = turns[collected, square]
                for end in range(SQUARES):
                    if (reach[square] >> end) & 1:
                        if wanted < 0 and end == CENTRE:
                            after = 0
                        elif state.board[end] == wanted:
                            after = turns[collected + 1, end]
                        else:
                            after = turns[collected, end]
                        best = min(best, after + 1)
                if best < turns[collected, square]:
                    turns[collected, square] = best
                    lowered = True


@rule
def turns_left(state: State, seat: int, square: int, collected: int) -> int:
    """The same number for one situation with the other pawns absent, a hundred times as fast."""
    return from_square(state, seat, square, collected, ways_on(state, seat, collected))


@rule
def ways_on(state: State, seat: int, collected: int) -> NDArray[Any]:
    """For every cube still to collect and each of its tokens: the turns from there, once it is collected, to the end.

    From cube to cube by the distances that the state carries: the best way through the tokens of each colour, from the end.
    """
    ways = np.empty((COLOURS, OF_EACH_COLOUR), np.int64)
    for place in range(COLOURS - 1, collected - 1, -1):
        colour = whole(state.series[seat, place])
        for which in range(OF_EACH_COLOUR):
            spot = whole(state.spots[colour, which])
            ways[place, which] = FAR if spot == GONE else from_square(state, seat, spot, place + 1, ways)
    return ways


@rule
def from_square(state: State, seat: int, square: int, collected: int, ways: NDArray[Any]) -> int:
    """The turns to the end from a square with so many cubes, by ways_on."""
    if collected == COLOURS:
        return whole(state.away[square, CENTRE])
    return by_way_of(state, square, whole(state.series[seat, collected]), ways[collected])


@rule
def by_way_of(state: State, square: int, colour: int, after: NDArray[Any]) -> int:
    """The turns from a square to one of the tokens of a colour, and from there on."""
    best = FAR
    for which in range(OF_EACH_COLOUR):
        spot = whole(state.spots[colour, which])
        if spot != GONE:
            best = min(best, whole(state.away[square, spot]) + after[which])
    return best


@rule
def least_turns(state: State, seat: int, square: int, collected: int) -> int:
    """A bound for the real game: in fewer turns the player cannot win, whatever anybody does.

    Robberies may come at any time, each takes a turn and leads to a corner. Other pawns are never in the way. To be robbed only adds a
    cube at the end, and tokens only vanish; neither makes a way shorter.
    """
    from_corner = FAR  # the turns from the best corner, once the cube is there that is looked at
    for which in range(len(CORNERS)):
        from_corner = min(from_corner, whole(state.away[CORNERS[which], CENTRE]))
    after = np.zeros(OF_EACH_COLOUR, np.int64)
    before = np.zeros(OF_EACH_COLOUR, np.int64)
    colour = -1
    for place in range(COLOURS - 1, collected - 1, -1):
        earlier = whole(state.series[seat, place])
        for which in range(OF_EACH_COLOUR):
            spot = whole(state.spots[earlier, which])
            if spot == GONE:
                before[which] = FAR
            elif colour < 0:
                before[which] = whole(state.away[spot, CENTRE])
            else:
                before[which] = min(by_way_of(state, spot, colour, after), 1 + from_corner)
        if colour >= 0:
            from_corner += 1
            for which in range(len(CORNERS)):
                from_corner = min(from_corner, by_way_of(state, whole(CORNERS[which]), colour, after))
        for which in range(OF_EACH_COLOUR):
            after[which] = before[which]
        colour = earlier
    if colour < 0:
        return whole(state.away[square, CENTRE])
    return min(by_way_of(state, square, colour, after), 1 + from_corner)
