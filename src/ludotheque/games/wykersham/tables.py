"""Wykersham's constants: the board's measures, the dice, and how actions are numbered. What happens with them is in rules.py.

Columns run across the board; column 0 is line n, and a rail at rest has its cup 5 there. In sets of columns, which are
whole numbers with a bit for each, the bit of column 0 is bit 7: cups of slid rails reach from column -7 to column 7.
"""

from itertools import combinations_with_replacement, permutations
from typing import Final

import numpy as np

RAILS: Final = 5
CUPS: Final = 11
MIDDLE: Final = 2  # W1: the fixed rail, counted from 0
REACH: Final = 2  # W2: notches to either side
LINES: Final = 7
LINE_NAMES: Final = "123n456"  # W2, from left to right
LINE_N: Final = 3
MARBLES: Final = 30  # a player's
TURNS: Final = 15  # W20

LINE_BIT: Final = 4  # the bit of line 1's column
MIDDLE_BIT: Final = 2  # the bit of the leftmost cup of a rail at rest
COLUMNS: Final = 2 * MIDDLE_BIT + CUPS

# W13: how a line runs, in columns to the right for each rail downward.
VERTICAL, FALLING, RISING = 0, 1, 2
SLOPES: Final = np.array([0, 1, -1], np.int8)

# A player's actions; each has its number in every phase.
PLACE: Final = 0  # and line × 5 + rail
GIVE: Final = PLACE + LINES * RAILS
LEFT: Final = GIVE + 1
RIGHT: Final = LEFT + 1
STAY: Final = RIGHT + 1
TAKE: Final = STAY + 1
LEAVE: Final = TAKE + 1
COUNT: Final = LEAVE  # and how many marbles to take out of a cup, 1 to 30
ACTIONS: Final = COUNT + MARBLES + 1

# Chance's outcomes: who starts (W4), or a roll (W5).
START_DICE: Final = tuple(permutations(range(1, 7), 2))
"""W4: red's die and green's; equal dice are rolled again."""
ROLL_DICE: Final = tuple(combinations_with_replacement(range(1, 7), 2))
"""W5: both dice in order."""
STARTS: Final = len(START_DICE)
ROLLS: Final = len(ROLL_DICE)

RED_STARTS = np.array([red > green for red, green in START_DICE], np.bool_)
ROLL_OF = np.array([ROLL_DICE.index((min(a, b), max(a, b))) for a in range(1, 7) for b in range(1, 7)], np.int8)
"""The roll that each of the 36 equally likely results is."""
IS_DOUBLE = np.array([one == other for one, other in ROLL_DICE], np.bool_)


def line_of(die: int) -> int:
    """The line of a die: 1, 2, 3 are left of line n, 4, 5, 6 right of it."""
    return LINE_NAMES.index(str(die))


ROLL_LINES = np.array(
    [
        1 << line_of(one) | 1 << (LINE_N if one == other else line_of(other))  # W8: a double reaches line n
        for one, other in ROLL_DICE
    ],
    np.int8,
)
"""The set of lines that a roll allows, a bit each."""


def column_name(column: int) -> str:
    """The labelled line of a column from -3 to 3; a goal's column on the middle rail is always one (W13)."""
    return LINE_NAMES[column + LINE_N]


LOWEST = np.array([(lines & -lines).bit_length() - 1 for lines in range(1 << LINES)], np.int8)
"""The leftmost line of a set of lines."""
