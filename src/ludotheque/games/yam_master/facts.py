"""Facts of Yam Master as plain numbers and texts: the board, the rolls, the lines, how actions are numbered, the state's layout.

rules.py has what players may do with them, tables.py what else the kernels look up.
"""

from itertools import combinations_with_replacement
from typing import Final

from ludotheque.kernels import Field, Layout

SIDE: Final = 5
CELLS: Final = SIDE * SIDE
PAWNS: Final = 12  # a player's
MOST_PLAYERS: Final = 2
FREE: Final = -1  # a cell without a pawn
NO_DICE: Final = -1  # none rolled yet this turn
NOBODY, DRAW = -1, 2

# The kinds of cell (M1); a Brelan's kind is its number less one.
FULL, CARRE, YAM, SUITE, LOW, SEC, DEFI = 6, 7, 8, 9, 10, 11, 12
KINDS: Final = 13
KIND_NAMES: Final = ("1", "2", "3", "4", "5", "6", "Full", "Carré", "Yam", "Suite", "≤8", "Sec", "Défi")

BOARD_NAMES: Final = (
    ("1", "3", "Défi", "4", "6"),
    ("2", "Carré", "Sec", "Full", "5"),
    ("≤8", "Full", "Yam", "Défi", "Suite"),
    ("6", "Sec", "Suite", "≤8", "1"),
    ("3", "2", "Carré", "5", "4"),
)
BOARD: Final = tuple(KIND_NAMES.index(name) for row in BOARD_NAMES for name in row)
"""M1: the kind of each cell, r1c1 first, row by row."""

KEPT_TEXTS: Final = tuple(
    "".join(map(str, dice)) for count in range(6) for dice in combinations_with_replacement(range(1, 7), count)
)
"""Every set of up to five dice, sorted; the empty one is first, the 252 whole rolls are last."""
KEPT_NUMBERS: Final = {text: number for number, text in enumerate(KEPT_TEXTS)}
FIRST_ROLL: Final = sum(len(text) < 5 for text in KEPT_TEXTS)
ROLL_TEXTS: Final = KEPT_TEXTS[FIRST_ROLL:]
ROLLS: Final = len(ROLL_TEXTS)


def _subsets(text: str) -> tuple[int, ...]:
    """Every smaller set within a roll, each once: what can be kept of it."""
    found = {""}
    for die in text:
        found |= {part + die for part in found}
    return tuple(sorted(KEPT_NUMBERS[part] for part in found if len(part) < 5))


KEEPS: Final = tuple(_subsets(text) for text in ROLL_TEXTS)
"""What can be kept of each roll, at least one die being rolled again (M4)."""


def _lines() -> list[list[int]]:
    """M19: rows, columns and every diagonal of three cells or more."""
    rows = [[row * SIDE + column for column in range(SIDE)] for row in range(SIDE)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    falling = [[row * SIDE + row + shift for row in range(SIDE) if 0 <= row + shift < SIDE] for shift in range(-2, 3)]
    rising = [[row * SIDE + total - row for row in range(SIDE) if 0 <= total - row < SIDE] for total in range(2, 7)]
    return rows + columns + falling + rising


LINES: Final = tuple(map(tuple, _lines()))
"""The cells of every line."""

# A player's actions. Chance's are the 252 rolls.
PASS: Final = 0
PLACE: Final = 1  # and the 24 after it, a cell each
TAKE: Final = PLACE + CELLS
KEEP: Final = TAKE + CELLS  # and the number of the kept set
ANNOUNCE: Final = KEEP + FIRST_ROLL
MOST_ACTIONS: Final = ROLLS
ENDS: Final = KEEP
"""How many actions end a turn: pass, 25 cells to place on, 25 to take from; they are the first."""
IMPOSSIBLE: Final = -1.0
"""The value of an end that is not possible; every chance to win is larger."""
FIVE_GAIN: Final = 100
"""What a pawn is said to gain, instead of points, where it makes the line of five that wins at once."""

LAYOUT: Final = Layout(
    Field("board", "int8", (CELLS,)),  # whose pawn
    Field("stock", "int8", (2,)),
    Field("turns", "int16", (2,)),  # finished
    Field("max_turns", "int16"),  # option, M23
    Field("dice", "int16"),  # the last roll of this turn
    Field("kept", "int16"),  # while the dice are in the air, the set that stays
    Field("player", "int8"),
    Field("rolls", "int8"),  # made this turn
    Field("winner", "int8"),
    Field("rolling", "bool"),
    Field("challenge", "bool"),
    Field("over", "bool"),
)
