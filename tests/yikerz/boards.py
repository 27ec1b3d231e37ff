"""Boards for the tests of the magnets: where pieces lie, how to run a scene, and a second opinion on static balance."""

import numpy as np

from ludotheque.games.yikerz.magnets.hand import Hand
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, Layout, on_mats
from ludotheque.games.yikerz.magnets.path import Path, Standing, resting_height, turned
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.scene import Scene
from ludotheque.games.yikerz.magnets.shapes import Shape, shape_of
from ludotheque.games.yikerz.magnets.timing import SAMPLES_PER_SECOND, sample_time

PYRAMID = LAYOUTS["pyramid"]


def flat(shape: Shape, x: float, y: float, angle: float = 0.0) -> Pose:
    return lying(shape, x, y, "flat", angle)


def lying(shape: Shape, x: float, y: float, standing: Standing = "flat", angle: float = 0.0, gap: float = 0.0) -> Pose:
    quaternion = turned(standing, angle)
    return (x, y, resting_height(shape, quaternion) + gap, *quaternion)


def scene(count: int = 20, *, full: bool = False, layout: Layout = PYRAMID) -> Scene:
    return Scene(layout, tuple(shape_of(i) for i in range(count)), full)


def run(board: Scene, seconds: float) -> None:
    left = round(seconds * 960)
    while left > 0:
        left -= board.advance(left)


def scattered(count: int, seed: int, *, full: bool = False, gap: float = 45.0) -> Scene:
    """Pieces at random, no two nearer than the gap."""
    random = np.random.default_rng(seed)
    board = scene(max(count + 1, 2), full=full)
    places: list[tuple[float, float]] = []
    while len(places) < count:
        x, y = random.uniform(-140, 140), random.uniform(-121, 121)
        if on_mats(PYRAMID, x, y, 8) and all((x - a) ** 2 + (y - b) ** 2 > gap**2 for a, b in places):
            places.append((x, y))
        gap *= 0.9995
    for number, (x, y) in enumerate(places):
        board.put(number, flat(board.shapes[number], x, y, random.uniform(0, 360)))
    return board


def crowd(seed: int, *, full: bool = False, count: int = 20, spacing: float = 24.0) -> Scene:
    """Pieces so near each other that they collapse at once."""
    random = np.random.default_rng(seed)
    board = scene(count, full=full)
    for number in range(count):
        row, column = divmod(number, 4)
        x, y = (column - 1.5) * spacing + random.normal(), (row - 2) * spacing - 40 + random.normal()
        board.put(number, flat(board.shapes[number], x, y, random.uniform(0, 360)))
    return board


def run_path(scene: Scene, magnet: int, path: Path) -> bool:
    """Follow a whole path and let go (Y6). True if it ended as asked; False if a touch (Y7) or a fall (Y11) ended it earlier.

    After a touch the magnet is let go at once; after a fall it is still held.
    """
    hand = Hand(scene, magnet, path.poses[0])
    for sample in range(1, round(path.release * SAMPLES_PER_SECOND) + 1):
        if not hand.follow(path.at(sample_time(sample))):
            if scene.events and scene.events[-1].what != "fall":
                scene.let_go()
            return False
    scene.let_go()
    return True
