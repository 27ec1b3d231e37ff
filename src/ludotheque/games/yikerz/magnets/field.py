"""Forces and torques between permanent magnets (Y19): sixteen poles a piece near each other, four or eight farther, then one dipole.

Everything derives from one energy, so that the forces are continuous, conservative, equal and opposite.

The kernels use Gaussian units: centimetres, emu (1 A·m² is 1000 emu), dyn and gauss. In these the constant of magnetostatics is 1.
`wrenches`, `energy_joule` and `field_tesla` take millimetres and return SI units.

Sources: J. D. Jackson, Classical Electrodynamics, 3rd edition, section 5.9 (magnetic charge density of a magnetised body) and
section 5.7 (force and torque on a dipole); K. W. Yung, P. B. Landecker and D. D. Villani, "An analytic solution for the force between
two magnetic dipoles", Magnetic and Electrical Separation 9 (1998).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .compile import inlined_kernel, kernel
from .poles import POLES
from .shapes import MU_0, REMANENCE_T, Shape

Array = NDArray[np.float64]

FINE, COARSE, MOST_COARSE = 16, 4, 8
"""Poles of a piece near others; in the middle range if it is magnetised in its plane; and there if through its thickness.

A uniformly magnetised body acts as the magnetic charge on its surface does. Sixteen poles, found by least squares (`poles`), have its
field down to contact. In the middle range poles at the right places have the moments of that charge up to the third order; of the
body's second moments a multiple of the identity makes no difference, since a magnetic potential is harmonic, and so four poles
can lie in the middle plane. Magnetised through its thickness a flat body needs eight."""
BALL_CM = 0.2
"""A pole acts as a ball of this radius with uniform charge: as a point outside it, and harmlessly inside. Poles of pieces that touch
are 2.1 mm apart at least, so it matters only for pieces that are pressed into each other."""
FINE_CM, COARSE_CM = 3.3, 4.1
"""Pieces nearer than the first (twice the longest piece and a little more) act by their fine poles, farther than the second by the
coarse ones; in between energies are blended."""
NEAR_CM, FAR_CM = 10.0, 12.0
"""The same for coarse poles and one dipole."""
CENTRE = MOST_COARSE + FINE
COLUMNS = CENTRE + 1
"""Columns of a table of poles: the coarse ones, the fine ones from MOST_COARSE on, the centre."""
PAIR_NUMBERS = 10
"""Results of `pair_wrench`."""
NEWTON_PER_DYN = 1e-5
NEWTON_METRE_PER_DYN_CM = 1e-7
EMU_PER_AM2 = 1000.0
POLE_PER_MM2 = REMANENCE_T / MU_0 * 1e-5
"""emu/cm for 1 mm² of surface charge at our magnetisation: A·m are ten times emu/cm."""

_BALL2 = BALL_CM**2


def poles_of(shape: Shape) -> Array:
    """What the kernels know of a magnet, shape (4, 25), in its own frame.

    Rows x, y, z (cm) and strength (emu/cm), columns as COLUMNS says; the last column is the moment along x, y, z (emu) and the number
    of coarse poles.
    """
    result = np.zeros((4, COLUMNS))
    x, y, z = (shape.spread_mm / 10) ** 2
    moment = shape.moment_am2 * EMU_PER_AM2
    signs = np.array([(a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1)], dtype=np.float64)
    if shape.magnetisation == "plane":
        coarse = signs[::2] * np.sqrt((3 * (x - z), y - z, 0.0))
        strengths = signs[::2, 0] * moment[0] / (COARSE * np.sqrt(3 * (x - z)))
    else:
        coarse = signs * np.sqrt((x, y, 3 * z))
        strengths = signs[:, 2] * moment[2] / (MOST_COARSE * np.sqrt(3 * z))
    result[:3, : len(coarse)], result[3, : len(coarse)] = coarse.T, strengths
    fine = [
        (
            px / 10,
            side * py / 10,
            face * pz / 10,
            POLE_PER_MM2 * strength * (1 if shape.magnetisation == "plane" else face),
        )
        for px, py, pz, strength in POLES[shape.name, shape.magnetisation]
        for side in (1, -1)
        for face in (1, -1)
    ]
    result[:, MOST_COARSE:CENTRE] = np.array(fine).T
    result[:3, CENTRE], result[3, CENTRE] = moment, len(coarse)
    return result


def magnet_table(shapes: Sequence[Shape]) -> Array:
    """What the kernels know of n magnets, shape (n, 4, 25), see `poles_of`."""
    return np.array([poles_of(shape) for shape in shapes], dtype=np.float64).reshape(-1, 4, COLUMNS)


@kernel
def place_poles(magnet: Array, pose: Array, points: Array, moment: Array) -> None:
    """Compute where a magnet's poles are and how it points, in the board's frame.

    magnet: its part of `magnet_table`, shape (4, 25). pose: centre (cm) and unit quaternion w, x, y, z, shape (7,). Fills points,
    shape (4, 25): places (cm) and strengths (emu/cm) of the poles, then the centre; and moment, shape (4,): the moment (emu) and the
    number of coarse poles.
    """
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    ux, uy, uz = 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)
    vx, vy, vz = 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)
    tx, ty, tz = 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)
    for k in range(CENTRE):
        a, b, c = magnet[0, k], magnet[1, k], magnet[2, k]
        points[0, k] = pose[0] + a * ux + b * vx + c * tx
        points[1, k] = pose[1] + a * uy + b * vy + c * ty
        points[2, k] = pose[2] + a * uz + b * vz + c * tz
        points[3, k] = magnet[3, k]
    points[0, CENTRE], points[1, CENTRE], points[2, CENTRE], points[3, CENTRE] = pose[0], pose[1], pose[2], 0.0
    a, b, c = magnet[0, CENTRE], magnet[1, CENTRE], magnet[2, CENTRE]
    moment[0] = a * ux + b * vx + c * tx
    moment[1] = a * uy + b * vy + c * ty
    moment[2] = a * uz + b * vz + c * tz
    moment[3] = magnet[3, CENTRE]


@kernel
def _far_wrench(points_a: Array, moment_a: Array, points_b: Array, moment_b: Array, out: Array) -> None:
    """Energy, force and torques of two dipoles at the centres (Yung, Landecker and Villani); parameters as for `pair_wrench`."""
    ax, ay, az = moment_a[0], moment_a[1], moment_a[2]
    bx, by, bz = moment_b[0], moment_b[1], moment_b[2]
    x, y, z = (
        points_a[0, CENTRE] - points_b[0, CENTRE],
        points_a[1, CENTRE] - points_b[1, CENTRE],
        points_a[2, CENTRE] - points_b[2, CENTRE],
    )
    inverse2 = 1.0 / (x * x + y * y + z * z)
    inverse3 = inverse2 * np.sqrt(inverse2)
    inverse5 = 3 * inverse3 * inverse2
    ma = ax * x + ay * y + az * z
    mb = bx * x + by * y + bz * z
    both = inverse5 * ma * mb
    parallel = (ax * bx + ay * by + az * bz) * inverse3
    along = inverse2 * (3 * parallel - 5 * both)
    c, d = inverse5 * mb, inverse5 * ma
    out[0] = parallel - both
    out[1] = along * x + c * ax + d * bx
    out[2] = along * y + c * ay + d * by
    out[3] = along * z + c * az + d * bz
    gx, gy, gz = inverse3 * (ay * bz - az * by), inverse3 * (az * bx - ax * bz), inverse3 * (ax * by - ay * bx)
    out[4], out[5], out[6] = c * (ay * z - az * y) - gx, c * (az * x - ax * z) - gy, c * (ax * y - ay * x) - gz
    out[7], out[8], out[9] = d * (by * z - bz * y) + gx, d * (bz * x - bx * z) + gy, d * (bx * y - by * x) + gz


@inlined_kernel
def _coulomb(points_a: Array, points_b: Array, first: int, count: int, out: Array) -> None:
    """Energy, force and torques of some poles of one piece and as many of another by Coulomb's law between balls; as `pair_wrench`.

    first, count: which columns; literals, so that the compiler takes several at once.
    """
    energy = 0.0
    force_x, force_y, force_z = 0.0, 0.0, 0.0
    tx, ty, tz = 0.0, 0.0, 0.0
    centre_x, centre_y, centre_z = points_a[0, CENTRE], points_a[1, CENTRE], points_a[2, CENTRE]
    for i in range(first, first + count):
        px, py, pz = points_a[0, i], points_a[1, i], points_a[2, i]
        row, row_x, row_y, row_z = 0.0, 0.0, 0.0, 0.0
        for j in range(first, first + count):
            x, y, z = px - points_b[0, j], py - points_b[1, j], pz - points_b[2, j]
            square = x * x + y * y + z * z
            outside = max(square, _BALL2)
            inverse = 1.0 / (outside * np.sqrt(outside))
            push = points_b[3, j] * inverse
            # 1/r outside the ball, (3/2 - r²/2R²)/R inside.
            row += push * (1.5 * outside - 0.5 * square)
            row_x += push * x
            row_y += push * y
            row_z += push * z
        strength = points_a[3, i]
        energy += strength * row
        row_x, row_y, row_z = strength * row_x, strength * row_y, strength * row_z
        lx, ly, lz = px - centre_x, py - centre_y, pz - centre_z
        tx += ly * row_z - lz * row_y
        ty += lz * row_x - lx * row_z
        tz += lx * row_y - ly * row_x
        force_x += row_x
        force_y += row_y
        force_z += row_z
    out[0] = energy
    out[1], out[2], out[3] = force_x, force_y, force_z
    out[4], out[5], out[6] = tx, ty, tz
    # Forces along the lines between poles do not turn the pair as a whole.
    x, y, z = centre_x - points_b[0, CENTRE], centre_y - points_b[1, CENTRE], centre_z - points_b[2, CENTRE]
    out[7] = -tx - (y * force_z - z * force_y)
    out[8] = -ty - (z * force_x - x * force_z)
    out[9] = -tz - (x * force_y - y * force_x)


@kernel
def _fine_wrench(points_a: Array, points_b: Array, out: Array) -> None:
    """By the fine poles; as `pair_wrench`."""
    _coulomb(points_a, points_b, MOST_COARSE, FINE, out)


@kernel
def _coarse_wrench(points_a: Array, moment_a: Array, points_b: Array, out: Array) -> None:
    """By the coarse poles; as `pair_wrench`. All magnets of a scene are magnetised in the same way."""
    if moment_a[3] == COARSE:
        _coulomb(points_a, points_b, 0, COARSE, out)
    else:
        _coulomb(points_a, points_b, 0, MOST_COARSE, out)


@kernel
def _blend(out: Array, farther: Array, begin: float, end: float, x: float, y: float, z: float) -> None:
    """Blend two models' results as energies between two distances of the centres (cm), which are x, y, z apart, into `out`."""
    distance = np.sqrt(x * x + y * y + z * z)
    u = (distance - begin) / (end - begin)
    far = u * u * u * (10 + u * (6 * u - 15))
    slope = 30 * u * u * (1 - u) * (1 - u) / (end - begin)
    # A smoothstep of fifth order. It depends on the distance, so its slope is a force as well: without it energy would not be kept.
    push = slope * (out[0] - farther[0]) / distance
    for k in range(PAIR_NUMBERS):
        out[k] = far * farther[k] + (1 - far) * out[k]
    out[1] += push * x
    out[2] += push * y
    out[3] += push * z


@kernel
def pair_wrench(
    points_a: Array, moment_a: Array, points_b: Array, moment_b: Array, out: Array, workspace: Array
) -> None:
    """Energy, force and torques of one pair of magnets in the board's frame; where models meet they are blended as energies.

    points_a, points_b: shape (4, 25), and moment_a, moment_b: shape (4,), from `place_poles`. Fills out, shape (10,): energy (erg),
    force on a (dyn; the force on b is its opposite), torque on a and torque on b (dyn·cm, each about its centre). workspace: shape
    (10,).
    """
    x = points_a[0, CENTRE] - points_b[0, CENTRE]
    y = points_a[1, CENTRE] - points_b[1, CENTRE]
    z = points_a[2, CENTRE] - points_b[2, CENTRE]
    square = x * x + y * y + z * z
    if square >= FAR_CM * FAR_CM:
        _far_wrench(points_a, moment_a, points_b, moment_b, out)
    elif square >= COARSE_CM * COARSE_CM:
        _coarse_wrench(points_a, moment_a, points_b, out)
        if square > NEAR_CM * NEAR_CM:
            _far_wrench(points_a, moment_a, points_b, moment_b, workspace)
            _blend(out, workspace, NEAR_CM, FAR_CM, x, y, z)
    else:
        _fine_wrench(points_a, points_b, out)
        if square > FINE_CM * FINE_CM:
            _coarse_wrench(points_a, moment_a, points_b, workspace)
            _blend(out, workspace, FINE_CM, COARSE_CM, x, y, z)


@kernel
def all_wrenches(table: Array, poses: Array, total: Array) -> float:
    """Compute the force and torque on every magnet from all the others. Returns the energy of the whole (erg).

    table: shape (n, 4, 25), from `magnet_table`. poses: shape (n, 7), cm. Fills total, shape (n, 6): dyn and dyn·cm, board's frame.
    """
    count = len(table)
    points = np.empty((count, 4, COLUMNS))
    moments = np.empty((count, 4))
    out, workspace = np.empty(PAIR_NUMBERS), np.empty(PAIR_NUMBERS)
    for i in range(count):
        place_poles(table[i], poses[i], points[i], moments[i])
    total[:] = 0.0
    energy = 0.0
    for i in range(count):
        for j in range(i):
            pair_wrench(points[i], moments[i], points[j], moments[j], out, workspace)
            energy += out[0]
            for k in range(3):
                total[i, k] += out[1 + k]
                total[j, k] -= out[1 + k]
                total[i, 3 + k] += out[4 + k]
                total[j, 3 + k] += out[7 + k]
    return energy


def wrenches(shapes: Sequence[Shape], poses_mm: Array) -> Array:
    """Magnetic force and torque on each of n magnets.

    poses_mm: shape (n, 7), centre in mm and unit quaternion w, x, y, z. Returns shape (n, 6): force (N), then torque about the centre
    of mass (N·m), both in the board's frame.
    """
    poses = np.array(poses_mm, dtype=np.float64).reshape(-1, 7)
    poses[:, :3] /= 10
    total = np.zeros((len(poses), 6))
    all_wrenches(magnet_table(shapes), poses, total)
    total[:, :3] *= NEWTON_PER_DYN
    total[:, 3:] *= NEWTON_METRE_PER_DYN_CM
    return total


def energy_joule(shapes: Sequence[Shape], poses_mm: Array) -> float:
    """Magnetic energy of n magnets relative to infinitely far apart, joules. poses_mm: shape (n, 7)."""
    poses = np.array(poses_mm, dtype=np.float64).reshape(-1, 7)
    poses[:, :3] /= 10
    return float(all_wrenches(magnet_table(shapes), poses, np.zeros((len(poses), 6)))) * 1e-7


def field_tesla(shapes: Sequence[Shape], poses_mm: Array, points_mm: Array) -> Array:
    """Magnetic flux density of n magnets outside of them, for pictures.

    poses_mm: shape (n, 7). points_mm: shape (p, 3). Returns shape (p, 3), tesla, board's frame.
    """
    field = np.zeros((len(points_mm), 3))
    points, moment = np.empty((4, COLUMNS)), np.empty(4)
    for magnet, pose_mm in zip(
        magnet_table(shapes), np.asarray(poses_mm, dtype=np.float64).reshape(-1, 7), strict=True
    ):
        pose = pose_mm.copy()
        pose[:3] /= 10
        place_poles(magnet, pose, points, moment)
        for x, y, z, strength in points[:, MOST_COARSE:CENTRE].T:
            r = np.asarray(points_mm, dtype=np.float64) / 10 - (x, y, z)
            outside = np.maximum((r * r).sum(axis=1), _BALL2)
            field += (strength / outside**1.5)[:, None] * r
    return field * 1e-4  # gauss to tesla
