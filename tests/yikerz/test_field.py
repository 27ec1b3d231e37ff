"""The magnets pull on each other as magnetostatics says (Y19)."""

import magpylib
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bench.physics.surfaces import exact_magnet, exact_wrench
from bench.physics.yikerz_field import any_turn as random_turn
from bench.physics.yikerz_field import at_distance, at_gap, errors, measured
from ludotheque.games.yikerz.magnets import field
from ludotheque.games.yikerz.magnets.shapes import MAGNETISATIONS, SHAPES, Magnetisation, Shape, shape_of

PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in SHAPES[: i + 1]]


def any_turn(random: np.random.Generator) -> np.ndarray:
    return random_turn(random, flat=False)


@pytest.mark.clause("Y19")
@pytest.mark.parametrize("magnetisation", MAGNETISATIONS)
@pytest.mark.parametrize(("gap", "most"), [(0.1, 0.10), (1.0, 0.05), (4.0, 0.05)])
def test_near_each_other_pieces_pull_and_twist_as_exact_magnets_do(
    magnetisation: Magnetisation, gap: float, most: float
) -> None:
    """Random poses, down to a tenth of a millimetre: the goals are means of 5 % from 1 mm on and 10 % at 0.1 mm."""
    found = list(measured(8 if gap > 0.5 else 5, 11, magnetisation, lambda random, a, b: at_gap(random, a, b, gap)))
    force, torque, _ = errors(found)
    assert force.mean() <= most
    assert torque.mean() <= most


@pytest.mark.clause("Y19")
@pytest.mark.parametrize(
    ("sizes", "force_limit", "torque_limit"), [(2.0, 0.03, 0.05), (3.0, 0.02, 0.05), (6.0, 0.02, 0.05)]
)
def test_two_sizes_apart_and_more_every_force_and_torque_is_right(
    sizes: float, force_limit: float, torque_limit: float
) -> None:
    """Not the mean but every one of them. At two sizes magpylib's own `getFT` says the same as the exact surfaces."""

    def apart(random: np.random.Generator, a: Shape, b: Shape) -> np.ndarray:
        return at_distance(random, sizes * (a.length_mm + b.length_mm) / 2)

    found = list(measured(30, round(sizes), "plane", apart))
    force, torque, _ = errors(found)
    assert force.max() <= force_limit
    assert torque.max() <= torque_limit


@pytest.mark.clause("Y19")
def test_the_exact_surfaces_agree_with_magpylib() -> None:
    random = np.random.default_rng(3)
    for a, b in PAIRS[1:2]:
        poses = at_distance(random, 30.0)
        force, torque = magpylib.getFT(exact_magnet(a, poses[0]), exact_magnet(b, poses[1]), meshing=500)
        exact = exact_wrench(a, b, poses, 1)
        np.testing.assert_allclose(exact[:3], force, atol=0.005 * float(np.linalg.norm(force)))
        np.testing.assert_allclose(exact[3:], torque, atol=0.01 * float(np.linalg.norm(torque)))


@pytest.mark.clause("Y19")
def test_action_equals_reaction_for_forces_and_torques() -> None:
    random = np.random.default_rng(5)
    for distance in (8, 30, 99, 105, 119, 200):
        shapes = [SHAPES[k] for k in random.choice(5, 2)]
        away = random.normal(size=3)
        poses = np.array(
            [
                [1, 2, 3, *any_turn(random)],
                [*(np.array([1, 2, 3]) + away / np.linalg.norm(away) * distance), *any_turn(random)],
            ]
        )
        one, two = field.wrenches(shapes, poses)
        scale = float(np.linalg.norm(one[:3]))
        np.testing.assert_allclose(one[:3], -two[:3], atol=1e-13 * scale)
        lever = np.cross((poses[1, :3] - poses[0, :3]) * 1e-3, two[:3])
        np.testing.assert_allclose(one[3:] + two[3:] + lever, 0, atol=1e-9 * scale)


@pytest.mark.clause("Y19")
@pytest.mark.parametrize("magnetisation", MAGNETISATIONS)
@pytest.mark.parametrize("distance", [5.0, 12.0, 32.9, 34.0, 37.0, 40.0, 60.0, 99.9, 101.0, 110.0, 119.0, 121.0, 180.0])
def test_force_and_torque_are_the_slope_of_one_energy(distance: float, magnetisation: Magnetisation) -> None:
    """Inside each other, near, far, and where two models blend: so no closed way gains energy."""
    random = np.random.default_rng(round(distance))
    shapes = [shape_of(1, magnetisation), shape_of(3, magnetisation)]
    away = random.normal(size=3)
    poses = np.array([[0, 0, 0, *any_turn(random)], [*(away / np.linalg.norm(away) * distance), *any_turn(random)]])
    ours = field.wrenches(shapes, poses)[1]
    slope, twist = np.zeros(3), np.zeros(3)
    for axis in range(3):
        values = []
        for sign in (1, -1):
            moved = poses.copy()
            moved[1, axis] += sign * 1e-3
            values.append(field.energy_joule(shapes, moved))
        slope[axis] = -(values[0] - values[1]) / 2e-6
        values = []
        for sign in (1, -1):
            turn = Rotation.from_rotvec(np.eye(3)[axis] * sign * 1e-5) * Rotation.from_quat(poses[1][[4, 5, 6, 3]])
            moved = poses.copy()
            moved[1, 3:] = turn.as_quat()[[3, 0, 1, 2]]
            values.append(field.energy_joule(shapes, moved))
        twist[axis] = -(values[0] - values[1]) / 2e-5
    np.testing.assert_allclose(slope, ours[:3], atol=2e-6 * float(np.linalg.norm(ours[:3])))
    np.testing.assert_allclose(twist, ours[3:], atol=1e-5 * float(np.linalg.norm(ours[3:])))


@pytest.mark.clause("Y19")
@pytest.mark.parametrize("magnetisation", MAGNETISATIONS)
def test_nothing_jumps_where_two_models_meet(magnetisation: Magnetisation) -> None:
    shapes = [shape_of(0, magnetisation), shape_of(2, magnetisation)]
    turn = [0.8, 0.36, 0.48, 0.0]
    for edge in (33.0, 41.0, 100.0, 120.0):
        inside, outside = (
            field.wrenches(shapes, np.array([[0, 0, 0, 1, 0, 0, 0], [edge + side, 3, 0, *turn]]))[1]
            for side in (-1e-7, 1e-7)
        )
        np.testing.assert_allclose(inside, outside, rtol=1e-6)


@pytest.mark.clause("Y19")
@pytest.mark.parametrize("magnetisation", MAGNETISATIONS)
def test_a_closed_way_gains_no_energy(magnetisation: Magnetisation) -> None:
    """Once round from contact through all models and back, turning meanwhile: the work done is nothing beside what goes in and out."""
    shapes = [shape_of(1, magnetisation), shape_of(4, magnetisation)]
    steps = 2000
    work = gone = 0.0
    for k in range(steps):
        share = 2 * np.pi * (k + 0.5) / steps
        away = np.array([76 - 62 * np.cos(share), 20 * np.sin(share), 9 * np.sin(2 * share)])
        speed = np.array([62 * np.sin(share), 20 * np.cos(share), 18 * np.cos(2 * share)]) * 2 * np.pi / steps
        axis = np.array([0.36, 0.48, 0.8])
        turn = Rotation.from_rotvec(axis * share)
        poses = np.array([[0, 0, 0, 1, 0, 0, 0], [*away, *turn.as_quat()[[3, 0, 1, 2]]]])
        wrench = field.wrenches(shapes, poses)[1]
        done = float(wrench[:3] @ speed) * 1e-3 + float(wrench[3:] @ axis) * 2 * np.pi / steps
        work, gone = work + done, gone + abs(done)
    assert abs(work) < 1e-4 * gone


@pytest.mark.clause("Y19")
def test_the_far_field_is_that_of_the_exact_magnet() -> None:
    shape = SHAPES[4]
    pose = np.array([0, 0, 0, 0.9, 0.1, 0.3, 0.3])
    pose[3:] /= np.linalg.norm(pose[3:])
    points = np.array([[40.0, 0, 0], [0, 40, 10], [-20, 30, 20]])
    exact = exact_magnet(shape, pose).getB(points * 1e-3)
    ours = field.field_tesla([shape], pose[None], points)
    assert np.linalg.norm(ours - exact) < 0.02 * np.linalg.norm(exact)


@pytest.mark.clause("Y19")
def test_magnetised_through_their_thickness_equal_faces_push_and_unlike_ones_pull() -> None:
    """Side by side on the mat; and one on top of the other the opposite way."""
    shapes = [shape_of(0, "through"), shape_of(2, "through")]
    up, down = [1, 0, 0, 0], [0, 1, 0, 0]
    beside, above = [20.0, 0, 0], [0.0, 0, 9]
    for place, axis in ((beside, 0), (above, 2)):
        pushes = [
            float(field.wrenches(shapes, np.array([[0, 0, 0, *up], [*place, *turn]]))[1, axis]) for turn in (up, down)
        ]
        assert pushes[0] * pushes[1] < 0
        assert (pushes[0] > 0) == (place == beside)
