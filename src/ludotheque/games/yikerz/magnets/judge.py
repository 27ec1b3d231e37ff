"""A quick judgement of a place on the board: what would be held by friction and weight if a piece lay or stood there.

It is static: whether a hand can bring the piece there is for the scene to find out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .compile import kernel
from .field import magnet_table, pair_wrench, place_poles
from .hand import Path
from .model import body_table
from .poses import Pose
from .shapes import Shape
from .steps import GRAVITY, load

Array = NDArray[np.float64]

TOUCHES_MM = 0.15
"""Corners that high above the lowest one carry a piece as well: contacts are a little soft."""
LOOKS_PER_SECOND = 30
"""How often on its way a hand is looked at: every 6 mm at a quiet hand's speed."""


def support(shape: Shape, pose: Pose) -> Array:
    """How a piece in this pose (mm) stands on the mat, shape (8,), for `_loaded`.

    1 if it stands (0: it lies flat, and `load` knows), height of its centre (cm), the horizontal direction of its own z-axis (2), and
    in that direction and across it the middle and half the width of what carries it (2 × 2, cm from under the centre).
    """
    w, x, y, z = pose[3:]
    if abs(1 - 2 * (x * x + y * y)) >= 0.99:
        return np.zeros(8)
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    corners = shape.mesh_mm @ turn.T / 10
    lowest = corners[:, 2].min()
    carrying = corners[corners[:, 2] < lowest + TOUCHES_MM / 10, :2]
    across = turn[:2, 2] / np.linalg.norm(turn[:2, 2])
    spans = [carrying @ across, carrying @ np.array([-across[1], across[0]])]
    middles = [float(span.max() + span.min()) / 2 for span in spans]
    # A piece on a single corner or line stands on a hair's breadth: it will tip to the next one.
    halves = [max(1e-3, float(span.max() - span.min()) / 2) for span in spans]
    return np.array([1.0, -lowest, *across, middles[0], halves[0], middles[1], halves[1]])


@kernel
def _loaded(wrench: Array, pose: Array, body: Array, stands: Array) -> float:
    """The load of a piece that lies (see `load`) or stands: at 1 it slides, twists or tips. `stands` (8,) from `support`."""
    if stands[0] == 0:
        return load(wrench, pose, body)
    weight = body[0] * GRAVITY
    pressing = weight - wrench[2]
    if pressing < 0.05 * weight:
        return 10.0
    hold = body[5] * pressing
    slide = np.sqrt(wrench[0] ** 2 + wrench[1] ** 2) / hold
    twist = abs(wrench[5]) / (hold * np.sqrt(stands[5] ** 2 + stands[7] ** 2))
    x, y = (wrench[4] + stands[1] * wrench[0]) / pressing, (stands[1] * wrench[1] - wrench[3]) / pressing
    along = abs(x * stands[2] + y * stands[3] - stands[4]) / stands[5]
    across = abs(y * stands[2] - x * stands[3] - stands[6]) / stands[7]
    return float(max(np.sqrt(slide * slide + twist * twist) / 0.9, along, across))


@kernel
def _worst(
    body: Array,
    poses: Array,
    points: Array,
    moments: Array,
    total: Array,
    stands: Array,
    magnet: Array,
    own: Array,
    pose: Array,
    upright: Array,
) -> float:
    """The largest load of any piece once one more is there.

    For n pieces on the board: `body` (n, 9), `poses` (n, 7) cm, `points` (n, 5, 3) cm, `moments` (n, 4) emu, `total` (n, 6) dyn,
    `stands` (n, 8); for the new one: its rows `magnet` (3,) and `own` (9,), its `pose` (7,) cm and how it stands, `upright` (8,).
    """
    new_points, new_moment = np.empty((5, 3)), np.empty(4)
    out, room, wrench, mine = np.empty(10), np.empty((9, 4)), np.empty(6), np.zeros(6)
    place_poles(magnet, pose, new_points, new_moment)
    worst = 0.0
    for i in range(len(poses)):
        pair_wrench(points[i], moments[i], new_points, new_moment, out, room)
        for k in range(3):
            wrench[k] = total[i, k] + out[1 + k]
            wrench[3 + k] = total[i, 3 + k] + out[4 + k]
            mine[k] -= out[1 + k]
            mine[3 + k] += out[7 + k]
        worst = max(worst, _loaded(wrench, poses[i], body[i], stands[i]))
    return float(max(worst, _loaded(mine, pose, own, upright)))


@kernel
def _strain(
    body: Array, poses: Array, points: Array, moments: Array, total: Array, stands: Array, magnet: Array, way: Array
) -> float:
    """The largest load of any piece on the board while a hand brings one more along `way` (k, 7) cm; the rest as for `_worst`."""
    new_points, new_moment = np.empty((5, 3)), np.empty(4)
    out, room, wrench = np.empty(10), np.empty((9, 4)), np.empty(6)
    worst = 0.0
    for step in range(len(way)):
        place_poles(magnet, way[step], new_points, new_moment)
        for i in range(len(poses)):
            pair_wrench(points[i], moments[i], new_points, new_moment, out, room)
            for k in range(6):
                wrench[k] = total[i, k] + out[1 + k]
            worst = max(worst, _loaded(wrench, poses[i], body[i], stands[i]))
    return float(worst)


@kernel
def _join(points: Array, moments: Array, total: Array) -> None:
    """Add to `total` what the last piece and all others do to each other."""
    out, room = np.empty(10), np.empty((9, 4))
    new = len(total) - 1
    for i in range(new):
        pair_wrench(points[i], moments[i], points[new], moments[new], out, room)
        for k in range(3):
            total[i, k] += out[1 + k]
            total[i, 3 + k] += out[4 + k]
            total[new, k] -= out[1 + k]
            total[new, 3 + k] += out[7 + k]


@kernel
def _holding(
    body: Array,
    poses: Array,
    points: Array,
    moments: Array,
    total: Array,
    stands: Array,
    magnets: Array,
    bodies: Array,
    places: Array,
    most: float,
) -> int:
    """In how many of k places one more piece would load nothing by `most` or more.

    `magnets` (k, 3), `bodies` (k, 9) and `places` (k, 7) cm: the new piece, lying flat; the rest as for `_worst`.
    """
    new_points, new_moment = np.empty((5, 3)), np.empty(4)
    out, room, wrench, mine = np.empty(10), np.empty((9, 4)), np.empty(6), np.empty(6)
    count = 0
    for place in range(len(places)):
        place_poles(magnets[place], places[place], new_points, new_moment)
        mine[:] = 0.0
        holds = True
        for i in range(len(poses)):
            pair_wrench(points[i], moments[i], new_points, new_moment, out, room)
            for k in range(3):
                wrench[k] = total[i, k] + out[1 + k]
                wrench[3 + k] = total[i, 3 + k] + out[4 + k]
                mine[k] -= out[1 + k]
                mine[3 + k] += out[7 + k]
            if _loaded(wrench, poses[i], body[i], stands[i]) >= most:
                holds = False
                break
        if holds and load(mine, places[place], bodies[place]) < most:
            count += 1
    return count


class Judge:
    """Judges places on one board: `board` maps n magnets to poses (mm), `shapes` gives every magnet's shape."""

    def __init__(self, board: Mapping[int, Pose], shapes: Sequence[Shape]) -> None:
        lying = [shapes[magnet] for magnet in board]
        self._shapes = shapes
        self._tables, self._bodies = magnet_table(shapes), body_table(shapes)
        table, body = magnet_table(lying), body_table(lying)
        poses = np.array([list(pose) for pose in board.values()], dtype=np.float64).reshape(-1, 7)
        poses[:, :3] /= 10
        n = len(board)
        points, moments, total = np.zeros((n, 5, 3)), np.zeros((n, 4)), np.zeros((n, 6))
        for i in range(n):
            place_poles(table[i], poses[i], points[i], moments[i])
            _join(points[: i + 1], moments[: i + 1], total[: i + 1])
        stands = np.array([support(shapes[magnet], pose) for magnet, pose in board.items()]).reshape(-1, 8)
        self._board = body, poses, points, moments, total, stands

    def worst(self, magnet: int, pose: Pose) -> float:
        """The largest load of any piece if this magnet were in this pose (mm): below 1 everything would hold."""
        here = np.array(pose, dtype=np.float64)
        here[:3] /= 10
        upright = support(self._shapes[magnet], pose)
        return float(_worst(*self._board, self._tables[magnet], self._bodies[magnet], here, upright))

    def room(self, magnet: int, pose: Pose, places: Sequence[tuple[int, Pose]], most: float) -> int:
        """With this magnet in this pose (mm): how many of those others in those places, lying flat, would load nothing by `most`."""
        here = np.array(pose, dtype=np.float64)
        here[:3] /= 10
        spot, moment = np.empty((1, 5, 3)), np.empty((1, 4))
        place_poles(self._tables[magnet], here, spot[0], moment[0])
        body, poses, points, moments, total, stands = self._board
        points, moments = np.concatenate([points, spot]), np.concatenate([moments, moment])
        total = np.concatenate([total, np.zeros((1, 6))])
        _join(points, moments, total)
        board = (
            np.concatenate([body, self._bodies[magnet : magnet + 1]]),
            np.concatenate([poses, here[None]]),
            points,
            moments,
            total,
            np.concatenate([stands, support(self._shapes[magnet], pose)[None]]),
        )
        them = [other for other, _ in places]
        where = np.array([place for _, place in places], dtype=np.float64)
        where[:, :3] /= 10
        return int(_holding(*board, self._tables[them], self._bodies[them], where, most))

    def strain(self, magnet: int, path: Path) -> float:
        """The largest load of any piece while a hand brings this magnet along a path, as if nothing moved meanwhile."""
        count = max(2, round(path.times[-1] * LOOKS_PER_SECOND))
        way = np.array([path.at(path.times[-1] * k / (count - 1)) for k in range(count)], dtype=np.float64)
        way[:, :3] /= 10
        return float(_strain(*self._board, self._tables[magnet], way))
