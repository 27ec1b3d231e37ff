"""The magnets' laboratory: put magnets in poses, see the forces, let go, see what happens; for the protocol and the command line.

Pictures of it are plots.py's business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ludotheque.core import BadRequest, JsonObject, Reader
from ludotheque.games.yikerz.magnets.field import wrenches
from ludotheque.games.yikerz.magnets.mats import SIDE_MM, THICKNESS_MM, Layout, LayoutRefused, check_apart
from ludotheque.games.yikerz.magnets.scene import STEPS_PER_SECOND, PhysicsBroken, Pose, Scene, SceneRefused, as_pose
from ludotheque.games.yikerz.magnets.shapes import BY_NAME, SHAPES, Shape
from ludotheque.games.yikerz.turn import neat_pose

MOST_MAGNETS = 40
MOST_MATS = 12
MOST_SECONDS = 60.0


@dataclass(frozen=True)
class Finding:
    """What the laboratory saw."""

    forces: tuple[tuple[float, ...], ...]
    """Magnetic force (N) and torque (N·m, about the centre of mass) on each magnet in the given poses."""
    poses: tuple[Pose, ...]
    """Where the magnets were at the end, mm."""
    collapsed: tuple[tuple[int, ...], ...]
    off: tuple[int, ...]
    """Which fell off the mats."""


def let_go(
    layout: Layout,
    shapes: Sequence[Shape],
    poses: Sequence[Pose],
    seconds: float,
    each_sample: Callable[[Scene], None] | None = None,
) -> Finding:
    """Put magnets in poses (mm) on mats and let them go for some seconds; SceneRefused if they are inside each other."""
    forces = wrenches(shapes, np.array(poses, dtype=np.float64).reshape(-1, 7)) if poses else np.zeros((0, 6))
    scene = Scene(layout, tuple(shapes))
    for number, pose in enumerate(poses):
        scene.put(number, pose)
    scene.check_room()
    left = round(seconds * STEPS_PER_SECOND)
    off: list[int] = []
    while left > 0:
        left -= scene.advance(min(left, STEPS_PER_SECOND // 60) if each_sample else left)
        for event in scene.events:
            if event.what == "fall":
                off += [magnet for magnet in event.magnets if magnet not in off]
        scene.events.clear()
        if each_sample:
            each_sample(scene)
    ends = tuple(neat_pose(scene.pose(number)) for number in range(len(poses)))
    return Finding(
        tuple(tuple(float(one) for one in force) for force in forces), ends, tuple(scene.groups()), tuple(sorted(off))
    )


def read_lab(request: JsonObject) -> tuple[Layout, list[Shape], list[Pose], float]:
    """A request from outside, checked."""
    reader = Reader(request, BadRequest)
    mats = [one.value for one in reader.key("mats").items(most=MOST_MATS)]
    shapes: list[Shape] = []
    poses: list[Pose] = []
    for one in reader.key("magnets").items(most=MOST_MAGNETS):
        name = one.key("shape").text()
        if name not in BY_NAME:
            one.key("shape").fail(f"there is no such shape; there are {', '.join(BY_NAME)}")
        shapes.append(BY_NAME[name])
        try:
            poses.append(as_pose(one.key("pose").value))
        except SceneRefused as refused:
            one.key("pose").fail(str(refused))
    seconds = reader.key("seconds").number(0, MOST_SECONDS) if reader.has("seconds") else 0.0
    try:
        return check_apart(mats), shapes, poses, seconds
    except LayoutRefused as refused:
        reader.key("mats").fail(str(refused))


def answer_lab(request: JsonObject) -> JsonObject:
    """The protocol's `lab`."""
    layout, shapes, poses, seconds = read_lab(request)
    try:
        finding = let_go(layout, shapes, poses, seconds)
    except (SceneRefused, PhysicsBroken) as refused:
        raise BadRequest(str(refused)) from refused
    return {
        "forces": [list(force) for force in finding.forces],
        "magnets": [{"pose": list(pose)} for pose in finding.poses],
        "collapsed": [list(group) for group in finding.collapsed],
        "off": list(finding.off),
    }


def answer_shapes(request: JsonObject) -> JsonObject:
    """The protocol's `shapes`."""
    del request
    return {
        "shapes": [
            {
                "name": shape.name,
                "size_mm": list(shape.size_mm),
                "volume_mm3": shape.volume_mm3,
                "mass_g": shape.mass_g,
                "moment_Am2": [float(part) for part in shape.moment_am2],
                "mesh": [[round(float(part), 4) for part in corner] for corner in shape.mesh_mm],
            }
            for shape in SHAPES
        ],
        "mat_side_mm": SIDE_MM,
        "mat_thickness_mm": THICKNESS_MM,
    }


LAB_REQUESTS: Mapping[str, Callable[[JsonObject], JsonObject]] = {"lab": answer_lab, "shapes": answer_shapes}
