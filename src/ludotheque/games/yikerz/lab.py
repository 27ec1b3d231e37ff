"""The magnets' laboratory, for the engine protocol and the command line: forces on magnets in given poses, and what happens then.

Pictures are in `plots`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ludotheque.core import BadRequest, Json, JsonObject, Reader, read_record
from ludotheque.games.yikerz.catalogue import text
from ludotheque.games.yikerz.film import Film
from ludotheque.games.yikerz.magnets.field import wrenches
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, SIDE_MM, THICKNESS_MM, Layout, check_apart
from ludotheque.games.yikerz.magnets.path import STANDINGS, resting_height, turned
from ludotheque.games.yikerz.magnets.poses import Pose, as_pose
from ludotheque.games.yikerz.magnets.problems import LayoutRefused, PhysicsBroken, SceneRefused
from ludotheque.games.yikerz.magnets.scene import Scene
from ludotheque.games.yikerz.magnets.shapes import BY_NAME, SHAPES, Shape
from ludotheque.games.yikerz.magnets.timing import STEPS_PER_SAMPLE, STEPS_PER_SECOND
from ludotheque.games.yikerz.outcome import neat_pose
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.text import listed, read_action
from ludotheque.games.yikerz.turn import play_path

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
    frames: tuple[JsonObject, ...] = ()
    """How they got there (film.py)."""


def let_go(
    layout: Layout,
    shapes: Sequence[Shape],
    poses: Sequence[Pose],
    seconds: float,
    each_sample: Callable[[Scene], None] | None = None,
    *,
    filmed: bool = False,
) -> Finding:
    """Put magnets in poses (mm) on mats and let them go for some seconds; SceneRefused if they are inside each other."""
    forces = wrenches(shapes, np.array(poses, dtype=np.float64).reshape(-1, 7)) if poses else np.zeros((0, 6))
    scene = Scene(layout, tuple(shapes))
    for number, pose in enumerate(poses):
        scene.put(number, pose)
    scene.check_room()
    left = round(seconds * STEPS_PER_SECOND)
    off: list[int] = []
    film = Film() if filmed else None
    if film:
        film.add(0.0, scene)
    while left > 0:
        by_sample = each_sample is not None or (film is not None and not scene.at_rest)
        left -= scene.advance(min(left, STEPS_PER_SAMPLE) if by_sample else left)
        if film:
            film.add(round(scene.step / STEPS_PER_SECOND, 4), scene)
        for event in scene.events:
            if event.what == "fall":
                off += [magnet for magnet in event.magnets if magnet not in off]
        scene.events.clear()
        if each_sample:
            each_sample(scene)
    ends = tuple(neat_pose(scene.pose(number)) for number in range(len(poses)))
    return Finding(
        tuple(tuple(float(one) for one in force) for force in forces),
        ends,
        tuple(scene.groups()),
        tuple(sorted(off)),
        film.finished() if film else (),
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
            one.key("shape").fail(text("lab.no-shape", shapes=", ".join(BY_NAME)))
        shapes.append(BY_NAME[name])
        try:
            poses.append(as_pose(one.key("pose").value))
        except SceneRefused as refused:
            one.key("pose").fail(refused.text)
    seconds = reader.key("seconds").number(0, MOST_SECONDS) if reader.has("seconds") else 0.0
    try:
        return check_apart(mats), shapes, poses, seconds
    except LayoutRefused as refused:
        reader.key("mats").fail(refused.text)


def answer_lab(request: JsonObject) -> JsonObject:
    """The protocol's `lab`."""
    layout, shapes, poses, seconds = read_lab(request)
    try:
        filmed = "frames" in request and Reader(request, BadRequest).key("frames").boolean()
        finding = let_go(layout, shapes, poses, seconds, filmed=filmed)
    except (SceneRefused, PhysicsBroken) as refused:
        raise BadRequest(refused.text) from refused
    return {
        "forces": [list(force) for force in finding.forces],
        "magnets": [{"pose": list(pose)} for pose in finding.poses],
        "collapsed": [list(group) for group in finding.collapsed],
        "off": list(finding.off),
        **({"frames": list(finding.frames)} if filmed else {}),
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
                "edge_turn_deg": round(shape.edge_turn, 4),
                "mesh": [[round(float(part), 4) for part in corner] for corner in shape.mesh_mm],
            }
            for shape in SHAPES
        ],
        "mat_side_mm": SIDE_MM,
        "mat_thickness_mm": THICKNESS_MM,
    }


# --- for the command line ---


def request_of(layout: str, magnets: Sequence[str], seconds: float) -> JsonObject:
    """A request from words such as `pebble:-15,-40,edge,90`."""
    if layout not in LAYOUTS:
        raise BadRequest(text("lab.no-layout", layout=repr(layout), layouts=", ".join(LAYOUTS)))
    wanted: list[Json] = []
    for typed in magnets:
        name, _, rest = typed.partition(":")
        words = rest.split(",")
        try:
            x, y = float(words[0]), float(words[1])
            standing = next(one for one in STANDINGS if one == (words[2] if len(words) > 2 else "flat"))
            angle = float(words[3]) if len(words) > 3 else 0.0
            shape = BY_NAME[name]
        except (ValueError, IndexError, StopIteration, KeyError) as error:
            raise BadRequest(
                text("lab.no-magnet", typed=repr(typed), standings="|".join(STANDINGS), shapes=", ".join(BY_NAME))
            ) from error
        quaternion = turned(standing, angle, shape)
        wanted.append({"shape": name, "pose": [x, y, resting_height(shape, quaternion), *quaternion]})
    return {"mats": [list(mat) for mat in LAYOUTS[layout]], "magnets": wanted, "seconds": seconds}


def told(request: JsonObject, answer: JsonObject) -> list[tuple[str, dict[str, Json]]]:
    """What the laboratory found, as names of sentences and the facts in them."""
    _, shapes, poses, seconds = read_lab(request)
    reader = Reader(answer, BadRequest)
    lines: list[tuple[str, dict[str, Json]]] = []
    for number, force in enumerate(reader.key("forces").items()):
        values = [one.number(-1e9, 1e9) for one in force.items(6)]
        pull, twist = (float(np.linalg.norm(values[k : k + 3])) for k in (0, 3))
        weight = shapes[number].mass_g * 9.81e-3
        facts: dict[str, Json] = {
            "number": number,
            "shape": shapes[number].name,
            "force": round(pull * 1e3, 2),
            "weights": round(pull / weight, 2),
        }
        lines.append(("force", {**facts, "torque": round(twist * 1e6, 1)}))
    for number, one in enumerate(reader.key("magnets").items()):
        x, y, z, *_ = (part.number(-1e9, 1e9) for part in one.key("pose").items(7))
        way = float(np.linalg.norm(np.array([x, y, z]) - np.array(poses[number][:3])))
        lines.append(
            ("moved", {"number": number, "way": round(way, 2), "x": round(x, 1), "y": round(y, 1), "seconds": seconds})
        )
    groups = reader.key("collapsed").items()
    lines += [("collapsed", {"magnets": listed([one.value for one in group.items()], "+")}) for group in groups]
    if off := reader.key("off").items():
        lines.append(("off", {"magnets": listed([one.value for one in off], "+")}))
    return lines


def draw_lab(request: JsonObject, field: Path | None, film: Path | None) -> None:
    """Pictures of a request: the field before, and what happens."""
    from ludotheque.games.yikerz.plots import plot_field, plot_film  # noqa: PLC0415 - matplotlib is an extra

    layout, shapes, poses, seconds = read_lab(request)
    if field is not None:
        plot_field(field, layout, shapes, poses)
    if film is not None:
        frames: list[Mapping[int, Pose]] = [dict(enumerate(poses))]
        let_go(
            layout, shapes, poses, seconds, lambda scene: frames.append({k: scene.pose(k) for k in range(len(poses))})
        )
        plot_film(film, layout, shapes, frames)


def draw_turn(record: Json, turn: int | None, film: Path | None, field: Path | None) -> None:
    """Pictures of a turn in a record: as it is simulated here, and the field of the board after it."""
    from ludotheque.games.yikerz.plots import plot_field, plot_film  # noqa: PLC0415 - matplotlib is an extra

    match = read_record(record).match
    turns = [k for k, entry in enumerate(match.log) if entry.action.startswith('{"magnet"')]
    if match.game.name != "yikerz":
        raise BadRequest(text("lab.other-game", game=match.game.title))
    if not turns or (turn is not None and turn > len(turns)):
        raise BadRequest(text("lab.no-turn", turns=len(turns)))
    place = turns[(turn or len(turns)) - 1]
    before, after = match.at(place), match.at(place + 1)
    assert isinstance(before, YikerzPosition)
    assert isinstance(after, YikerzPosition)
    shapes = before.table.settings.shapes
    if film is not None:
        magnet, path = before.read_turn(read_action(match.log[place].action))
        running = before.new_turn(magnet)
        frames = []
        for _ in play_path(running, path):
            here = [*running.scene.on_board, *([running.scene.held] if running.scene.held is not None else [])]
            frames.append({one: running.scene.pose(one) for one in here})
        plot_film(film, before.table.layout, shapes, frames)
    if field is not None:
        lying = after.table.board
        plot_field(field, before.table.layout, [shapes[magnet] for magnet in lying], list(lying.values()))
