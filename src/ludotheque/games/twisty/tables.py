"""What Twisty's kernels look up, as arrays; made from facts.py."""

import numpy as np

from ludotheque.games.twisty import facts
from ludotheque.games.twisty.facts import MOST_STEPS

CORNERS = np.array(facts.CORNERS, np.int64)
STEPS = np.array(
    [[[*steps, *[-1] * (MOST_STEPS - len(steps))] for steps in squares] for squares in facts.STEPS], np.int64
)
"""T5 and T8: `STEPS[kind - ORTHOGONAL, square]` are the squares one step away, then -1."""
COVERED = np.array(
    [square for square in range(facts.SQUARES) if square not in {facts.CENTRE, *facts.CORNERS}], np.int64
)
"""T1: the squares on which tokens are laid."""
