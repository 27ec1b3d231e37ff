"""Bots for Yikerz!: they estimate random places, simulate the best of them, and play one where everything held.

The estimate is in `magnets.stability`, the simulation of a turn in `turn`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, exp, pi, sin
from typing import Final

from ludotheque.core import Decision, Player, Position, Thought, check_asked
from ludotheque.games.yikerz.careful_hand import LIMIT_MARGIN_S, backing_off, careful, looked_at
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, SIDE_MM, corners, on_mats
from ludotheque.games.yikerz.magnets.path import Path, Standing, put_down, resting_height, turned
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.magnets.stability import StabilityEstimator
from ludotheque.games.yikerz.outcome import Outcome
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.table import Table
from ludotheque.games.yikerz.text import path_action, write_action
from ludotheque.games.yikerz.turn import play_path, whole_turn


@dataclass(frozen=True)
class Skill:
    """How well a level plays."""

    estimated: int
    """Random places whose loads are estimated."""
    simulated: int
    """How many of the best of these are simulated at most."""
    refinements: int = 0
    """How often each of the best is shifted and turned a little, to see whether that is better still."""
    enough: int = 1
    """With that many places where everything held it stops; the first is played, the others are reported as thoughts."""
    tremor_mm: float = 0.0
    """Standard deviation of where the hand puts the piece, mm; of the angle twice as many degrees."""
    forgets: float = 0.0
    """How often the last call is forgotten (Y14)."""
    standing: float = 0.0
    """How often a standing piece is estimated."""
    approaches: int = 0
    """From how many sides the hand may come where from above it would move something: on a slant, or low over the mats."""
    speed_mm_s: float = 180.0
    """How fast its hand comes."""
    care: float = 0.0
    """How much its hand hesitates where it is tight, and whether it backs off where it strains a piece: 0 not at all, 1 most."""
    traps: int = 0
    """Of how many of the firmest places it prefers the one that leaves the others least room."""


SKILLS: Final = {
    1: Skill(3, 0, tremor_mm=8.0, forgets=0.3),
    2: Skill(8, 0, tremor_mm=3.0, forgets=0.1, speed_mm_s=150, care=0.3),
    3: Skill(30, 1, tremor_mm=1.0, approaches=2, speed_mm_s=120, care=0.6),
    4: Skill(150, 4, standing=0.1, approaches=4, speed_mm_s=110, care=1.0),
    5: Skill(800, 12, refinements=40, enough=2, standing=0.2, approaches=8, speed_mm_s=110, care=1.0, traps=4),
}
SAFE_LOAD: Final = 0.8
"""A place with a load up to this surely holds."""
FIRM_LOAD: Final = 0.65
"""With a load up to this a standing piece holds too, although it wobbles when let go: in all of 69 simulations."""
MOST_LOAD: Final = 1.2
"""With a larger load something surely moves: such a place is not simulated as long as there are others."""
ROOM_PLACES: Final = 300
"""Random places by which boards are compared: in how many of them would the pieces of those who play next hold?"""
WHOLE_TURNS: Final = 2
"""If nothing holds, that many of the best places are simulated to their end, to see which costs least."""
EDGE_MM: Final = 5.0
"""How far from a mat's edge pieces are placed at least."""
SLANT_MM: Final = 90.0
"""From how far aside a slanting hand comes: about as far as from above."""
SWEEP_MM: Final = 120.0
"""From how far aside a sweeping hand comes: mostly from beyond the board's edge."""
SWEEP_HEIGHT_MM: Final = 5.0
"""How high above where it lets go a sweeping hand is."""
BACKS_OFF: Final = 0.5
"""From this care on a hand that has to come from aside tries from above first, sees what it strains, and backs off."""
FIRST_SHIFT_MM, SHRINKING = 10.0, 0.95
"""Standard deviation of the first refinement, and by what it is multiplied after each; the angle's is four times as many degrees."""
LYING: Final[tuple[Standing, ...]] = ("flat", "over")
UPRIGHT: Final[tuple[Standing, ...]] = ("edge", "end", "other-end")


@dataclass(frozen=True)
class Place:
    """Where and how a magnet might be put; lengths in mm, angle in degrees."""

    magnet: int
    x: float
    y: float
    standing: Standing
    angle: float
    load: float = 0.0
    """The largest load of any piece once the magnet is there, by the estimate."""
    start: tuple[float, float] | None = None
    """Where the hand comes from, x and y; None: straight from above."""
    low: float | None = None
    """How high above where it lets go the hand sweeps in; None: on a slant."""

    def pose(self) -> Pose:
        """The pose of the piece there, mm."""
        quaternion = turned(self.standing, self.angle, shape_of(self.magnet))
        return (self.x, self.y, resting_height(shape_of(self.magnet), quaternion), *quaternion)

    def path(self, speed: float = 180.0) -> Path:
        """The path of a hand that goes straight there; speed in mm/s."""
        shape = shape_of(self.magnet)
        return put_down(shape, self.x, self.y, self.standing, self.angle, speed=speed, start=self.start, low=self.low)


@dataclass(frozen=True)
class Tried:
    """A place, the hand's path to it, and the outcome of its simulation; None if it was not simulated."""

    place: Place
    path: Path
    outcome: Outcome | None


class MagnetPlayer(Player):
    """Plays Yikerz!"""

    def __init__(self, level: int) -> None:
        self.name = f"bot:{level}"
        self.level = level
        self.skill = SKILLS[level]

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The best place that holds in the simulation; layouts and stacks at random."""
        check_asked(position)
        assert isinstance(position, YikerzPosition)
        rng = random.Random(seed)  # noqa: S311 - a bot's choice, not fair dice
        table = position.table
        chance = outlook(table)
        if table.phase == "turn":
            return self._place(position, rng, seconds)
        if table.phase == "call":
            forgets = rng.random() < self.skill.forgets
            return Decision(write_action({"wait": True} if forgets else {"call": "last"}), chance)
        if table.phase == "pick":
            return Decision(self._pick(position), chance)
        if table.phase == "layout":
            return Decision(write_action({"layout": rng.choice(list(LAYOUTS))}), chance)
        return Decision(rng.choice(position.legal().actions), chance)

    def _pick(self, position: YikerzPosition) -> str:
        """Y14: the piece whose removal costs least."""
        actions = position.legal().actions
        magnets = sorted(position.table.board)
        if not self.skill.simulated:
            return actions[0]
        lost = [
            len(whole_turn(position.new_turn(None, picked=(magnet,), filmed=False), None).taken) for magnet in magnets
        ]
        return actions[lost.index(min(lost))]

    def _place(self, position: YikerzPosition, rng: random.Random, seconds: float | None) -> Decision:
        table, skill = position.table, self.skill
        end = None if seconds is None else time.perf_counter() + seconds
        estimator = StabilityEstimator(table.board, table.settings.shapes)
        places = self._refined(table, estimator, rng, sorted(self._places(table, estimator, rng), key=_load))
        traps = self._traps(table, estimator, rng, [place for place in places if place.load < FIRM_LOAD])
        tried: list[Tried] = []
        others = [place for place in places if place.load < MOST_LOAD and place not in traps]
        candidates = [*traps, *others] or places[:1]
        for place in (approached(estimator, place, skill.approaches) for place in candidates[: skill.simulated]):
            path = self._hand(table, estimator, place)
            if (outcome := simulated(position, place.magnet, path)) is not None:
                tried.append(Tried(place, path, outcome))
            if len(tried) >= skill.enough or (end is not None and time.perf_counter() > end):
                break
        if not tried and skill.simulated > 1:
            for place in places[:WHOLE_TURNS]:
                path = self._hand(table, estimator, place)
                outcome = whole_turn(position.new_turn(place.magnet, filmed=False), path)
                tried.append(Tried(place, path, outcome))
            tried.sort(key=_lost)
        if not tried:
            tried = [Tried(places[0], self._hand(table, estimator, places[0]), None)]
        considered = tuple(
            Thought(path_action(one.place.magnet, one.path), outlook(_after(table, one))) for one in tried
        )
        best = tried[0]
        path = self._hand(table, estimator, trembling) if (trembling := self._trembling(best.place, rng)) else best.path
        return Decision(path_action(best.place.magnet, path), considered[0].value, considered)

    def _hand(self, table: Table, estimator: StabilityEstimator, place: Place) -> Path:
        """The path of this level's hand to a place: it hesitates, and backs off where it came from above and that was wrong."""
        care, limit = self.skill.care, table.settings.hand_seconds
        speed = self.skill.speed_mm_s
        path = careful(estimator, place.magnet, place.path(speed), care=care, hand_seconds=limit)
        if place.start is None or care < BACKS_OFF:
            return path
        above = looked_at(estimator, place.magnet, replace(place, start=None, low=None).path(speed))
        whole = backing_off(above, path)
        return whole if limit is None or whole.release < limit - LIMIT_MARGIN_S else path

    def _trembling(self, place: Place, rng: random.Random) -> Place | None:
        """The same place with the error of the hand; None for a hand without any."""
        far = self.skill.tremor_mm
        if not far:
            return None
        x, y = place.x + rng.gauss(0, far), place.y + rng.gauss(0, far)
        return replace(place, x=x, y=y, angle=place.angle + rng.gauss(0, 2 * far))

    def _places(self, table: Table, estimator: StabilityEstimator, rng: random.Random) -> Iterator[Place]:
        for _ in range(self.skill.estimated):
            upright = rng.random() < self.skill.standing
            standing: Standing = rng.choice(UPRIGHT) if upright else _lying(table, rng)
            yield _random_place(table, estimator, rng, table.hands[table.player], standing)

    def _refined(
        self, table: Table, estimator: StabilityEstimator, rng: random.Random, places: list[Place]
    ) -> list[Place]:
        """The best places, each shifted and turned to where it holds best nearby; best first."""
        if not self.skill.refinements:
            return places
        better: list[Place] = []
        for place in places[: self.skill.simulated]:
            best, reach = place, FIRST_SHIFT_MM
            for _ in range(self.skill.refinements):
                x, y = round(best.x + rng.gauss(0, reach), 1), round(best.y + rng.gauss(0, reach), 1)
                angle = best.angle + rng.gauss(0, 4 * reach)
                if on_mats(table.layout, x, y, EDGE_MM):
                    best = min(best, _estimated(estimator, replace(best, x=x, y=y, angle=angle)), key=_load)
                reach *= SHRINKING
            better.append(best)
        return sorted(better, key=_load)

    def _traps(self, table: Table, estimator: StabilityEstimator, rng: random.Random, firm: list[Place]) -> list[Place]:
        """The firmest places: those that leave the others least room first, all compared by the same places."""
        others = [magnet for seat, hand in enumerate(table.hands) if seat != table.player for magnet in hand]
        if not others or not self.skill.traps:
            return []
        theirs = [
            Place(rng.choice(others), *_random_spot(table, rng), _lying(table, rng), rng.uniform(0, 360))
            for _ in range(ROOM_PLACES)
        ]
        others_places = [(place.magnet, place.pose()) for place in theirs]
        return sorted(
            firm[: self.skill.traps],
            key=lambda place: estimator.stable_places(place.magnet, place.pose(), others_places, SAFE_LOAD),
        )


def _lying(table: Table, rng: random.Random) -> Standing:
    """How a piece lies: on either face where that makes a difference."""
    return rng.choice(LYING) if table.settings.magnetisation == "through" else "flat"


def _load(place: Place) -> float:
    return place.load


def _lost(tried: Tried) -> int:
    return len(tried.outcome.taken) if tried.outcome else 0


def _estimated(estimator: StabilityEstimator, place: Place) -> Place:
    return replace(place, load=estimator.largest_load(place.magnet, place.pose()))


def _random_place(
    table: Table, estimator: StabilityEstimator, rng: random.Random, magnets: Sequence[int], standing: Standing
) -> Place:
    """One of the magnets at some place on the mats."""
    magnet = rng.choice(magnets)
    x, y = _random_spot(table, rng)
    return _estimated(estimator, Place(magnet, x, y, standing, rng.uniform(0, 360)))


def approached(estimator: StabilityEstimator, place: Place, sides: int) -> Place:
    """The same place by the way of the hand that loads the others least; straight from above where nothing would move."""
    load = estimator.largest_load_along(place.magnet, place.path())
    if load < SAFE_LOAD:
        return place
    best, least = place, load
    for side in range(sides):
        angle = 2 * pi * side / sides
        for far, low in ((SLANT_MM, None), (SWEEP_MM, SWEEP_HEIGHT_MM)):
            start = (place.x + far * cos(angle), place.y + far * sin(angle))
            other = replace(place, start=start, low=low)
            if (load := estimator.largest_load_along(place.magnet, other.path())) < least:
                best, least = other, load
    return best


def simulated(position: YikerzPosition, magnet: int, path: Path) -> Outcome | None:
    """The outcome of a path after which everything holds; None as soon as something collapses or falls."""
    turn = position.new_turn(magnet, filmed=False)
    for _ in play_path(turn, path):
        if any(event["what"] in ("collapse", "fall") for event in turn.reported):
            return None
    return turn.outcome()


def _random_spot(table: Table, rng: random.Random) -> tuple[float, float]:
    """A place on the mats, not too near an edge; every one equally likely."""
    triangle = corners(rng.choice(table.layout))
    a, b = rng.random(), rng.random()
    if a + b > 1:
        a, b = 1 - a, 1 - b
    # Shrunk toward the mat's centre by what keeps the edge away.
    shrink = 1 - EDGE_MM / (SIDE_MM / 2 / 3**0.5)
    x, y = triangle[0] + a * (triangle[1] - triangle[0]) + b * (triangle[2] - triangle[0])
    middle_x, middle_y = triangle.mean(axis=0)
    return round(float(middle_x + shrink * (x - middle_x)), 1), round(float(middle_y + shrink * (y - middle_y)), 1)


def _after(table: Table, tried: Tried) -> Table:
    """The table with the stack that a tried place leaves."""
    hand = [magnet for magnet in table.hands[table.player] if magnet != tried.place.magnet]
    hand += tried.outcome.taken if tried.outcome else ()
    return replace(
        table, hands=tuple(tuple(hand) if seat == table.player else own for seat, own in enumerate(table.hands))
    )


def outlook(table: Table) -> float:
    """A guess at the chance to win, from the stacks' sizes: a piece less is worth about a tenth."""
    if table.settings.players == 1:
        return 1.0
    own = len(table.hands[table.player])
    weights = [exp(-0.4 * (len(hand) - own)) for seat, hand in enumerate(table.hands) if table.alive[seat]]
    return 1 / sum(weights)
