"""A live turn: the hand asks for poses 60 times a second, everybody sees frames, and at the end there is an action.

The physics of a turn is in `turn`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from ludotheque.core import IllegalAction, Json, JsonObject, Position
from ludotheque.games.yikerz.magnets.path import MOST_POSES, Path, thinned
from ludotheque.games.yikerz.magnets.poses import Pose, as_pose
from ludotheque.games.yikerz.magnets.problems import SceneRefused
from ludotheque.games.yikerz.magnets.timing import sample_time
from ludotheque.games.yikerz.numbered_hand import NumberedHand
from ludotheque.games.yikerz.outcome import neat_pose
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.text import path_action
from ludotheque.games.yikerz.turn import Turn

LONGEST_TEXT: Final = 900_000
"""Letters of a turn's action: with whatever is around it, it fits into a line of the protocol (1 MiB)."""
MOST_KEPT: Final = 2 * MOST_POSES
"""Poses of a turn that goes on; with more, every second one of a moving hand is forgotten."""


def _pose(value: Json) -> Pose:
    """A pose from a hand, rounded as the action's text will hold it, so that a replay follows the very same way."""
    try:
        return neat_pose(as_pose(value))
    except SceneRefused as refused:
        raise IllegalAction(refused.text) from refused


class MagnetTurn:
    """One live turn."""

    def __init__(self, position: YikerzPosition, magnet: int, first: Pose, *, numbered: bool = False) -> None:
        self._hand_seconds = position.table.settings.hand_seconds
        self._strain = position.table.settings.strain
        self._magnet = magnet
        self._turn: Turn = position.new_turn(magnet)
        self._asked = first
        self._times: list[float] = [0.0]
        self._poses: list[Pose] = [first]
        self._samples = 0
        self._release: float | None = None
        self._reported = 0
        self._numbered = NumberedHand(first, _pose) if numbered else None
        self._turn.begin(first)

    @property
    def over(self) -> bool:
        """Whether the board has come to rest or the time has passed."""
        return self._turn.over

    def sample(self, hand: JsonObject | None, *, shown: bool = True) -> JsonObject:
        """Advance by 1/60 s. `hand` is {"pose":[x,y,z,qw,qx,qy,qz]}, {"release":true}, both, or None: as before.

        The hand of a turn that was begun with {"numbered":true} may also say what `NumberedHand` hears. Then the turn waits for poses
        that are late and catches up with those that came together: a call may play no sample, or two.

        Returns the frame that everybody sees, with every event since the last frame that was `shown`: so each event is told
        once at any rate of frames. For a sample that is not shown, only whether it is the last.
        """
        if self._release is not None:
            if not self.over:
                self._turn.wait()
        elif self._numbered is not None and (not hand or "until" in hand):
            self._follow_numbers(self._numbered, hand or {})
        else:
            self._numbered = None  # the host lets go, or a page that was loaded anew no longer numbers its poses
            if hand and "pose" in hand:
                # A malformed pose holds the hand still: nobody must get rid of a turn that goes wrong by breaking it.
                with suppress(IllegalAction):
                    self._asked = _pose(hand["pose"])
            if (hand and hand.get("release") is True) or self._time_is_up:
                self._let_go()
            else:
                self._follow()
        if not shown:
            return {"over": self.over}
        events = self._turn.reported[self._reported :]
        self._reported = len(self._turn.reported)
        heard: dict[str, Json] = {"heard": self._numbered.known} if self._numbered is not None else {}
        return {**self._turn.frame(strain=self._strain), **heard, "events": events, "over": self.over}

    @property
    def _time_is_up(self) -> bool:
        return self._hand_seconds is not None and sample_time(self._samples + 1) > self._hand_seconds

    def _follow_numbers(self, numbered: NumberedHand, hand: JsonObject) -> None:
        numbered.hear(hand)
        for _ in range(numbered.due()):
            if self._release is not None:
                self._turn.wait()
            elif numbered.lets_go or self._time_is_up:
                self._let_go()
            else:
                self._asked = numbered.next()
                self._follow()

    def _follow(self) -> None:
        self._samples += 1
        if self._poses[-2:] == [self._asked] * 2:  # of a hand that keeps still, the first and the last are enough
            self._times[-1] = sample_time(self._samples)
        else:
            self._times.append(sample_time(self._samples))
            self._poses.append(self._asked)
        if len(self._poses) > MOST_KEPT:
            self._times, self._poses = thinned(self._times, self._poses, 2)
        self._turn.follow(self._asked)
        if not self._turn.holding:  # Y7, Y11: it was let go, or taken, by what happened
            self._release = sample_time(self._samples)

    def _let_go(self) -> None:
        self._release = sample_time(self._samples)
        self._turn.let_go()

    def action(self) -> tuple[str, Json]:
        """The turn as an action, and its outcome."""
        assert self._release is not None
        return fitting_action(self._magnet, self._times, self._poses, self._release), self._turn.outcome().json()


def fitting_action(
    magnet: int, times: Sequence[float], poses: Sequence[Pose], release: float, longest: int = LONGEST_TEXT
) -> str:
    """The text of a turn, its path thinned as much as it takes to fit. What happened in the turn is in its outcome."""
    stride = 1
    while True:
        kept, way = thinned(times, poses, stride)
        if len(way) <= MOST_POSES:
            action = path_action(magnet, Path(tuple(kept), tuple(way), release))
            if len(action) <= longest:
                return action
        stride *= 2


def begin_turn(position: Position, hand: JsonObject) -> MagnetTurn:
    """Take a magnet in hand: {"magnet":7,"pose":[x,y,z,qw,qx,qy,qz]}; IllegalAction if it cannot be taken.

    With "numbered":true the hand will say for which sample each of its poses is.
    """
    assert isinstance(position, YikerzPosition)
    magnet = position.own_magnet(hand.get("magnet"))
    return MagnetTurn(position, magnet, _pose(hand.get("pose")), numbered=hand.get("numbered") is True)


def example_hands(position: Position) -> list[JsonObject]:
    """The hands of a turn that puts the first magnet of the player's stack down, for tests; none where nobody is to take one."""
    assert isinstance(position, YikerzPosition)
    if position.table.phase != "turn":
        return []
    magnet = position.table.hands[position.table.player][0]
    heights = (90, 60, 30, 10, 4)
    poses: list[Json] = [[40, -40, height, 1, 0, 0, 0] for height in heights]
    return [{"magnet": magnet, "pose": poses[0]}, *({"pose": pose} for pose in poses[1:]), {"release": True}]
