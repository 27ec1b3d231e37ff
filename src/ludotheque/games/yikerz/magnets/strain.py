"""What a hand feels of the forces in a scene: the pull on the held piece, and how much of what holds the others is used up.

It only looks: nothing here moves a piece. The loads are those of `stability`, with the field as the simulation has it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .buffers import APART, MASS, ON_BOARD, Array, SceneBuffers
from .compile import kernel
from .field import NEWTON_PER_DYN
from .scene import Scene
from .sleep import GRAVITY
from .stability import SUPPORT_COLUMNS, static_load, support_of
from .steps import HAND_SPRING

TURNED = 1e-4
"""A piece that has turned by less than about this many radians lies or stands as it did."""
MOST_LOAD = 9.99
"""Larger loads are told as this: a lifted piece, or one on a corner."""


class Pull(NamedTuple):
    """What the field does to the held piece."""

    force: tuple[float, float, float]
    """Newtons, in the board's frame."""
    grip: float
    """The part of what the fingers can hold that force and torque use up: from 1 on the piece slips."""


@kernel
def _loads(scene: SceneBuffers, supports: Array, out: Array) -> None:
    """Each free piece's load in out, shape (n,); 0 for others and for those that touch another piece. supports: shape (n, 8)."""
    for i in range(len(scene.status)):
        out[i] = 0.0
        if scene.status[i] == ON_BOARD and scene.contact[i] == APART:
            out[i] = static_load(scene.wrenches[i], scene.poses[i], scene.bodies[i], supports[i])


class StrainGauge:
    """Reads the strain in one scene, again and again."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        n = len(scene.shapes)
        self._supports = np.zeros((n, SUPPORT_COLUMNS))
        self._turned = np.zeros((n, 4))
        """The orientations that `_supports` are of."""
        self._out = np.zeros(n)

    def loads(self) -> dict[int, float]:
        """The load of every free piece that touches no other: the part of friction, weight and support that the field uses up.

        At 1 it slides, twists or tips. Exact for a piece that rests; for one that moves it is what it would carry in its place.
        """
        scene = self._scene
        turned = np.abs(scene.poses[:, 3:] - self._turned).max(axis=1) > TURNED / 2
        for magnet in np.flatnonzero(turned & (scene.status == ON_BOARD)).tolist():
            self._turned[magnet] = scene.poses[magnet, 3:]
            self._supports[magnet] = support_of(scene.shapes[magnet], scene.pose(magnet))
        _loads(scene.buffers, self._supports, self._out)
        return {magnet: min(MOST_LOAD, load) for magnet, load in enumerate(self._out.tolist()) if load > 0}

    def pull(self) -> Pull | None:
        """The pull on the held piece; None when nothing is held."""
        scene = self._scene
        if scene.held is None:
            return None
        wrench = scene.buffers.wrenches[scene.held]
        weight = scene.buffers.bodies[scene.held, MASS] * GRAVITY
        carried = float(np.linalg.norm(wrench[:3] - np.array([0.0, 0.0, weight])))
        twisted = float(np.linalg.norm(wrench[3:]))
        x, y, z = (float(number) * NEWTON_PER_DYN for number in wrench[:3])
        return Pull((x, y, z), max(carried / HAND_SPRING.most_force, twisted / HAND_SPRING.most_torque))
