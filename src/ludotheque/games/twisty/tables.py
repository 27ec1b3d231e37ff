"""Facts of Twisty that never change: squares and their names, tokens and their letters, where each kind of step leads.

What players may do with them is in rules.py.
"""

import numpy as np

SIDE = 7
SQUARES = SIDE * SIDE
SQUARE_NAMES = tuple(file + rank for rank in "1234567" for file in "abcdefg")
"""a1 is square 0, b1 square 1, g7 square 48."""
SQUARE_NUMBERS = {name: square for square, name in enumerate(SQUARE_NAMES)}
CENTRE = SQUARE_NUMBERS["d4"]
CORNER_NAMES = ("a1", "g1", "a7", "g7")
CORNERS = np.array([SQUARE_NUMBERS[name] for name in CORNER_NAMES], np.int64)

COLOUR_NAMES = "ABCDEFG"
COLOURS = len(COLOUR_NAMES)
OF_EACH_COLOUR = 4  # T2
SPECIAL_NAMES = "+xLos"
SPECIALS = 16  # T2, all kinds together

# What lies on a square: nothing, a colour token (its colour's number plus one), or a special one.
EMPTY = 0
FIRST_COLOUR = 1
ORTHOGONAL, DIAGONAL, L_SHAPED, PORTAL, SHIELD = 8, 9, 10, 11, 12
TOKEN_NAMES = "." + COLOUR_NAMES + SPECIAL_NAMES
TOKENS = {name: token for token, name in enumerate(TOKEN_NAMES)}

_WAYS = {
    ORTHOGONAL: ((0, -1), (-1, 0), (1, 0), (0, 1)),
    DIAGONAL: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    L_SHAPED: ((-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)),
}
MOST_STEPS = 8


def _steps_from(square: int, kind: int) -> list[int]:
    """The squares of the board to which one step of a kind leads, in order; -1 fills the rest."""
    row, column = divmod(square, SIDE)
    found = [
        (row + up) * SIDE + column + right
        for right, up in _WAYS[kind]
        if 0 <= row + up < SIDE and 0 <= column + right < SIDE
    ]
    return sorted(found) + [-1] * (MOST_STEPS - len(found))


STEPS = np.array([[_steps_from(square, kind) for square in range(SQUARES)] for kind in _WAYS], np.int64)
"""T5 and T8: `STEPS[kind - ORTHOGONAL, square]` are the squares one step away, then -1."""
