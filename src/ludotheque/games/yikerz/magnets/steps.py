"""The inner loop of the physics: one compiled function that alternates our field with MuJoCo's bodies and contacts.

Its memory is described in `buffers`; when pieces sleep is decided in `sleep`; scenes are built in `scene`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .buffers import APART, AWAY, HELD, INERTIA, MASS, REACH, Array, HandSpring, HandTarget, SceneBuffers
from .compile import inlined_kernel, kernel
from .field import PAIR_NUMBERS, pair_wrench, place_poles
from .model import QUIET_FRICTION, QUIET_SPRING, SNAP_FRICTION, SNAP_SPRING
from .mujoco_library import NEVER, mj_step1, mj_step2, mujoco
from .sleep import GRAVITY, update_sleep_policy, wake_where_field_changed
from .timing import SAMPLES_PER_SECOND, STEPS_PER_SAMPLE, STEPS_PER_SECOND

HAND_SPRING = HandSpring(
    sample_seconds=1 / SAMPLES_PER_SECOND,
    frequency=160.0,  # 75 to 92 N/m: a pull of 0.1 N, three weights, moves the held piece by little more than 1 mm
    turn_frequency=250.0,  # about 5 N·mm a radian: a torque of 0.5 N·mm turns it by 6 degrees
    most_force=0.6 * 1e5,  # 0.6 N: two fingertips that press with 0.5 N each, and a friction of 0.6
    most_torque=1.2e-3 * 1e7,  # 1.2 N·mm: the same fingertips, each touching on a spot of 3 mm radius
)
"""A light hold, as one carries a pebble of 3 g. Both limits are reached in play: next to another magnet the piece turns and slides in
the fingers. They have it again as soon as the pull is weaker.

Passed to the kernel rather than compiled into it: constants would be folded, and results differ in the last bit."""
ROLLING_DAMPING = 30.0
"""1/s: how fast pieces that touch each other stop rocking and rolling on each other. MuJoCo's contacts without rolling friction are
lossless in that direction, and a single piece that rocks would keep a whole heap awake for seconds."""
CLOSE = 0.02
"""cm: pieces whose bounding spheres are no farther apart than this may touch in the next steps."""
SNAP_SPEED, FAST_SNAP_SPEED = 30.0, 60.0
"""cm/s: if surfaces of two pieces may meet faster than this, the step is divided into FEW_PARTS or MOST_PARTS."""
FEW_PARTS, MOST_PARTS = 2, 4
"""At 2 m/s a quarter of a step is 0.5 mm. A contact lasts for 2.7 ms, ten of these parts; slower ones are resolved by five."""
KNOCK_PART = 0.6
"""Pieces whose speed toward each other falls to this part of what it was have knocked against each other."""
MOST_WAY = 0.5
"""cm: no two pieces come nearer by more than this in one step."""
FASTEST_SQUARED, FASTEST_TURN_SQUARED = 1e10, 1e12
"""(cm/s)² and (rad/s)²: anything faster, and NaN, is a simulation that has broken down."""

DONE, RESTING, BROKEN = 0, 1, 2
"""Why `advance` returned: all steps made; everything asleep; a piece moves impossibly fast or its numbers are NaN."""


@kernel
def advance(scene: SceneBuffers, steps: int, hand: HandTarget) -> int:
    """Make up to `steps` steps of 1/960 s. Returns why it stopped; `scene.steps_made` says after how many steps."""
    pair, workspace = np.empty(PAIR_NUMBERS), np.empty(PAIR_NUMBERS)
    for step in range(steps):
        scene.steps_made[0] = step
        if everything_sleeps(scene):
            return RESTING
        parts = divide_step(scene)
        for part in range(parts):
            mj_step1(scene.model, scene.data)
            place_awake_poles(scene)
            close = update_pairs(scene, False, pair, workspace)
            sum_pairs(scene)
            wake_where_field_changed(scene)
            apply_forces(scene, hand, min(1.0, (hand.steps_done + step + (part + 1) / parts) / STEPS_PER_SAMPLE))
            mj_step2(scene.model, scene.data)
            if not is_credible(scene):
                scene.steps_made[0] = step + 1
                return BROKEN
            if close:
                scene.pieces_close[0] = 1
        update_sleep_policy(scene)
    scene.steps_made[0] = steps
    return DONE


def advance_by_calls(model: Any, data: Any, scene: SceneBuffers, steps: int, hand: HandTarget) -> int:
    """`advance` where compiled code cannot call MuJoCo or nothing can sleep: some five times slower, and not the same to the last bit.

    model, data: MuJoCo's own objects, whose memory `scene` shares.
    """
    away = scene.status == AWAY
    kept = scene.poses[away].copy()
    for step in range(steps):
        scene.steps_made[0] = step
        if _everything_sleeps(scene):
            return RESTING
        parts = _divide_step(scene)
        # Where these are no views:
        model.opt.timestep, model.opt.impratio = float(scene.timestep[0]), float(scene.friction_ratio[0])
        for part in range(parts):
            mujoco.mj_step1(model, data)
            if _act(scene, hand, min(1.0, (hand.steps_done + step + (part + 1) / parts) / STEPS_PER_SAMPLE)):
                scene.pieces_close[0] = 1
            mujoco.mj_step2(model, data)
            scene.poses[away], scene.velocities[away] = kept, 0  # where nothing sleeps, pieces that are away would fall
            if not _is_credible(scene):
                scene.steps_made[0] = step + 1
                return BROKEN
        _settle(scene)
    scene.steps_made[0] = steps
    return DONE


@kernel
def _everything_sleeps(scene: SceneBuffers) -> bool:
    """`everything_sleeps`, to be called from Python."""
    return everything_sleeps(scene)


@kernel
def _act(scene: SceneBuffers, hand: HandTarget, share: float) -> bool:
    """What `advance` does between the two halves of a step. Returns whether any two pieces are close."""
    place_awake_poles(scene)
    close = update_pairs(scene, False, np.empty(PAIR_NUMBERS), np.empty(PAIR_NUMBERS))
    sum_pairs(scene)
    wake_where_field_changed(scene)
    apply_forces(scene, hand, share)
    return close


@kernel
def _divide_step(scene: SceneBuffers) -> int:
    """`divide_step`, to be called from Python."""
    return divide_step(scene)


@kernel
def _is_credible(scene: SceneBuffers) -> bool:
    """`is_credible`, to be called from Python."""
    return is_credible(scene)


@kernel
def _settle(scene: SceneBuffers) -> None:
    """What `advance` does after a step."""
    update_sleep_policy(scene)


@inlined_kernel
def everything_sleeps(scene: SceneBuffers) -> bool:
    """Whether no piece of the scene is awake or about to wake."""
    for i in range(len(scene.status)):
        if scene.status[i] != AWAY and (scene.asleep[i] == 0 or scene.sleep_policy[i] == NEVER):
            return False
    return True


@inlined_kernel
def divide_step(scene: SceneBuffers) -> int:
    """Into how many parts the next step is divided; sets MuJoCo's time step and the contacts between pieces accordingly."""
    fastest = watch_near_pairs(scene)
    parts = 1
    if fastest > SNAP_SPEED:
        parts = MOST_PARTS if fastest > FAST_SNAP_SPEED else FEW_PARTS
    snapping = 1 if parts > 1 else 0
    if snapping != scene.snapping[0]:
        scene.snapping[0] = snapping
        scene.friction_ratio[0] = SNAP_FRICTION if snapping else QUIET_FRICTION
        for i in range(len(scene.status)):
            scene.contact_springs[i, 0] = SNAP_SPRING[0] if snapping else QUIET_SPRING[0]
            scene.contact_springs[i, 1] = SNAP_SPRING[1] if snapping else QUIET_SPRING[1]
    parts *= scene.finer
    scene.timestep[0] = 1.0 / (STEPS_PER_SECOND * parts)
    return parts


@inlined_kernel
def watch_near_pairs(scene: SceneBuffers) -> float:
    """The largest speed (cm/s) at which the surfaces of two pieces may meet in the next step; 0 if none can. Notes knocks.

    Pieces that attract each other come together faster and faster. So when their centres suddenly come together much more slowly than
    before, they have knocked against each other.
    """
    fastest = 0.0
    for i in range(len(scene.status)):
        if scene.status[i] == AWAY or scene.awake[i] == 0:
            continue
        for j in range(len(scene.status)):
            if scene.status[j] == AWAY or (scene.awake[j] != 0 and j >= i):
                continue
            reach = scene.bodies[i, REACH] + scene.bodies[j, REACH]
            distance, speed, inward, turn_i, turn_j = 0.0, 0.0, 0.0, 0.0, 0.0  # all but the third squared
            for k in range(3):
                away, apart = scene.poses[i, k] - scene.poses[j, k], scene.velocities[i, k] - scene.velocities[j, k]
                distance += away * away
                speed += apart * apart
                inward -= away * apart
                turn_i += scene.velocities[i, 3 + k] ** 2
                turn_j += scene.velocities[j, 3 + k] ** 2
            if distance > (reach + MOST_WAY) ** 2:
                continue
            together = (
                np.sqrt(speed) + np.sqrt(turn_i) * scene.bodies[i, REACH] + np.sqrt(turn_j) * scene.bodies[j, REACH]
            )
            way = reach + together / STEPS_PER_SECOND
            if distance < way * way:
                fastest = max(fastest, together)
            one, two = min(i, j), max(i, j)
            inward /= np.sqrt(distance)
            if inward < KNOCK_PART * scene.closing[one, two]:
                scene.knocks[one, two] = max(scene.knocks[one, two], scene.closing[one, two])
                scene.closing[one, two] = 0.0
            scene.closing[one, two] = max(scene.closing[one, two], inward)
    return fastest


@inlined_kernel
def place_awake_poles(scene: SceneBuffers) -> None:
    """Move the poles of all awake pieces to their poses, and note which pieces MuJoCo has just woken."""
    for i in range(len(scene.status)):
        if scene.status[i] != AWAY and scene.awake[i] != 0:
            if scene.asleep[i] != 0:
                scene.asleep[i] = 0
                scene.still_steps[i] = 0
                scene.sleep_policy[i] = NEVER
            place_poles(scene.magnets[i], scene.poses[i], scene.points[i], scene.moments[i])


@inlined_kernel
def update_pairs(scene: SceneBuffers, everything: bool, pair: Array, workspace: Array) -> bool:
    """Compute every pair of which one piece is awake, or all pairs. Returns whether any two are close enough to touch soon.

    pair: shape (10,), and workspace: shape (10,), for `pair_wrench`.
    """
    close = False
    for i in range(len(scene.status)):
        if scene.status[i] == AWAY:
            continue
        for j in range(i):
            if scene.status[j] == AWAY or not (everything or scene.awake[i] != 0 or scene.awake[j] != 0):
                continue
            pair_wrench(scene.points[i], scene.moments[i], scene.points[j], scene.moments[j], pair, workspace)
            for k in range(3):
                scene.pair_wrenches[i, j, k] = pair[1 + k]
                scene.pair_wrenches[j, i, k] = -pair[1 + k]
                scene.pair_wrenches[i, j, 3 + k] = pair[4 + k]
                scene.pair_wrenches[j, i, 3 + k] = pair[7 + k]
            gap = scene.bodies[i, REACH] + scene.bodies[j, REACH] + CLOSE
            x = scene.poses[i, 0] - scene.poses[j, 0]
            y = scene.poses[i, 1] - scene.poses[j, 1]
            z = scene.poses[i, 2] - scene.poses[j, 2]
            if x * x + y * y + z * z < gap * gap:
                close = True
    return close


@inlined_kernel
def sum_pairs(scene: SceneBuffers) -> None:
    """The whole wrench on each piece, its pairs added in order."""
    for i in range(len(scene.status)):
        for k in range(6):
            scene.wrenches[i, k] = 0.0
        if scene.status[i] == AWAY:
            continue
        for j in range(len(scene.status)):
            if scene.status[j] != AWAY and j != i:
                for k in range(6):
                    scene.wrenches[i, k] += scene.pair_wrenches[i, j, k]


@kernel
def compute_field(scene: SceneBuffers) -> None:
    """All poles, pairs and sums, after pieces were placed, taken or restored."""
    for i in range(len(scene.status)):
        if scene.status[i] != AWAY:
            place_poles(scene.magnets[i], scene.poses[i], scene.points[i], scene.moments[i])
    update_pairs(scene, True, np.empty(PAIR_NUMBERS), np.empty(PAIR_NUMBERS))
    sum_pairs(scene)


@inlined_kernel
def apply_forces(scene: SceneBuffers, hand: HandTarget, share: float) -> None:
    """Add the field, the rolling damping and the hand's pull to MuJoCo's passive forces on the awake pieces.

    share: part of the hand's sample that has passed.
    """
    force = np.empty(6)
    for i in range(len(scene.status)):
        if scene.status[i] == AWAY or scene.awake[i] == 0:
            continue
        pose, wrench = scene.poses[i], scene.wrenches[i]
        w, x, y, z = pose[3], pose[4], pose[5], pose[6]
        tx, ty, tz = wrench[3], wrench[4], wrench[5]
        # A free joint's forces are in the board's frame, its torques in the piece's own.
        force[0], force[1], force[2] = wrench[0], wrench[1], wrench[2]
        force[3] = (1 - 2 * (y * y + z * z)) * tx + 2 * (x * y + w * z) * ty + 2 * (x * z - w * y) * tz
        force[4] = 2 * (x * y - w * z) * tx + (1 - 2 * (x * x + z * z)) * ty + 2 * (y * z + w * x) * tz
        force[5] = 2 * (x * z + w * y) * tx + 2 * (y * z - w * x) * ty + (1 - 2 * (x * x + y * y)) * tz
        if scene.contact[i] != APART:
            for k in range(3):
                force[3 + k] -= ROLLING_DAMPING * scene.bodies[i, INERTIA + k] * scene.velocities[i, 3 + k]
        if scene.status[i] == HELD:
            pull(hand, share, scene.bodies[i], pose, scene.velocities[i], force)
        for k in range(6):
            scene.passive_forces[i, k] += force[k]


@kernel
def pull(hand: HandTarget, share: float, body: Array, pose: Array, velocity: Array, force: Array) -> None:
    """Add the hand's pull on the held piece to `force`: a critically damped spring to where the hand is, with limited strength.

    The force is m·(ω²·Δx + 2ω·Δv), with gravity carried; the torque is the same with the inertia and the rotation vector, which is
    twice the vector part of the quaternion conjugate(now)·aim for small angles. Beyond what the fingers hold, the piece slips.

    share: part of the sample that has passed. body: shape (9,). pose: shape (7,), cm. velocity: shape (6,), cm/s in the board's frame
    and rad/s in the piece's own. force: shape (6,), dyn in the board's frame and dyn·cm in the piece's own.
    """
    start, end = hand.start, hand.end
    seconds, omega = hand.spring.sample_seconds, hand.spring.frequency
    linear = np.empty(3)
    size = 0.0
    for k in range(3):
        aim = start[k] + share * (end[k] - start[k])
        speed = (end[k] - start[k]) / seconds
        linear[k] = body[MASS] * (omega * omega * (aim - pose[k]) + 2 * omega * (speed - velocity[k]))
        if k == 2:
            linear[k] += body[MASS] * GRAVITY
        size += linear[k] ** 2
    size = np.sqrt(size)
    scale = min(1.0, hand.spring.most_force / max(size, 1e-9))
    for k in range(3):
        force[k] += scale * linear[k]
    # The aim's orientation: linear between the two poses, the shorter way round, then back to length 1.
    same = 0.0
    for k in range(4):
        same += start[3 + k] * end[3 + k]
    sign = 1.0 if same >= 0 else -1.0
    w = start[3] + share * (sign * end[3] - start[3])
    x = start[4] + share * (sign * end[4] - start[4])
    y = start[5] + share * (sign * end[5] - start[5])
    z = start[6] + share * (sign * end[6] - start[6])
    length = max(np.sqrt(w * w + x * x + y * y + z * z), 1e-9)
    w, x, y, z = w / length, x / length, y / length, z / length
    # The rotation that is left, in the piece's own frame: conjugate(now)·aim; and the rotation of the whole sample.
    a, b, c, d = pose[3], -pose[4], -pose[5], -pose[6]
    ew = a * w - b * x - c * y - d * z
    error = np.empty(3)
    error[0] = a * x + b * w + c * z - d * y
    error[1] = a * y - b * z + c * w + d * x
    error[2] = a * z + b * y - c * x + d * w
    a, b, c, d = start[3], -start[4], -start[5], -start[6]
    turn = np.empty(3)
    tw, tx, ty, tz = sign * end[3], sign * end[4], sign * end[5], sign * end[6]
    turn[0] = a * tx + b * tw + c * tz - d * ty
    turn[1] = a * ty - b * tz + c * tw + d * tx
    turn[2] = a * tz + b * ty - c * tx + d * tw
    way = 2.0 if ew >= 0 else -2.0
    size = 0.0
    omega = hand.spring.turn_frequency
    twist = np.empty(3)
    for k in range(3):
        twist[k] = body[INERTIA + k] * (
            omega * omega * way * error[k] + 2 * omega * (2 * turn[k] / seconds - velocity[3 + k])
        )
        size += twist[k] ** 2
    size = np.sqrt(size)
    scale = min(1.0, hand.spring.most_torque / max(size, 1e-9))
    for k in range(3):
        force[3 + k] += scale * twist[k]


@inlined_kernel
def is_credible(scene: SceneBuffers) -> bool:
    """Whether all pieces that move have velocities that a piece can have; NaN is not one."""
    for i in range(len(scene.status)):
        if scene.status[i] != AWAY and scene.asleep[i] == 0 and scene.awake[i] != 0:
            speed, turn = 0.0, 0.0
            for k in range(3):
                speed += scene.velocities[i, k] ** 2
                turn += scene.velocities[i, 3 + k] ** 2
            if not (speed < FASTEST_SQUARED and turn < FASTEST_TURN_SQUARED):
                return False
    return True
