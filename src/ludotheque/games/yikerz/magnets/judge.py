"""A quick judgement of a place on the board: what would be held by friction and weight if a piece lay there.

It is static: whether a hand can bring the piece there is for the scene to find out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .compile import kernel
from .field import magnet_table, pair_wrench, place_poles
from .scene import Pose, body_table
from .shapes import Shape
from .steps import load

Array = NDArray[np.float64]

UPRIGHT = 3.0
"""A piece that does not lie flat is judged as if the field counted so many times: it stands on a narrow belt."""


@kernel
def _worst(
    table: Array,
    body: Array,
    poses: Array,
    points: Array,
    moments: Array,
    total: Array,
    flat: Array,
    magnet: Array,
    own: Array,
    pose: Array,
) -> float:
    """The largest load (see `load`) of any piece once one more lies there.

    For n pieces on the board: `table` (n, 3), `body` (n, 9), `poses` (n, 7) cm, `points` (n, 5, 3) cm, `moments` (n, 4) emu, `total`
    (n, 6) dyn, `flat` (n,); for the new one: its rows `magnet` (3,) and `own` (9,), and `pose` (7,) cm.
    """
    new_points, new_moment = np.empty((5, 3)), np.empty(4)
    out, room, wrench, mine = np.empty(10), np.empty((9, 4)), np.empty(6), np.zeros(6)
    place_poles(magnet, pose, new_points, new_moment)
    worst = 0.0
    for i in range(len(table)):
        pair_wrench(points[i], moments[i], new_points, new_moment, out, room)
        for k in range(3):
            wrench[k] = total[i, k] + out[1 + k]
            wrench[3 + k] = total[i, 3 + k] + out[4 + k]
            mine[k] -= out[1 + k]
            mine[3 + k] += out[7 + k]
        worst = max(worst, load(wrench, poses[i], body[i]) * flat[i])
    upright = abs(1 - 2 * (pose[4] ** 2 + pose[5] ** 2)) < 0.99
    return float(max(worst, load(mine, pose, own) * (UPRIGHT if upright else 1.0)))


class Judge:
    """Judges places on one board: `board` maps n magnets to poses (mm), `shapes` gives every magnet's shape."""

    def __init__(self, board: Mapping[int, Pose], shapes: Sequence[Shape]) -> None:
        lying = [shapes[magnet] for magnet in board]
        self._tables, self._bodies = magnet_table(shapes), body_table(shapes)
        self._table, self._body = magnet_table(lying), body_table(lying)
        self._poses = np.array([list(pose) for pose in board.values()], dtype=np.float64).reshape(-1, 7)
        self._poses[:, :3] /= 10
        n = len(board)
        self._points, self._moments = np.zeros((n, 5, 3)), np.zeros((n, 4))
        self._total = np.zeros((n, 6))
        out, room = np.empty(10), np.empty((9, 4))
        for i in range(n):
            place_poles(self._table[i], self._poses[i], self._points[i], self._moments[i])
        for i in range(n):
            for j in range(i):
                pair_wrench(self._points[i], self._moments[i], self._points[j], self._moments[j], out, room)
                self._total[i] += out[1:7]
                self._total[j, :3] -= out[1:4]
                self._total[j, 3:] += out[7:10]
        upright = np.abs(1 - 2 * (self._poses[:, 4] ** 2 + self._poses[:, 5] ** 2)) < 0.99
        self._flat = np.where(upright, UPRIGHT, 1.0)

    def worst(self, magnet: int, pose: Pose) -> float:
        """The largest load of any piece if this magnet lay in this pose (mm): below 1 everything would hold."""
        here = np.array(pose, dtype=np.float64)
        here[:3] /= 10
        return float(
            _worst(
                self._table, self._body, self._poses, self._points, self._moments, self._total, self._flat,
                self._tables[magnet], self._bodies[magnet], here,
            )
        )  # fmt: skip
