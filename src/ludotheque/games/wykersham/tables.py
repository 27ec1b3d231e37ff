"""What Wykersham's kernels look up, as arrays; made from facts.py."""

import numpy as np

from ludotheque.games.wykersham import facts
from ludotheque.games.wykersham.facts import LINES, ROLL_DICE, START_DICE

SLOPES = np.array(facts.SLOPES, np.int8)
"""W13: how a line runs, in columns to the right for each rail downward."""
RED_STARTS = np.array([red > green for red, green in START_DICE], np.bool_)
"""W4: whether red starts."""
ROLL_OF = np.array([ROLL_DICE.index((min(a, b), max(a, b))) for a in range(1, 7) for b in range(1, 7)], np.int8)
"""The roll that each of the 36 equally likely results is."""
IS_DOUBLE = np.array(facts.IS_DOUBLE, np.bool_)
ROLL_LINES = np.array(facts.ROLL_LINES, np.int8)
"""The set of lines that a roll allows, a bit each."""
LOWEST = np.array([(lines & -lines).bit_length() - 1 for lines in range(1 << LINES)], np.int8)
"""The leftmost line of a set of lines."""
DICE_COUNTS = np.array([[dice.count(face) for face in range(1, 7)] for dice in ROLL_DICE], np.int8)
"""How many dice of each roll show each face."""
