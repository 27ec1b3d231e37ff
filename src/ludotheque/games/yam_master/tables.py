"""What Yam Master's kernels look up, as arrays: what each roll makes and leaves, the lines; made from facts.py."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.yam_master import facts
from ludotheque.games.yam_master.facts import (
    CARRE,
    FULL,
    KEPT_NUMBERS,
    KEPT_TEXTS,
    KINDS,
    LOW,
    ROLL_TEXTS,
    SIDE,
    SUITE,
    YAM,
)

BOARD = np.array(facts.BOARD, np.int8)
"""M1: the kind of each cell."""

COUNTS = np.array([[text.count(str(face)) for face in range(1, 7)] for text in KEPT_TEXTS], np.int8)
"""How many of each face a set has."""
SIZES = np.array([len(text) for text in KEPT_TEXTS], np.int8)

WITH_ONE_MORE = np.array(
    [
        [KEPT_NUMBERS["".join(sorted(text + str(face)))] if len(text) < 5 else -1 for face in range(1, 7)]
        for text in KEPT_TEXTS
    ],
    np.int16,
)
"""The set that comes of a set by one more die: what a single die's roll does."""


MOST_KEEPS = max(map(len, facts.KEEPS))
KEEPS = np.array([[*keeps, *[-1] * (MOST_KEEPS - len(keeps))] for keeps in facts.KEEPS], np.int16)
"""What can be kept of each roll, then -1."""
KEEP_COUNTS = np.array([len(keeps) for keeps in facts.KEEPS], np.int16)


def _combinations(text: str) -> list[bool]:
    """M7 to M13: which cells' kinds a roll makes, Sec and Défi aside."""
    counts = sorted((text.count(face) for face in set(text)), reverse=True)
    makes = [False] * KINDS
    for face in range(1, 7):
        makes[face - 1] = text.count(str(face)) >= 3
    makes[FULL] = counts in ([3, 2], [5])
    makes[CARRE] = counts[0] >= 4
    makes[YAM] = counts[0] == 5
    makes[SUITE] = text in ("12345", "23456")
    makes[LOW] = sum(map(int, text)) <= 8
    return makes


MAKES = np.array([_combinations(text) for text in ROLL_TEXTS], np.bool_)
"""Which kinds each roll makes."""
GREAT: NDArray[Any] = np.any(MAKES[:, [FULL, CARRE, YAM, SUITE, LOW]], axis=1)
"""M14, M15: rolls that make a Sec at once or fulfil a challenge: all but a Brelan alone."""


LINES = np.array([[*line, *[-1] * (SIDE - len(line))] for line in facts.LINES], np.int8)
"""The cells of every line, -1 where a short diagonal has ended."""


def _hasty_keep(text: str) -> int:
    """What a hasty player keeps: equal dice, both pairs of two, else the longest part of a suite."""
    counts = {face: text.count(face) for face in "654321"}
    most = max(counts.values())
    if most >= 3:
        kept = max(counts, key=lambda face: counts[face]) * most
    elif most == 2:
        kept = "".join(sorted(face * 2 for face in counts if counts[face] == 2))
    else:
        runs = [part for part in ("2345", "1234", "3456") if set(part) <= set(text)]
        kept = runs[0] if runs else ""
    return KEPT_NUMBERS[kept] if len(kept) < 5 else KEPT_NUMBERS[kept[:4]]


HASTY_KEEPS = np.array([_hasty_keep(text) for text in ROLL_TEXTS], np.int16)
"""One sensible set to keep of each roll, for playouts."""
