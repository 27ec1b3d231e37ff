"""The inner loop of the physics: one compiled function that alternates our field with MuJoCo's bodies and contacts.

It knows arrays only; what they mean to a player, and how a scene is built, is the scene's business.

A piece that lies still is asleep: MuJoCo leaves it out, and its pairs with other sleepers are not computed again. It
wakes when something touches it (MuJoCo sees to that) or when the field on it has changed by more than a part of
what its friction and its weight have left to hold it: see `_sleeps_on`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import llvmlite.binding
import mujoco
import numba
import numpy as np
from numpy.typing import NDArray

from .compile import kernel
from .field import pair_wrench, place_poles

Array = NDArray[np.float64]
Ints = NDArray[np.int32]


def _library() -> ctypes.CDLL:
    """MuJoCo's own library, which its Python package has loaded already."""
    folder = Path(mujoco.__file__).parent
    for pattern in ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll"):
        for path in sorted(folder.glob(pattern)):
            return ctypes.CDLL(str(path))
    raise ImportError(f"MuJoCo's library is not in {folder}; install the package mujoco anew.")


mj_library = _library()


def _step_function(name: str) -> Callable[[int, int], None]:
    """One of MuJoCo's functions of model and data, for compiled code, or for interpreted code when the JIT is off."""
    function = getattr(mj_library, name)
    if numba.config.DISABLE_JIT:
        function.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        function.restype = None
        interpreted: Callable[[int, int], None] = function
        return interpreted
    # By name, not by address: so the compiled loop can be cached and used in another process.
    llvmlite.binding.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    compiled: Callable[[int, int], None] = numba.types.ExternalFunction(
        name, numba.types.void(numba.types.intp, numba.types.intp)
    )
    return compiled


mj_step1 = _step_function("mj_step1")
mj_step2 = _step_function("mj_step2")

NEVER, ALLOWED = int(mujoco.mjtSleepPolicy.mjSLEEP_NEVER), int(mujoco.mjtSleepPolicy.mjSLEEP_ALLOWED)

AWAY, ON_BOARD, HELD = 0, 1, 2
"""Where a magnet is: not in the scene, free on the board, in the hand."""

GRAVITY = 981.0
"""cm/s²."""
QUIET_STEPS = 48
"""A piece that stays where it is for that many steps (1/20 s) falls asleep."""
QUIET_WAY = 0.0025
"""cm: how far from there it may be all that while, so that what only rattles counts as still; 0.5 mm/s."""
QUIET_TURN = 0.005
"""rad, likewise."""
WARY = 5
"""Beyond SAFE a piece must stay that much longer: it may have begun to slide so slowly that it only looks at rest."""
EDGE, CLOSER = 0.95, 3.0
"""At its limit it must stay that much closer too. (Soft contacts creep by 0.02 mm/s there, pieces about to slide by twice as much.)"""
HEAP = 4.0
"""Pieces that hold together may move that much farther and count as still: they settle into each other for long, and are lifted away
anyhow."""
SAFE = 0.8
"""Up to this part of what friction and weight can hold, a lying piece surely lies still (measured: it moves at 0.97 to 1.0)."""
LEAST = 0.01
"""Beyond it, or not lying flat, a sleeper is looked at when the field on it has changed by this part of its friction."""

ROLLING = 30.0
"""1/s: how fast pieces that touch each other stop rocking and rolling on each other. Contact without it is lossless in
that direction, and a single piece that rocks would keep a whole heap awake for seconds."""

DONE, NEAR, RESTING, BROKEN = 0, 1, 2, 3
"""Why the loop came back: steps done; pieces close to each other; everything asleep; numbers that are none."""


@kernel
def load(wrench: Array, pose: Array, body: Array) -> float:
    """How much of what holds a lying piece the field uses up: at 1 it slides, twists or tips.

    `wrench` (6,) dyn and dyn·cm; `pose` (7,) cm; `body` (9,) see `advance`. Coulomb's friction under a flat face: sliding and
    twisting share it; and the point through which the mat carries the piece must lie inside the face.
    """
    weight = body[0] * GRAVITY
    pressing = weight - wrench[2]
    if pressing < 0.05 * weight:
        return 10.0
    height = body[8]
    hold = body[5] * pressing
    slide = np.sqrt(wrench[0] ** 2 + wrench[1] ** 2) / hold
    twist = abs(wrench[5]) / (hold * min(body[6], body[7]))
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    cx, cy = (wrench[4] + height * wrench[0]) / pressing, (height * wrench[1] - wrench[3]) / pressing
    ux, uy = 1 - 2 * (y * y + z * z), 2 * (x * y + w * z)
    along, across = (cx * ux + cy * uy) / body[6], (cy * ux - cx * uy) / body[7]
    return float(max(np.sqrt(slide * slide + twist * twist) / 0.9, np.sqrt(along * along + across * across)))


@kernel
def _sleeps_on(wrench: Array, slept: Array, limit: Array, pose: Array, body: Array) -> bool:
    """Whether a sleeping piece surely still lies still: the test is on the safe side, and what fails it is only looked at."""
    if limit[0] > 0 and load(wrench, pose, body) < limit[0]:
        return True
    change, twist = 0.0, 0.0
    for k in range(3):
        change += (wrench[k] - slept[k]) ** 2
        twist += (wrench[3 + k] - slept[3 + k]) ** 2
    return bool(change < limit[1] ** 2 and twist < (limit[1] * 0.3) ** 2)


@kernel
def _pull(hand: Array, body: Array, pose: Array, velocity: Array, share: float, force: Array) -> None:
    """The hand's pull on the held piece: a critically damped spring to where the hand is, with limited strength.

    `hand` (20,): pose at the start (7) and the end (7) of this sample in cm, the sample's length in s, stiffness as a
    frequency in rad/s, strongest force in dyn and torque in dyn·cm; `body` (4,): mass in g and inertia in g·cm²; `share`
    of the sample that has passed. Adds to force (6,): force along the board's axes, torque along the piece's own.
    """
    seconds, omega = hand[14], hand[15]
    pull_x = np.empty(3)
    size = 0.0
    for k in range(3):
        aim = hand[k] + share * (hand[7 + k] - hand[k])
        speed = (hand[7 + k] - hand[k]) / seconds
        pull_x[k] = body[0] * (omega * omega * (aim - pose[k]) + 2 * omega * (speed - velocity[k]))
        if k == 2:
            pull_x[k] += body[0] * GRAVITY
        size += pull_x[k] ** 2
    size = np.sqrt(size)
    scale = min(1.0, hand[16] / max(size, 1e-9))
    for k in range(3):
        force[k] += scale * pull_x[k]
    # The aim's orientation: between two samples the straight way, then back to length 1.
    same = 0.0
    for k in range(4):
        same += hand[3 + k] * hand[10 + k]
    sign = 1.0 if same >= 0 else -1.0
    w = hand[3] + share * (sign * hand[10] - hand[3])
    x = hand[4] + share * (sign * hand[11] - hand[4])
    y = hand[5] + share * (sign * hand[12] - hand[5])
    z = hand[6] + share * (sign * hand[13] - hand[6])
    length = max(np.sqrt(w * w + x * x + y * y + z * z), 1e-9)
    w, x, y, z = w / length, x / length, y / length, z / length
    # The turn that is left, seen in the piece's own axes: conjugate(now) · aim; and the turn of the whole sample.
    a, b, c, d = pose[3], -pose[4], -pose[5], -pose[6]
    ew = a * w - b * x - c * y - d * z
    error = np.empty(3)
    error[0] = a * x + b * w + c * z - d * y
    error[1] = a * y - b * z + c * w + d * x
    error[2] = a * z + b * y - c * x + d * w
    a, b, c, d = hand[3], -hand[4], -hand[5], -hand[6]
    turn = np.empty(3)
    tw, tx, ty, tz = sign * hand[10], sign * hand[11], sign * hand[12], sign * hand[13]
    turn[0] = a * tx + b * tw + c * tz - d * ty
    turn[1] = a * ty - b * tz + c * tw + d * tx
    turn[2] = a * tz + b * ty - c * tx + d * tw
    way = 2.0 if ew >= 0 else -2.0
    size = 0.0
    twist = np.empty(3)
    for k in range(3):
        twist[k] = body[1 + k] * (
            omega * omega * way * error[k] + 2 * omega * (2 * turn[k] / seconds - velocity[3 + k])
        )
        size += twist[k] ** 2
    size = np.sqrt(size)
    scale = min(1.0, hand[17] / max(size, 1e-9))
    for k in range(3):
        force[3 + k] += scale * twist[k]


@kernel
def _sum_row(pairs: Array, where: Ints, i: int, total: Array) -> None:
    """The whole wrench on piece i, its pairs added in order."""
    for k in range(6):
        total[i, k] = 0.0
    for j in range(len(where)):
        if where[j] != AWAY and j != i:
            for k in range(6):
                total[i, k] += pairs[i, j, k]


@kernel
def _pair(i: int, j: int, points: Array, moments: Array, pairs: Array, out: Array, room: Array) -> None:
    """Compute pair i, j anew and store what each does to the other."""
    pair_wrench(points[i], moments[i], points[j], moments[j], out, room)
    for k in range(3):
        pairs[i, j, k] = out[1 + k]
        pairs[j, i, k] = -out[1 + k]
        pairs[i, j, 3 + k] = out[4 + k]
        pairs[j, i, 3 + k] = out[7 + k]


@kernel
def prepare(table: Array, where: Ints, poses: Array, points: Array, moments: Array, pairs: Array, total: Array) -> None:
    """All poles, pairs and sums anew, after pieces were placed, taken or restored.

    For n magnets: table (n, 3), where (n,), poses (n, 7) in cm; fills points (n, 5, 3), moments (n, 4), pairs (n, n, 6), total (n, 6).
    """
    out, room = np.empty(10), np.empty((9, 4))
    for i in range(len(where)):
        if where[i] != AWAY:
            place_poles(table[i], poses[i], points[i], moments[i])
    for i in range(len(where)):
        for j in range(i):
            if where[i] != AWAY and where[j] != AWAY:
                _pair(i, j, points, moments, pairs, out, room)
    for i in range(len(where)):
        _sum_row(pairs, where, i, total)


@kernel
def wake_changed(
    where: Ints, asleep: Ints, policy: Ints, poses: Array, body: Array, total: Array, slept: Array, limits: Array
) -> None:
    """After pieces were taken: mark the sleepers on which the field is no longer what they fell asleep under (see `advance`)."""
    for i in range(len(where)):
        if where[i] != AWAY and asleep[i] != 0 and not _sleeps_on(total[i], slept[i], limits[i], poses[i], body[i]):
            policy[i] = NEVER


@kernel
def advance(
    model: int,
    data: int,
    steps: int,
    done_before: int,
    where: Ints,
    poses: Array,
    velocities: Array,
    passive: Array,
    awake: Ints,
    policy: Ints,
    asleep: Ints,
    still: Ints,
    anchor: Array,
    table: Array,
    body: Array,
    hand: Array,
    points: Array,
    moments: Array,
    pairs: Array,
    total: Array,
    slept: Array,
    limits: Array,
    touched: Ints,
    always: bool,
    back: Ints,
) -> int:
    """Up to `steps` steps of 1/960 s; says why it came back and how many steps it made (back[0]).

    `model`, `data`: addresses of MuJoCo's structures. `done_before`: steps of the hand's sample that have passed. For n
    magnets: `where` (n,); views into MuJoCo's data: `poses` (n, 7) cm, `velocities` (n, 6) cm/s and rad/s, `passive`
    (n, 6) dyn and dyn·cm, `awake` (n,), `policy` (n,); ours: `asleep` (n,), `still` (n,): steps since
    it was at `anchor` (n, 7) cm, `table` (n, 3), `body` (n, 9):
    mass g, inertia g·cm² (3), reach cm, friction, half axes of a flat face cm (2), half its thickness cm; `hand`
    (20,) see `_pull`; `points` (n, 5, 3), `moments` (n, 4),
    `pairs` (n, n, 6), `total` (n, 6), `slept` (n, 6), `limits` (n, 2), `touched` (n,): 1 if it
    touches another piece, 2 if it holds together with one. `always`: let nothing sleep.
    """
    count = len(where)
    out, room = np.empty(10), np.empty((9, 4))
    force = np.empty(6)
    samples = hand[18]
    for step in range(steps):
        back[0] = step
        some = False
        for i in range(count):
            if where[i] != AWAY and (asleep[i] == 0 or policy[i] == NEVER):
                some = True
        if not some:
            return RESTING
        mj_step1(model, data)
        for i in range(count):
            if where[i] == AWAY:
                continue
            if awake[i] != 0:
                if asleep[i] != 0:
                    asleep[i] = 0
                    still[i] = 0
                    policy[i] = NEVER
                place_poles(table[i], poses[i], points[i], moments[i])
        near = False
        for i in range(count):
            if where[i] == AWAY:
                continue
            for j in range(i):
                if where[j] == AWAY or (awake[i] == 0 and awake[j] == 0):
                    continue
                _pair(i, j, points, moments, pairs, out, room)
                gap = body[i, 4] + body[j, 4] + 0.02
                x, y, z = poses[i, 0] - poses[j, 0], poses[i, 1] - poses[j, 1], poses[i, 2] - poses[j, 2]
                if x * x + y * y + z * z < gap * gap:
                    near = True
        for i in range(count):
            if where[i] == AWAY:
                continue
            _sum_row(pairs, where, i, total)
            if awake[i] == 0:
                if not _sleeps_on(total[i], slept[i], limits[i], poses[i], body[i]):
                    policy[i] = NEVER  # MuJoCo wakes it at its next step
                continue
            w, x, y, z = poses[i, 3], poses[i, 4], poses[i, 5], poses[i, 6]
            tx, ty, tz = total[i, 3], total[i, 4], total[i, 5]
            # A free joint's forces are along the board's axes, its torques along the piece's own.
            force[0], force[1], force[2] = total[i, 0], total[i, 1], total[i, 2]
            force[3] = (1 - 2 * (y * y + z * z)) * tx + 2 * (x * y + w * z) * ty + 2 * (x * z - w * y) * tz
            force[4] = 2 * (x * y - w * z) * tx + (1 - 2 * (x * x + z * z)) * ty + 2 * (y * z + w * x) * tz
            force[5] = 2 * (x * z + w * y) * tx + 2 * (y * z - w * x) * ty + (1 - 2 * (x * x + y * y)) * tz
            if touched[i] != 0:
                for k in range(3):
                    force[3 + k] -= ROLLING * body[i, 1 + k] * velocities[i, 3 + k]
            if where[i] == HELD:
                _pull(hand, body[i], poses[i], velocities[i], min(1.0, (done_before + step + 1) / samples), force)
            for k in range(6):
                passive[i, k] += force[k]
        mj_step2(model, data)
        for i in range(count):
            if where[i] == AWAY or asleep[i] != 0:
                continue
            if awake[i] == 0:
                asleep[i] = 1
                for k in range(6):
                    slept[i, k] = total[i, k]
                # Lying flat and alone, it may carry anything up to SAFE; otherwise, only what it carries now, more or less.
                lying = abs(1 - 2 * (poses[i, 4] ** 2 + poses[i, 5] ** 2)) > 0.9999
                limits[i, 0] = SAFE if lying and touched[i] == 0 else 0.0
                limits[i, 1] = LEAST * body[i, 5] * body[i, 0] * GRAVITY
                continue
            speed, turn = 0.0, 0.0
            for k in range(3):
                speed += velocities[i, k] ** 2
                turn += velocities[i, 3 + k] ** 2
            if not (speed < 1e10 and turn < 1e12):
                back[0] = step + 1
                return BROKEN
            flat = abs(1 - 2 * (poses[i, 4] ** 2 + poses[i, 5] ** 2)) > 0.9999
            used = load(total[i], poses[i], body[i]) if flat and touched[i] == 0 else 0.0
            loose = 1 / CLOSER if used > EDGE else HEAP if touched[i] > 1 else 1.0
            way, turned = 0.0, 0.0
            for k in range(3):
                way += (poses[i, k] - anchor[i, k]) ** 2
            for k in range(3, 7):
                turned += 4 * (poses[i, k] - anchor[i, k]) ** 2
            stays = way < (QUIET_WAY * loose) ** 2 and turned < (QUIET_TURN * loose) ** 2
            if stays and where[i] == ON_BOARD and not always:
                still[i] += 1
            else:
                still[i] = 0
                for k in range(7):
                    anchor[i, k] = poses[i, k]
            policy[i] = ALLOWED if still[i] >= QUIET_STEPS * (WARY if used > SAFE else 1) else NEVER
        if near:
            back[0] = step + 1
            back[1] = 1
    back[0] = steps
    return DONE
