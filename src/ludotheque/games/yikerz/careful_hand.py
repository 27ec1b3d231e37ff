"""How a bot's hand moves: slower where pieces are near moving, with a look before it lets go, and back if it came the wrong way.

Where a piece is put is decided in `player`; a path straight to it is made in `magnets.path`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import Final

from ludotheque.games.yikerz.magnets.path import Path, between
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.stability import StabilityEstimator

SAMPLE_MM: Final = 6.0
"""The way is looked at in pieces of this length."""
CALM_LOAD, TIGHT_LOAD = 0.25, 0.9
"""Up to the first load, which players are not shown either, a hand moves as if alone; from the second on it is slowest."""
SLOWEST: Final = 0.2
"""Part of its speed that a hand keeps where it is tight."""
LOOK_LOAD: Final = 0.5
"""From this load on it waits for a moment above the place before it lets go."""
SHORTEST_LOOK_S, LONGEST_LOOK_S = 0.2, 0.8
"""How long it waits, from LOOK_LOAD to TIGHT_LOAD."""
BACK_OFF_LOAD: Final = 0.7
"""A hand on its way that strains a piece this much stops and goes back to come from a safer side."""
BACK_OFF_S: Final = 0.3
"""How long it stops before it goes back."""
MOST_SECONDS: Final = 8.0
"""No hand takes longer for all its care, and never longer than a table allows."""
LIMIT_MARGIN_S: Final = 0.3
"""How much before the end of a table's time it lets go."""


@dataclass(frozen=True)
class Way:
    """A path and how much it strains the pieces on the board."""

    path: Path
    largest_load: float
    """The largest load of any piece on the way, by the estimate."""
    tight_from: float
    """Just before a piece is first strained by BACK_OFF_LOAD (s); after the release if none is."""


def looked_at(estimator: StabilityEstimator, magnet: int, path: Path) -> Way:
    """A path with the loads that it causes."""
    times, poses = _sampled(path)
    loads = estimator.loads_along(magnet, poses)
    tight = [before for before, load in zip(times, loads[1:], strict=False) if load >= BACK_OFF_LOAD]
    return Way(path, max(loads), tight[0] if tight else path.release + 1)


def careful(estimator: StabilityEstimator, magnet: int, path: Path, *, care: float, hand_seconds: float | None) -> Path:
    """The same way with a hand that hesitates where it is tight.

    care: 0 for a hand that never does, 1 for one that does as much as the constants above say. hand_seconds: the table's limit.
    """
    if not care:
        return path
    times, poses = _sampled(path)
    loads = estimator.loads_along(magnet, poses)
    slow_times, slow_poses = [0.0], [poses[0]]
    for k in range(1, len(poses)):
        seconds = (times[k] - times[k - 1]) / _speed(max(loads[k - 1], loads[k]), care)
        if _waits_above(path, poses[k - 1]) and (look := care * _look(max(loads[k - 1 :]))) > 0:
            slow_times.append(slow_times[-1] + look)
            slow_poses.append(poses[k - 1])
        slow_times.append(slow_times[-1] + seconds)
        slow_poses.append(poses[k])
    release = slow_times[-1] + path.release - path.times[-1]
    most = MOST_SECONDS if hand_seconds is None else min(MOST_SECONDS, hand_seconds - LIMIT_MARGIN_S)
    hurry = max(min(1.0, most / release), path.release / release)
    return Path(tuple(round(time * hurry, 4) for time in slow_times), tuple(slow_poses), round(release * hurry, 4))


def backing_off(first: Way, second: Path) -> Path:
    """A hand that begins one way, stops where a piece is strained too much, goes back and takes another way."""
    if first.tight_from > first.path.times[-1]:
        return second
    turning, back_at = _rounded(first.path.at(first.tight_from)), first.tight_from + BACK_OFF_S
    entry = first.path.poses[0]
    times = [0.0, first.tight_from, back_at]
    poses = [entry, turning, turning]
    corner: Pose = (*turning[:2], entry[2], *turning[3:])  # straight up again, then over to where the other way begins
    for pose in (corner, second.poses[0]):
        way = dist(pose[:3], poses[-1][:3])
        if way > 0:
            times.append(times[-1] + way / _speed_of(second))
            poses.append(pose)
    start = times[-1]
    times += [start + time for time in second.times[1:]]
    poses += second.poses[1:]
    return Path(tuple(round(time, 4) for time in times), tuple(poses), round(start + second.release, 4))


def _sampled(path: Path) -> tuple[list[float], list[Pose]]:
    """Poses along a path no more than SAMPLE_MM apart, with their times; the path's own are among them."""
    times, poses = [path.times[0]], [path.poses[0]]
    for (begin, one), (end, two) in pairwise(zip(path.times, path.poses, strict=True)):
        parts = max(1, round(dist(one[:3], two[:3]) / SAMPLE_MM))
        for part in range(1, parts + 1):
            times.append(begin + (end - begin) * part / parts)
            poses.append(two if part == parts else _rounded(between(one, two, part / parts)))
    return times, poses


def _rounded(pose: Pose) -> Pose:
    x, y, z, w, a, b, c = (round(number, 4) + 0.0 for number in pose)
    return x, y, z, w, a, b, c


def _speed(load: float, care: float) -> float:
    """Which part of its speed a hand keeps."""
    share = min(1.0, max(0.0, (load - CALM_LOAD) / (TIGHT_LOAD - CALM_LOAD)))
    return 1 - care * share * (1 - SLOWEST)


def _look(load: float) -> float:
    """How long a hand waits before it lets go, s."""
    if load < LOOK_LOAD:
        return 0.0
    share = min(1.0, (load - LOOK_LOAD) / (TIGHT_LOAD - LOOK_LOAD))
    return SHORTEST_LOOK_S + share * (LONGEST_LOOK_S - SHORTEST_LOOK_S)


def _waits_above(path: Path, pose: Pose) -> bool:
    """Whether this is where the last stretch down begins."""
    return len(path.poses) > 1 and pose == path.poses[-2]


def _speed_of(path: Path) -> float:
    """The speed of a path's first stretch, mm/s."""
    return dist(path.poses[0][:3], path.poses[1][:3]) / (path.times[1] - path.times[0])
