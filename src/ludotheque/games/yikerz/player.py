"""Bots for Yikerz!: they look for places where everything would hold, try the best ones in the simulation, and choose.

From a gentle one with an unsteady hand to one that also leaves the others little room. The rules are rules.py's business.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, exp, pi, sin
from typing import Final

from ludotheque.core import Decision, Player, Position, Thought
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
class Effort:
    """How hard a level tries."""

    looks: int
    """Places that are judged statically."""
    tries: int
    """Of these, how many of the best are tried in the simulation, at most."""
    polish: int = 0
    """How often the best ones are shifted and turned a little, to see whether that is better still."""
    enough: int = 1
    """With that many places where everything held it is content; the first of them is played, the others are told as thoughts."""
    unsteady: float = 0.0
    """How far from the chosen place the hand puts the piece, mm."""
    forgets: float = 0.0
    """How often the last call is forgotten."""
    standing: float = 0.0
    """How often a standing piece is looked at."""
    sides: int = 0
    """From how many sides a hand may come where straight from above it would move something: on a slant, or low over the mats."""
    traps: int = 0
    """Of how many of the firmest places it prefers the one that leaves the others least room."""


EFFORTS: Final = {
    1: Effort(3, 0, unsteady=8.0, forgets=0.3),
    2: Effort(8, 0, unsteady=3.0, forgets=0.1),
    3: Effort(30, 1, unsteady=1.0),
    4: Effort(150, 4, standing=0.1, sides=4),
    5: Effort(800, 12, polish=40, enough=2, standing=0.2, sides=8, traps=4),
}
HOLDS: Final = 0.8
"""A load (see the estimator) up to which a place is surely good."""
FIRM: Final = 0.65
"""Up to this one what stands holds too, wobbling when let go: in all of 69 rehearsals."""
ROOM_LOOKS: Final = 300
"""Random places by which boards are compared: how many of them would hold for those who play next."""
HOPELESS: Final = 1.2
"""Beyond this load a place is not worth a try as long as there are others: something surely moves."""
WHOLE_TRIES: Final = 2
"""If nothing holds, that many of the best are simulated to their end, to see which costs least."""
EDGE_MM: Final = 5.0
SLANT_MM: Final = 90.0
"""From how far aside a slanting hand comes: about as far as from above."""
SWEEP_MM: Final = 120.0
"""From how far a sweeping one does: mostly from beyond the board's edge."""
LOW_MM: Final = 5.0
"""How high above where it lets go a sweeping hand is."""
UPRIGHT: Final[tuple[Standing, ...]] = ("edge", "end", "other-end")


@dataclass(frozen=True)
class Place:
    """Where and how a magnet might be put."""

    magnet: int
    x: float
    y: float
    standing: Standing
    angle: float
    load: float = 0.0
    """The largest load of any piece (see the estimator)."""
    start: tuple[float, float] | None = None
    """Where the hand comes from, straight from above if not told, and..."""
    low: float | None = None
    """... how low it sweeps in from there."""

    def pose(self) -> Pose:
        """How the piece would be there, mm."""
        quaternion = turned(self.standing, self.angle)
        return (self.x, self.y, resting_height(shape_of(self.magnet), quaternion), *quaternion)

    def path(self) -> Path:
        """The hand's way there."""
        shape = shape_of(self.magnet)
        return put_down(shape, self.x, self.y, self.standing, self.angle, start=self.start, low=self.low)


@dataclass(frozen=True)
class Tried:
    """A place, and what came of it."""

    place: Place
    outcome: Outcome | None


class MagnetPlayer(Player):
    """Plays Yikerz!"""

    def __init__(self, level: int) -> None:
        self.name = f"bot:{level}"
        self.level = level
        self.effort = EFFORTS[level]

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The place that went best in the simulation; layouts and stacks by whim."""
        assert isinstance(position, YikerzPosition)
        whims = random.Random(seed)  # noqa: S311 - a bot's whim, not fair dice
        table = position.table
        chance = outlook(table)
        if table.phase == "turn":
            return self._place(position, whims, seconds)
        if table.phase == "call":
            forgets = whims.random() < self.effort.forgets
            return Decision(write_action({"wait": True} if forgets else {"call": "last"}), chance)
        if table.phase == "pick":
            return Decision(self._pick(position), chance)
        if table.phase == "layout":
            return Decision(write_action({"layout": whims.choice(list(LAYOUTS))}), chance)
        return Decision(whims.choice(position.legal().actions), chance)

    def _pick(self, position: YikerzPosition) -> str:
        """Y14: the piece whose leaving sets off least."""
        actions = position.legal().actions
        magnets = sorted(position.table.board)
        if not self.effort.tries:
            return actions[0]
        lost = [
            len(whole_turn(position.new_turn(None, picked=(magnet,), filmed=False), None).taken) for magnet in magnets
        ]
        return actions[lost.index(min(lost))]

    def _place(self, position: YikerzPosition, whims: random.Random, seconds: float | None) -> Decision:
        table, effort = position.table, self.effort
        end = None if seconds is None else time.perf_counter() + seconds
        estimator = StabilityEstimator(table.board, [shape_of(magnet) for magnet in range(table.settings.magnets)])
        places = self._polished(table, estimator, whims, sorted(self._places(table, estimator, whims), key=_load))
        traps = self._traps(table, estimator, whims, [place for place in places if place.load < FIRM])
        tried: list[Tried] = []
        others = [place for place in places if place.load < HOPELESS and place not in traps]
        hopeful = [*traps, *others] or places[:1]
        for place in (approached(estimator, place, effort.sides) for place in hopeful[: effort.tries]):
            if (outcome := rehearsed(position, place)) is not None:
                tried.append(Tried(place, outcome))
            if len(tried) >= effort.enough or (end is not None and time.perf_counter() > end):
                break
        if not tried and effort.tries > 1:
            for place in places[:WHOLE_TRIES]:
                outcome = whole_turn(position.new_turn(place.magnet, filmed=False), place.path())
                tried.append(Tried(place, outcome))
            tried.sort(key=_lost)
        if not tried:
            tried = [Tried(places[0], None)]
        considered = tuple(
            Thought(path_action(one.place.magnet, one.place.path()), outlook(_after(table, one))) for one in tried
        )
        best = tried[0].place
        path = self._unsteady(best, whims).path()
        return Decision(path_action(best.magnet, path), considered[0].value, considered)

    def _unsteady(self, place: Place, whims: random.Random) -> Place:
        """The same place, but for a hand that is not quite steady."""
        far = self.effort.unsteady
        if not far:
            return place
        x, y = place.x + whims.gauss(0, far), place.y + whims.gauss(0, far)
        return replace(place, x=x, y=y, angle=place.angle + whims.gauss(0, 2 * far))

    def _places(self, table: Table, estimator: StabilityEstimator, whims: random.Random) -> Iterator[Place]:
        for _ in range(self.effort.looks):
            upright = whims.random() < self.effort.standing
            standing: Standing = whims.choice(UPRIGHT) if upright else "flat"
            yield _anywhere(table, estimator, whims, table.hands[table.player], standing)

    def _polished(
        self, table: Table, estimator: StabilityEstimator, whims: random.Random, places: list[Place]
    ) -> list[Place]:
        """The best places, each shifted and turned to where it holds best nearby; best first."""
        if not self.effort.polish:
            return places
        better: list[Place] = []
        for place in places[: self.effort.tries]:
            best, reach = place, 10.0
            for _ in range(self.effort.polish):
                x, y = round(best.x + whims.gauss(0, reach), 1), round(best.y + whims.gauss(0, reach), 1)
                angle = best.angle + whims.gauss(0, 4 * reach)
                if on_mats(table.layout, x, y, EDGE_MM):
                    best = min(best, _judged(estimator, replace(best, x=x, y=y, angle=angle)), key=_load)
                reach *= 0.95
            better.append(best)
        return sorted(better, key=_load)

    def _traps(
        self, table: Table, estimator: StabilityEstimator, whims: random.Random, firm: list[Place]
    ) -> list[Place]:
        """The firmest places: those that leave the others least room first, all compared by the same places."""
        others = [magnet for seat, hand in enumerate(table.hands) if seat != table.player for magnet in hand]
        if not others or not self.effort.traps:
            return []
        theirs = [
            Place(whims.choice(others), *_somewhere(table, whims), "flat", whims.uniform(0, 360))
            for _ in range(ROOM_LOOKS)
        ]
        looks = [(place.magnet, place.pose()) for place in theirs]
        return sorted(
            firm[: self.effort.traps],
            key=lambda place: estimator.stable_places(place.magnet, place.pose(), looks, HOLDS),
        )


def _load(place: Place) -> float:
    return place.load


def _lost(tried: Tried) -> int:
    return len(tried.outcome.taken) if tried.outcome else 0


def _judged(estimator: StabilityEstimator, place: Place) -> Place:
    return replace(place, load=estimator.largest_load(place.magnet, place.pose()))


def _anywhere(
    table: Table, estimator: StabilityEstimator, whims: random.Random, magnets: Sequence[int], standing: Standing
) -> Place:
    """One of the magnets at some place on the mats."""
    magnet = whims.choice(magnets)
    x, y = _somewhere(table, whims)
    return _judged(estimator, Place(magnet, x, y, standing, whims.uniform(0, 360)))


def approached(estimator: StabilityEstimator, place: Place, sides: int) -> Place:
    """The same place by the way on which a hand strains the others least; straight from above where nothing would move."""
    strain = estimator.largest_load_along(place.magnet, place.path())
    if strain < HOLDS:
        return place
    best, least = place, strain
    for side in range(sides):
        angle = 2 * pi * side / sides
        for far, low in ((SLANT_MM, None), (SWEEP_MM, LOW_MM)):
            start = (place.x + far * cos(angle), place.y + far * sin(angle))
            other = replace(place, start=start, low=low)
            if (strain := estimator.largest_load_along(place.magnet, other.path())) < least:
                best, least = other, strain
    return best


def rehearsed(position: YikerzPosition, place: Place) -> Outcome | None:
    """What comes of a place where everything holds; None, and no time wasted, as soon as something collapses or falls."""
    turn = position.new_turn(place.magnet, filmed=False)
    for _ in play_path(turn, place.path()):
        if any(told["what"] in ("collapse", "fall") for told in turn.told):
            return None
    return turn.outcome()


def _somewhere(table: Table, whims: random.Random) -> tuple[float, float]:
    """A place on the mats, not too near an edge; every one equally likely."""
    triangle = corners(whims.choice(table.layout))
    a, b = whims.random(), whims.random()
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
