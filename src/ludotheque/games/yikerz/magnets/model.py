"""A board and its magnets as bodies: MuJoCo's model of them, and the table of bodies that the inner loop reads."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .buffers import (
    BODY_COLUMNS,
    FRICTION,
    HALF_LENGTH,
    HALF_THICKNESS,
    HALF_WIDTH,
    INERTIA,
    MASS,
    REACH,
    Array,
)
from .mats import THICKNESS_MM, Layout, corners
from .mujoco_library import SLEEP, mujoco
from .shapes import FACE, FRICTION_BETWEEN_MAGNETS, FRICTION_ON_MAT, Shape
from .timing import STEPS_PER_SECOND

QUIET_SPRING = (0.0021, 1.0)
"""Time constant (s) and damping ratio of a contact between pieces that do not snap: as stiff as whole steps bear."""
QUIET_FRICTION, SNAP_FRICTION = 10.0, 1.0
"""MuJoCo's `impratio`. Its friction creeps, by 0.02 mm/s near the limit at 10 and faster with less, but the solver needs a third
fewer rounds with 1; and a snap lasts for no more than a tenth of a second."""
SNAP_SPRING = (0.0015, 0.5)
"""The same while pieces snap and steps are divided. Ceramic pieces click and bounce: they keep a third of their speed."""


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.9g}" for value in values)


def description(layout: Layout, shapes: tuple[Shape, ...]) -> str:
    """A board and n magnets, which begin outside it, in MuJoCo's XML; lengths in cm, masses in g, times in s."""
    sleeping = (' sleep_tolerance="1e3"', 'sleep="enable" ') if SLEEP else ("", "")
    parts = [
        '<mujoco><compiler angle="radian" inertiafromgeom="false"/>',
        f'<option timestep="{1 / STEPS_PER_SECOND:.17g}" gravity="0 0 -981" cone="elliptic"'
        f' impratio="{QUIET_FRICTION}" solver="Newton"'
        ' iterations="30" ls_tolerance="0.05" integrator="implicitfast"',
        f'{sleeping[0]}><flag {sleeping[1]}autoreset="disable"/></option><size memory="16M"/><asset>',
    ]
    parts += [
        f'<mesh name="{shape.name}" vertex="{_numbers((shape.mesh_mm / 10).ravel())}" inertia="convex"/>'
        for shape in dict.fromkeys(shapes)
    ]
    deep = THICKNESS_MM / 10
    for k, mat in enumerate(layout):
        triangle = corners((0, 0, mat[2])) / 10
        prism = np.concatenate([np.column_stack([triangle, np.full(3, z)]) for z in (-deep / 2, deep / 2)])
        parts.append(f'<mesh name="mat{k}" vertex="{_numbers(prism.ravel())}"/>')
    parts.append("</asset><worldbody>")
    # The mats' contact parameters have priority: rubber decides how a piece lies, not the stone.
    ground = f'priority="1" condim="3" friction="{FRICTION_ON_MAT} 0.03 0.01" solref="0.004 1"'
    parts.append(f'<geom name="table" type="plane" size="200 200 1" pos="0 0 {-deep}" {ground}/>')
    for k, mat in enumerate(layout):
        parts.append(
            f'<geom name="mat{k}" type="mesh" mesh="mat{k}" pos="{mat[0] / 10} {mat[1] / 10} {-deep / 2}" {ground}/>'
        )
    # Contact between pieces stiffens over its first hundredths of a millimetre: a corner that comes and goes gives no kick,
    # which would keep a heap rattling. How deep a snap presses pieces into each other is decided by the spring, see `steps`.
    for i, shape in enumerate(shapes):
        mass, inertia = shape.mass_g, shape.inertia_g_mm2 / 100
        parts.append(
            f'<body name="magnet{i}" pos="{1000 + 10 * i} 0 100"><freejoint/>'
            f'<inertial pos="0 0 0" mass="{mass:.12g}" diaginertia="{_numbers(inertia)}"/>'
            f'<geom type="mesh" mesh="{shape.name}" condim="3"'
            f' friction="{FRICTION_BETWEEN_MAGNETS} .003 .001" solref="{_numbers(QUIET_SPRING)}" solimp="0.9 0.99 0.003"/></body>'
        )
    parts.append("</worldbody></mujoco>")
    return "".join(parts)


@lru_cache(64)
def compiled(layout: Layout, shapes: tuple[Shape, ...]) -> Any:
    """MuJoCo's model of a board and n magnets."""
    return mujoco.MjModel.from_xml_string(description(layout, shapes))


def body_table(shapes: Sequence[Shape]) -> Array:
    """What the inner loop knows of n bodies, shape (n, 9), columns MASS to HALF_THICKNESS of `buffers`."""
    table = np.empty((len(shapes), BODY_COLUMNS))
    for body, shape in zip(table, shapes, strict=True):
        body[MASS] = shape.mass_g
        body[INERTIA : INERTIA + 3] = shape.inertia_g_mm2 / 100
        body[REACH] = shape.reach_mm / 10
        body[FRICTION] = FRICTION_ON_MAT
        body[HALF_LENGTH] = FACE * shape.length_mm / 20
        body[HALF_WIDTH] = FACE * shape.width_mm / 20
        body[HALF_THICKNESS] = shape.thickness_mm / 20
    return table
