"""The four triangular mats and how they may lie (Y1, Y2): corners, ready-made layouts, and a check that gives its reason."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import cos, pi, radians, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from ludotheque.core.problems import shortened
from ludotheque.games.yikerz.catalogue import number_text, text

from .finite import as_number
from .problems import LayoutRefused

Array = NDArray[np.float64]
Mat = tuple[float, float, float]
"""A mat's centre, x and y in millimetres, and its turn in degrees; at 0 one corner points to +y."""
Layout = tuple[Mat, ...]

SIDE_MM = 140.0
"""Side of a mat: with four of them, 20 magnets have room for those who place them well."""
THICKNESS_MM = 3.0
"""A sheet of foam rubber; the table lies this far below the mats' upper face."""
MATS = 4
TOUCH_MM = 1.0
"""Mats nearer than this touch: nobody lays them closer by eye."""
OVERLAP_MM = 0.5
"""Mats that cross by no more than this only touch."""
TABLE_MM = 1000.0
"""Half the side of the table; mats farther out are not on it."""


def corners(mat: Mat) -> Array:
    """A mat's corners, counter-clockwise, shape (3, 2), millimetres."""
    x, y, angle = mat
    reach = SIDE_MM / sqrt(3)
    turns = [radians(angle) + pi / 2 + k * 2 * pi / 3 for k in range(3)]
    return np.array([[x + reach * cos(turn), y + reach * sin(turn)] for turn in turns])


def _depth(a: Array, b: Array) -> float:
    """How far two triangles overlap, mm; negative when they are apart. By the separating axis theorem."""
    depth = np.inf
    for triangle in (a, b):
        for k in range(3):
            side = triangle[(k + 1) % 3] - triangle[k]
            normal = np.array([side[1], -side[0]]) / np.linalg.norm(side)
            on_a, on_b = a @ normal, b @ normal
            depth = min(depth, on_a.max() - on_b.min(), on_b.max() - on_a.min())
    return float(depth)


def _gap(a: Array, b: Array) -> float:
    """Distance between two triangles that do not overlap, millimetres."""
    nearest = np.inf
    for points, triangle in ((a, b), (b, a)):
        for point in points:
            for k in range(3):
                start, side = triangle[k], triangle[(k + 1) % 3] - triangle[k]
                along = np.clip((point - start) @ side / (side @ side), 0, 1)
                nearest = min(nearest, float(np.linalg.norm(point - start - along * side)))
    return nearest


def centred(layout: Sequence[Mat]) -> Layout:
    """The same layout with its bounding box's centre at the origin, to a thousandth of a millimetre."""
    every = np.concatenate([corners(mat) for mat in layout])
    x, y = (every.min(axis=0) + every.max(axis=0)) / 2
    return tuple(
        (round(float(mat[0] - x), 3) + 0.0, round(float(mat[1] - y), 3) + 0.0, float(mat[2])) for mat in layout
    )


def _alike(mats: Sequence[object]) -> Layout:
    """Read the numbers of a layout; raises LayoutRefused."""
    result: list[Mat] = []
    for number, mat in enumerate(mats, 1):
        if not isinstance(mat, Sequence) or isinstance(mat, str) or len(mat) != 3:
            raise LayoutRefused(text("mats.not-a-mat", number=number))
        values: list[float] = []
        for value in mat:
            if (known := as_number(value)) is None:
                raise LayoutRefused(text("mats.not-a-number", number=number, value=shortened(repr(value))))
            values.append(known)
        x, y, angle = values
        if max(abs(x), abs(y)) > TABLE_MM or abs(angle) > 3600:
            raise LayoutRefused(text("mats.off-the-table", number=number, most=f"{TABLE_MM:.0f}"))
        result.append((x, y, angle))
    return tuple(result)


def check_apart(mats: Sequence[object]) -> Layout:
    """The layout as numbers if no mats overlap, however many they are and whether they touch; for the lab."""
    layout = _alike(mats)
    for (i, first), (j, second) in combinations(enumerate(layout, 1), 2):
        depth = _depth(corners(first), corners(second))
        if depth > OVERLAP_MM:
            raise LayoutRefused(text("mats.overlap", one=i, other=j, depth=number_text(depth, ".1f")))
    return layout


def check(mats: Sequence[object]) -> Layout:
    """Y2: the layout, centred, if each mat touches another by a side or a corner and none overlap; or a refusal with its reason."""
    if len(mats) != MATS:
        raise LayoutRefused(text("mats.wrong-number", mats=MATS, found=len(mats)))
    layout = check_apart(mats)
    triangles = [corners(mat) for mat in layout]
    for i, triangle in enumerate(triangles):
        gap = min(
            _gap(triangle, other)
            for j, other in enumerate(triangles)
            if j != i and _depth(triangle, other) <= OVERLAP_MM
        )
        if gap > TOUCH_MM:
            raise LayoutRefused(text("mats.apart", number=i + 1, gap=number_text(gap, ".1f")))
    return centred(layout)


_HEIGHT = SIDE_MM * sqrt(3) / 2

LAYOUTS: dict[str, Layout] = {
    # Beginner: one large triangle, the most room for its edge.
    "pyramid": centred(
        [(0, 0, 180), (-SIDE_MM / 2, -_HEIGHT / 3, 0), (SIDE_MM / 2, -_HEIGHT / 3, 0), (0, 2 * _HEIGHT / 3, 0)]
    ),
    # Intermediate: a band of four, side by side, long and narrow.
    "ribbon": centred([(k * SIDE_MM / 2, (k % 2) * _HEIGHT / 3, 180 * (k % 2)) for k in range(4)]),
    # Advanced: four islands that meet only at corners; every piece is near an edge.
    "islands": centred([(k * SIDE_MM, 0, 0) for k in range(3)] + [(SIDE_MM / 2, _HEIGHT, 0)]),
}
"""Ready-made layouts, from easy to hard."""


def on_mats(layout: Layout, x: float, y: float, inside: float = 0.0) -> bool:
    """Whether a point (mm) lies on a mat, at least `inside` millimetres from that mat's sides."""
    far = SIDE_MM / sqrt(12) - inside  # a side's distance from the middle, less what is asked for
    for middle_x, middle_y, angle in layout:
        turn = radians(angle) + pi / 2
        along = (x - middle_x) * cos(turn) + (y - middle_y) * sin(turn)
        if -along > far:
            continue
        across = (y - middle_y) * cos(turn) - (x - middle_x) * sin(turn)
        if along / 2 + sqrt(0.75) * abs(across) <= far:
            return True
    return False
