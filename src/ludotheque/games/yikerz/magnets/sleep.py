"""When a piece that lies still may be left out of the simulation, and when it is simulated again.

A sleeping piece is skipped by MuJoCo, and its pairs with other sleeping pieces are not computed again. It wakes when something
touches it (MuJoCo does that) or when the field on it has changed by more than friction and weight surely hold.
"""

from __future__ import annotations

import numpy as np

from .buffers import (
    APART,
    AWAY,
    FRICTION,
    HALF_LENGTH,
    HALF_THICKNESS,
    HALF_WIDTH,
    HOLDING_TOGETHER,
    MASS,
    ON_BOARD,
    Array,
    SceneBuffers,
)
from .compile import inlined_kernel, kernel
from .mujoco_library import ALLOWED, NEVER

GRAVITY = 981.0
"""Standard gravity, cm/s²."""
QUIET_STEPS = 48
"""A piece that stays at its anchor for that many steps (1/20 s) falls asleep."""
QUIET_DISTANCE = 0.0025
"""cm: how far from its anchor it may be meanwhile, so that a piece that only rattles counts as still; that is 0.5 mm/s."""
QUIET_ANGLE = 0.005
"""rad, likewise."""
SAFE_LOAD = 0.8
"""Up to this load a lying piece surely lies still (measured: it moves at 0.97 to 1.0)."""
SLOW_FACTOR = 5
"""Beyond SAFE_LOAD a piece must stay that many times longer: it may have begun to slide so slowly that it only looks at rest."""
CRITICAL_LOAD, CRITICAL_FACTOR = 0.95, 3.0
"""Beyond this load it must stay that many times closer to its anchor too. (Soft contacts creep by 0.02 mm/s there, pieces about to
slide by twice as much.)"""
HEAP_FACTOR = 4.0
"""Pieces that hold together may move that many times farther and still count as still: they settle into each other for long, and are
lifted away anyway."""
WAKE_CHANGE = 0.01
"""Beyond SAFE_LOAD, or not lying flat, a sleeping piece wakes when the field on it has changed by this part of its friction."""
WAKE_LEVER = 0.3
"""cm: the change of torque that wakes it is this lever times the change of force that does."""
FLAT = 0.9999
"""A piece lies flat if its own z-axis and the vertical have at least this cosine."""
LIFTED = 0.05
"""A piece that presses on the mat with less than this part of its weight is as good as lifted by the field."""
LIFTED_LOAD = 10.0
"""The load of a lifted piece: any number well above 1."""
SHARED_FRICTION = 0.9
"""Margin for the ellipse in `load`, which is an approximation: it is used only up to this size."""


@kernel
def load(wrench: Array, pose: Array, body: Array) -> float:
    """How much of what holds a flat piece the field uses up: at 1 it slides, twists or tips.

    Coulomb friction under a flat face, with sliding and twisting sharing it: the limit surface of Goyal, Ruina and Papadopoulos (Wear
    143, 1991), approximated by an ellipse as Howe and Cutkosky do (Int. J. Robotics Research 15, 1996). And the point through which
    the mat carries the piece must lie inside the face.

    wrench: magnetic force and torque in the board's frame, shape (6,), dyn and dyn·cm. pose: shape (7,), cm. body: its row of
    the table of bodies, shape (9,).
    """
    weight = body[MASS] * GRAVITY
    pressing = weight - wrench[2]
    if pressing < LIFTED * weight:
        return LIFTED_LOAD
    height = body[HALF_THICKNESS]
    hold = body[FRICTION] * pressing
    slide = np.sqrt(wrench[0] ** 2 + wrench[1] ** 2) / hold
    twist = abs(wrench[5]) / (hold * min(body[HALF_LENGTH], body[HALF_WIDTH]))
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    cx, cy = (wrench[4] + height * wrench[0]) / pressing, (height * wrench[1] - wrench[3]) / pressing
    ux, uy = 1 - 2 * (y * y + z * z), 2 * (x * y + w * z)
    along, across = (cx * ux + cy * uy) / body[HALF_LENGTH], (cy * ux - cx * uy) / body[HALF_WIDTH]
    return float(
        max(np.sqrt(slide * slide + twist * twist) / SHARED_FRICTION, np.sqrt(along * along + across * across))
    )


@kernel
def lies_flat(pose: Array) -> bool:
    """Whether a piece lies on one of its flat faces; pose of shape (7,)."""
    return bool(abs(1 - 2 * (pose[4] ** 2 + pose[5] ** 2)) > FLAT)


@kernel
def stays_asleep(
    wrench: Array, rest_wrench: Array, wake_load: float, wake_change: float, pose: Array, body: Array
) -> bool:
    """Whether a sleeping piece surely lies still. The test is on the safe side: a piece that fails it is only simulated again.

    wrench, rest_wrench: shape (6,), dyn and dyn·cm, now and when it fell asleep. wake_load, wake_change: its values in
    `SceneBuffers`. pose: shape (7,), cm. body: shape (9,).
    """
    if wake_load > 0 and load(wrench, pose, body) < wake_load:
        return True
    change, twist = 0.0, 0.0
    for k in range(3):
        change += (wrench[k] - rest_wrench[k]) ** 2
        twist += (wrench[3 + k] - rest_wrench[3 + k]) ** 2
    return bool(change < wake_change**2 and twist < (wake_change * WAKE_LEVER) ** 2)


@inlined_kernel
def wake_where_field_changed(scene: SceneBuffers) -> None:
    """Let the sleeping pieces wake on which the field is no longer what they fell asleep under. MuJoCo wakes them at its next step."""
    for i in range(len(scene.status)):
        if (
            scene.status[i] != AWAY
            and scene.asleep[i] != 0
            and not stays_asleep(
                scene.wrenches[i],
                scene.rest_wrenches[i],
                scene.wake_load[i],
                scene.wake_change[i],
                scene.poses[i],
                scene.bodies[i],
            )
        ):
            scene.sleep_policy[i] = NEVER


@inlined_kernel
def update_sleep_policy(scene: SceneBuffers) -> None:
    """After a step: note which pieces fell asleep, and allow those to sleep that have stayed at their anchors long enough."""
    for i in range(len(scene.status)):
        if scene.status[i] == AWAY or scene.asleep[i] != 0:
            continue
        pose, anchor = scene.poses[i], scene.anchors[i]
        alone = lies_flat(pose) and scene.contact[i] == APART
        if scene.awake[i] == 0:
            scene.asleep[i] = 1
            for k in range(6):
                scene.rest_wrenches[i, k] = scene.wrenches[i, k]
            # Flat and alone it may carry anything up to SAFE_LOAD; otherwise only about what it carries now.
            scene.wake_load[i] = SAFE_LOAD if alone else 0.0
            scene.wake_change[i] = WAKE_CHANGE * scene.bodies[i, FRICTION] * scene.bodies[i, MASS] * GRAVITY
            continue
        used = load(scene.wrenches[i], pose, scene.bodies[i]) if alone else 0.0
        factor = 1.0
        if used > CRITICAL_LOAD:
            factor = 1 / CRITICAL_FACTOR
        elif scene.contact[i] == HOLDING_TOGETHER:
            factor = HEAP_FACTOR
        distance, angle = 0.0, 0.0  # squared
        for k in range(3):
            distance += (pose[k] - anchor[k]) ** 2
        for k in range(3, 7):
            angle += 4 * (pose[k] - anchor[k]) ** 2
        stays = distance < (QUIET_DISTANCE * factor) ** 2 and angle < (QUIET_ANGLE * factor) ** 2
        if stays and scene.status[i] == ON_BOARD and not scene.never_sleep:
            scene.still_steps[i] += 1
        else:
            scene.still_steps[i] = 0
            for k in range(7):
                anchor[k] = pose[k]
        enough = QUIET_STEPS * (SLOW_FACTOR if used > SAFE_LOAD else 1)
        scene.sleep_policy[i] = ALLOWED if scene.still_steps[i] >= enough else NEVER
