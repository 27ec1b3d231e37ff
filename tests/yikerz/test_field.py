"""The magnets pull on each other as magnetostatics says (Y19)."""

import magpylib
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from ludotheque.games.yikerz.magnets import field
from ludotheque.games.yikerz.magnets.shapes import MU_0, REMANENCE_T, SHAPES, Shape

PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in SHAPES[: i + 1]]


def any_turn(random: np.random.Generator) -> np.ndarray:
    quaternion = random.normal(size=4)
    return quaternion / np.linalg.norm(quaternion)


def any_pair(random: np.random.Generator, a: Shape, b: Shape, sizes: float) -> np.ndarray:
    """Two poses so many sizes apart, a size being the mean of both lengths."""
    away = random.normal(size=3)
    away *= sizes * (a.length_mm + b.length_mm) / 2 / np.linalg.norm(away)
    return np.array([[0, 0, 0, *any_turn(random)], [*away, *any_turn(random)]])


def exact_magnet(shape: Shape, pose: np.ndarray) -> magpylib.magnet.TriangularMesh:
    return magpylib.magnet.TriangularMesh(
        vertices=shape.mesh_mm * 1e-3,
        faces=shape.faces,
        polarization=(REMANENCE_T, 0, 0),
        position=pose[:3] * 1e-3,
        orientation=Rotation.from_quat(pose[[4, 5, 6, 3]]),
    )


def errors(random: np.random.Generator, a: Shape, b: Shape, sizes: float) -> tuple[float, float]:
    """Of force and torque on b, relative to magpylib's."""
    poses = any_pair(random, a, b, sizes)
    force, torque = magpylib.getFT(exact_magnet(a, poses[0]), exact_magnet(b, poses[1]), meshing=120)
    ours = field.wrenches([a, b], poses)[1]
    return (
        float(np.linalg.norm(ours[:3] - force) / np.linalg.norm(force)),
        float(np.linalg.norm(ours[3:] - torque) / np.linalg.norm(torque)),
    )


@pytest.mark.clause("Y19")
@pytest.mark.parametrize(
    ("sizes", "force_limit", "torque_limit"),
    [(2.0, 0.03, 0.06), (3.0, 0.01, 0.03), (6.0, 0.01, 0.03), (9.0, 0.01, 0.03)],
)
def test_all_pairs_of_shapes_pull_as_exact_magnets_do(sizes: float, force_limit: float, torque_limit: float) -> None:
    random = np.random.default_rng(round(sizes))
    found = np.array([errors(random, a, b, sizes) for a, b in PAIRS])
    assert found[:, 0].mean() <= force_limit
    assert np.median(found[:, 1]) <= torque_limit


def surface_poles(shape: Shape, pose: np.ndarray, cut: int) -> tuple[np.ndarray, np.ndarray]:
    """A magnet as the poles on its surface, each triangle cut into cut² equal ones: places (m) and strengths (A·m)."""
    shares = [((i + t) / cut, (j + t) / cut) for i in range(cut) for j in range(cut - i) for t in (1 / 3, 2 / 3)]
    inside = np.array([(a, b) for a, b in shares if a + b < 1])
    turn = Rotation.from_quat(pose[[4, 5, 6, 3]])
    places, strengths = [], []
    for a, b, c in shape.mesh_mm[shape.faces] * 1e-3:
        places.append(a + inside[:, :1] * (b - a) + inside[:, 1:] * (c - a))
        facing = np.cross(b - a, c - a)[0] / 2
        strengths.append(np.full(len(inside), facing / len(inside) * REMANENCE_T / MU_0))
    return turn.apply(np.concatenate(places)) + pose[:3] * 1e-3, np.concatenate(strengths)


def force_of_surfaces(shape: Shape, poses: np.ndarray, cut: int) -> np.ndarray:
    """Coulomb's law between the surfaces' poles: the force on the second piece, N. Exact but for the cutting."""
    (one, p), (two, q) = (surface_poles(shape, pose, cut) for pose in poses)
    force = np.zeros(3)
    for places, strengths in zip(np.array_split(two, 40), np.array_split(q, 40), strict=True):
        away = places[:, None] - one[None]
        force += ((p[None] * strengths[:, None] / (away**2).sum(axis=2) ** 1.5)[..., None] * away).sum(axis=(0, 1))
    return MU_0 / (4 * np.pi) * force


@pytest.mark.clause("Y19")
@pytest.mark.parametrize(
    ("side", "turn"), [((0, 1, 0), (0, 0, 0, 1)), ((0, 0, 1), (0, 0, 0, 1)), ((1, 0, 0), (1, 0, 0, 0))]
)
def test_nearer_than_two_sizes_pieces_still_pull_nearly_as_hard_as_exact_ones(
    side: tuple[int, int, int], turn: tuple[int, int, int, int]
) -> None:
    """Side by side, stacked and end to end. magpylib cuts the target into cells, which is no measure at contact; surfaces are."""
    pebble = SHAPES[0]
    for gap, least in [(0.25, 0.7), (1.0, 0.8), (3.0, 0.9), (6.0, 0.93)]:
        offset = np.array(side) * (np.array(pebble.size_mm) + gap)
        poses = np.array([[0, 0, 0, 1, 0, 0, 0], [*offset, *turn]], dtype=float)
        exact = force_of_surfaces(pebble, poses, 4)
        ours = field.wrenches([pebble, pebble], poses)[1, :3]
        assert least < np.linalg.norm(ours) / np.linalg.norm(exact) < 1.05
        assert ours @ exact > 0.99 * np.linalg.norm(ours) * np.linalg.norm(exact)


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
@pytest.mark.parametrize("distance", [5.0, 12.0, 40.0, 99.9, 101.0, 110.0, 119.0, 121.0, 180.0])
def test_force_and_torque_are_the_slope_of_one_energy(distance: float) -> None:
    """Near, far, and where the two models blend: so no closed way gains energy."""
    random = np.random.default_rng(round(distance))
    shapes = [SHAPES[1], SHAPES[3]]
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
def test_nothing_jumps_where_near_and_far_meet() -> None:
    shapes = [SHAPES[0], SHAPES[2]]
    turn = [0.8, 0.36, 0.48, 0.0]
    for edge in (100.0, 120.0):
        inside, outside = (
            field.wrenches(shapes, np.array([[0, 0, 0, 1, 0, 0, 0], [edge + side, 3, 0, *turn]]))[1]
            for side in (-1e-7, 1e-7)
        )
        np.testing.assert_allclose(inside, outside, rtol=1e-6)


@pytest.mark.clause("Y19")
def test_the_far_field_is_that_of_the_exact_magnet() -> None:
    shape = SHAPES[4]
    pose = np.array([0, 0, 0, 0.9, 0.1, 0.3, 0.3])
    pose[3:] /= np.linalg.norm(pose[3:])
    points = np.array([[40.0, 0, 0], [0, 40, 10], [-20, 30, 20]])
    exact = exact_magnet(shape, pose).getB(points * 1e-3)
    ours = field.field_tesla([shape], pose[None], points)
    assert np.linalg.norm(ours - exact) < 0.02 * np.linalg.norm(exact)
