"""The static estimate of loads beside what the simulation does."""

import numpy as np
import pytest

from ludotheque.games.yikerz.magnets.path import Path, Standing, put_down
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.magnets.stability import StabilityEstimator
from ludotheque.games.yikerz.player import Place, approached
from ludotheque.games.yikerz.turn import Turn, whole_turn
from yikerz.boards import PYRAMID, lying

SHAPES = [shape_of(magnet) for magnet in range(20)]
BY_SHAPE = {shape_of(magnet).name: magnet for magnet in range(1, 20)}


def stone(magnet: int, x: float, standing: Standing, angle: float) -> Pose:
    return lying(SHAPES[magnet], x, -60, standing, angle)


def holds(board: dict[int, Pose], magnet: int, path: Path) -> bool:
    """Whether nothing collapses or falls, and nothing moves by more than a millimetre or tips."""
    outcome = whole_turn(Turn(PYRAMID, board, 20, magnet, 1.0, whole_time=True, filmed=False), path)
    if outcome.taken:
        return False
    after = {**board, magnet: path.poses[-1]}
    return all(abs(pose[k] - after[one][k]) < 1 for one, pose in outcome.board.items() for k in range(3))


@pytest.mark.clause("Y6")
@pytest.mark.parametrize("name", ["pebble", "coin", "pillow"])
@pytest.mark.parametrize(("standing", "angle"), [("end", 0), ("other-end", 90), ("edge", 90)])
def test_a_standing_piece_beside_a_lying_one_holds_where_the_estimate_says(
    name: str, standing: Standing, angle: float
) -> None:
    magnet = BY_SHAPE[name]
    board = {0: stone(0, 0, "flat", 0)}
    estimator = StabilityEstimator(board, SHAPES)
    near, far = 12.0, 90.0  # it tips at once, it surely stands
    while far - near > 0.5:
        middle = (near + far) / 2
        tips = estimator.largest_load(magnet, stone(magnet, middle, standing, angle)) > 1
        near, far = (middle, far) if tips else (near, middle)
    assert 20 < far < 80
    # Twenty per cent in distance are a factor of two and more in the field's pull.
    assert holds(board, magnet, put_down(SHAPES[magnet], 1.2 * far, -60, standing, angle))
    assert not holds(board, magnet, put_down(SHAPES[magnet], 0.8 * far, -60, standing, angle))


def test_a_piece_on_a_line_is_not_called_standing() -> None:
    """An egg on its side at right angles to the mat touches it with one line, beside its centre: it tips."""
    egg = BY_SHAPE["egg"]
    assert StabilityEstimator({}, SHAPES).largest_load(egg, stone(egg, 0, "edge", 0)) > 1
    assert StabilityEstimator({}, SHAPES).largest_load(egg, stone(egg, 0, "end", 0)) < 1


@pytest.mark.clause("Y6")
def test_a_hand_strains_a_piece_most_on_the_way_that_passes_over_it() -> None:
    estimator = StabilityEstimator({0: stone(0, 40, "flat", 0)}, SHAPES)
    above = estimator.largest_load_along(1, put_down(SHAPES[1], -20, -60))
    across = estimator.largest_load_along(1, put_down(SHAPES[1], -20, -60, start=(100, -60), low=5))
    away = estimator.largest_load_along(1, put_down(SHAPES[1], -20, -60, start=(-120, -60), low=5))
    assert away <= above < 1 < across


@pytest.mark.clause("Y6")
@pytest.mark.parametrize("angle", [0, 45])
def test_beside_a_standing_piece_a_bots_hand_comes_from_the_side_since_from_above_it_would_tip_it(angle: float) -> None:
    coin = BY_SHAPE["coin"]
    board = {0: stone(0, 0, "end", 0)}
    estimator = StabilityEstimator(board, SHAPES)
    place = Place(coin, 42, -60, "end", angle, load=0.7)
    aside = approached(estimator, place, sides=8)
    assert aside.start is not None
    assert aside.start[0] > 42, "it comes from the side on which nothing stands"
    assert estimator.largest_load_along(coin, aside.path()) < 1 < estimator.largest_load_along(coin, place.path())
    assert not holds(board, coin, place.path())
    assert holds(board, coin, aside.path())


def test_straight_from_above_is_good_enough_where_nothing_is_near() -> None:
    estimator = StabilityEstimator({0: stone(0, 0, "flat", 0)}, SHAPES)
    place = Place(BY_SHAPE["coin"], 90, -60, "flat", 0, load=0.1)
    assert approached(estimator, place, sides=8) == place


def test_the_room_that_a_place_leaves_is_counted_place_by_place() -> None:
    board = {0: stone(0, 0, "flat", 0), 1: stone(1, 80, "end", 30)}
    rng = np.random.default_rng(4)
    looks = [
        (other, lying(SHAPES[other], rng.uniform(-110, 110), rng.uniform(-110, 110), "flat", rng.uniform(0, 360)))
        for other in (7, 8, 9)
        for _ in range(20)
    ]
    for pose in (stone(5, -50, "flat", 0), stone(5, -80, "end", 0)):
        after = StabilityEstimator({**board, 5: pose}, SHAPES)
        good = sum(after.largest_load(other, place) < 0.8 for other, place in looks)
        assert 0 < good < len(looks)
        assert StabilityEstimator(board, SHAPES).stable_places(5, pose, looks, 0.8) == good
