"""Sleeping pieces beside full stepping of the same inputs, over many random turns. `make campaign-yikerz` plays 200 and more.

Without a collapse: the same events, all poses within 1 mm. With collapses, which are chaotic: the same distribution of outcomes.
"""

import os

import numpy as np
import pytest

from ludotheque.games.yikerz.magnets.hand import put_down, turned
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, on_mats
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.turn import Outcome, Turn, whole_turn

SCENES = int(os.environ.get("LUDOTHEQUE_SCENES", "10"))
QUIET = 3.0  # seconds after letting go; full stepping takes its time


def random_turn(seed: int, *, full: bool) -> tuple[Outcome, np.ndarray]:
    """A board of some pieces that has settled, one more brought to it from anywhere; what came of it, and the poses (mm)."""
    random = np.random.default_rng(seed)
    layout = list(LAYOUTS.values())[seed % 3]
    count = int(random.integers(3, 12))
    board = {}
    while len(board) < count:
        x, y = random.uniform(-210, 210), random.uniform(-122, 122)
        if on_mats(layout, x, y, 6) and all((x - p[0]) ** 2 + (y - p[1]) ** 2 > 34**2 for p in board.values()):
            number = len(board)
            board[number] = (x, y, shape_of(number).thickness_mm / 2, *turned("flat", random.uniform(0, 360)))
    while True:
        x, y = random.uniform(-210, 210), random.uniform(-122, 122)
        if on_mats(layout, x, y, 3):
            break
    start = (float(random.uniform(-150, 150)), float(random.uniform(-100, 100))) if seed % 2 else None
    path = put_down(shape_of(count), x, y, "flat", random.uniform(0, 360), start=start)
    settled = whole_turn(
        Turn(layout, board, 20, None, 2.0), None
    ).board  # the same start for both, and no collapse in it
    if count in settled or not settled:
        settled = {}
    turn = Turn(layout, settled, 20, count, QUIET, full=full, whole_time=not full)
    outcome = whole_turn(turn, path)
    poses = np.full((20, 3), np.nan)
    for magnet, pose in outcome.board.items():
        poses[magnet] = pose[:3]
    return outcome, poses


def test_sleep_changes_no_quiet_turn_and_no_distribution() -> None:
    quiet, lost, events_differ, far = 0, [], 0, []
    for seed in range(SCENES):
        (fast, fast_poses), (plain, plain_poses) = random_turn(seed, full=False), random_turn(seed, full=True)
        if not fast.taken and not plain.taken:
            quiet += 1
            names = [[one["what"] for one in outcome.events if one["what"] != "rest"] for outcome in (fast, plain)]
            events_differ += names[0] != names[1]
            far.append(float(np.nanmax(np.abs(fast_poses - plain_poses))))
        lost.append((len(fast.taken), len(plain.taken)))
    pairs = np.array(lost, dtype=float)
    difference = pairs[:, 0].mean() - pairs[:, 1].mean()
    spread = np.hypot(*pairs.std(axis=0)) / np.sqrt(len(pairs))
    differ = int(((pairs[:, 0] > 0) != (pairs[:, 1] > 0)).sum())
    print(
        f"\n{SCENES} turns: {quiet} quiet, {events_differ} with other events, farthest {max(far, default=0):.3f} mm;"
        f" pieces lost {pairs[:, 0].mean():.2f} sleeping, {pairs[:, 1].mean():.2f} full; {differ} collapse in one only"
    )
    assert events_differ == 0
    assert max(far, default=0) < 1.0
    assert abs(difference) <= 3 * spread + 1e-9
    assert differ <= max(1, 0.03 * SCENES)


@pytest.mark.skipif(SCENES < 100, reason="only in the campaign")
def test_thousands_of_hands_leave_the_world_whole() -> None:
    """Random paths with jumps and spins on random boards: every turn ends, every number is one, nothing sinks."""
    from ludotheque.games.yikerz.magnets.hand import read_path  # noqa: PLC0415

    for seed in range(10 * SCENES):
        random = np.random.default_rng(seed)
        board: dict[int, tuple[float, ...]] = {}
        for number in range(int(random.integers(0, 10))):
            x, y = random.uniform(-120, 120), random.uniform(-100, 80)
            if all((x - p[0]) ** 2 + (y - p[1]) ** 2 > 25**2 for p in board.values()):
                board[number] = (x, y, shape_of(number).thickness_mm / 2 + 0.2, *turned("flat", random.uniform(0, 360)))
        wild = float(random.choice([5, 50, 400]))
        samples = []
        for k in range(20):
            place = [*(float(v) for v in random.normal(size=2) * wild), float(abs(random.normal()) * wild * 0.5)]
            samples.append([k / 20, *place, *(float(v) for v in random.normal(size=4))])
        outcome = whole_turn(Turn(LAYOUTS["pyramid"], board, 20, 19, 2.0), read_path(samples, 1.0, 60))  # type: ignore[arg-type]
        for pose in outcome.board.values():
            assert np.isfinite(pose).all()
            assert pose[2] > 0
            assert max(abs(pose[0]), abs(pose[1])) < 400
        assert sorted([*outcome.board, *outcome.taken]) == sorted([*board, 19])
