"""The hand brings a magnet over the board and lets go (Y6, Y7, Y9)."""

import numpy as np
import pytest

from ludotheque.games.yikerz.magnets.hand import Hand
from ludotheque.games.yikerz.magnets.path import Path, Standing, put_down, read_path
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.problems import SceneRefused
from yikerz.boards import flat, lying, run, run_path, scattered, scene

LEVEL = (1.0, 0.0, 0.0, 0.0)


@pytest.mark.clause("Y6")
@pytest.mark.parametrize("standing", ["flat", "over", "edge"])
@pytest.mark.parametrize(("start", "low"), [(None, None), ((-120.0, 40.0), None), ((150.0, -50.0), 5.0)])
def test_a_piece_lies_where_it_was_put_down(
    standing: Standing, start: tuple[float, float] | None, low: float | None
) -> None:
    """Straight from above, on a slant, or swept in low from beyond the board's edge."""
    board = scene(1)
    path = put_down(board.shapes[0], 20, -50, standing, 35, start=start, low=low)
    if low is not None:
        arrives = path.times[-2]
        assert all(path.at(arrives * k / 20)[2] < 20 for k in range(14, 21)), "the last part of the way is low"
    assert run_path(board, 0, path)
    run(board, 1)
    assert board.at_rest
    assert board.pose(0)[:2] == pytest.approx((20, -50), abs=0.5)


@pytest.mark.clause("Y6")
def test_a_trembling_hand_puts_it_down_too() -> None:
    random = np.random.default_rng(1)
    board = scene(1)
    poses: list[Pose] = []
    for k in range(120):
        x, y, z = (float(v) for v in random.normal(scale=1.0, size=3))
        poses.append((20 + x, -50 + y, max(4.0, 90 - k) + abs(z), *LEVEL))
    path = Path(tuple(k / 60 for k in range(120)), tuple(poses), 2.0)
    assert run_path(board, 0, path)
    run(board, 2)
    assert board.at_rest
    assert np.hypot(board.pose(0)[0] - 20, board.pose(0)[1] + 50) < 6


@pytest.mark.clause("Y6")
def test_a_held_magnet_moves_lying_ones_by_its_field_alone() -> None:
    board = scene(2)
    board.put(0, flat(board.shapes[0], 0, -40))
    run(board, 0.5)
    hand = Hand(board, 1, (60.0, -40.0, 4.0, *LEVEL))
    for k in range(200):
        hand.follow((60.0 - k * 0.2, -40.0, 4.0, *LEVEL))
        if board.pose(0)[0] > 1:
            break
    assert board.pose(0)[0] > 1
    assert not board.events
    assert 15 < board.pose(1)[0] - board.pose(0)[0] < 45


@pytest.mark.clause("Y6")
def test_a_held_magnet_lifts_a_lying_one() -> None:
    board = scene(2)
    board.put(0, flat(board.shapes[0], 0, -40))
    run(board, 0.5)
    hand = Hand(board, 1, (0.0, -40.0, 60.0, 0.0, 0.0, 0.0, 1.0))
    highest = 0.0
    for k in range(120):
        going = hand.follow((0.0, -40.0, 60.0 - k * 0.5, 0.0, 0.0, 0.0, 1.0))
        highest = max(highest, board.pose(0)[2])
        if not going:
            break
    assert board.events[-1].what == "collapse"
    assert highest > 6


@pytest.mark.clause("Y7")
def test_touching_a_piece_is_a_collapse_and_the_hand_lets_go_at_once() -> None:
    board = scene(2)
    board.put(0, flat(board.shapes[0], 0, -40))
    run(board, 0.5)
    assert not run_path(board, 1, put_down(board.shapes[1], 3, -40))
    assert board.held is None
    assert board.groups() == [(0, 1)]


@pytest.mark.clause("Y7")
def test_touching_counts_even_where_the_magnets_repel() -> None:
    board = scene(2)
    board.put(0, lying(board.shapes[0], 0, -40))
    run(board, 0.5)
    assert not run_path(board, 1, Path((0.0, 1.0), ((0.0, -40.0, 60.0, *LEVEL), (0.0, -40.0, 5.0, *LEVEL)), 3.0))
    assert (0, 1) in board.groups()


@pytest.mark.clause("Y9")
def test_what_was_let_go_is_free() -> None:
    board = scene(1)
    run_path(board, 0, Path((0.0,), ((0.0, -40.0, 40.0, *LEVEL),), 0.5))
    assert board.held is None
    run(board, 0.05)
    assert board.velocities[0, 2] < -20  # cm/s: it falls


def test_the_hand_is_no_stronger_than_fingers_are() -> None:
    """Pressed on the mat it does not sink in."""
    board = scene(1)
    hand = Hand(board, 0, (0.0, -40.0, 5.0, *LEVEL))
    for _ in range(90):
        hand.follow((0.0, -40.0, -500.0, *LEVEL))
    assert board.pose(0)[2] > 2.0


@pytest.mark.parametrize(
    ("path", "release", "reason"),
    [
        ([], 1.0, "at least one"),
        ("path", 1.0, "list of poses"),
        ([[0, 0, 0, 50, 1, 0, 0]], 1.0, "eight numbers"),
        ([[0, 0, 0, 50, 0, 0, 0, 0]], 1.0, "length 0"),
        ([[1, 0, 0, 50, 1, 0, 0, 0]], 1.0, "begin at 0"),
        ([[0, 0, 0, 50, 1, 0, 0, 0], [2, 0, 0, 50, 1, 0, 0, 0], [1, 0, 0, 50, 1, 0, 0, 0]], 3.0, "must not go back"),
        ([[0, 0, 0, float("nan"), 1, 0, 0, 0]], 1.0, "not a number"),
        ([[0, 0, 0, 10**400, 1, 0, 0, 0]], 1.0, "not a number"),
        ([[0, 0, 0, 50, 1, 0, 0, 0]], 10**400, "number of seconds"),
        ([[0, 0, 0, 50, 1, 0, 0, 0]], -1.0, "0 or more"),
        ([[0, 0, 0, 50, 1, 0, 0, 0]], None, "number of seconds"),
        ([[0, 0, 0, 50, 1, 0, 0, 0]], 61.0, "within 60 s"),
        ([[0, 0, 0, 50, 1, 0, 0, 0]] * 30000, 1.0, "20000 are the most"),
    ],
)
def test_a_path_that_no_hand_takes_is_refused_with_a_reason(path: object, release: object, reason: str) -> None:
    with pytest.raises(SceneRefused, match=reason) as told:
        read_path(path, release, 60)
    assert told.value.sentence("fr") != told.value.sentence("en")


def test_of_a_hundred_poses_in_one_instant_the_last_counts() -> None:
    path = read_path([[0, x, 0, 50, 1, 0, 0, 0] for x in range(100)], 1.0, 60)
    assert path.times == (0.0,)
    assert path.poses[0][0] == 99


@pytest.mark.parametrize("seed", range(10))
def test_malicious_hands_are_resolved(seed: int) -> None:
    """Teleports, spins, dives into pieces and the table: the world stays whole."""
    random = np.random.default_rng(seed)
    board = scattered(8, seed)
    run(board, 0.5)
    samples = []
    for k in range(60):
        turn = random.normal(size=4)
        samples.append(
            [k / 30, *(float(v) for v in random.uniform(-1500, 1500, 3) * [0.15, 0.1, 0.2]), *(float(v) for v in turn)]
        )
    run_path(board, 8, read_path(samples, 2.0, 60))
    run(board, 1)
    assert np.isfinite(board.poses).all()
    assert board.poses[:9, 2].min() > -0.3
    assert np.abs(board.poses[:9, :2]).max() < 150


def test_released_inside_another_piece_it_only_gets_as_far_as_touching() -> None:
    """The hand comes in from above whatever the first pose says, so it meets the piece instead of appearing in it."""
    board = scene(2)
    board.put(0, flat(board.shapes[0], 0, -40))
    run(board, 0.5)
    inside = board.pose(0)
    assert not run_path(board, 1, Path((0.0,), (inside,), 1.0))
    run(board, 1)
    assert np.abs(board.poses[:2]).max() < 30
    assert board.groups() == [(0, 1)]
