"""What Twisty's bots and hints know: the exact race, told as turns to play.

The numbers come from race.py; the search is in kernels.
"""

from dataclasses import dataclass

import numpy as np

from ludotheque.games.twisty import race as solver
from ludotheque.games.twisty import rules, tables
from ludotheque.kernels import DiscretePosition, State


@dataclass(frozen=True)
class Race:
    """The shortest way to win if nobody interferes: how many turns, and where each of them ends."""

    turns: int
    ends: tuple[str, ...]


def shortest_race(position: DiscretePosition, seat: int, *, standing: bool = True) -> Race | None:
    """The race of a player from where the pawn stands, at the start of a turn; None where there is no way.

    The others' pawns stand still where they are (`standing`) or are absent; nobody robs. Before the corners are chosen, from the
    best free corner.
    """
    state = position.state
    others = [int(state.pawns[other]) for other in range(position.players) if other != seat]
    blocked = sum(1 << square for square in others if square != rules.GONE) if standing else 0
    turns = np.zeros((tables.COLOURS + 1, tables.SQUARES), np.int64)
    solver.needs(state, seat, blocked, turns)
    collected = int(state.collected[seat])
    square = int(state.pawns[seat])
    if square == rules.GONE:
        free = [corner for corner in tables.CORNERS.tolist() if corner not in others]
        square = min(free, key=lambda corner: int(turns[collected, corner]))
    needed = int(turns[collected, square])
    if needed >= rules.FAR:
        return None
    ends: list[str] = []
    for left in range(needed - 1, -1, -1):
        square, collected = _one_turn(state, seat, square, collected, blocked, turns, left)
        ends.append(tables.SQUARE_NAMES[square])
    return Race(needed, tuple(ends))


def _one_turn(
    state: State,
    seat: int,
    square: int,
    collected: int,
    blocked: int,
    turns: "np.ndarray[tuple[int, int], np.dtype[np.int64]]",
    left: int,
) -> tuple[int, int]:
    """Where a turn of the shortest race ends, with how many cubes: any after which so many turns are left."""
    reach = rules.ends_of_a_turn(state, square, blocked)
    for end in range(tables.SQUARES):
        if reach >> end & 1:
            if collected == tables.COLOURS:
                found = left == 0 if end == tables.CENTRE else turns[collected, end] == left
                cubes = collected
            else:
                cubes = collected + (int(state.board[end]) == tables.FIRST_COLOUR + int(state.series[seat, collected]))
                found = turns[cubes, end] == left
            if found:
                return end, cubes
    raise AssertionError("needs promised a shorter way")
