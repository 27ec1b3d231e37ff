"""One hand at a board of Yikerz!, for learning programs: place as many magnets as possible, each by a release pose or a path.

A turn is played as in a match (Y6 to Y13): what collapses or falls comes back into the hand. Stacks, rounds and other players
are in `rules`; the interface for learning libraries is in `ludotheque.envs`.
"""

import random
from dataclasses import dataclass
from math import atan2, cos, isfinite, pi, radians, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.core import BadOption, shortened
from ludotheque.games.yikerz.catalogue import text
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, Layout, corners, on_mats
from ludotheque.games.yikerz.magnets.path import (
    STANDINGS,
    Path,
    Standing,
    must_be_computable,
    put_down,
    read_path,
    resting_height,
    turned,
)
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.magnets.stability import StabilityEstimator
from ludotheque.games.yikerz.outcome import Outcome
from ludotheque.games.yikerz.table import Board
from ludotheque.games.yikerz.turn import Turn, whole_turn

MOST_MAGNETS: Final = 20
MOST_TURNS: Final = 1000
ACTION_SIZE: Final = 5
"""x, y, cosine and sine of the angle, standing; each from -1 to 1."""
PIECE_SIZE: Final = 8
"""On the board or not, x, y, z, and the quaternion."""
FAR_MM: Final = 600.0
"""What 1 means for x and y in an observation."""
HIGH_MM: Final = 100.0
"""What 1 means for z in an observation."""
OBSERVATION_SIZE: Final = MOST_MAGNETS * PIECE_SIZE + MOST_MAGNETS + 4 * 4 + 1
QUIET_SECONDS: Final = 10.0
EDGE_MM: Final = 5.0
"""How far from an edge the baselines place."""

Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class Release:
    """How a magnet is let go: where (mm), standing how, and turned by how many degrees."""

    x: float
    y: float
    standing: Standing = "flat"
    angle: float = 0.0


class Placing:
    """A board, and a hand whose first magnet is to be placed next."""

    def __init__(self, layout: str = "pyramid", magnets: int = MOST_MAGNETS, turns: int = 40) -> None:
        if layout not in LAYOUTS:
            raise BadOption(text("placing.layout", layouts=", ".join(LAYOUTS), layout=shortened(str(layout))))
        _check_number("magnets", magnets, MOST_MAGNETS)
        _check_number("turns", turns, MOST_TURNS)
        self.layout: Final[Layout] = LAYOUTS[layout]
        self.magnets: Final = magnets
        self.turns: Final = turns
        edges = np.concatenate([corners(mat) for mat in self.layout])
        self._middle: Final = (edges.min(axis=0) + edges.max(axis=0)) / 2
        self._half: Final = (edges.max(axis=0) - edges.min(axis=0)) / 2
        self.board: Board = {}
        self.hand: tuple[int, ...] = tuple(range(magnets))
        self.played = 0
        self.last: Outcome | None = None

    def reset(self, seed: int) -> None:
        """An empty board, and the magnets in an order drawn by the seed."""
        order = list(range(self.magnets))
        random.Random(seed).shuffle(order)  # noqa: S311 - a training board, not fair dice
        self.board, self.hand, self.played, self.last = {}, tuple(order), 0, None

    @property
    def done(self) -> bool:
        """Whether all magnets lie on the board."""
        return not self.hand

    @property
    def late(self) -> bool:
        """Whether all turns are played."""
        return self.played >= self.turns

    def release_of(self, action: object) -> Release:
        """What the numbers of an action mean; BadOption if they are none."""
        given = np.asarray(action)
        if given.shape != (ACTION_SIZE,) or given.dtype.kind not in "fiu" or not all(map(isfinite, given.tolist())):
            raise BadOption(text("placing.action", size=ACTION_SIZE, action=shortened(str(action))))
        x, y, cosine, sine, standing = np.clip(given.astype(float), -1.0, 1.0).tolist()
        which = min(len(STANDINGS) - 1, int((standing + 1) / 2 * len(STANDINGS)))
        place = self._middle + self._half * (x, y)
        angle = atan2(sine, cosine) * 180 / pi
        return Release(round(float(place[0]), 2), round(float(place[1]), 2), STANDINGS[which], angle)

    def action_of(self, release: Release) -> Numbers:
        """The numbers of a release."""
        x, y = (np.array([release.x, release.y]) - self._middle) / self._half
        turn = radians(release.angle)
        standing = (STANDINGS.index(release.standing) + 0.5) / len(STANDINGS) * 2 - 1
        return np.array([x, y, cos(turn), sin(turn), standing], np.float32)

    def place(self, release: Release) -> int:
        """Let the next magnet go; by how many there are more, or fewer, on the board then."""
        shape = shape_of(self.hand[0])
        return self._play(put_down(shape, release.x, release.y, release.standing, release.angle))

    def place_along(self, path: object, release: object) -> int:
        """Move the next magnet along [[t, x, y, z, qw, qx, qy, qz], …] (s, mm) and let it go at a time; a Problem refuses."""
        read = read_path(path, release, None)
        must_be_computable(read)
        return self._play(read)

    def _play(self, path: Path) -> int:
        before = len(self.board)
        magnet = self.hand[0]
        turn = Turn(self.layout, self.board, self.magnets, magnet, QUIET_SECONDS, filmed=False)
        outcome = whole_turn(turn, path)
        self.board, self.last = outcome.board, outcome
        self.hand = (*self.hand[1:], *outcome.taken)
        self.played += 1
        return len(self.board) - before

    def observe(self) -> Numbers:
        """All pieces, the magnet in the hand, the mats, and the turns left, as numbers from -1 to 1."""
        row = np.zeros(OBSERVATION_SIZE, np.float32)
        for magnet, pose in self.board.items():
            x, y, z, *quaternion = pose
            row[magnet * PIECE_SIZE : (magnet + 1) * PIECE_SIZE] = [1, x / FAR_MM, y / FAR_MM, z / HIGH_MM, *quaternion]
        place = MOST_MAGNETS * PIECE_SIZE
        if self.hand:
            row[place + self.hand[0]] = 1
        place += MOST_MAGNETS
        for x, y, angle in self.layout:
            row[place : place + 4] = [x / FAR_MM, y / FAR_MM, cos(radians(angle)), sin(radians(angle))]
            place += 4
        row[place] = (self.turns - self.played) / self.turns
        return np.clip(row, -1.0, 1.0)


def _check_number(name: str, number: object, most: int) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise BadOption(text("placing.number", name=name, most=most, number=shortened(str(number))))


def random_release(placing: Placing, chooser: random.Random) -> Release:
    """A flat piece somewhere on the mats, every place equally likely: what careless people do."""
    while True:
        x, y = placing._middle + placing._half * (chooser.uniform(-1, 1), chooser.uniform(-1, 1))
        if on_mats(placing.layout, float(x), float(y), EDGE_MM):
            return Release(float(x), float(y), "flat", chooser.uniform(0, 360))


def steady_release(placing: Placing, chooser: random.Random, tries: int = 60) -> Release:
    """The baseline: of some random places the one where the most loaded piece has the smallest estimated load."""
    magnet = placing.hand[0]
    estimator = StabilityEstimator(placing.board, [shape_of(which) for which in range(placing.magnets)])

    def load(release: Release) -> float:
        quaternion = turned(release.standing, release.angle, shape_of(magnet))
        height = resting_height(shape_of(magnet), quaternion)
        return estimator.largest_load(magnet, (release.x, release.y, height, *quaternion))

    return min((random_release(placing, chooser) for _ in range(tries)), key=load)
