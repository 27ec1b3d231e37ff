"""How fast the magnets are: sleeping pieces beside full stepping of the same scene in the same run.

"Full" is plain MuJoCo: every piece is simulated at every step, in the same compiled loop and with the same field. Time is
processor time, so that a busy machine counts less.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from math import cos, sin
from typing import Final

from bench.speed.measure import Row, Subject
from ludotheque.core import literal, text
from ludotheque.games.yikerz.magnets.mats import LAYOUTS
from ludotheque.games.yikerz.magnets.path import put_down, turned
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.scene import Scene
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.magnets.timing import STEPS_PER_SAMPLE, STEPS_PER_SECOND
from ludotheque.games.yikerz.turn import Turn, whole_turn

RESTING: Final = (
    (13.3, -112.6, 86), (-11.9, 89.3, 84), (-71.8, -41.5, 319), (-121.9, -109.6, 181), (66.3, -30.0, 7),
    (98.2, -110.2, 216), (-37.4, 17.0, 331), (35.2, -9.4, 337), (-40.2, -116.2, 217), (-9.7, -59.3, 94),
    (15.9, 51.5, 162), (-100.4, -63.0, 130), (40.0, -69.0, 93), (-29.2, -20.5, 31), (-21.6, 48.2, 156),
    (59.4, -114.6, 358), (-83.3, -112.4, 339), (-43.0, -79.1, 126), (48.1, 18.3, 150), (97.8, -66.6, 121),
)  # fmt: skip
"""Twenty pieces on the pyramid that hold: x, y in mm and the angle. The most loaded uses 74 % of its friction."""
PYRAMID: Final = LAYOUTS["pyramid"]
HELD: Final = 20
YIKERZ: Final = literal("yikerz")
SHAPES: Final = tuple(shape_of(magnet) for magnet in range(HELD + 1))


def resting_pose(magnet: int) -> Pose:
    """Where a magnet of the resting board lies, mm."""
    x, y, angle = RESTING[magnet]
    return (x, y, SHAPES[magnet].thickness_mm / 2, *turned("flat", angle))


def resting(pieces: int, *, full: bool) -> Scene:
    """The first pieces of the resting board, at rest, and a hand with one more above it."""
    scene = Scene(PYRAMID, (*SHAPES[:pieces], SHAPES[HELD]), full)
    for magnet in range(pieces):
        scene.put(magnet, resting_pose(magnet))
    _run(scene, STEPS_PER_SECOND // 2)
    scene.hold(pieces, (0.0, 0.0, 80.0, 1.0, 0.0, 0.0, 0.0))
    return scene


def _run(scene: Scene, steps: int) -> None:
    while steps > 0:
        steps -= scene.advance(steps)


def moving_hand(scene: Scene, seconds: float) -> float:
    """Processor seconds for so many seconds of a hand that circles 60 mm above the board."""
    began = time.process_time()
    for sample in range(round(seconds * 60)):
        scene.aim((70 * cos(sample / 15), 60 * sin(sample / 15) - 30, 60.0, 1.0, 0.0, 0.0, 0.0))
        _run(scene, STEPS_PER_SAMPLE)
    return time.process_time() - began


def crowd(seed: int, *, full: bool) -> Scene:
    """Twenty pieces 24 mm apart, turned at random: they collapse at once."""
    whims = random.Random(seed)
    scene = Scene(PYRAMID, SHAPES[:HELD], full)
    for magnet in range(HELD):
        row, column = divmod(magnet, 4)
        x, y = (column - 1.5) * 24 + whims.gauss(0, 1), (row - 2) * 24 - 40 + whims.gauss(0, 1)
        scene.put(magnet, (x, y, SHAPES[magnet].thickness_mm / 2, *turned("flat", whims.uniform(0, 360))))
    return scene


def collapse(seed: int, seconds: float, *, full: bool) -> float:
    """Processor seconds for a collapse of twenty."""
    scene = crowd(seed, full=full)
    began = time.process_time()
    _run(scene, round(seconds * STEPS_PER_SECOND))
    return time.process_time() - began


def one_turn(pieces: int, *, full: bool) -> float:
    """Processor seconds of a whole turn with its ten quiet seconds, the last piece of that many."""
    board = {magnet: resting_pose(magnet) for magnet in range(pieces - 1)}
    x, y, angle = RESTING[pieces - 1]
    began = time.process_time()
    turn = Turn(PYRAMID, board, HELD, pieces - 1, 10.0, whole_time=True, full=full)
    whole_turn(turn, put_down(SHAPES[pieces - 1], x, y, "flat", angle))
    return time.process_time() - began


def subjects() -> list[Subject]:
    """The rows of `ludotheque bench`."""
    seeds = iter(range(1_000_000))

    def hands() -> Sequence[float]:
        return [0.5 / moving_hand(resting(20, full=full), 0.5) for full in (False, True)]

    def collapses() -> Sequence[float]:
        seed = next(seeds)
        return [1 / collapse(seed, 1.0, full=full) for full in (False, True)]

    def turns() -> Sequence[float]:
        return [1000 * one_turn(20, full=full) for full in (False, True)]

    def growth() -> Sequence[float]:
        steps = 0.2 * STEPS_PER_SECOND
        return [
            moving_hand(resting(pieces, full=full), 0.2) / steps * 1e6
            for pieces in (1, 5, 10, 20)
            for full in (False, True)
        ]

    real_time, milliseconds, microseconds = (
        text(f"bench.unit.{unit}") for unit in ("times-real", "milliseconds", "microseconds")
    )
    both = (text("bench.sleeping"), text("bench.full"))
    steps = [text("bench.step", pieces=pieces, how=how) for pieces in (1, 5, 10, 20) for how in both]
    return [
        Subject(tuple(Row(YIKERZ, text("bench.hand-moves", how=how), real_time) for how in both), hands),
        Subject(tuple(Row(YIKERZ, text("bench.collapse", how=how), real_time) for how in both), collapses),
        Subject(tuple(Row(YIKERZ, text("bench.turn", how=how), milliseconds) for how in both), turns, rounds=3),
        Subject(tuple(Row(YIKERZ, step, microseconds) for step in steps), growth),
    ]
