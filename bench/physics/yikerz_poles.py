"""Find the sixteen poles of each shape, as `magnets/poles.py` has them: `python -m bench.physics.yikerz_poles > …/poles.py`.

The places are moved until the field of the poles and the field of the exact surface charge differ least, at points 0.7 to 12 mm
outside the body; for given places the strengths follow by linear least squares, with the charge 0 and the exact moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from bench.physics.surfaces import charges
from ludotheque.games.yikerz.magnets.shapes import MAGNETISATIONS, SHAPES, Shape

Array = NDArray[np.float64]

OUTSIDE_MM = ((0.7, 300), (1.5, 300), (3.0, 200), (6.0, 150), (12.0, 100))
"""How far outside the surface the fields are compared, and at how many points each."""
LEAST_HEIGHT_MM = 0.6
"""Poles of opposite sign keep this distance from the middle plane, so that they do not become dipoles of infinite strength."""
EXACT = 1e4
"""Weight of the conditions on charge and moment, beside 1 for the fields."""
HEADING = '''"""Sixteen poles for each shape, for pieces near each other; written by `python -m bench.physics.yikerz_poles`.

A row is x, y, z (mm, in the piece's own frame) and strength for a magnetisation of 1 (mm²). It stands for four poles, at ±y and ±z;
where a piece is magnetised through its thickness, those at -z have the opposite sign. How good they are is tested in tests/yikerz.
"""

POLES: dict[tuple[str, str], tuple[tuple[float, float, float, float], ...]] = {'''


def compared(shape: Shape) -> tuple[Array, Array]:
    """Points outside a shape (mm), shape (k, 3), and the exact field of a magnetisation of 1 there, times 4π, shape (k, 3)."""
    places, strengths = charges(shape, shape.magnetised, 3)
    corners = shape.mesh_mm[shape.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(across, axis=1)
    random = np.random.default_rng(0)
    points = []
    for outside, count in OUTSIDE_MM:
        which = random.choice(len(corners), count, p=areas / areas.sum())
        shares = random.random((count, 2))
        shares[shares.sum(axis=1) > 1] = 1 - shares[shares.sum(axis=1) > 1]
        a, b, c = corners[which].transpose(1, 0, 2)
        on_surface = a + shares[:, :1] * (b - a) + shares[:, 1:] * (c - a)
        points.append(on_surface + outside * across[which] / areas[which, None])
    away = np.concatenate(points)[:, None] - places
    return np.concatenate(points), (away * (strengths / (away**2).sum(axis=2) ** 1.5)[..., None]).sum(axis=1)


class Fit:
    """The poles of one shape: rows of x, y, z, half of them free where the shape is the same at both ends."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.through = shape.magnetisation == "through"
        self.points, self.field = compared(shape)
        self.same_ends = shape.taper == 0
        self.axis = 2 if self.through else 0

    def poles(self, free: Array) -> tuple[Array, Array]:
        """The places (mm) of all sixteen poles, and a matrix of shape (16, unknowns) that gives all strengths from the unknown."""
        rows = free.reshape(-1, 3)
        if self.same_ends:
            rows = np.repeat(rows, 2, axis=0) * np.tile([(1.0, 1, 1), (-1.0, 1, 1)], (len(rows), 1))
        places, unknowns = [], []
        for number, (x, y, z) in enumerate(rows):
            for side in (1, -1):
                for face in (1, -1):
                    places.append((x, side * y, face * z))
                    row = np.zeros(len(free) // 3)
                    end = -1 if self.same_ends and number % 2 and not self.through else 1
                    row[number // 2 if self.same_ends else number] = face if self.through else end
                    unknowns.append(row)
        return np.array(places), np.array(unknowns)

    def solve(self, free: Array) -> tuple[Array, Array]:
        """The strengths of the unknown poles, and the errors of the field at each point relative to the exact field."""
        places, unknowns = self.poles(free)
        away = self.points[:, None] - places
        fields = (away / ((away**2).sum(axis=2) ** 1.5)[..., None]).transpose(0, 2, 1) @ unknowns
        scale = 1 / np.linalg.norm(self.field, axis=1)
        matrix = (fields * scale[:, None, None]).reshape(-1, unknowns.shape[1])
        wanted = (self.field * scale[:, None]).ravel()
        volume = self.shape.volume_mm3
        conditions = np.array([np.ones(len(places)), places[:, self.axis] / volume]) @ unknowns * EXACT
        strengths, *_ = np.linalg.lstsq(
            np.vstack([matrix, conditions]), np.concatenate([wanted, [0.0, EXACT]]), rcond=None
        )
        return strengths, matrix @ strengths - wanted

    def errors(self, free: Array) -> Array:
        """What is to be as small as possible."""
        return self.solve(free)[1]

    def rows(self) -> list[list[float]]:
        """The rows of the table, rounded."""
        half_length, half_width, half_height = (size / 2 for size in self.shape.size_mm)
        parts = [(0.6, 0.22, 0.45), (0.25, 0.6, 0.45)] if self.through else [(0.75, 0.25, 0.35), (0.4, 0.7, 0.35)]
        ends: Sequence[int] = (1,) if self.same_ends else (1, -1)
        size = np.array([half_length, half_width, half_height])
        start = np.concatenate([np.array(part) * size * (end, 1, 1) for part in parts for end in ends])
        low = np.tile([-half_length, 0.1, LEAST_HEIGHT_MM if self.through else 0.1], len(start) // 3)
        high = np.tile(size, len(start) // 3)
        found = least_squares(self.errors, start, bounds=(low, high), max_nfev=40).x
        strengths, _ = self.solve(found)
        places, unknowns = self.poles(found)
        # The first of each four is the one at +y and +z.
        return [
            [round(float(number), 4) for number in (*place, strength)]
            for place, strength in zip(places[::4], (unknowns @ strengths)[::4], strict=True)
        ]


def main() -> None:
    """Print the module."""
    print(HEADING)
    for magnetisation in MAGNETISATIONS:
        for shape in SHAPES:
            print(f'    ("{shape.name}", "{magnetisation}"): (')
            for row in Fit(replace(shape, magnetisation=magnetisation)).rows():
                print(f"        ({', '.join(str(number) for number in row)}),")
            print("    ),")
    print("}")


if __name__ == "__main__":
    main()
