"""A hand that numbers its poses: each is for one sample of the turn, and is played there however late it came.

So a page that simulates its own turn and the table follow the same way. A small buffer evens out a network that delivers now late,
now all at once: the turn waits for poses that are missing, and catches up while there are more than it needs. Turns are in `live`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ludotheque.core import IllegalAction, Json, JsonObject
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.timing import SAMPLES_PER_SECOND

MOST_LAG: Final = SAMPLES_PER_SECOND
"""Samples that a turn may be behind the clock in all. Then it goes on as if the hand kept still: waiting is for networks, and nobody
gains time by it."""
MOST_AHEAD: Final = 10 * SAMPLES_PER_SECOND
"""Samples for which poses are kept that are still to come; later ones are not heard."""
SPARE: Final = 3
"""Samples that stay in the buffer when the turn catches up."""
WATCHED: Final = SAMPLES_PER_SECOND
"""Samples over which the buffer is watched: what was never needed of it in this time is caught up."""
STILL: Final = 600 * SAMPLES_PER_SECOND
"""Samples after which a hand that keeps still is let go."""


class NumberedHand:
    """What a hand has said so far, and which sample is due."""

    def __init__(self, first: Pose, read_pose: Callable[[Json], Pose]) -> None:
        self._read_pose = read_pose
        self._poses: dict[int, Pose] = {}
        """Poses that have not been played, by sample."""
        self._now = first
        self._ticks = 0
        self._played = 0
        self._least = MOST_AHEAD
        self._extra = 0
        self._still = 0
        self.known = 0
        """The last sample up to which the way is known."""
        self._released: int | None = None

    def hear(self, hand: JsonObject) -> None:
        """{"way":[[sample,x,y,z,qw,qx,qy,qz],…],"until":sample}, and "release":true if it lets go then.

        What is malformed is not heard.
        """
        way = hand.get("way")
        for one in way if isinstance(way, Sequence) and not isinstance(way, str) else ():
            if not isinstance(one, Sequence) or isinstance(one, str) or len(one) != 8:
                continue
            sample, *pose = one
            number = _sample(sample)
            if number is not None and self._played < number <= self._played + MOST_AHEAD:
                try:
                    self._poses[number] = self._read_pose(pose)
                except IllegalAction:  # the hand keeps still, as for any malformed pose
                    continue
        until = _sample(hand.get("until"))
        if until is not None:
            self.known = max(self.known, min(until, self._played + MOST_AHEAD))
            if hand.get("release") is True and self._released is None:
                self._released = until

    def due(self) -> int:
        """How many samples to play now: called 60 times a second."""
        self._ticks += 1
        ahead = self.known - self._played
        if ahead <= 0:
            return 0 if self._released is None and self._ticks - self._played <= MOST_LAG else 1
        self._least = min(self._least, ahead)
        if self._ticks % WATCHED == 0:
            self._extra, self._least = max(0, self._least - SPARE), ahead
        if self._extra and ahead > 1:
            self._extra -= 1
            return 2
        return 1

    @property
    def lets_go(self) -> bool:
        """Whether the hand opens before the next sample."""
        return (self._released is not None and self._played >= self._released) or self._still >= STILL

    def next(self) -> Pose:
        """The pose of the next sample, which is played now."""
        self._played += 1
        pose = self._poses.pop(self._played, self._now)
        self.known = max(self.known, self._played)  # what comes for it later is too late
        self._still = self._still + 1 if pose == self._now else 0
        self._now = pose
        return pose


def _sample(value: Json) -> int | None:
    """The number of a sample; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def merged(before: JsonObject, after: JsonObject) -> JsonObject:
    """Two hands that come together: of a numbered one no pose is lost."""
    ways: list[Json] = []
    for hand in (before, after):
        way = hand.get("way")
        if isinstance(way, Sequence) and not isinstance(way, str):
            ways += way
    return {**before, **after, **({"way": ways[-MOST_AHEAD:]} if ways else {})}
