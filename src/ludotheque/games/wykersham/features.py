"""The features that Wykersham's boards are evaluated by: their numbers, and an evaluation made by hand. Plain numbers only.

Which features a board has is worked out in `evaluation`, which also evaluates them.
"""

from array import array
from typing import Final

from ludotheque.games.wykersham.facts import COLUMNS, LINES, MIDDLE, RAILS, REACH, TURNS
from ludotheque.kernels.weights import NetworkWeights, add_float32, linear_weights

WAYS: Final = 36
"""In which two dice fall."""

# A slot holds one feature, or ABSENT: two boards are compared slot by slot.
ABSENT: Final = -1
GOAL_LINES: Final = 3 * LINES  # W13: by slope, then by column on the middle rail
PATTERNS: Final = 3**4 * 4  # cups free, mine or theirs; on the middle rail also both
POWERS: Final = (4, 12, 1, 36, 108)
"""What a cup of each rail counts in a line's pattern, once if mine, twice if theirs; the middle rail's may be both."""
MOST_SEEN: Final = 3  # marbles in a cup; more look the same
CUP_KINDS: Final = (MOST_SEEN + 1) ** 2
LEAST_BROUGHT: Final = 5
BROUGHT: Final = 5  # a goal within reach brings 5, 6, 7, 8, or more
MOST_LEAD: Final = 20
CLOSE_LEAD: Final = 12

LINE_SLOT: Final = 0
CUP_SLOT: Final = LINE_SLOT + GOAL_LINES
THREAT_SLOT: Final = CUP_SLOT + RAILS * COLUMNS
WAYS_SLOT: Final = THREAT_SLOT + 2 * LINES
OFFSET_SLOT: Final = WAYS_SLOT + 2
LEAD_SLOT: Final = OFFSET_SLOT + RAILS
LEFT_SLOT: Final = LEAD_SLOT + 1
BOTH_SLOT: Final = LEFT_SLOT + 1
OPTION_SLOT: Final = BOTH_SLOT + 1
SLOTS: Final = OPTION_SLOT + 3

LINE_FEATURE: Final = 0
CUP_FEATURE: Final = LINE_FEATURE + GOAL_LINES * PATTERNS
THREAT_FEATURE: Final = CUP_FEATURE + RAILS * COLUMNS * CUP_KINDS
WAYS_FEATURE: Final = THREAT_FEATURE + 2 * LINES * BROUGHT
OFFSET_FEATURE: Final = WAYS_FEATURE + 2 * (WAYS + 1)
LEAD_FEATURE: Final = OFFSET_FEATURE + RAILS * (2 * REACH + 1)
LEFT_FEATURE: Final = LEAD_FEATURE + 2 * MOST_LEAD + 1
BOTH_FEATURE: Final = LEFT_FEATURE + 2 * TURNS + 1
OPTION_FEATURE: Final = BOTH_FEATURE + (2 * CLOSE_LEAD + 1) * (2 * TURNS + 1)
FEATURES: Final = OPTION_FEATURE + 3


def handmade_network(*, sees_others: bool = True) -> NetworkWeights:
    """An evaluation made by hand, without learning: the lead, goals within reach, and open lines count by their marbles.

    A beginner looks at the own marbles only (`sees_others` False); otherwise it is a fair opponent to measure against.
    """
    balance = array("f", bytes(4 * FEATURES))
    weights = (0.0, 0.05, 0.2, 0.6, 1.2, 1.5)
    for line in range(GOAL_LINES):
        for pattern in range(PATTERNS):
            cups = [pattern // POWERS[rail] % (4 if rail == MIDDLE else 3) for rail in range(RAILS)]
            for who, sign in ((1, 1.0), (2, -1.0)):
                if who == 1 and not sees_others:
                    continue  # the board is evaluated for the player who is to roll next: the beginner's own marbles are the others
                closed = any(cup == 3 - who for rail, cup in enumerate(cups) if rail != MIDDLE)
                held = sum(cup in (who, 3) for cup in cups)
                weight = sign * weights[held] * (0.5 if closed else 1.0)
                add_float32(balance, LINE_FEATURE + line * PATTERNS + pattern, weight)
    if sees_others:
        for line in range(LINES):
            for brings in range(BROUGHT):
                add_float32(balance, THREAT_FEATURE + line * BROUGHT + brings, 0.5)
                add_float32(balance, THREAT_FEATURE + (LINES + line) * BROUGHT + brings, -0.25)
    for ahead in range(2 * MOST_LEAD + 1):
        add_float32(balance, LEAD_FEATURE + ahead, 1.2 * (ahead - MOST_LEAD))
    return linear_weights(balance, 0.15, 0.1)
