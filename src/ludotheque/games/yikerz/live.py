"""A live turn: the hand asks for poses 60 times a second, everybody sees frames, and at the end there is an action.

The physics of a turn is in `turn`.
"""

from __future__ import annotations

from contextlib import suppress

from ludotheque.core import IllegalAction, Json, JsonObject, Position
from ludotheque.games.yikerz.magnets.path import Path
from ludotheque.games.yikerz.magnets.poses import Pose, as_pose
from ludotheque.games.yikerz.magnets.problems import SceneRefused
from ludotheque.games.yikerz.magnets.timing import sample_time
from ludotheque.games.yikerz.outcome import neat_pose
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.text import path_action
from ludotheque.games.yikerz.turn import Turn


def _pose(value: Json) -> Pose:
    """A pose from a hand, rounded as the action's text will hold it, so that a replay follows the very same way."""
    try:
        return neat_pose(as_pose(value))
    except SceneRefused as refused:
        raise IllegalAction(refused.text) from refused


class MagnetTurn:
    """One live turn."""

    def __init__(self, position: YikerzPosition, magnet: int, first: Pose) -> None:
        self._hand_seconds = position.table.settings.hand_seconds
        self._magnet = magnet
        self._turn: Turn = position.new_turn(magnet)
        self._asked = first
        self._times: list[float] = [0.0]
        self._poses: list[Pose] = [first]
        self._samples = 0
        self._release: float | None = None
        self._reported = 0
        self._turn.begin(first)

    @property
    def over(self) -> bool:
        """Whether the board has come to rest or the time has passed."""
        return self._turn.over

    def sample(self, hand: JsonObject | None, *, shown: bool = True) -> JsonObject:
        """Advance by 1/60 s. `hand` is {"pose":[x,y,z,qw,qx,qy,qz]}, {"release":true}, both, or None: as before.

        Returns the frame that everybody sees, with every event since the last frame that was `shown`: so each event is told
        once at any rate of frames. For a sample that is not shown, only whether it is the last.
        """
        if self._release is None:
            if hand and "pose" in hand:
                # A malformed pose holds the hand still: nobody must get rid of a turn that goes wrong by breaking it.
                with suppress(IllegalAction):
                    self._asked = _pose(hand["pose"])
            if (hand and hand.get("release") is True) or sample_time(self._samples + 1) > self._hand_seconds:
                self._let_go()
            else:
                self._follow()
        elif not self.over:
            self._turn.wait()
        if not shown:
            return {"over": self.over}
        events = self._turn.reported[self._reported :]
        self._reported = len(self._turn.reported)
        return {**self._turn.frame(), "events": events, "over": self.over}

    def _follow(self) -> None:
        self._samples += 1
        self._times.append(sample_time(self._samples))
        self._poses.append(self._asked)
        self._turn.follow(self._asked)
        if not self._turn.holding:  # Y7, Y11: it was let go, or taken, by what happened
            self._release = sample_time(self._samples)

    def _let_go(self) -> None:
        self._release = sample_time(self._samples)
        self._turn.let_go()

    def action(self) -> tuple[str, Json]:
        """The turn as an action, and its outcome."""
        assert self._release is not None
        times, poses = _thinned(self._times, self._poses)
        return path_action(self._magnet, Path(times, poses, self._release)), self._turn.outcome().json()


def _thinned(times: list[float], poses: list[Pose]) -> tuple[tuple[float, ...], tuple[Pose, ...]]:
    """The same way with fewer samples: of a hand that keeps still, only the first and the last are kept."""
    keep = [k for k in range(len(poses)) if k in (0, len(poses) - 1) or not poses[k - 1] == poses[k] == poses[k + 1]]
    return tuple(times[k] for k in keep), tuple(poses[k] for k in keep)


def begin_turn(position: Position, hand: JsonObject) -> MagnetTurn:
    """Take a magnet in hand: {"magnet":7,"pose":[x,y,z,qw,qx,qy,qz]}; IllegalAction if it cannot be taken."""
    assert isinstance(position, YikerzPosition)
    return MagnetTurn(position, position.own_magnet(hand.get("magnet")), _pose(hand.get("pose")))
