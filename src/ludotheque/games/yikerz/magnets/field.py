"""Forces and torques between permanent magnets (Y19): four poles a piece, softened inside one another, one dipole far away.

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

from .compile import kernel
from .shapes import Shape

Array = NDArray[np.float64]

POLES = 4
"""Point poles a piece: two of each sign in its middle plane, at the corners of a rectangle, the north poles toward +x. A uniformly
magnetised body acts as the magnetic charge on its surface does. Four poles at the right places have the moments of that charge up to
the third order; of the body's second moments a multiple of the identity makes no difference, since a magnetic potential is
harmonic, and so the plane can be chosen."""
SOFTENING_CM = 0.25
"""Distance below which two poles no longer pull harder. Poles of pieces that touch end to end are 5 mm apart, where it takes a tenth
off the pull; it is there for pieces that a snap presses into each other, which must not gain energy by it."""
NEAR_CM, FAR_CM = 10.0, 12.0
"""Pieces nearer than the first act as four poles each, farther than the second as one dipole; in between energies are blended."""
PAIR_NUMBERS = 10
"""Results of `pair_wrench`."""
WORKSPACE = (9, 4)
"""Shape of the workspace of `pair_wrench`."""
NEWTON_PER_DYN = 1e-5
NEWTON_METRE_PER_DYN_CM = 1e-7
EMU_PER_AM2 = 1000.0

_SOFT4 = SOFTENING_CM**4


def poles_of(shape: Shape) -> tuple[float, float, float]:
    """Half the length and half the width (cm) of a shape's rectangle of poles along its own x and y, and its moment along x (emu)."""
    x, y, z = (shape.spread_mm / 10) ** 2
    return float(np.sqrt(3 * (x - z))), float(np.sqrt(y - z)), float(shape.moment_am2[0]) * EMU_PER_AM2


def magnet_table(shapes: Sequence[Shape]) -> Array:
    """What the kernels know of n magnets, shape (n, 3): the numbers of `poles_of`."""
    return np.array([poles_of(shape) for shape in shapes], dtype=np.float64).reshape(-1, 3)


@kernel
def place_poles(magnet: Array, pose: Array, points: Array, moment: Array) -> None:
    """Compute where a magnet's poles are and how it points, in the board's frame.

    magnet: its row of `magnet_table`, shape (3,). pose: centre (cm) and unit quaternion w, x, y, z, shape (7,). Fills points, shape
    (5, 3), cm: two north poles, two south poles, the centre; and moment, shape (4,): the moment (emu) and the strength of one pole
    (emu/cm).
    """
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    ux, uy, uz = 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)
    vx, vy, vz = 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)
    half_length, half_width, m = magnet[0], magnet[1], magnet[2]
    for k in range(4):
        s = half_length if k < 2 else -half_length
        t = half_width if k % 2 == 0 else -half_width
        points[k, 0] = pose[0] + s * ux + t * vx
        points[k, 1] = pose[1] + s * uy + t * vy
        points[k, 2] = pose[2] + s * uz + t * vz
    points[4, 0], points[4, 1], points[4, 2] = pose[0], pose[1], pose[2]
    moment[0], moment[1], moment[2], moment[3] = m * ux, m * uy, m * uz, m / (4 * half_length)


@kernel
def _far_wrench(points_a: Array, moment_a: Array, points_b: Array, moment_b: Array, out: Array) -> None:
    """Energy, force and torques of two dipoles at the centres (Yung, Landecker and Villani); parameters as for `pair_wrench`."""
    ax, ay, az = moment_a[0], moment_a[1], moment_a[2]
    bx, by, bz = moment_b[0], moment_b[1], moment_b[2]
    x, y, z = points_a[4, 0] - points_b[4, 0], points_a[4, 1] - points_b[4, 1], points_a[4, 2] - points_b[4, 2]
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


@kernel
def _near_wrench(
    points_a: Array, moment_a: Array, points_b: Array, moment_b: Array, out: Array, workspace: Array
) -> None:
    """Energy, force and torques of two pieces of four poles each by Coulomb's law with a softened distance; as `pair_wrench`."""
    strength = moment_a[3] * moment_b[3]
    # Side by side in memory, so that the compiler takes the inner four at once.
    for j in range(4):
        workspace[0, j], workspace[1, j], workspace[2, j] = points_b[j, 0], points_b[j, 1], points_b[j, 2]
        workspace[3, j], workspace[4, j], workspace[5, j] = 0.0, 0.0, 0.0
    energy = 0.0
    force_x, force_y, force_z = 0.0, 0.0, 0.0
    tx, ty, tz = 0.0, 0.0, 0.0
    for i in range(4):
        px, py, pz = points_a[i, 0], points_a[i, 1], points_a[i, 2]
        first = strength if i < 2 else -strength
        row_x, row_y, row_z = 0.0, 0.0, 0.0
        for j in range(4):
            x, y, z = px - workspace[0, j], py - workspace[1, j], pz - workspace[2, j]
            square = x * x + y * y + z * z
            # The softened distance: its fourth power is the distance's plus a constant, so it matters only very near.
            inverse4 = 1.0 / (square * square + _SOFT4)
            one = np.sqrt(np.sqrt(inverse4)) * (first if j < 2 else -first)
            energy += one
            push = one * square * inverse4
            row_x += push * x
            row_y += push * y
            row_z += push * z
            workspace[3, j] += push * x
            workspace[4, j] += push * y
            workspace[5, j] += push * z
        lx, ly, lz = px - points_a[4, 0], py - points_a[4, 1], pz - points_a[4, 2]
        tx += ly * row_z - lz * row_y
        ty += lz * row_x - lx * row_z
        tz += lx * row_y - ly * row_x
        force_x += row_x
        force_y += row_y
        force_z += row_z
    sx, sy, sz = 0.0, 0.0, 0.0
    for j in range(4):
        kx, ky, kz = (
            workspace[0, j] - points_b[4, 0],
            workspace[1, j] - points_b[4, 1],
            workspace[2, j] - points_b[4, 2],
        )
        sx -= ky * workspace[5, j] - kz * workspace[4, j]
        sy -= kz * workspace[3, j] - kx * workspace[5, j]
        sz -= kx * workspace[4, j] - ky * workspace[3, j]
    out[0] = energy
    out[1], out[2], out[3] = force_x, force_y, force_z
    out[4], out[5], out[6] = tx, ty, tz
    out[7], out[8], out[9] = sx, sy, sz


@kernel
def pair_wrench(
    points_a: Array, moment_a: Array, points_b: Array, moment_b: Array, out: Array, workspace: Array
) -> None:
    """Energy, force and torques of one pair of magnets in the board's frame, near and far model blended as energies.

    points_a, points_b: shape (5, 3), and moment_a, moment_b: shape (4,), from `place_poles`. Fills out, shape (10,): energy (erg),
    force on a (dyn; the force on b is its opposite), torque on a and torque on b (dyn·cm, each about its centre). workspace: shape
    (9, 4).
    """
    x = points_a[4, 0] - points_b[4, 0]
    y = points_a[4, 1] - points_b[4, 1]
    z = points_a[4, 2] - points_b[4, 2]
    distance = np.sqrt(x * x + y * y + z * z)
    if distance <= NEAR_CM:
        _near_wrench(points_a, moment_a, points_b, moment_b, out, workspace)
        return
    _far_wrench(points_a, moment_a, points_b, moment_b, out)
    if distance >= FAR_CM:
        return
    spare = workspace[6:].reshape(12)
    _near_wrench(points_a, moment_a, points_b, moment_b, spare, workspace)
    u = (distance - NEAR_CM) / (FAR_CM - NEAR_CM)
    far = u * u * u * (10 + u * (6 * u - 15))
    slope = 30 * u * u * (1 - u) * (1 - u) / (FAR_CM - NEAR_CM)
    # A smoothstep of fifth order. It depends on the distance, so its slope is a force as well: without it energy would not be kept.
    push = slope * (spare[0] - out[0]) / distance
    for k in range(10):
        out[k] = far * out[k] + (1 - far) * spare[k]
    out[1] += push * x
    out[2] += push * y
    out[3] += push * z


@kernel
def all_wrenches(table: Array, poses: Array, total: Array) -> float:
    """Compute the force and torque on every magnet from all the others. Returns the energy of the whole (erg).

    table: shape (n, 3), from `magnet_table`. poses: shape (n, 7), cm. Fills total, shape (n, 6): dyn and dyn·cm, board's frame.
    """
    count = len(table)
    points = np.empty((count, 5, 3))
    moments = np.empty((count, 4))
    out, workspace = np.empty(PAIR_NUMBERS), np.empty(WORKSPACE)
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
    points, moment = np.empty((5, 3)), np.empty(4)
    for magnet, pose_mm in zip(
        magnet_table(shapes), np.asarray(poses_mm, dtype=np.float64).reshape(-1, 7), strict=True
    ):
        pose = pose_mm.copy()
        pose[:3] /= 10
        place_poles(magnet, pose, points, moment)
        for k, pole in enumerate(points[:POLES]):
            r = np.asarray(points_mm, dtype=np.float64) / 10 - pole
            square = (r * r).sum(axis=1)
            strength = moment[3] if k < POLES // 2 else -moment[3]
            field += (strength * square / (square**2 + _SOFT4) ** 1.25)[:, None] * r
    return field * 1e-4  # gauss to tesla
