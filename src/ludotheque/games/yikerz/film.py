"""A turn as a film (Y20): what moved when, for those who watch a turn that was not live, and for slow motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from ludotheque.core import Json, JsonObject, Reader
from ludotheque.games.yikerz.catalogue import text
from ludotheque.games.yikerz.magnets.buffers import AWAY, Array, Ints
from ludotheque.games.yikerz.magnets.poses import as_pose
from ludotheque.games.yikerz.magnets.problems import SceneRefused

FAR_MM: Final = 0.3
FAR_TURN: Final = 0.01
"""Between two frames everything moves straight on; what a straight way would show farther off than this gets a frame of its own."""
LONGEST: Final = 60
"""Samples between two frames, at most."""
MOST_FRAMES: Final = 20_000
MOST_KEPT: Final = 10_000
"""A film with more frames is thinned: two neighbours become one."""


class Filmed(Protocol):
    """The part of a `Scene` that a film shows."""

    held: int | None

    @property
    def poses(self) -> Array:
        """Shape (n, 7), cm."""

    @property
    def status(self) -> Ints:
        """AWAY, ON_BOARD or HELD, shape (n,)."""


@dataclass(frozen=True)
class _Sample:
    """Everything at one moment."""

    t: float
    """s"""
    poses: Array
    """Shape (n, 7), mm; NaN for what is not there."""
    held: int | None


@dataclass
class Film:
    """Frames of a turn, no more of them than it takes: `{"t":…,"poses":{"7":[x,y,z,qw,qx,qy,qz]},"held":7}`.

    A frame names what has moved since the one before, and `null` for what was taken off the board; the first names everything.
    """

    frames: list[JsonObject] = field(default_factory=list)
    _kept: _Sample | None = None
    _pending: list[_Sample] = field(default_factory=list)

    def add(self, t: float, scene: Filmed) -> None:
        """Add a sample at time t (s)."""
        poses = scene.poses.copy()
        poses[:, :3] *= 10
        poses[scene.status == AWAY] = np.nan
        now = _Sample(t, poses, scene.held)
        if self._kept is None:
            self._keep(now)
        elif not self._pending or (len(self._pending) < LONGEST and self._straight(self._kept, now)):
            self._pending.append(now)
        else:
            self._keep(self._pending[-1])
            self._pending = [now]

    def _straight(self, first: _Sample, last: _Sample) -> bool:
        """Whether a straight way from first to last passes near enough by everything seen in between."""
        there = np.isnan(first.poses[:, 0])
        if last.held != first.held or (np.isnan(last.poses[:, 0]) != there).any():
            return False
        span = last.t - first.t
        if span <= 0:
            return False
        for seen in self._pending:
            way = first.poses + (seen.t - first.t) / span * (last.poses - first.poses)
            off = np.abs(seen.poses - way)[~there]
            if len(off) and (off[:, :3].max() > FAR_MM or off[:, 3:].max() > FAR_TURN):
                return False
        return True

    def _keep(self, sample: _Sample) -> None:
        before = self._kept
        poses: dict[str, Json] = {}
        for magnet, pose in enumerate(sample.poses):
            was = None if before is None else before.poses[magnet]
            if np.isnan(pose[0]):
                if was is not None and not np.isnan(was[0]):
                    poses[str(magnet)] = None
            elif was is None or np.isnan(was[0]) or np.abs(pose - was).max() > FAR_TURN / 10:
                poses[str(magnet)] = [round(float(one), 2 if k < 3 else 4) + 0.0 for k, one in enumerate(pose)]
        self.frames.append({"t": sample.t, "poses": poses, "held": sample.held})
        self._kept = sample
        if len(self.frames) > MOST_KEPT:
            self.frames = merged(self.frames)

    def finished(self) -> tuple[JsonObject, ...]:
        """All frames, the last sample's included."""
        if self._pending:
            self._keep(self._pending[-1])
            self._pending = []
        return tuple(self.frames)


def merged(frames: Sequence[JsonObject]) -> list[JsonObject]:
    """A film with half the frames: the first one, and then of every two the later with what had moved in both."""
    halved = [frames[0]]
    for k in range(2, len(frames), 2):
        one, other = frames[k - 1], frames[k]
        assert isinstance(one["poses"], Mapping)
        assert isinstance(other["poses"], Mapping)
        halved.append({**other, "poses": {**one["poses"], **other["poses"]}})
    return halved if len(frames) % 2 else [*halved, frames[-1]]


def read_frames(reader: Reader, magnets: int) -> tuple[JsonObject, ...]:
    """The frames that a log kept, checked."""
    frames: list[JsonObject] = []
    for one in reader.items(most=MOST_FRAMES):
        one.key("t").number(0, 100_000)
        held = one.key("held")
        if not held.is_null():
            held.integer(0, magnets - 1)
        poses: Mapping[str, Json] = one.key("poses").object()
        for name, pose in poses.items():
            if name not in _NAMES or int(name) >= magnets:
                one.key("poses").fail(text("film.magnet-number", last=magnets - 1))
            if pose is not None:
                try:
                    as_pose(pose)
                except SceneRefused as refused:
                    one.key("poses").key(name).fail(refused.text)
        frames.append(one.object())
    return tuple(frames)


_NAMES: Final = frozenset(str(magnet) for magnet in range(20))
