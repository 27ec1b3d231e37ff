"""Standing poses are those that stand (Y6), and a tilted piece tips over where statics says so."""

from math import atan2, cos, degrees, radians, sin

import numpy as np
import pytest

from ludotheque.games.yikerz.magnets.path import STANDINGS, Standing, put_down, resting_height, turned
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.shapes import SHAPES, Shape
from ludotheque.games.yikerz.terminal import put_down_as
from yikerz.boards import run, run_path, scene

Quaternion = tuple[float, float, float, float]
ONE_OF_EACH = range(len(SHAPES))


def multiplied(a: Quaternion, b: Quaternion) -> Quaternion:
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def angle_between(a: Pose, b: Pose) -> float:
    """Degrees by which two orientations differ."""
    return 2 * degrees(np.arccos(min(1.0, abs(float(np.dot(a[3:], b[3:]))))))


def corners_of(shape: Shape, quaternion: Quaternion) -> np.ndarray:
    """The corners seen from the board, mm, with the centre of mass at the origin."""
    w, x, y, z = quaternion
    matrix = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.asarray(shape.mesh_mm @ np.array(matrix).T)


@pytest.mark.clause("Y6")
@pytest.mark.parametrize("magnet", ONE_OF_EACH, ids=[shape.name for shape in SHAPES])
@pytest.mark.parametrize("standing", STANDINGS)
def test_a_piece_that_is_put_down_stays_as_it_was_put(magnet: int, standing: Standing) -> None:
    """Before, a shield on its edge rolled by 29 degrees and an egg by 6.7."""
    board = scene(5)
    path = put_down(board.shapes[magnet], 20, -50, standing, 35)
    assert run_path(board, magnet, path)
    run(board, 2)
    assert board.at_rest
    assert angle_between(board.pose(magnet), path.poses[-1]) < 1.5
    assert np.hypot(board.pose(magnet)[0] - 20, board.pose(magnet)[1] + 50) < 0.6


@pytest.mark.parametrize("magnet", ONE_OF_EACH, ids=[shape.name for shape in SHAPES])
def test_on_its_edge_a_piece_rests_on_a_facet_under_its_centre(magnet: int) -> None:
    shape = SHAPES[magnet]
    corners = corners_of(shape, turned("edge", 0, shape))
    lowest = corners[corners[:, 2] < corners[:, 2].min() + 1e-6]
    assert len(lowest) == 4, "the facet's corners"
    assert lowest[:, 0].min() < -0.5
    assert lowest[:, 0].max() > 0.5


@pytest.mark.clause("Y6", "Y19")
@pytest.mark.parametrize("magnet", ONE_OF_EACH, ids=[shape.name for shape in SHAPES])
@pytest.mark.parametrize("standing", ["edge", "end", "other-end"])
@pytest.mark.parametrize("way", [1, -1])
def test_a_tilted_piece_falls_back_or_over_as_its_weight_decides(magnet: int, standing: Standing, way: int) -> None:
    """Tilted toward a flat face: over the edge of its belt the limit is where the centre of mass is right above that edge."""
    shape = SHAPES[magnet]
    upright = turned(standing, 0, shape)
    corners = corners_of(shape, upright)
    # The axis of the tilt is horizontal, along what the piece stands on; it falls toward its own z-axis, which is horizontal.
    normal = (
        np.array([0.0, -1.0]) if standing == "edge" else np.array([1.0, 0.0]) * (1 if standing == "other-end" else -1)
    )
    lowest = corners[corners[:, 2] < corners[:, 2].min() + 1e-6]
    half_width = float(np.abs(lowest[:, :2] @ normal).max())
    limit = degrees(atan2(half_width, -float(lowest[0, 2])))
    assert 5 < limit < 25
    for share, stands in ((0.85, True), (1.15, False)):
        tilt = radians(way * share * limit) / 2
        axis = (-normal[1] * sin(tilt), normal[0] * sin(tilt), 0.0)
        leaning = multiplied((cos(tilt), *axis), upright)
        board = scene(5)
        board.put(magnet, (0.0, -40.0, resting_height(shape, leaning) + 0.01, *leaning))
        run(board, 1.5)
        # A piece that falls back may rock and turn a little about the vertical: what counts is whether it is as high as before.
        upright_still = float(corners_of(shape, board.pose(magnet)[3:])[:, 2].max()) > 0.8 * float(corners[:, 2].max())
        assert upright_still is stands, (share, limit, board.pose(magnet))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.parametrize("standing", STANDINGS)
def test_a_standing_that_was_typed_is_typed_again(shape: Shape, standing: Standing) -> None:
    told, angle = put_down_as(turned(standing, 40, shape), shape)
    assert told == standing
    assert angle == pytest.approx(40)
