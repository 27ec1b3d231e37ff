"""Facts of Yam Master that never change: the board, the 252 rolls, the 462 sets of dice that can be kept, the lines.

What players may do with them is in rules.py.
"""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIDE = 5
CELLS = SIDE * SIDE

# The kinds of cell (M1); a Brelan's kind is its number less one.
FULL, CARRE, YAM, SUITE, LOW, SEC, DEFI = 6, 7, 8, 9, 10, 11, 12
KINDS = 13
KIND_NAMES = ("1", "2", "3", "4", "5", "6", "Full", "Carré", "Yam", "Suite", "≤8", "Sec", "Défi")

BOARD_NAMES = (
    ("1", "3", "Défi", "4", "6"),
    ("2", "Carré", "Sec", "Full", "5"),
    ("≤8", "Full", "Yam", "Défi", "Suite"),
    ("6", "Sec", "Suite", "≤8", "1"),
    ("3", "2", "Carré", "5", "4"),
)
BOARD = np.array([KIND_NAMES.index(name) for row in BOARD_NAMES for name in row], np.int8)
"""M1: the kind of each cell, r1c1 first, row by row."""

KEPT_TEXTS = tuple(
    "".join(map(str, dice)) for count in range(6) for dice in combinations_with_replacement(range(1, 7), count)
)
"""Every set of up to five dice, sorted; the empty one is first, the 252 whole rolls are last."""
KEPT_NUMBERS = {text: number for number, text in enumerate(KEPT_TEXTS)}
FIRST_ROLL = sum(len(text) < 5 for text in KEPT_TEXTS)
ROLL_TEXTS = KEPT_TEXTS[FIRST_ROLL:]
ROLLS = len(ROLL_TEXTS)

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


def _subsets(text: str) -> list[int]:
    """Every smaller set within a roll, each once: what can be kept of it."""
    found = {""}
    for die in text:
        found |= {part + die for part in found}
    return sorted(KEPT_NUMBERS[part] for part in found if len(part) < 5)


_KEEPS = [_subsets(text) for text in ROLL_TEXTS]
MOST_KEEPS = max(map(len, _KEEPS))
KEEPS = np.array([keeps + [-1] * (MOST_KEEPS - len(keeps)) for keeps in _KEEPS], np.int16)
"""What can be kept of each roll, at least one die being rolled again (M4)."""
KEEP_COUNTS = np.array([len(keeps) for keeps in _KEEPS], np.int16)


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


def _lines() -> list[list[int]]:
    """M19: rows, columns and every diagonal of three cells or more."""
    rows = [[row * SIDE + column for column in range(SIDE)] for row in range(SIDE)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    falling = [[row * SIDE + row + shift for row in range(SIDE) if 0 <= row + shift < SIDE] for shift in range(-2, 3)]
    rising = [[row * SIDE + total - row for row in range(SIDE) if 0 <= total - row < SIDE] for total in range(2, 7)]
    return rows + columns + falling + rising


LINES = np.array([line + [-1] * (SIDE - len(line)) for line in _lines()], np.int8)
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
