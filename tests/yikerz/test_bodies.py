"""Pieces have weight, contact and friction (Y19), and the same inputs give the same result (Y20)."""

import hashlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bench.physics.yikerz_steps import rebound
from bench.speed.yikerz import crowd as measured_crowd
from ludotheque.games.yikerz.magnets import field
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, corners
from ludotheque.games.yikerz.magnets.path import Standing
from ludotheque.games.yikerz.magnets.poses import as_pose
from ludotheque.games.yikerz.magnets.problems import SceneRefused
from ludotheque.games.yikerz.magnets.scene import Scene
from ludotheque.games.yikerz.magnets.shapes import FACE, FRICTION_ON_MAT, SHAPES, Shape
from yikerz.boards import PYRAMID, crowd, flat, lying, run, scattered, scene

GRAVITY = 9.81


@pytest.mark.clause("Y1", "Y19")
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.parametrize("standing", ["flat", "over"])
def test_every_shape_lies_on_both_faces(shape: Shape, standing: Standing) -> None:
    board = Scene(PYRAMID, (shape,))
    board.put(0, lying(shape, 0, -30, standing, 20, gap=1))
    run(board, 1)
    assert board.at_rest
    assert board.pose(0)[2] == pytest.approx(shape.thickness_mm / 2, abs=0.05)


@pytest.mark.clause("Y1", "Y19")
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_every_shape_can_stand(shape: Shape) -> None:
    """On an edge or on an end, at least one way; and for ten seconds."""
    stood = []
    upright: tuple[Standing, ...] = ("edge", "end", "other-end")
    for standing in upright:
        board = Scene(PYRAMID, (shape,))
        board.put(0, lying(shape, 0, -30, standing, 20, gap=0.2))
        run(board, 10)
        assert board.at_rest
        stood.append(board.pose(0)[2] > shape.thickness_mm / 2 + 1)
    assert any(stood)


@pytest.mark.clause("Y19")
def test_a_standing_piece_topples_when_it_leans_beyond_its_belt() -> None:
    shape = SHAPES[2]  # a coin, on its edge; its belt is 2.35 mm wide and its centre 6.3 mm high: 10.6 degrees
    for lean, topples in [(7, False), (14, True)]:
        board = Scene(PYRAMID, (shape,))
        x, y, z, *_ = lying(shape, 0, -30, "edge")
        i, j, k, w = (float(q) for q in Rotation.from_euler("x", 90 + lean, degrees=True).as_quat())
        board.put(0, (x, y, z + 0.2, w, i, j, k))
        run(board, 2)
        assert (board.pose(0)[2] < 4) == topples


@pytest.mark.clause("Y6", "Y19")
def test_a_piece_is_toppled_by_the_field_alone() -> None:
    board = scene(2)
    board.put(0, lying(board.shapes[0], 0, -30, "end", gap=0.2))
    run(board, 1)
    assert board.pose(0)[2] > 6
    board.hold(1, (32.0, -30.0, 14.0, 1.0, 0.0, 0.0, 0.0))
    for _ in range(200):
        run(board, 2 / 960)
        if board.pose(0)[2] < 5.5:
            break
    assert board.pose(0)[2] < 5.5
    assert not board.events


@pytest.mark.clause("Y8")
def test_a_piece_may_stick_out_over_the_edge_until_its_centre_is_beyond() -> None:
    shape = SHAPES[0]
    bottom = min(corners(mat)[:, 1].min() for mat in PYRAMID)  # the board's lower side is straight
    for beyond, falls in [(-3.0, False), (-1.0, False), (1.0, True), (3.0, True)]:
        board = Scene(PYRAMID, (shape,))
        board.put(0, flat(shape, 0.0 + 70, bottom - beyond))
        run(board, 2)
        assert any(event.what == "fall" for event in board.events) == falls, beyond


@pytest.mark.clause("Y11")
def test_a_piece_beside_the_board_has_fallen() -> None:
    board = scene(1)
    board.put(0, flat(board.shapes[0], 300, 0))
    board.advance(960)
    assert board.events[-1].what == "fall"
    assert board.events[-1].magnets == (0,)


ORIENTATIONS = {
    "end to end": (0, 0),
    "end against end": (0, 180),
    "side by side": (90, 90),
    "side by side, turned": (90, -90),
    "right angle": (0, 90),
    "askew": (45, 100),
}


def holds(shape: Shape, angles: tuple[float, float], distance: float) -> float:
    """Static balance on paper: how much of friction and weight the field uses, at most, for two flat pieces so far apart (mm)."""
    poses = np.array([flat(shape, 0, 0, angles[0]), flat(shape, distance, 0, angles[1])])
    use = 0.0
    for wrench, angle in zip(field.wrenches([shape, shape], poses), angles, strict=True):
        press = shape.mass_g * 1e-3 * GRAVITY - wrench[2]
        slide = np.hypot(wrench[0], wrench[1]) / (FRICTION_ON_MAT * press)
        # Friction of a flat ring: its torque is pressing × friction × mean radius.
        twist = abs(wrench[5]) / (FRICTION_ON_MAT * press * FACE * (shape.length_mm + shape.width_mm) / 4 * 1e-3)
        # Where the mat carries it, seen from the centre; beyond the face's edge it tips.
        height = shape.thickness_mm / 2 * 1e-3
        cop = np.array([wrench[4] + height * wrench[0], height * wrench[1] - wrench[3]]) / press
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        along, across = (
            (c * cop[0] + s * cop[1]) / (FACE * shape.length_mm / 2e3),
            (c * cop[1] - s * cop[0]) / (FACE * shape.width_mm / 2e3),
        )
        use = max(use, np.hypot(slide, twist), np.hypot(along, across))
    return use


@pytest.mark.clause("Y19")
@pytest.mark.parametrize("name", ORIENTATIONS)
def test_two_pieces_begin_to_move_where_static_balance_ends(name: str) -> None:
    shape, angles = SHAPES[0], ORIENTATIONS[name]
    low, high = 16.0, 80.0
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(shape, angles, middle) > 1 else (low, middle)
    onset = low

    def moves(distance: float) -> bool:
        board = Scene(PYRAMID, (shape, shape), full=True)
        board.put(0, flat(shape, -distance / 2, -40, angles[0]))
        board.put(1, flat(shape, distance / 2, -40, angles[1]))
        before = board.poses[:2].copy()
        run(board, 0.6)
        return bool(np.abs(board.poses[:2] - before).max() > 0.03)

    assert 20 < onset < 50
    assert moves(onset * 0.94)
    assert not moves(onset * 1.06)


@pytest.mark.clause("Y19")
@pytest.mark.parametrize("seed", range(4))
def test_energy_never_grows_in_a_closed_scene(seed: int) -> None:
    board = crowd(seed, full=True, count=8, spacing=30)
    first = lowest = board.energy()
    for _ in range(200):
        run(board, 4 / 960)
        now = board.energy()
        # Until pieces meet, friction only takes. A snap then presses them together for a moment, like springs, and they
        # give back a small part of what it has set free.
        snapped = any(event.what == "touch" for event in board.events)
        assert now <= lowest + 2e-7 + (0.05 * (first - lowest) if snapped else 0)
        lowest = min(lowest, now)
    assert first - now > 0.01  # joules: eight pieces did collapse


def fingerprint(seed: int) -> str:
    board = crowd(seed, count=7)
    run(board, 0.5)
    return hashlib.sha256(board.poses.tobytes() + board.velocities.tobytes()).hexdigest()


@pytest.mark.clause("Y20")
def test_another_process_gives_the_same_bits() -> None:
    code = "import sys; sys.path[:0] = sys.argv[1:]; from yikerz.test_bodies import fingerprint; print(fingerprint(3))"
    folders = [path for path in sys.path if path]
    here = __file__.rsplit("/", 2)[0]
    told = subprocess.run(
        [sys.executable, "-c", code, here, *folders], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert told == fingerprint(3)


@pytest.mark.parametrize("seed", [8, 9])
def test_a_heap_comes_to_rest_rather_than_rattle_on(seed: int) -> None:
    """Twenty that have collapsed; corners that come and go kept such a heap awake for many seconds."""
    board = measured_crowd(seed, full=False)
    run(board, 1.5)
    assert board.at_rest
    assert sum(len(group) for group in board.groups()) > 15  # they did collapse; which ones are left over is chance


def chatter(seed: int, finer: int = 1) -> list[tuple[float, float]]:
    """Two pieces that snap together: when they knock (s), and how fast (mm/s)."""
    board = Scene(PYRAMID, (SHAPES[0], SHAPES[4]), finer=finer)
    board.put(0, flat(SHAPES[0], -11, -40, 20.0 * seed))
    board.put(1, flat(SHAPES[4], 11, -40, 70.0 + 30 * seed))
    heard: list[tuple[float, float]] = []
    for _ in range(960 // 2):
        run(board, 1 / 960)
        heard += [(board.step / 960, knock.speed) for knock in board.heard()]
    return heard


@pytest.mark.clause("Y19")
@pytest.mark.parametrize("seed", range(3))
def test_pieces_that_snap_together_chatter_before_they_lie_still(seed: int) -> None:
    """A first click of half a metre a second or more, then weaker ones: two to a dozen within a fifth of a second."""
    heard = chatter(seed)
    assert len(heard) >= 2
    times, speeds = zip(*heard, strict=True)
    assert max(speeds) > 500
    assert speeds[-1] < 0.5 * max(speeds)
    assert times[-1] - times[0] < 0.2


@pytest.mark.clause("Y19")
def test_a_collapse_gives_back_as_much_with_steps_half_as_long() -> None:
    """Of ten collapses together; a collapse alone is chaotic. `python -m bench.physics.yikerz_steps` measures more."""
    whole, halved = (sum(rebound(seed, finer) for seed in range(10)) / 10 for finer in (1, 2))
    assert 0.03 < whole < 0.2
    assert halved == pytest.approx(whole, rel=0.3)  # three standard errors of ten


@pytest.mark.clause("Y20")
@pytest.mark.parametrize("steps", [30, 60, 100, 333])
def test_saved_in_mid_snap_and_restored_elsewhere_it_goes_on_bit_by_bit(steps: int) -> None:
    one = crowd(1, count=9)
    run(one, steps / 960)
    saved = pickle.loads(pickle.dumps(one.save()))
    run(one, 0.6)
    other = scene(9)
    other.restore(saved)
    run(other, 0.6)
    assert one.poses.tobytes() == other.poses.tobytes()
    assert one.velocities.tobytes() == other.velocities.tobytes()
    assert one.groups() == other.groups()


@pytest.mark.clause("Y20")
def test_saved_while_some_sleep_and_a_hand_moves_it_goes_on_bit_by_bit() -> None:
    one = scattered(8, 4)
    run(one, 1)
    one.hold(8, (0.0, 0.0, 60.0, 1.0, 0.0, 0.0, 0.0))
    other = scene(9)
    for board in (one, other):
        if board is other:
            board.restore(one.save())
    for k in range(40):
        for board in (one, other):
            board.aim((2.0 * k, k - 20.0, 60.0 - k, 1.0, 0.0, 0.0, 0.0))
            run(board, 1 / 60)
    assert one.poses.tobytes() == other.poses.tobytes()


@pytest.mark.clause("Y19")
@pytest.mark.parametrize("seed", range(6))
def test_sleeping_pieces_change_nothing(seed: int) -> None:
    """Against full stepping of the same inputs: the same events, every pose within 1 mm."""
    told, ends = [], []
    for full in (False, True):
        board = scattered(9, seed, full=full, gap=50)
        run(board, 1)
        board.hold(9, (-120.0, -60.0, 90.0, 1.0, 0.0, 0.0, 0.0))
        for k in range(90):
            board.aim((-120.0 + 2.6 * k, -60.0 + k, 55.0, 1.0, 0.0, 0.0, 0.0))
            run(board, 1 / 60)
        told.append([(event.what, event.magnets) for event in board.events])
        ends.append(board.poses[:10, :3].copy() * 10)
    if any(what == "collapse" for what, _ in told[1]):
        pytest.skip("this board collapses, and a collapse is chaotic")
    assert told[0] == told[1]
    assert np.abs(ends[0] - ends[1]).max() < 1.0


def test_a_board_at_rest_passes_time_for_nothing() -> None:
    board = scattered(6, 2, gap=60)
    run(board, 2)
    assert board.at_rest
    before = board.poses.copy()
    assert board.advance(960 * 3600) == 960 * 3600
    assert (board.poses == before).all()


@pytest.mark.clause("Y19")
def test_taking_a_piece_away_lets_the_others_feel_it() -> None:
    """Three in a row: the middle one holds the balance between its neighbours only while both are there."""
    board = crowd(2, count=6, spacing=20)
    run(board, 1.5)
    group = board.groups()[0]
    board.take(group[:1])
    run(board, 1)
    assert group[0] not in board.on_board
    assert all(group[0] not in one for one in board.groups())
    assert np.isfinite(board.poses).all()


@pytest.mark.parametrize("seed", range(12))
def test_nonsense_scenes_are_refused_or_stay_in_the_world(seed: int) -> None:
    """Pieces inside each other, inside the mat, all in one spot: a clear message, or no NaN, no explosion, no sinking."""
    random = np.random.default_rng(seed)
    layout = list(LAYOUTS.values())[seed % 3]
    board = scene(20, layout=layout)
    spread = [0.0, 3.0, 15.0, 60.0][seed % 4]
    for number in range(20):
        turn = random.normal(size=4)
        place = random.normal(size=3) * spread + [0, 0, 8]
        place[2] = max(place[2], 9.0 if number == 0 else 2.0)
        board.put(number, as_pose([*(float(v) for v in place), *(float(v) for v in turn / np.linalg.norm(turn))]))
    # Those that are not in each other's way stay, the others are taken out again.
    while True:
        try:
            board.check_room()
        except SceneRefused:
            board.take([board.on_board[-1]])
        else:
            break
    run(board, 1.5)
    here = list(board.on_board)
    assert np.isfinite(board.poses).all()
    assert board.poses[here, 2].min() > -0.3  # nothing below the table's face
    assert np.abs(board.poses[here, :2]).max() < 60  # centimetres


def test_the_message_says_who_is_in_whose_way() -> None:
    board = scene(3)
    board.put(0, flat(board.shapes[0], 0, -40))
    board.put(1, flat(board.shapes[1], 4, -40))
    with pytest.raises(SceneRefused, match="Magnets 0 and 1 are inside each other"):
        board.check_room()
    board.take([1])
    board.put(2, (50.0, -40.0, -1.0, 1.0, 0.0, 0.0, 0.0))
    with pytest.raises(SceneRefused, match="Magnet 2 is inside a mat or the table"):
        board.check_room()


@pytest.mark.parametrize(
    ("pose", "reason"),
    [
        ([0] * 6, "seven numbers"),
        ([0] * 7, "length 0"),
        ([float("inf"), 0, 0, 1, 0, 0, 0], "not a number"),
        ([0, 0, 1e9, 1, 0, 0, 0], "too far"),
        ("pose", "seven"),
        ([0, 0, 0, True, 0, 0, 0], "not a number"),
    ],
)
def test_a_pose_that_is_none_is_refused(pose: object, reason: str) -> None:
    with pytest.raises(SceneRefused, match=reason) as told:
        as_pose(pose)
    assert told.value.sentence("fr") != told.value.sentence("en")


def test_a_magnet_cannot_be_there_twice() -> None:
    board = scene(2)
    board.put(0, flat(board.shapes[0], 0, 0))
    with pytest.raises(SceneRefused, match="already"):
        board.put(0, flat(board.shapes[0], 50, 0))
    with pytest.raises(SceneRefused, match="no magnet 7"):
        board.put(7, flat(board.shapes[0], 50, 0))
