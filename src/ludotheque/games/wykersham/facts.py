"""Facts of Wykersham as plain numbers and texts: the board's measures, the dice, how actions are numbered, the state's layout.

Columns run across the board; column 0 is line n, and a rail at rest has its cup 5 there. In sets of columns, which are
whole numbers with a bit for each, the bit of column 0 is bit 7: cups of slid rails reach from column -7 to column 7.
rules.py has what happens with all this.
"""

from itertools import combinations_with_replacement, permutations
from typing import Final

from ludotheque.kernels import Field, Layout

RAILS: Final = 5
CUPS: Final = 11
MIDDLE: Final = 2  # W1: the fixed rail, counted from 0
REACH: Final = 2  # W2: notches to either side
LINES: Final = 7
LINE_NAMES: Final = "123n456"  # W2, from left to right
LINE_N: Final = 3
MARBLES: Final = 30  # a player's
TURNS: Final = 15  # W20
MOST_PLAYERS: Final = 2

# Phases; chance moves in the first two.
STARTING, ROLLING, PLACING, SLIDING, GOAL, CUP, ENDED = range(7)
NO_DICE: Final = -1

LINE_BIT: Final = 4  # the bit of line 1's column
MIDDLE_BIT: Final = 2  # the bit of the leftmost cup of a rail at rest
COLUMNS: Final = 2 * MIDDLE_BIT + CUPS

# W13: how a line runs, in columns to the right for each rail downward.
VERTICAL, FALLING, RISING = 0, 1, 2
SLOPES: Final = (0, 1, -1)

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
MOST_ACTIONS: Final = 30  # who starts; as many marbles in one cup

# Chance's outcomes: who starts (W4), or a roll (W5).
START_DICE: Final = tuple(permutations(range(1, 7), 2))
"""W4: red's die and green's; equal dice are rolled again."""
ROLL_DICE: Final = tuple(combinations_with_replacement(range(1, 7), 2))
"""W5: both dice in order."""
STARTS: Final = len(START_DICE)
ROLLS: Final = len(ROLL_DICE)

IS_DOUBLE: Final = tuple(one == other for one, other in ROLL_DICE)


def line_of(die: int) -> int:
    """The line of a die: 1, 2, 3 are left of line n, 4, 5, 6 right of it."""
    return LINE_NAMES.index(str(die))


ROLL_LINES: Final = tuple(
    1 << line_of(one) | 1 << (LINE_N if one == other else line_of(other))  # W8: a double reaches line n
    for one, other in ROLL_DICE
)
"""The set of lines that a roll allows, a bit each."""


def column_name(column: int) -> str:
    """The labelled line of a column from -3 to 3; a goal's column on the middle rail is always one (W13)."""
    return LINE_NAMES[column + LINE_N]


LAYOUT: Final = Layout(
    Field("cups", "int8", (2, RAILS, CUPS)),  # how many marbles each player has in each cup
    Field("filled", "int16", (2, RAILS)),  # the columns where that is not 0, a bit each; follows from cups and offsets
    Field("goals", "int16", (3,)),  # of the last slide, while they are settled: the middle columns, by slope
    Field("taken", "int16", (3,)),  # those of them that the player takes
    Field("offsets", "int8", (RAILS,)),
    Field("slid", "int8", (2,)),  # this turn, in order: the number of a rail, 1 to 5, or 0
    Field("turns", "int8", (2,)),  # finished
    Field("winnings", "int8", (2,)),
    Field("phase", "int8"),
    Field("player", "int8"),
    Field("dice", "int8"),  # the roll of this turn
    Field("lines", "int8"),  # where the next marble may go, a bit for each line
    Field("marbles", "int8"),  # still to be played this turn
    Field("direction", "int8"),  # of the turn's first slide
    Field("asked", "int8"),  # what the player is asked about: a rail, a goal or a cup
    Field("same_direction", "bool"),  # options, W11, W12, W17, W19
    Field("shared_middle", "bool"),
    Field("combined_goals", "bool"),
    Field("forced_goals", "bool"),
)
