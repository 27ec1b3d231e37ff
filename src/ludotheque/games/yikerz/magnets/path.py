"""The path of a hand (Y6, Y9): poses over time, read from outside or made, and how fast a hand can follow them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import acos, cos, pi, sin, sqrt
from typing import Literal

import numpy as np

from ludotheque.core import Text
from ludotheque.core.problems import shortened
from ludotheque.games.yikerz.catalogue import number_text, text

from .finite import as_number
from .poses import Pose, as_pose
from .problems import PathRefused
from .shapes import Shape

FASTEST_MM_S = 1500.0
"""A hand moves no faster, whatever the path asks for: a path that jumps is followed at this speed."""
FASTEST_TURN = 20.0
"""rad/s, likewise."""
ENTRY_MM = 90.0
"""The hand comes in from above, at least this high, over the path's first pose."""
REACH_MM = 600.0
"""How far from the board's centre the hand reaches."""
MOST_POSES = 20_000
LONGEST_SECONDS = 100_000.0
"""No hand takes longer, whatever the options say: hosts let go sooner."""
COMPUTED_SECONDS = 3600.0
"""A longer turn is not computed from its text; a log keeps what it led to."""

Standing = Literal["flat", "over", "edge", "end", "other-end"]
"""How a piece is put down: on its lower or upper flat face, on its long edge, or upright with its north or its south up."""
STANDINGS: tuple[Standing, ...] = ("flat", "over", "edge", "end", "other-end")


@dataclass(frozen=True)
class Path:
    """What the hand asks for: poses (mm) in order of time (s), the first at 0, and when it lets go (s)."""

    times: tuple[float, ...]
    poses: tuple[Pose, ...]
    release: float

    def at(self, time: float) -> Pose:
        """The pose asked for at a time (s): interpolated between two, and the last one after the end."""
        k = bisect_right(self.times, time)
        if k >= len(self.times):
            return self.poses[-1]
        before, after = self.times[k - 1], self.times[k]
        if time == before:
            return self.poses[k - 1]
        return between(self.poses[k - 1], self.poses[k], (time - before) / (after - before))


def read_path(value: object, release: object, hand_seconds: float | None) -> Path:
    """Read a path [[t, x, y, z, qw, qx, qy, qz], …] and its time of release; raises PathRefused or SceneRefused.

    `hand_seconds`: how long the hand may take (Y6); None: as long as it wants. Of several poses for the same instant the last
    counts.
    """
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise PathRefused(text("path.not-a-list"))
    if len(value) > MOST_POSES:
        raise PathRefused(text("path.too-long", poses=len(value), most=MOST_POSES))
    letting_go = _time(release, text("path.release"))
    longest = LONGEST_SECONDS if hand_seconds is None else hand_seconds
    if letting_go > longest:
        raise PathRefused(
            text("path.released-late", release=number_text(letting_go, "g"), most=number_text(longest, "g"))
        )
    times: list[float] = []
    poses: list[Pose] = []
    for number, sample in enumerate(value, 1):
        if not isinstance(sample, Sequence) or isinstance(sample, str) or len(sample) != 8:
            raise PathRefused(text("path.not-a-pose", number=number))
        time = _time(sample[0], text("path.time-of-pose", number=number))
        pose = as_pose(list(sample[1:]), number)
        if number == 1 and time != 0:
            raise PathRefused(text("path.begins-late", time=number_text(time, "g")))
        if times and time < times[-1]:
            raise PathRefused(text("path.goes-back", number=number, before=number - 1))
        if times and time == times[-1]:
            poses[-1] = pose
        else:
            times.append(time)
            poses.append(pose)
    return Path(tuple(times), tuple(poses), letting_go)


def must_be_computable(path: Path) -> None:
    """PathRefused for a path that takes too long to be computed from its text."""
    if path.release > COMPUTED_SECONDS:
        release, most = number_text(path.release, "g"), number_text(COMPUTED_SECONDS, "g")
        raise PathRefused(text("path.not-simulated", release=release, most=most))


def thinned(times: Sequence[float], poses: Sequence[Pose], stride: int = 1) -> tuple[list[float], list[Pose]]:
    """The same way with fewer poses: of a hand that keeps still the first and the last, and at most every `stride`th of all.

    With a stride of 1 nothing is lost.
    """
    last = len(poses) - 1
    keep = [0]
    for k in range(1, last):
        if not poses[k - 1] == poses[k] == poses[k + 1] and k - keep[-1] >= stride:
            keep.append(k)
    if last:
        keep.append(last)
    return [times[k] for k in keep], [poses[k] for k in keep]


def _time(value: object, what: Text) -> float:
    if (known := as_number(value)) is None or known < 0:
        raise PathRefused(text("path.not-a-time", what=what, value=shortened(repr(value))))
    return known


def between(a: Pose, b: Pose, share: float) -> Pose:
    """The pose at this share of the way from a to b: linear, and by spherical interpolation (slerp) the shorter way round."""
    if a == b:
        return a
    x, y, z = (a[k] + share * (b[k] - a[k]) for k in range(3))
    dot = sum(a[k] * b[k] for k in range(3, 7))
    sign = 1.0 if dot >= 0 else -1.0
    angle = acos(min(1.0, abs(dot)))
    if angle < 1e-6:
        first, second = 1 - share, share
    else:
        first, second = sin((1 - share) * angle) / sin(angle), sin(share * angle) / sin(angle)
    w, i, j, k_ = (first * a[k] + second * sign * b[k] for k in range(3, 7))
    length = sqrt(w * w + i * i + j * j + k_ * k_)
    return x, y, z, w / length, i / length, j / length, k_ / length


def toward(now: Pose, asked: Pose, seconds: float) -> Pose:
    """Where a hand at `now` (mm) is after so many seconds on its way to `asked`, with its limits of speed and reach."""
    x, y = (min(REACH_MM, max(-REACH_MM, number)) for number in asked[:2])
    asked = (x, y, min(REACH_MM, max(0.0, asked[2])), *asked[3:])
    way = sqrt(sum((asked[k] - now[k]) ** 2 for k in range(3)))
    turn = 2 * acos(min(1.0, abs(sum(asked[k] * now[k] for k in range(3, 7)))))
    need = max(way / FASTEST_MM_S, turn / FASTEST_TURN)
    return asked if need <= seconds else between(now, asked, seconds / need)


# Making paths, for bots and for people at a terminal.


def turned(standing: Standing, angle: float, shape: Shape | None = None) -> tuple[float, float, float, float]:
    """The quaternion of a piece put down like this and turned by an angle in degrees about the vertical.

    With a shape it is turned so that it can stand there: on its edge a piece that tapers leans on a facet of its belt.
    """
    h = sqrt(0.5)
    base = {
        "flat": (1.0, 0.0, 0.0, 0.0),
        "over": (0.0, 1.0, 0.0, 0.0),
        "edge": (h, h, 0.0, 0.0),
        "end": (h, 0.0, -h, 0.0),
        "other-end": (h, 0.0, h, 0.0),
    }
    w, x, y, z = base[standing]
    if shape is not None and standing == "edge" and shape.edge_turn:
        own_c, own_s = cos(shape.edge_turn * pi / 360), sin(shape.edge_turn * pi / 360)
        w, x, y, z = w * own_c - z * own_s, x * own_c + y * own_s, y * own_c - x * own_s, z * own_c + w * own_s
    c, s = cos(angle * pi / 360), sin(angle * pi / 360)
    return c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w


def resting_height(shape: Shape, quaternion: tuple[float, float, float, float]) -> float:
    """Height of the centre of mass (mm) when a piece turned like this just touches the mat."""
    w, x, y, z = quaternion
    row = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
    return -float((shape.mesh_mm @ row).min())


def put_down(
    shape: Shape,
    x: float,
    y: float,
    standing: Standing = "flat",
    angle: float = 0.0,
    *,
    gap: float = 0.5,
    speed: float = 180.0,
    start: tuple[float, float] | None = None,
    low: float | None = None,
) -> Path:
    """A path that puts a piece down at x, y (mm).

    `gap`: how far above the mat it is let go, mm; `speed`: mm/s at first, a third of it over the last 15 mm; `start`: where the
    hand comes from, x and y in mm, straight from above if not given; `low`: it goes down there, and sweeps in that high (mm) above
    where it lets go, rather than on a slant.
    """
    quaternion = turned(standing, angle, shape)
    bottom = resting_height(shape, quaternion) + gap
    from_x, from_y = start if start is not None else (x, y)
    last = 15.0 if low is None else low
    ways: list[tuple[Pose, float]] = [((from_x, from_y, ENTRY_MM, *quaternion), speed)]
    if low is not None:
        ways.append(((from_x, from_y, bottom + last, *quaternion), speed))
    ways += [((x, y, bottom + last, *quaternion), speed), ((x, y, bottom, *quaternion), speed / 3)]
    times, poses = [0.0], [_neat(ways[0][0])]
    for (before, _), (after, fast) in pairwise(ways):
        way = sqrt(sum((after[k] - before[k]) ** 2 for k in range(3)))
        if way > 0:
            times.append(round(times[-1] + way / fast, 4))
            poses.append(_neat(after))
    return Path(tuple(times), tuple(poses), round(times[-1] + 0.1, 4))


def _neat(pose: Pose) -> Pose:
    """A pose with the decimals that its text will have."""
    x, y, z, w, a, b, c = (round(number, 4) + 0.0 for number in pose)
    return x, y, z, w, a, b, c
