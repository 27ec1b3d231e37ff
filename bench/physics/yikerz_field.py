"""How far the field of Yikerz! is from exact magnets: `python -m bench.physics.yikerz_field` prints the tables of docs/magnets.md.

Poses are random at a given gap between the two bodies, or at a given distance of the centres; errors are relative to the exact force
and torque of `surfaces`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from bench.physics.surfaces import exact_wrench
from ludotheque.games.yikerz.magnets import field
from ludotheque.games.yikerz.magnets.shapes import MAGNETISATIONS, SHAPES, Magnetisation, Shape, shape_of

Array = NDArray[np.float64]

GAPS_MM = (0.1, 1.0, 3.0, 8.0)
SIZES = (2.0, 3.0, 6.0)
TINY = 0.05
"""Torques below this part of the mean one are left out of the table's second column of torques: relative errors say nothing there."""


@cache
def _bodies() -> tuple[Any, Any]:
    """MuJoCo's model and data of two bodies of each shape, for distances between them."""
    parts = ["<mujoco><asset>"]
    for shape in SHAPES:
        corners = " ".join(f"{number:.9g}" for number in shape.mesh_mm.ravel())
        parts.append(f'<mesh name="{shape.name}" inertia="convex" vertex="{corners}"/>')
    parts.append("</asset><worldbody>")
    for which in ("one", "two"):
        for shape in SHAPES:
            name = f"{which}-{shape.name}"
            parts.append(
                f'<body name="{name}" mocap="true"><geom name="{name}" type="mesh" mesh="{shape.name}"/></body>'
            )
    model = mujoco.MjModel.from_xml_string("".join([*parts, "</worldbody></mujoco>"]))
    return model, mujoco.MjData(model)


def gap_mm(a: Shape, b: Shape, poses: Array) -> float:
    """The distance between two bodies, mm. poses: shape (2, 7), mm."""
    model, data = _bodies()
    names = (f"one-{a.name}", f"two-{b.name}")
    for name, pose in zip(names, poses, strict=True):
        number = model.body(name).mocapid[0]
        data.mocap_pos[number], data.mocap_quat[number] = pose[:3], pose[3:]
    mujoco.mj_kinematics(model, data)
    one, two = (model.geom(name).id for name in names)
    return float(mujoco.mj_geomDistance(model, data, one, two, 1000.0, np.zeros(6)))


def any_turn(random: np.random.Generator, *, flat: bool) -> Array:
    """A random orientation, or one of a piece that lies."""
    if flat:
        half = random.uniform(0, np.pi)
        return np.array([np.cos(half), 0, 0, np.sin(half)])
    quaternion = random.normal(size=4)
    turn: Array = quaternion / np.linalg.norm(quaternion)
    return turn


def at_distance(random: np.random.Generator, far: float, *, flat: bool = False) -> Array:
    """Two random poses whose centres are that far apart, mm; shape (2, 7)."""
    away = random.normal(size=3) * (1, 1, 0 if flat else 1)
    away *= far / np.linalg.norm(away)
    return np.array([[0, 0, 0, *any_turn(random, flat=flat)], [*away, *any_turn(random, flat=flat)]])


def at_gap(random: np.random.Generator, a: Shape, b: Shape, gap: float, *, flat: bool = False) -> Array:
    """Two random poses with that gap between the bodies, mm; shape (2, 7)."""
    poses = at_distance(random, 1.0, flat=flat)
    direction = poses[1, :3].copy()
    low, high = 0.0, 60.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        poses[1, :3] = direction * middle
        low, high = (middle, high) if gap_mm(a, b, poses) < gap else (low, middle)
    return poses


def measured(
    count: int, seed: int, magnetisation: Magnetisation, pose: Callable[[np.random.Generator, Shape, Shape], Array]
) -> Iterator[tuple[Array, Array, Array]]:
    """For random pairs: our force and torque on the second piece and the exact ones, shape (6,) each, and the poses."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        a, b = (shape_of(int(number), magnetisation) for number in random.integers(len(SHAPES), size=2))
        poses = pose(random, a, b)
        cut = 3 if gap_mm(a, b, poses) < 0.5 else 2 if gap_mm(a, b, poses) < 2 else 1
        yield field.wrenches([a, b], poses)[1], exact_wrench(a, b, poses, cut), poses


def errors(pairs: list[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """Relative errors of the forces and of the torques, and the size of each exact torque relative to their mean."""
    ours, exact = (np.array([pair[k] for pair in pairs]) for k in (0, 1))
    torques = np.linalg.norm(exact[:, 3:], axis=1)
    off = [np.linalg.norm((ours - exact)[:, part], axis=1) for part in (slice(0, 3), slice(3, 6))]
    return off[0] / np.linalg.norm(exact[:, :3], axis=1), off[1] / torques, torques / torques.mean()


def report(name: str, pairs: list[tuple[Array, Array, Array]]) -> None:
    """Print a row of the table."""
    force, torque, size = errors(pairs)
    kept = torque[size > TINY]
    print(
        f"| {name} | {len(pairs)} | {force.mean():.1%} ({force.max():.1%}) | {np.median(torque):.1%} |"
        f" {kept.mean():.1%} ({kept.max():.1%}) of {len(kept)} |"
    )


def main() -> None:
    """Print one table for each magnetisation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=60)
    count = parser.parse_args().pairs
    for magnetisation in MAGNETISATIONS:
        print(f"\n{magnetisation}\n| poses | pairs | force, mean (worst) | torque, median | torque, mean (worst) |")
        print("|---|---|---|---|---|")
        for gap in GAPS_MM:
            for flat in (False, True):

                def near(random: np.random.Generator, a: Shape, b: Shape, gap: float = gap, flat: bool = flat) -> Array:
                    return at_gap(random, a, b, gap, flat=flat)

                name = f"gap {gap:g} mm, {'both lying' if flat else 'any'}"
                report(name, list(measured(count, 1, magnetisation, near)))
        for sizes in SIZES:

            def apart(random: np.random.Generator, a: Shape, b: Shape, sizes: float = sizes) -> Array:
                return at_distance(random, sizes * (a.length_mm + b.length_mm) / 2)

            report(f"{sizes:g} sizes, any", list(measured(count, 1, magnetisation, apart)))


if __name__ == "__main__":
    main()
