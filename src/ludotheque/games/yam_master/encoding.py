"""Yam Master for learning programs: the numbers of its actions, observations, and how a match is laid out.

Numbers of actions and rolls are those of the rules (facts.py). Text, views and options are in game.py.
"""

from typing import Final

from ludotheque.games.yam_master.facts import CELLS, FIRST_ROLL, FREE, NO_DICE, PAWNS, ROLLS
from ludotheque.games.yam_master.game import ACTION_TEXTS
from ludotheque.games.yam_master.tables import COUNTS
from ludotheque.kernels import Random, State, below, rule, whole
from ludotheque.kernels.encoding import Feature, Observation, places_of

__all__ = ["ACTION_TEXTS"]

VERSION: Final = 1
NUM_OUTCOMES: Final = ROLLS
FEATURES: Final = (
    Feature("own_pawns", (5, 5), 0, 1, "cells with a pawn of this seat, row by row"),
    Feature("other_pawns", (5, 5), 0, 1, "cells with a pawn of the other seat"),
    Feature("dice", (6,), 0, 5, "how many dice of the last roll of this turn show 1, 2, … 6; all 0 before it"),
    Feature("kept", (6,), 0, 5, "while dice are in the air, how many 1, 2, … 6 stay on the table"),
    Feature("rolls", (1,), 0, 3, "rolls made this turn"),
    Feature("in_the_air", (1,), 0, 1, "whether chance is to move"),
    Feature("challenge", (1,), 0, 1, "whether a Défi is announced this turn"),
    Feature("own_turn", (1,), 0, 1, "whether the turn is this seat's"),
    Feature("stock", (2,), 0, PAWNS, "pawns not on the board: this seat's, the other's"),
    Feature("turns_left", (2,), 0, 100, "turns until the limit, this seat's and the other's, less the hundreds"),
    Feature("hundreds_left", (2,), 0, 9, "whole hundreds beside them, if the limit is above 100"),
)
_PLACES: Final = places_of(FEATURES)
OTHER_PAWNS: Final = _PLACES["other_pawns"]
DICE: Final = _PLACES["dice"]
KEPT: Final = _PLACES["kept"]
SINGLES: Final = _PLACES["rolls"]
STOCK: Final = _PLACES["stock"]
TURNS_LEFT: Final = _PLACES["turns_left"]
HUNDREDS_LEFT: Final = _PLACES["hundreds_left"]


@rule
def observe(state: State, seat: int, out: Observation) -> None:
    """The position as a seat sees it."""
    for cell in range(CELLS):
        pawn = whole(state.board[cell])
        out[cell] = 1 if pawn == seat else 0
        out[OTHER_PAWNS + cell] = 1 if pawn not in (FREE, seat) else 0
    dice, kept = whole(state.dice), whole(state.kept)
    for face in range(6):
        out[DICE + face] = COUNTS[FIRST_ROLL + dice, face] if dice != NO_DICE else 0
        out[KEPT + face] = COUNTS[kept, face]  # the empty set while the player decides
    out[SINGLES] = state.rolls
    out[SINGLES + 1] = 1 if state.rolling else 0
    out[SINGLES + 2] = 1 if state.challenge else 0
    out[SINGLES + 3] = 1 if state.player == seat else 0
    for which in range(2):
        player = seat if which == 0 else 1 - seat
        left = max(0, whole(state.max_turns) - whole(state.turns[player]))
        hundreds = (left - 1) // 100 if left > 0 else 0
        out[STOCK + which] = state.stock[player]
        out[TURNS_LEFT + which] = left - 100 * hundreds
        out[HUNDREDS_LEFT + which] = hundreds


@rule
def deal(state: State, random: Random, by_lot: bool) -> None:
    """M24: an empty board; who starts is drawn, unless it is named."""
    if by_lot:
        state.player = below(random, 2)
