"""The five kinds of magnets, as bodies: outline, mesh, mass, inertia and magnetic moment (Y1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import atan2, cos, degrees, pi, sin
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DENSITY_G_CM3 = 4.9
"""Sintered hard ferrite, grade Y30: 4.7 to 5.1 g/cm³ in the makers' tables."""
REMANENCE_T = 0.38
"""The same grade's remanence: 0.37 to 0.40 T. Ferrite's permeability (1.05) is so near 1 that magnets do not screen each other."""
MU_0 = 4e-7 * pi
"""Vacuum permeability, T·m/A."""
FRICTION_ON_MAT = 0.7
"""Polished stone on soft rubber, dry: tables give 0.6 to 0.8."""
FRICTION_BETWEEN_MAGNETS = 0.25
"""Polished ceramic on polished ceramic, dry: 0.2 to 0.3."""
COPIES = 4
"""How many of each shape are in the box."""

CORNERS = 16
"""Corners of an outline. With four rings that is a mesh of 64 corners: round enough to look at, cheap to collide."""
FACE = 0.74
"""The two flat faces' outline, as a part of the belt's."""
BELT = 0.42
"""Height of the belt, as a part of the thickness: what a standing piece stands on."""

Magnetisation = Literal["plane", "through"]
"""Along a piece's length, in the plane of its flat faces; or through its thickness, from one flat face to the other."""
MAGNETISATIONS: Final[tuple[Magnetisation, ...]] = ("plane", "through")

STEADY_MM = 0.5
"""A piece stands on a facet if its centre of mass is at least this far inside it."""


@dataclass(frozen=True)
class Shape:
    """One kind of magnet. Its own axes: x along its length, z across its two flat faces."""

    name: str
    length_mm: float
    """Along x, millimetres."""
    width_mm: float
    """Along y, millimetres."""
    thickness_mm: float
    """Along z, from flat face to flat face, millimetres."""
    roundness: float
    """Exponent of the superellipse that the outline follows: 2 is an ellipse, more is squarer."""
    taper: float
    """How much narrower the end at +x is than the end at -x: 0 for none, up to 1."""
    magnetisation: Magnetisation = "plane"

    @cached_property
    def outline_mm(self) -> Array:
        """The belt's outline seen from above, counter-clockwise, shape (16, 2), millimetres, its origin at the centre of mass."""
        points = np.empty((CORNERS, 2))
        for k in range(CORNERS):
            # Half a step off the axes, so that a flat facet, not a corner, faces each of the four sides.
            angle = (k + 0.5) * 2 * pi / CORNERS
            x = abs(cos(angle)) ** (2 / self.roundness) * (1 if cos(angle) > 0 else -1)
            y = abs(sin(angle)) ** (2 / self.roundness) * (1 if sin(angle) > 0 else -1)
            points[k] = x, y * (1 - self.taper * (x + 1) / 2)
        low, high = points.min(axis=0), points.max(axis=0)
        points = (points - (low + high) / 2) * np.array([self.length_mm, self.width_mm]) / (high - low)
        # Belt and faces taper about one vertical line; put that line where the centre of mass comes to lie on it.
        x, y = points.T
        x_next, y_next = np.roll(points, -1, axis=0).T
        cross = x * y_next - x_next * y
        points[:, 0] -= ((x + x_next) * cross).sum() / (3 * cross.sum())
        outline: Array = points
        return outline

    @cached_property
    def edge_turn(self) -> float:
        """Degrees by which a piece on its long edge is turned about its own z-axis so that it stands on a facet of its belt.

        Of the facets that the centre of mass is above, by at least half a millimetre, the one nearest to the side at -y. Shapes that
        taper do not stand on that side itself: they would roll on.
        """
        found: list[float] = []
        for corner, after in zip(self.outline_mm, np.roll(self.outline_mm, -1, axis=0), strict=True):
            along = (after - corner) / np.linalg.norm(after - corner)
            before, behind = float(-corner @ along), float(after @ along)
            if min(before, behind) >= STEADY_MM:
                # The facet's outward normal is (along_y, -along_x); it must point to -y.
                found.append(-degrees(atan2(along[1], along[0])))
        nearest: float = min(found, key=abs)
        return round(nearest, 6) + 0.0

    @cached_property
    def mesh_mm(self) -> Array:
        """Corners of the convex body, shape (64, 3), millimetres, in four rings from the lower face to the upper."""
        half, belt = self.thickness_mm / 2, BELT * self.thickness_mm / 2
        rings = [(FACE, -half), (1.0, -belt), (1.0, belt), (FACE, half)]
        return np.concatenate([np.column_stack([self.outline_mm * part, np.full(CORNERS, z)]) for part, z in rings])

    @cached_property
    def faces(self) -> NDArray[np.int32]:
        """Triangles of the mesh as corner numbers, shape (n, 3), seen counter-clockwise from outside."""
        triangles = [(0, k + 1, k) for k in range(1, CORNERS - 1)]
        for ring in range(3):
            base = ring * CORNERS
            for k in range(CORNERS):
                after = (k + 1) % CORNERS
                triangles.append((base + k, base + after, base + CORNERS + after))
                triangles.append((base + k, base + CORNERS + after, base + CORNERS + k))
        top = 3 * CORNERS
        triangles += [(top, top + k, top + k + 1) for k in range(1, CORNERS - 1)]
        return np.array(triangles, dtype=np.int32)

    @cached_property
    def _moments(self) -> tuple[float, Array]:
        """Volume in mm³ and the mean of x², y², z² over the body in mm², by summing tetrahedra from the centre."""
        corners = self.mesh_mm[self.faces]
        volumes = np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        squares = (a * a + b * b + c * c + a * b + b * c + c * a) / 10
        volume = float(volumes.sum())
        return volume, (volumes[:, None] * squares).sum(axis=0) / volume

    @property
    def volume_mm3(self) -> float:
        """Volume, mm³."""
        return self._moments[0]

    @property
    def spread_mm(self) -> Array:
        """Root mean square distance of the material from the centre along x, y and z, shape (3,), millimetres."""
        spread: Array = np.sqrt(self._moments[1])
        return spread

    @property
    def mass_g(self) -> float:
        """Mass, grams."""
        return self.volume_mm3 * 1e-3 * DENSITY_G_CM3

    @property
    def inertia_g_mm2(self) -> Array:
        """Moments of inertia about x, y and z through the centre of mass, shape (3,), g·mm². The axes are principal by symmetry."""
        square = self._moments[1]
        inertia: Array = self.mass_g * (square.sum() - square)
        return inertia

    @property
    def magnetised(self) -> Array:
        """Direction of the uniform magnetisation in the body's own axes, shape (3,): +x, or +z through the thickness."""
        return np.array([1.0, 0.0, 0.0] if self.magnetisation == "plane" else [0.0, 0.0, 1.0])

    @property
    def moment_am2(self) -> Array:
        """Magnetic moment in the body's own axes, shape (3,), A·m²."""
        moment: Array = REMANENCE_T / MU_0 * self.volume_mm3 * 1e-9 * self.magnetised
        return moment

    @property
    def reach_mm(self) -> float:
        """Distance of the farthest corner from the centre of mass, millimetres."""
        return float(np.linalg.norm(self.mesh_mm, axis=1).max())

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Length, width and thickness, millimetres."""
        return self.length_mm, self.width_mm, self.thickness_mm


SHAPES = (
    Shape("pebble", 15.0, 11.6, 6.0, roundness=2.0, taper=0.0),
    Shape("egg", 16.0, 11.2, 6.0, roundness=2.0, taper=0.3),
    Shape("coin", 12.6, 12.6, 5.6, roundness=2.0, taper=0.0),
    Shape("shield", 14.6, 13.6, 5.6, roundness=2.3, taper=0.55),
    Shape("pillow", 12.0, 11.0, 6.4, roundness=3.0, taper=0.0),
)
"""The five shapes; a box holds four of each."""

BY_NAME = {shape.name: shape for shape in SHAPES}


_SHAPES_OF: Final = {
    magnetisation: tuple(replace(shape, magnetisation=magnetisation) for shape in SHAPES)
    for magnetisation in MAGNETISATIONS
}


def shape_of(magnet: int, magnetisation: Magnetisation = "plane") -> Shape:
    """The shape of the magnet with this number, 0 to 19: numbers go round the five shapes, so that few magnets are mixed too."""
    return _SHAPES_OF[magnetisation][magnet % len(SHAPES)]
