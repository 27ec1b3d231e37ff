"""The box's content: five shapes that lie and stand (Y1)."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from ludotheque.games.yikerz.magnets.shapes import COPIES, SHAPES, Shape, shape_of


@pytest.mark.clause("Y1")
def test_a_box_has_twenty_magnets_four_of_each_of_five_shapes() -> None:
    names = [shape_of(magnet).name for magnet in range(20)]
    assert sorted(set(names)) == sorted(shape.name for shape in SHAPES)
    assert all(names.count(shape.name) == COPIES == 4 for shape in SHAPES)
    assert len({shape.size_mm for shape in SHAPES}) == 5


@pytest.mark.clause("Y1")
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_is_a_convex_stone_of_half_an_inch(shape: Shape) -> None:
    hull = ConvexHull(shape.mesh_mm)
    assert len(hull.vertices) == len(shape.mesh_mm) == 64
    assert hull.volume == pytest.approx(shape.volume_mm3, rel=1e-9)
    assert 11 < max(shape.size_mm) < 17
    assert np.ptp(shape.mesh_mm, axis=0) == pytest.approx(shape.size_mm)
    assert 2.5 < shape.mass_g < 4
    # Monte Carlo, as a second opinion on the centre of mass and the inertia.
    random = np.random.default_rng(1)
    points = random.uniform(shape.mesh_mm.min(axis=0), shape.mesh_mm.max(axis=0), (60_000, 3))
    inside = points[(points @ hull.equations[:, :3].T + hull.equations[:, 3] <= 0).all(axis=1)]
    assert abs(inside.mean(axis=0)).max() < 0.06
    square = (inside**2).mean(axis=0)
    assert shape.inertia_g_mm2 == pytest.approx(shape.mass_g * (square.sum() - square), rel=0.02)
