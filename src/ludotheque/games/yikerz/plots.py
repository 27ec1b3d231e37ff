"""Pictures of magnets: the field over a board, and a turn as a film strip or a moving picture. They need the extra `plot`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.yikerz.magnets.field import field_tesla
from ludotheque.games.yikerz.magnets.mats import Layout, corners
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.shapes import Shape
from ludotheque.games.yikerz.magnets.timing import SAMPLES_PER_SECOND
from ludotheque.plotting import pyplot, save_plot

Array = NDArray[np.float64]
Frame = Mapping[int, Pose]
"""Where the magnets are at one moment."""

HEIGHT_MM = 3.0
"""The field is shown at the height of a lying piece's middle."""
MARGIN_MM = 30.0
STILLS = 8
"""Pictures on a film strip."""


def _turned(points: Array, pose: Pose) -> Array:
    """Points of a piece where they are on the board."""
    w, x, y, z = np.array(pose[3:]) / np.linalg.norm(pose[3:])
    matrix = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    turned: Array = points @ matrix.T + np.array(pose[:3])
    return turned


def _outline(points: Array) -> Array:
    """The outline of points seen from above."""
    ordered = sorted((float(x), float(y)) for x, y in points[:, :2])

    def half(some: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for x, y in some:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def _draw(axes: Any, layout: Layout, shapes: Sequence[Shape], frame: Frame) -> None:
    """Mats and magnets from above, north in red, south in blue."""
    from matplotlib.patches import Polygon  # noqa: PLC0415

    for mat in layout:
        axes.add_patch(Polygon(corners(mat), facecolor="#e9e4d8", edgecolor="#9a927e", zorder=0))
    for number, pose in frame.items():
        mesh = shapes[number].mesh_mm
        middle = np.zeros((1, 3))
        for part, colour in ((mesh[mesh[:, 0] >= 0], "#c8442f"), (mesh[mesh[:, 0] <= 0], "#3c62a8")):
            # The cut between the poles belongs to both halves.
            cut = mesh * np.array([0, 1, 1])
            axes.add_patch(
                Polygon(
                    _outline(_turned(np.concatenate([part, cut]), pose)), facecolor=colour, edgecolor="none", zorder=3
                )
            )
        axes.add_patch(
            Polygon(_outline(_turned(mesh, pose)), facecolor="none", edgecolor="black", linewidth=0.6, zorder=4)
        )
        x, y, _ = _turned(middle, pose)[0]
        axes.text(x, y, str(number), ha="center", va="center", fontsize=6, color="white", zorder=5)


def _frame_axes(axes: Any, layout: Layout, frames: Sequence[Frame]) -> tuple[float, float, float, float]:
    points = [corner for mat in layout for corner in corners(mat)] + [
        np.array(pose[:2]) for frame in frames for pose in frame.values()
    ]
    every = np.array(points) if points else np.array([[-50.0, -50.0], [50.0, 50.0]])
    (left, low), (right, high) = every.min(axis=0) - MARGIN_MM, every.max(axis=0) + MARGIN_MM
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    axes.set_aspect("equal")
    return float(left), float(right), float(low), float(high)


def plot_field(file: Path, layout: Layout, shapes: Sequence[Shape], poses: Sequence[Pose]) -> None:
    """The field over the board as PNG or SVG, by the file's name: its lines, and its strength as colour."""
    figure, axes = pyplot().subplots(figsize=(8, 7), layout="constrained")
    left, right, low, high = _frame_axes(axes, layout, [dict(enumerate(poses))])
    x, y = np.meshgrid(np.linspace(left, right, 120), np.linspace(low, high, 120))
    points = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, HEIGHT_MM)])
    field = field_tesla(shapes, np.array(poses, dtype=np.float64).reshape(-1, 7), points)
    strength = np.log10(np.maximum(np.linalg.norm(field, axis=1), 1e-6) * 1e3).reshape(x.shape)
    shown = axes.pcolormesh(x, y, strength, cmap="magma", shading="auto", alpha=0.55, zorder=1, rasterized=True)
    axes.streamplot(
        x,
        y,
        field[:, 0].reshape(x.shape),
        field[:, 1].reshape(x.shape),
        color="#333333",
        linewidth=0.5,
        arrowsize=0.6,
        density=1.6,
    )
    _draw(axes, layout, shapes, dict(enumerate(poses)))
    figure.colorbar(shown, label="log10 of |B| in mT", shrink=0.8)
    axes.set_xlabel("x, mm")
    axes.set_ylabel("y, mm")
    save_plot(figure, file, dpi=130)


def plot_film(file: Path, layout: Layout, shapes: Sequence[Shape], frames: Sequence[Frame]) -> None:
    """Frames of 1/60 s as a moving picture (.gif) or as a strip of eight (.png, .svg)."""
    if file.suffix.lower() == ".gif":
        from matplotlib.animation import FuncAnimation, PillowWriter  # noqa: PLC0415

        figure, axes = pyplot().subplots(figsize=(5, 4.5), layout="constrained")
        chosen = range(0, len(frames), 4)

        def show(k: int) -> list[Any]:
            axes.clear()
            _frame_axes(axes, layout, frames)
            axes.set_axis_off()
            axes.set_title(f"{k / SAMPLES_PER_SECOND:.2f} s", fontsize=8)
            _draw(axes, layout, shapes, frames[k])
            return []

        FuncAnimation(figure, show, frames=chosen).save(file, writer=PillowWriter(fps=SAMPLES_PER_SECOND // 4))
        pyplot().close(figure)
    else:
        figure, row = pyplot().subplots(2, STILLS // 2, figsize=(12, 6), layout="constrained")
        for axes, k in zip(row.ravel(), np.linspace(0, len(frames) - 1, STILLS).astype(int), strict=True):
            _frame_axes(axes, layout, frames)
            axes.set_axis_off()
            axes.set_title(f"{k / SAMPLES_PER_SECOND:.2f} s", fontsize=8)
            _draw(axes, layout, shapes, frames[k])
        save_plot(figure, file, dpi=110)
