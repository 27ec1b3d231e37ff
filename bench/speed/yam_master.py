"""Yam Master's own row of the benchmark: the exact best policy of a turn, all three rolls."""

import numpy as np

from bench.speed.measure import Row, Subject, timed
from ludotheque.core import literal, text
from ludotheque.games.yam_master.facts import ENDS
from ludotheque.games.yam_master.turn import turn_policy

CALLS = 2000


def subjects() -> list[Subject]:
    """The exact turn, for ends whose worth is random, so that nothing is tied."""
    ends = np.random.default_rng(1).random(ENDS)
    row = Row(literal("yam-master"), text("bench.exact-turn"), text("bench.unit.microseconds"))
    return [
        Subject((row,), lambda: [timed(lambda: turn_policy(ends), CALLS)]),
    ]
