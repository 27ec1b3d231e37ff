"""The features that Yam Master's boards are evaluated by: their numbers, and an evaluation made by hand. Plain numbers only.

Which features a board has is worked out in `evaluation`, which also evaluates them.
"""

from array import array
from itertools import accumulate
from typing import Final

from ludotheque.games.yam_master.facts import CELLS, LINES, PAWNS
from ludotheque.kernels.weights import NetworkWeights, add_float32, linear_weights

LINE_STARTS: Final = tuple(accumulate((3 ** len(line) for line in LINES), initial=0))
"""The first feature of each line: it has one for each way that its cells can be free (0), mine (1) or theirs (2)."""
MINE_ON: Final = LINE_STARTS[-1]
THEIRS_ON: Final = MINE_ON + CELLS
MY_PAWNS: Final = THEIRS_ON + CELLS
THEIR_PAWNS: Final = MY_PAWNS + PAWNS + 1
MAX_TURNS_LEFT: Final = 11  # turns left; more look the same
MY_TURNS: Final = THEIR_PAWNS + PAWNS + 1
THEIR_TURNS: Final = MY_TURNS + MAX_TURNS_LEFT + 1
FEATURES: Final = THEIR_TURNS + MAX_TURNS_LEFT + 1
MAX_ACTIVE: Final = len(LINES) + CELLS + 4


def handmade_network(*, sees_others: bool = True) -> NetworkWeights:
    """An evaluation made by hand, without learning: lines that are still open count by their pawns.

    A beginner looks at the own pawns only (`sees_others` False); otherwise it is a fair opponent to measure against.
    """
    balance = array("f", bytes(4 * FEATURES))
    weights = (0.0, 0.1, 0.5, 1.6, 3.0, 0.0)
    for line, cells in enumerate(LINES):
        for code in range(3 ** len(cells)):
            marks = [code // 3**place % 3 for place in range(len(cells))]
            for who, sign in ((1, 1.0), (2, -1.0)):
                # The board is evaluated for the player who is to move next: the beginner's own pawns are the others then.
                if who == 1 and not sees_others:
                    continue
                parts = "".join("x" if mark == who else " " if mark == 0 else "|" for mark in marks).split("|")
                open_parts = sum(weights[part.count("x")] for part in parts if len(part) >= 3)
                add_float32(balance, LINE_STARTS[line] + code, sign * open_parts)
    return linear_weights(balance, 0.25, 0.3)
