"""A turn as it happens on the board (Y6 to Y13): the hand, what collapses and falls, the clearing away, the quiet seconds.

One sample of 1/60 s after the other, so that a turn can be played live and, from its text, once more with the same result.
Stacks, scores and whose turn it is are in `rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ludotheque.core import Json, JsonObject, count_simulated
from ludotheque.games.yikerz.film import Film
from ludotheque.games.yikerz.magnets.events import Event
from ludotheque.games.yikerz.magnets.hand import Hand
from ludotheque.games.yikerz.magnets.mats import Layout
from ludotheque.games.yikerz.magnets.path import Path
from ludotheque.games.yikerz.magnets.poses import Pose, as_pose
from ludotheque.games.yikerz.magnets.scene import Scene
from ludotheque.games.yikerz.magnets.shapes import Magnetisation, shape_of
from ludotheque.games.yikerz.magnets.strain import StrainGauge
from ludotheque.games.yikerz.magnets.timing import SAMPLES_PER_SECOND, STEPS_PER_SAMPLE, STEPS_PER_SECOND, sample_time
from ludotheque.games.yikerz.magnets.version import physics_version
from ludotheque.games.yikerz.outcome import Outcome, neat_pose
from ludotheque.games.yikerz.table import Board

LIFT_SECONDS: Final = 1.0
"""Collapsed pieces are lifted away when the board is at rest, or that long after they collapsed."""
MOST_REPORTED: Final = 900
"""Touches and collapses of one turn that are told; a hand has all the time it wants."""
LEAST_STRAIN: Final = 0.25
"""The smallest load of a piece that a frame tells."""
BETWEEN_SECONDS: Final = 0.3
"""Between two groups the physics goes on for that long at least (Y12)."""


@dataclass
class Turn:
    """A turn in progress. With `magnet` None nothing is placed; pieces are only taken off the board (Y14)."""

    layout: Layout
    board: Board
    magnets: int
    """How many magnets there are, on and off the board."""
    magnet: int | None
    quiet_seconds: float
    whole_time: bool = False
    """Let the quiet time pass to its end, as after a last piece (Y15)."""
    picked: tuple[int, ...] = ()
    full: bool = False
    magnetisation: Magnetisation = "plane"
    finer: int = 1
    """Of how many more parts a step consists, see `Scene`."""
    filmed: bool = True
    """Whether a film is made of it; a bot's rehearsals need none."""
    scene: Scene = field(init=False)
    over: bool = field(init=False, default=False)
    taken: list[int] = field(init=False, default_factory=list)
    reported: list[JsonObject] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        shapes = tuple(shape_of(magnet, self.magnetisation) for magnet in range(self.magnets))
        self.scene = Scene(self.layout, shapes, self.full, self.finer)
        for magnet, pose in self.board.items():
            self.scene.put(magnet, as_pose(list(pose)))
        self._hand: Hand | None = None
        self._gauge = StrainGauge(self.scene)
        self._quiet_since = 0
        """The step at which the quiet time began anew."""
        self._lift_at: int | None = None
        self._not_before = 0
        self._film = Film() if self.filmed else None
        if self.picked:
            self._film_sample()
            self._take(self.picked)
        if self.magnet is None:
            self._film_sample()

    def begin(self, first: Pose) -> None:
        """The hand comes in with the magnet."""
        assert self.magnet is not None
        self._hand = Hand(self.scene, self.magnet, first)
        self._film_sample()

    @property
    def holding(self) -> bool:
        """Whether the hand has not let go yet."""
        return self.scene.held is not None

    @property
    def seconds(self) -> float:
        """How long the turn has taken."""
        return round(self.scene.step / STEPS_PER_SECOND, 4)

    def follow(self, asked: Pose) -> None:
        """One sample with the hand going to a pose."""
        assert self._hand is not None
        if not self._hand.follow(asked):
            fell = any(event.what == "fall" for event in self.scene.events)
            self._handle_events()
            if self.holding and not fell:
                self.let_go()  # Y7
        else:
            self._handle_events()
        self._film_sample()

    def let_go(self) -> None:
        """Y9: let the magnet go."""
        self.scene.let_go()
        self._quiet_since = self.scene.step

    def wait(self) -> None:
        """One sample without a hand. Sets `over` when the turn has ended."""
        end = self.scene.step + STEPS_PER_SAMPLE
        while self.scene.step < end and not self.over:
            if self.scene.at_rest:
                self._at_rest()
                continue
            self.scene.advance(end - self.scene.step)
            self._handle_events()
            self._clear_away()
        if self._left() <= 0 and not self.scene.groups():
            self._finish()
        self._film_sample()

    def _film_sample(self) -> None:
        if self._film is not None:
            self._film.add(self.seconds, self.scene)

    def _left(self) -> float:
        return self.quiet_seconds - (self.scene.step - self._quiet_since) / STEPS_PER_SECOND

    def _at_rest(self) -> None:
        """Nothing moves: clear away what has collapsed, or let the time pass without computing it."""
        if self.scene.groups():
            if self.scene.step < self._not_before:
                self.scene.advance(self._not_before - self.scene.step)
            self._clear_away(now=True)
        elif self.whole_time and self._left() > 0:
            self.scene.advance(round(self._left() * STEPS_PER_SECOND))
            self._finish()
        else:
            self._finish()

    def _finish(self) -> None:
        if not self.over:
            self.over = True
            self._report("rest" if self.scene.at_rest else "time", ())

    def _report(self, what: str, magnets: Sequence[int], speed: int = 0) -> None:
        if what in ("taken", "rest") or (what != "time" and len(self.reported) < MOST_REPORTED):
            told: dict[str, Json] = {"t": self.seconds, "what": what, "magnets": list(magnets)}
            self.reported.append({**told, "speed": speed} if what == "touch" else told)

    def _handle_events(self) -> None:
        """Report what the physics did; what fell is taken at once, with the piece being played (Y11)."""
        events: list[Event] = list(self.scene.events)
        self.scene.events.clear()
        for event in events:
            self._report(event.what, event.magnets, event.speed)
            if event.what == "collapse" and self._lift_at is None:
                self._lift_at = self.scene.step + round(LIFT_SECONDS * STEPS_PER_SECOND)
        fallen = {magnet for event in events if event.what == "fall" for magnet in event.magnets}
        if fallen:
            if self.magnet is not None and self.scene.status[self.magnet]:
                fallen.add(self.magnet)
            self._take(sorted(fallen))

    def _clear_away(self, *, now: bool = False) -> None:
        """Y12: one group, the one with the lowest number, then the physics goes on."""
        if self._lift_at is None and not now:
            return
        step = self.scene.step
        groups = self.scene.groups()
        if not groups:
            self._lift_at = None
        elif now or (self._lift_at is not None and step >= max(self._lift_at, self._not_before)):
            self._take(groups[0])

    def _take(self, magnets: Sequence[int]) -> None:
        self.scene.take(magnets)
        self.taken += magnets
        self._report("taken", magnets)
        self._quiet_since = self.scene.step
        self._not_before = self.scene.step + round(BETWEEN_SECONDS * STEPS_PER_SECOND)

    def frame(self, *, strain: bool = False) -> JsonObject:
        """A frame of the board as it is now, with the hand and the pull on what it holds; `strain`: with the loads of the others."""
        poses: dict[str, Json] = {}
        for magnet in range(self.magnets):
            if self.scene.status[magnet]:
                poses[str(magnet)] = list(neat_pose(self.scene.pose(magnet)))
        frame: dict[str, Json] = {"t": self.seconds, "poses": poses, "held": self.scene.held}
        if self._hand is not None and (pull := self._gauge.pull()) is not None:
            frame["hand"] = list(neat_pose(self._hand.now))
            frame["pull"] = [round(number, 4) for number in pull.force]
            frame["grip"] = round(pull.grip, 3)
        if knocks := self.scene.heard():
            frame["knocks"] = [[*knock.magnets, knock.speed] for knock in knocks]
        if strain:
            loads = self._gauge.loads().items()
            frame["strain"] = {str(magnet): round(load, 2) for magnet, load in loads if load >= LEAST_STRAIN}
        return frame

    def outcome(self) -> Outcome:
        """When over: what the turn led to."""
        left = self._left() if self.scene.at_rest and not self.whole_time else 0.0
        return Outcome(
            {magnet: neat_pose(self.scene.pose(magnet)) for magnet in self.scene.on_board},
            tuple(self.taken),
            tuple(self.reported),
            round(max(0.0, left), 4),
            self.seconds,
            physics_version(),
            self._film.finished() if self._film is not None else (),
        )


def play_path(turn: Turn, path: Path) -> Iterable[None]:
    """A whole turn from its path, sample by sample, as fast as it can be computed."""
    turn.begin(path.poses[0])
    samples = round(path.release * SAMPLES_PER_SECOND)
    for sample in range(1, samples + 1):
        turn.follow(path.at(sample_time(sample)))
        yield
        if not turn.holding:
            break
    if turn.holding:
        turn.let_go()
    yield from run_out(turn)


def run_out(turn: Turn) -> Iterable[None]:
    """The rest of a turn after the hand has let go."""
    while not turn.over:
        turn.wait()
        yield


def whole_turn(turn: Turn, path: Path | None) -> Outcome:
    """Play a turn to its end."""
    for _ in run_out(turn) if path is None else play_path(turn, path):
        count_simulated(1 / SAMPLES_PER_SECOND)
    return turn.outcome()
