"""A quick static estimate of whether a board would hold: what friction and weight carry if one more piece lay or stood there.

Nothing is simulated here. Whether a hand can bring the piece there is found out in `scene`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .buffers import FRICTION, MASS, Array
from .compile import kernel
from .field import COLUMNS, PAIR_NUMBERS, magnet_table, pair_wrench, place_poles
from .model import body_table
from .path import Path
from .poses import Pose
from .shapes import Shape
from .sleep import GRAVITY, LIFTED, LIFTED_LOAD, SHARED_FRICTION, load

STANDS, HEIGHT, DIRECTION, MIDDLE_ALONG, HALF_ALONG, MIDDLE_ACROSS, HALF_ACROSS, SUPPORT_COLUMNS = (
    0,
    1,
    2,
    4,
    5,
    6,
    7,
    8,
)
"""Columns of a table of supports, shape (n, 8), which `support_of` fills: 1 if a piece stands on an edge or an end, 0 if it lies flat
(then the rest is 0); height of the centre of mass above the mat (cm); horizontal direction of the piece's own z-axis in the board's
frame (2); along that direction and across it, the middle and half the width of what carries the piece, from under its centre (cm)."""
TOUCHES_MM = 0.15
"""Corners that high above the lowest one carry a piece as well: contacts are a little soft."""
HALF_LINE = 1e-3
"""cm: half the width of a corner or a line. A piece that stands on one will tip."""
FLAT = 0.99
"""A piece whose own z-axis and the vertical have at least this cosine counts as lying."""
SAMPLES_PER_SECOND = 30
"""How often the way of a hand is sampled: every 6 mm at a quiet hand's speed."""


class BoardState(NamedTuple):
    """n pieces at rest on a board and the field on each; frames and units as in `buffers`."""

    bodies: Array
    """Shape (n, 9), see `buffers.MASS`."""
    poses: Array
    """Shape (n, 7), cm."""
    points: Array
    """Poles and centres, shape (n, 4, 25), see `field.place_poles`."""
    moments: Array
    """Shape (n, 4), emu, see `field.place_poles`."""
    wrenches: Array
    """Magnetic force and torque on each piece, shape (n, 6), dyn and dyn·cm."""
    supports: Array
    """Shape (n, 8), see `STANDS`."""


class NewPiece(NamedTuple):
    """One more piece."""

    magnet: Array
    """Its row of `field.magnet_table`, shape (4, 25)."""
    body: Array
    """Its row of the table of bodies, shape (9,)."""
    pose: Array
    """Shape (7,), cm."""
    support: Array
    """Shape (8,), see `STANDS`."""


def support_of(shape: Shape, pose: Pose) -> Array:
    """How a piece in this pose (mm) lies or stands on the mat, shape (8,)."""
    w, x, y, z = pose[3:]
    if abs(1 - 2 * (x * x + y * y)) >= FLAT:
        return np.zeros(SUPPORT_COLUMNS)
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
    direction = turn[:2, 2] / np.linalg.norm(turn[:2, 2])
    spans = [carrying @ direction, carrying @ np.array([-direction[1], direction[0]])]
    middles = [float(span.max() + span.min()) / 2 for span in spans]
    halves = [max(HALF_LINE, float(span.max() - span.min()) / 2) for span in spans]
    return np.array([1.0, -lowest, *direction, middles[0], halves[0], middles[1], halves[1]])


@kernel
def static_load(wrench: Array, pose: Array, body: Array, support: Array) -> float:
    """The load of a piece that lies (see `sleep.load`) or stands: at 1 it slides, twists or tips.

    wrench: shape (6,), dyn and dyn·cm. pose: shape (7,), cm. body: shape (9,). support: shape (8,).
    """
    if support[STANDS] == 0:
        return load(wrench, pose, body)
    weight = body[MASS] * GRAVITY
    pressing = weight - wrench[2]
    if pressing < LIFTED * weight:
        return LIFTED_LOAD
    hold = body[FRICTION] * pressing
    slide = np.sqrt(wrench[0] ** 2 + wrench[1] ** 2) / hold
    twist = abs(wrench[5]) / (hold * np.sqrt(support[HALF_ALONG] ** 2 + support[HALF_ACROSS] ** 2))
    height, ux, uy = support[HEIGHT], support[DIRECTION], support[DIRECTION + 1]
    x, y = (wrench[4] + height * wrench[0]) / pressing, (height * wrench[1] - wrench[3]) / pressing
    along = abs(x * ux + y * uy - support[MIDDLE_ALONG]) / support[HALF_ALONG]
    across = abs(y * ux - x * uy - support[MIDDLE_ACROSS]) / support[HALF_ACROSS]
    return float(max(np.sqrt(slide * slide + twist * twist) / SHARED_FRICTION, along, across))


@kernel
def _largest_load(board: BoardState, new: NewPiece) -> float:
    """The largest load of any piece once one more is there."""
    new_points, new_moment = np.empty((4, COLUMNS)), np.empty(4)
    pair, workspace = np.empty(PAIR_NUMBERS), np.empty(PAIR_NUMBERS)
    wrench, own = np.empty(6), np.zeros(6)
    place_poles(new.magnet, new.pose, new_points, new_moment)
    largest = 0.0
    for i in range(len(board.poses)):
        pair_wrench(board.points[i], board.moments[i], new_points, new_moment, pair, workspace)
        for k in range(3):
            wrench[k] = board.wrenches[i, k] + pair[1 + k]
            wrench[3 + k] = board.wrenches[i, 3 + k] + pair[4 + k]
            own[k] -= pair[1 + k]
            own[3 + k] += pair[7 + k]
        largest = max(largest, static_load(wrench, board.poses[i], board.bodies[i], board.supports[i]))
    return float(max(largest, static_load(own, new.pose, new.body, new.support)))


@kernel
def _largest_load_of_arrays(
    bodies: Array,
    poses: Array,
    points: Array,
    moments: Array,
    wrenches: Array,
    supports: Array,
    magnet: Array,
    body: Array,
    pose: Array,
    support: Array,
) -> float:
    """`_largest_load` with the fields of its structures: it is called most, and arrays are handed over faster than structures."""
    board = BoardState(bodies, poses, points, moments, wrenches, supports)
    return _largest_load(board, NewPiece(magnet, body, pose, support))


@kernel
def _loads_along(board: BoardState, magnet: Array, way: Array, out: Array) -> None:
    """The largest load of any piece on the board at each pose of a hand that brings one more along a way, in out, shape (k,).

    magnet: its part of `field.magnet_table`, shape (4, 25). way: shape (k, 7), cm.
    """
    new_points, new_moment = np.empty((4, COLUMNS)), np.empty(4)
    pair, workspace, wrench = np.empty(PAIR_NUMBERS), np.empty(PAIR_NUMBERS), np.empty(6)
    for sample in range(len(way)):
        place_poles(magnet, way[sample], new_points, new_moment)
        out[sample] = 0.0
        for i in range(len(board.poses)):
            pair_wrench(board.points[i], board.moments[i], new_points, new_moment, pair, workspace)
            for k in range(6):
                wrench[k] = board.wrenches[i, k] + pair[1 + k]
            out[sample] = max(out[sample], static_load(wrench, board.poses[i], board.bodies[i], board.supports[i]))


@kernel
def _add_last(points: Array, moments: Array, wrenches: Array) -> None:
    """Add to `wrenches` what the last of n pieces and all others do to each other; shapes as in `BoardState`."""
    pair, workspace = np.empty(PAIR_NUMBERS), np.empty(PAIR_NUMBERS)
    new = len(wrenches) - 1
    for i in range(new):
        pair_wrench(points[i], moments[i], points[new], moments[new], pair, workspace)
        for k in range(3):
            wrenches[i, k] += pair[1 + k]
            wrenches[i, 3 + k] += pair[4 + k]
            wrenches[new, k] -= pair[1 + k]
            wrenches[new, 3 + k] += pair[7 + k]


@kernel
def _count_stable(board: BoardState, magnets: Array, bodies: Array, places: Array, most: float) -> int:
    """In how many of k places one more piece, lying flat, would leave every load below `most`.

    magnets: shape (k, 4, 25). bodies: shape (k, 9). places: poses, shape (k, 7), cm.
    """
    new_points, new_moment = np.empty((4, COLUMNS)), np.empty(4)
    pair, workspace = np.empty(PAIR_NUMBERS), np.empty(PAIR_NUMBERS)
    wrench, own = np.empty(6), np.empty(6)
    count = 0
    for place in range(len(places)):
        place_poles(magnets[place], places[place], new_points, new_moment)
        own[:] = 0.0
        holds = True
        for i in range(len(board.poses)):
            pair_wrench(board.points[i], board.moments[i], new_points, new_moment, pair, workspace)
            for k in range(3):
                wrench[k] = board.wrenches[i, k] + pair[1 + k]
                wrench[3 + k] = board.wrenches[i, 3 + k] + pair[4 + k]
                own[k] -= pair[1 + k]
                own[3 + k] += pair[7 + k]
            if static_load(wrench, board.poses[i], board.bodies[i], board.supports[i]) >= most:
                holds = False
                break
        if holds and load(own, places[place], bodies[place]) < most:
            count += 1
    return count


class StabilityEstimator:
    """Estimates loads on one board, on which n magnets are at rest. A load is the part of what holds a piece that is used up."""

    def __init__(self, board: Mapping[int, Pose], shapes: Sequence[Shape]) -> None:
        """board: the magnets on it with their poses (mm). shapes: every magnet's shape, also of those not on the board."""
        on_board = [shapes[magnet] for magnet in board]
        self._shapes = shapes
        self._magnets, self._bodies = magnet_table(shapes), body_table(shapes)
        magnets = magnet_table(on_board)
        poses = np.array([list(pose) for pose in board.values()], dtype=np.float64).reshape(-1, 7)
        poses[:, :3] /= 10
        n = len(board)
        points, moments, wrenches = np.zeros((n, 4, COLUMNS)), np.zeros((n, 4)), np.zeros((n, 6))
        for i in range(n):
            place_poles(magnets[i], poses[i], points[i], moments[i])
            _add_last(points[: i + 1], moments[: i + 1], wrenches[: i + 1])
        supports = np.array([support_of(shapes[magnet], pose) for magnet, pose in board.items()]).reshape(
            -1, SUPPORT_COLUMNS
        )
        self._board = BoardState(body_table(on_board), poses, points, moments, wrenches, supports)

    def largest_load(self, magnet: int, pose: Pose) -> float:
        """The largest load of any piece if this magnet were in this pose (mm): below 1 everything would hold."""
        here = np.array(pose, dtype=np.float64)
        here[:3] /= 10
        support = support_of(self._shapes[magnet], pose)
        return float(_largest_load_of_arrays(*self._board, self._magnets[magnet], self._bodies[magnet], here, support))

    def loads_along(self, magnet: int, poses: Sequence[Pose]) -> list[float]:
        """The largest load of any piece while a hand holds this magnet in each of these poses (mm), as if nothing had moved."""
        out = np.zeros(len(poses))
        _loads_along(self._board, self._magnets[magnet], _centimetres(poses), out)
        loads: list[float] = out.tolist()
        return loads

    def largest_load_along(self, magnet: int, path: Path) -> float:
        """The largest load of any piece while a hand brings this magnet along a path, as if nothing moved meanwhile."""
        count = max(2, round(path.times[-1] * SAMPLES_PER_SECOND))
        return max(self.loads_along(magnet, [path.at(path.times[-1] * k / (count - 1)) for k in range(count)]))

    def stable_places(self, magnet: int, pose: Pose, places: Sequence[tuple[int, Pose]], most: float) -> int:
        """With this magnet in this pose (mm): in how many places one more would leave every load below `most`.

        places: a magnet each, and its pose (mm) in which it lies flat.
        """
        board = self._with(magnet, pose)
        others = [other for other, _ in places]
        poses = _centimetres([place for _, place in places])
        return int(_count_stable(board, self._magnets[others], self._bodies[others], poses, most))

    def _with(self, magnet: int, pose: Pose) -> BoardState:
        """The board with one more magnet on it."""
        board = self._board
        here = _centimetres([pose])
        own_points, own_moment = np.empty((1, 4, COLUMNS)), np.empty((1, 4))
        place_poles(self._magnets[magnet], here[0], own_points[0], own_moment[0])
        points, moments = np.concatenate([board.points, own_points]), np.concatenate([board.moments, own_moment])
        wrenches = np.concatenate([board.wrenches, np.zeros((1, 6))])
        _add_last(points, moments, wrenches)
        return BoardState(
            np.concatenate([board.bodies, self._bodies[magnet : magnet + 1]]),
            np.concatenate([board.poses, here]),
            points,
            moments,
            wrenches,
            np.concatenate([board.supports, support_of(self._shapes[magnet], pose)[None]]),
        )


def _centimetres(poses: Sequence[Pose]) -> Array:
    """Poses in mm as an array of shape (k, 7) in cm."""
    result = np.array(poses, dtype=np.float64).reshape(-1, 7)
    result[:, :3] /= 10
    return result
