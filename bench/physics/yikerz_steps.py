"""Whether the magnets move as they should whatever the time step, and asleep as awake: `python -m bench.physics.yikerz_steps`.

`--boards N` plays N random turns three ways: as in play, with steps half as long, and with nothing asleep. `--collapses N` measures
how much energy contacts give back in N collapses of eight pieces, with steps of full, half and a quarter of their length.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.yikerz.magnets.mats import LAYOUTS, on_mats
from ludotheque.games.yikerz.magnets.path import put_down, turned
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.scene import Scene
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.outcome import Outcome
from ludotheque.games.yikerz.turn import Turn, whole_turn

Array = NDArray[np.float64]

QUIET_SECONDS = 3.0
"""After letting go; stepping everything takes its time."""
CROWDED = 8
"""Pieces in a collapse."""


def random_turn(seed: int, *, full: bool = False, finer: int = 1) -> tuple[Outcome, Array]:
    """A board of some pieces that has settled, one more brought to it from anywhere; what came of it, and the poses (mm)."""
    chooser = np.random.default_rng(seed)
    layout = list(LAYOUTS.values())[seed % 3]
    count = int(chooser.integers(3, 12))
    board: dict[int, Pose] = {}
    while len(board) < count:
        x, y = chooser.uniform(-210, 210), chooser.uniform(-122, 122)
        if on_mats(layout, x, y, 6) and all((x - p[0]) ** 2 + (y - p[1]) ** 2 > 34**2 for p in board.values()):
            number = len(board)
            board[number] = (x, y, shape_of(number).thickness_mm / 2, *turned("flat", chooser.uniform(0, 360)))
    while True:
        x, y = chooser.uniform(-210, 210), chooser.uniform(-122, 122)
        if on_mats(layout, x, y, 3):
            break
    start = (float(chooser.uniform(-150, 150)), float(chooser.uniform(-100, 100))) if seed % 2 else None
    path = put_down(shape_of(count), x, y, "flat", chooser.uniform(0, 360), start=start)
    # The same start for all, and no collapse in it.
    settled = whole_turn(Turn(layout, board, 20, None, 2.0), None).board
    if count in settled or not settled:
        settled = {}
    turn = Turn(layout, settled, 20, count, QUIET_SECONDS, full=full, finer=finer, whole_time=not full)
    outcome = whole_turn(turn, path)
    poses = np.full((20, 3), np.nan)
    for magnet, pose in outcome.board.items():
        poses[magnet] = pose[:3]
    return outcome, poses


@dataclass
class Comparison:
    """Turns played in two ways."""

    turns: int = 0
    quiet: int = 0
    """In which neither way loses a piece."""
    other_events: int = 0
    """Quiet turns with other events."""
    farthest_mm: float = 0.0
    """The largest difference of a pose in a quiet turn."""
    far: int = 0
    """Quiet turns in which a pose differs by more than 1 mm."""
    one_only: int = 0
    """Turns in which only one way loses pieces."""
    other_pieces: int = 0
    """Turns in which both lose pieces, but not the same ones. Collapses are chaotic."""
    lost: list[tuple[int, int]] = field(default_factory=list)
    """Pieces lost in each turn, either way."""

    def add(self, one: tuple[Outcome, Array], other: tuple[Outcome, Array]) -> None:
        """Compare one turn."""
        (first, first_poses), (second, second_poses) = one, other
        self.turns += 1
        self.lost.append((len(first.taken), len(second.taken)))
        if not first.taken and not second.taken:
            self.quiet += 1
            names = [[told["what"] for told in outcome.events if told["what"] != "rest"] for outcome in (first, second)]
            self.other_events += names[0] != names[1]
            apart = float(np.nanmax(np.abs(first_poses - second_poses)))
            self.far += apart > 1.0
            self.farthest_mm = max(self.farthest_mm, apart)
        elif bool(first.taken) != bool(second.taken):
            self.one_only += 1
        else:
            self.other_pieces += set(first.taken) != set(second.taken)

    @property
    def same_losses(self) -> bool:
        """Whether either way loses as many pieces on average, within three standard errors."""
        lost = np.array(self.lost, dtype=np.float64)
        error = np.hypot(*lost.std(axis=0)) / np.sqrt(len(lost))
        return bool(abs(lost[:, 0].mean() - lost[:, 1].mean()) <= 3 * error + 1e-9)

    def row(self, name: str) -> str:
        """A row of a table."""
        one, other = np.mean(self.lost, axis=0)
        return (
            f"| {name} | {self.turns} | {self.quiet} | {self.other_events} | {self.farthest_mm:.2f} mm |"
            f" {self.one_only} | {self.other_pieces} | {one:.2f} and {other:.2f} |"
        )


def rebound(seed: int, finer: int) -> float:
    """The part of the energy set free by a collapse that contacts give back, all bounces added."""
    chooser = random.Random(seed)
    shapes = tuple(shape_of(magnet) for magnet in range(CROWDED))
    scene = Scene(LAYOUTS["pyramid"], shapes, True, finer)
    for magnet, shape in enumerate(shapes):
        row, column = divmod(magnet, 3)
        x, y = (column - 1) * 26 + chooser.gauss(0, 1), (row - 1) * 26 - 40 + chooser.gauss(0, 1)
        scene.put(magnet, (x, y, shape.thickness_mm / 2, *turned("flat", chooser.uniform(0, 360))))
    energies = [scene.energy()]
    for _ in range(240):
        scene.advance(1)
        energies.append(scene.energy())
    changes = np.diff(energies)
    return float(changes[changes > 0].sum() / (energies[0] - energies[-1]))


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=70)
    parser.add_argument("--first", type=int, default=0, help="the first board's seed")
    parser.add_argument("--collapses", type=int, default=40)
    parser.add_argument("--only", choices=("halved", "full"))
    asked = parser.parse_args()
    halved, full = Comparison(), Comparison()
    for seed in range(asked.first, asked.first + asked.boards):
        plain = random_turn(seed)
        if asked.only != "full":
            halved.add(plain, random_turn(seed, finer=2))
        if asked.only != "halved":
            full.add(plain, random_turn(seed, full=True))
    if asked.boards:
        print("| beside play | turns | quiet | other events | farthest | one only | other pieces | lost a turn |")
        print("|---|---|---|---|---|---|---|---|")
        for name, found in (("steps halved", halved), ("nothing asleep", full)):
            if found.turns:
                print(found.row(name))
    for finer in (1, 2, 4) if asked.collapses else ():
        parts = np.array([rebound(seed, finer) for seed in range(asked.collapses)])
        print(f"steps / {finer}: {parts.mean():.4f} ± {parts.std() / len(parts) ** 0.5:.4f} of the energy given back")


if __name__ == "__main__":
    main()
