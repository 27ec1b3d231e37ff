"""A board with magnets as a physical scene: MuJoCo's bodies and contacts, our field, pieces that sleep until something acts on them.

It says what touches, what holds together and what fell; whose fault that is, is the game's business.
"""

from __future__ import annotations

import copy
import ctypes
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from ludotheque.core.problems import Problem

from . import mats as mats_module
from . import steps as steps_module
from .compile import kernel
from .field import all_wrenches, magnet_table
from .mats import Layout
from .model import STEPS_PER_SECOND, body_table, compiled
from .poses import Pose, SceneRefused
from .shapes import CORNERS, Shape
from .steps import ALLOWED, AWAY, BROKEN, HELD, NEVER, ON_BOARD, RESTING, advance, mj_library, prepare, wake_changed

Array = NDArray[np.float64]
SAMPLES_PER_SECOND = 60
STEPS_PER_SAMPLE = STEPS_PER_SECOND // SAMPLES_PER_SECOND
LOOK = 4
"""Steps between two looks at who touches whom while pieces are close to each other: 4 ms."""
HELD_TOGETHER_STEPS = 24
"""Pieces that attract each other and have touched for that long (25 ms) hold together."""
PART_STEPS = 48
"""Contact that breaks for less than that (50 ms) is a bounce, not a parting."""
ATTRACTION = 1.0
"""How hard, in weights of the lighter piece, two touching pieces must attract each other to be held together by it."""
HAND_FORCE_N = 4.0
"""The strongest pull of the hand: fingertips hold a smooth pebble no harder."""
HAND_TORQUE_NM = 0.02
"""The same fingertips, 10 mm apart."""
HAND_FREQUENCY = 250.0
"""rad/s: how stiffly the hand holds; a pull of 0.3 N moves the held piece by little more than a millimetre."""
INSIDE_MM = 1.0
"""Given poses may cross by this much, rounding and soft contacts included."""


class PhysicsBroken(Problem):
    """The simulation left the world of numbers. It should never happen; the turn counts as not played."""

    code = "physics-broken"


@dataclass(frozen=True)
class Event:
    """Something the physics did."""

    step: int
    """When, in steps of 1/960 s since the scene began."""
    what: Literal["touch", "collapse", "fall"]
    magnets: tuple[int, ...]


@dataclass
class _Contact:
    """Two pieces that touch."""

    since: int
    seen: int
    told: bool = False
    """Whether their holding together has been reported."""
    attracted: bool = False
    pressed: bool = False
    """Whether the hand pressed one on the other (Y7): then they hold together whatever the field says."""


@dataclass(frozen=True)
class Snapshot:
    """Everything a scene needs to go on bit by bit as it would have."""

    numbers: Array
    whole: NDArray[np.int32]
    extra: Array
    contacts: tuple[tuple[tuple[int, int], tuple[int, int, bool, bool, bool]], ...]
    held: int | None
    step: int
    sample_step: int


def physics_version() -> str:
    """A checksum of all that decides how pieces move: our sources of the physics and MuJoCo's version."""
    return _version()


@lru_cache(1)
def _version() -> str:
    digest = hashlib.sha256(mujoco.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@kernel
def _lowest(mesh: Array, pose: Array) -> float:
    """Height of a piece's lowest corner; mesh (64, 3) and pose (7,) in the same unit."""
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    a, b, c = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    lowest = 1e30
    for k in range(len(mesh)):
        lowest = min(lowest, a * mesh[k, 0] + b * mesh[k, 1] + c * mesh[k, 2])
    return float(lowest + pose[2])


@kernel
def _fallen(
    where: NDArray[np.int32],
    awake: NDArray[np.int32],
    poses: Array,
    meshes: Array,
    level: float,
    out: NDArray[np.int32],
) -> int:
    """Which free pieces reach down to the level; returns how many and lists them in out."""
    count = 0
    for i in range(len(where)):
        if where[i] == ON_BOARD and awake[i] != 0 and poses[i, 2] < 1.0 and _lowest(meshes[i], poses[i]) < level:
            out[count] = i
            count += 1
    return count


@dataclass
class Scene:
    """Magnets on a board. All numbers that come in and go out are in millimetres; `full` lets no piece sleep (for comparison)."""

    layout: Layout
    shapes: tuple[Shape, ...]
    full: bool = False
    step: int = 0
    """Steps of 1/960 s since the scene began."""
    held: int | None = None
    events: list[Event] = field(default_factory=list)
    """What happened, in order; whoever reads it may clear it."""

    def __post_init__(self) -> None:
        self.model = copy.copy(compiled(self.layout, tuple(self.shapes)))
        self.data = mujoco.MjData(self.model)
        n = len(self.shapes)
        model, data = self.model, self.data
        self.where = np.zeros(n, dtype=np.int32)
        self.poses = data.qpos.reshape(n, 7)
        self.velocities = data.qvel.reshape(n, 6)
        self._passive = data.qfrc_passive.reshape(n, 6)
        self._table = magnet_table(self.shapes)
        self._meshes = np.array([shape.mesh_mm / 10 for shape in self.shapes]).reshape(n, 4 * CORNERS, 3)
        self._body = body_table(self.shapes)
        self._hand = np.zeros(20)
        self._hand[14:19] = (
            1 / SAMPLES_PER_SECOND,
            HAND_FREQUENCY,
            HAND_FORCE_N * 1e5,
            HAND_TORQUE_NM * 1e7,
            STEPS_PER_SAMPLE,
        )
        self._points = np.zeros((n, 5, 3))
        self._moments = np.zeros((n, 4))
        self._pairs = np.zeros((n, n, 6))
        self.total = np.zeros((n, 6))
        self._asleep = np.ones(n, dtype=np.int32)
        self._still = np.zeros(n, dtype=np.int32)
        self._anchor = np.zeros((n, 7))
        self._slept = np.zeros((n, 6))
        self._limits = np.zeros((n, 2))
        self._touched = np.zeros(n, dtype=np.int32)
        self._back = np.zeros(2, dtype=np.int32)
        self._list = np.zeros(n, dtype=np.int32)
        self._contacts: dict[tuple[int, int], _Contact] = {}
        self._sample_step = 0
        self._first_geom = int(model.body_geomadr[1]) if n else 0
        self._address = model._address, data._address
        mujoco.mj_forward(model, data)
        for magnet in range(n):
            self._collide(magnet, False)
        model.tree_sleep_policy[:] = ALLOWED
        data.tree_asleep[:] = np.arange(n)
        self._update_sleep()

    # --- putting, taking, holding ---

    def put(self, magnet: int, pose: Pose) -> None:
        """Put a magnet on the board, at rest, in this pose (mm)."""
        self._enter(magnet, pose, ON_BOARD)

    def hold(self, magnet: int, pose: Pose) -> None:
        """The hand brings a magnet in, here (mm)."""
        if self.held is not None:
            raise SceneRefused(
                "The hand holds a magnet already; it has to let go first.",
                "La main tient déjà un aimant ; elle doit d'abord le lâcher.",
            )
        self._enter(magnet, pose, HELD)
        self.held = magnet
        self._hand[0:7] = self._hand[7:14] = _centimetres(pose)
        self._sample_step = 0

    def _enter(self, magnet: int, pose: Pose, where: int) -> None:
        if not 0 <= magnet < len(self.shapes):
            raise SceneRefused(
                f"There is no magnet {magnet} in this scene; they are numbered 0 to {len(self.shapes) - 1}.",
                f"Il n'y a pas d'aimant {magnet} dans cette scène ; ils vont de 0 à {len(self.shapes) - 1}.",
            )
        if self.where[magnet] != AWAY:
            raise SceneRefused(
                f"Magnet {magnet} is on the board already.", f"L'aimant {magnet} est déjà sur le plateau."
            )
        self.where[magnet] = where
        self.poses[magnet] = _centimetres(pose)
        self.velocities[magnet] = 0
        self._collide(magnet, True)
        self._asleep[magnet] = 0
        self._still[magnet] = 0
        self.data.tree_asleep[magnet] = -11
        self.model.tree_sleep_policy[magnet] = NEVER
        self._update_sleep()
        self._prepare()

    def take(self, magnets: Iterable[int]) -> None:
        """Lift magnets off the board, all at once. What is left feels it at the next step."""
        for magnet in magnets:
            if self.where[magnet] == AWAY:
                raise SceneRefused(
                    f"Magnet {magnet} is not on the board.", f"L'aimant {magnet} n'est pas sur le plateau."
                )
            self._wake_with(magnet)
            if self.held == magnet:
                self.held = None
            self.where[magnet] = AWAY
            self.velocities[magnet] = 0
            self.data.qacc_warmstart[6 * magnet : 6 * magnet + 6] = 0
            self._collide(magnet, False)
            self._asleep[magnet] = 1
            self.data.tree_asleep[magnet] = magnet
            self.model.tree_sleep_policy[magnet] = ALLOWED
            for pair in [pair for pair in self._contacts if magnet in pair]:
                del self._contacts[pair]
        self._update_sleep()
        self._prepare()
        wake_changed(
            self.where,
            self._asleep,
            self.model.tree_sleep_policy,
            self.poses,
            self._body,
            self.total,
            self._slept,
            self._limits,
        )

    def aim(self, pose: Pose) -> None:
        """Where the hand will be at the end of the next sample (1/60 s)."""
        self._hand[0:7] = self._hand[7:14]
        self._hand[7:14] = _centimetres(pose)
        self._sample_step = 0

    def let_go(self) -> None:
        """The hand lets go: the held piece is free and keeps its velocity."""
        if self.held is None:
            raise SceneRefused("The hand holds nothing.", "La main ne tient rien.")
        self.where[self.held] = ON_BOARD
        self.held = None

    def check_room(self) -> None:
        """Refuse a scene in which pieces are inside each other, a mat or the table by more than a millimetre."""
        probe = Scene(self.layout, self.shapes)
        for magnet in np.flatnonzero(self.where != AWAY):
            probe.put(int(magnet), self.pose(int(magnet)))
        mujoco.mj_forward(probe.model, probe.data)
        contact, first = probe.data.contact, probe._first_geom
        deepest = int(contact.dist.argmin()) if probe.data.ncon else None
        if deepest is None or contact.dist[deepest] > -INSIDE_MM / 10:
            return
        one, two = sorted(int(geom) - first for geom in contact.geom[deepest])
        if one >= 0:
            raise SceneRefused(
                f"Magnets {one} and {two} are inside each other. Put one of them farther away.",
                f"Les aimants {one} et {two} sont l'un dans l'autre. Éloignez-en un.",
            )
        raise SceneRefused(
            f"Magnet {two} is inside a mat or the table. Put it higher: its z is its centre's, above the mats' upper face.",
            f"L'aimant {two} est dans un tapis ou dans la table. Placez-le plus haut : z est la hauteur de son centre"
            " au-dessus des tapis.",
        )

    def _collide(self, magnet: int, on: bool) -> None:
        geom = self._first_geom + magnet
        model = self.model
        # MuJoCo keeps the same bits a second time, per body, for its first rough pass.
        for bits, k in (
            (model.geom_contype, geom),
            (model.geom_conaffinity, geom),
            (model.body_contype, 1 + magnet),
            (model.body_conaffinity, 1 + magnet),
        ):
            bits[k] = int(on)

    def _wake_with(self, magnet: int) -> None:
        """Wake the sleepers that MuJoCo put to sleep together with this one."""
        asleep = self.data.tree_asleep
        current = magnet
        while asleep[current] >= 0:
            after = int(asleep[current])
            asleep[current] = -11
            if self.where[current] != AWAY:
                self.model.tree_sleep_policy[current] = NEVER
                self._asleep[current] = 0
                self._still[current] = 0
            current = after

    def _update_sleep(self) -> None:
        mj_library.mj_updateSleep(ctypes.c_void_p(self._address[0]), ctypes.c_void_p(self._address[1]))

    def _prepare(self) -> None:
        prepare(self._table, self.where, self.poses, self._points, self._moments, self._pairs, self.total)

    # --- time ---

    @property
    def at_rest(self) -> bool:
        """Whether nothing moves and nothing is held."""
        return self.held is None and bool(self._asleep.all()) and not (self.model.tree_sleep_policy == NEVER).any()

    @property
    def awake(self) -> int:
        """How many pieces are being simulated."""
        return int((self._asleep == 0).sum())

    def advance(self, steps: int) -> int:
        """Let time pass, at most `steps`; comes back early after an event. Returns the steps that passed.

        Time in which everything sleeps costs nothing. New events are appended to `events`.
        """
        passed = 0
        heard = len(self.events)
        while passed < steps:
            if self.at_rest:
                self.step += steps - passed
                return steps
            chunk = min(LOOK if self._back[1] else STEPS_PER_SAMPLE, steps - passed)
            self._back[1] = 0
            reason = advance(
                *self._address, chunk, self._sample_step, self.where, self.poses, self.velocities, self._passive,
                self.data.tree_awake, self.model.tree_sleep_policy, self._asleep, self._still, self._anchor, self._table, self._body,
                self._hand, self._points, self._moments, self._pairs, self.total, self._slept, self._limits, self._touched, self.full,
                self._back,
            )  # fmt: skip
            done = int(self._back[0])
            passed += done
            self.step += done
            self._sample_step += done
            if reason == BROKEN:
                raise PhysicsBroken(
                    "The simulation of the magnets broke down; the board is as it was before the turn. Play another turn.",
                    "La simulation des aimants a échoué ; le plateau est comme avant le tour. Jouez un autre tour.",
                )
            self._look(reason == RESTING)
            if len(self.events) > heard:
                return passed
        return passed

    def _look(self, resting: bool) -> None:
        """See who touches whom, who holds together and who reached the table."""
        if self._back[1] or self._contacts:
            self._look_at_contacts(resting)
        count = _fallen(
            self.where,
            self.data.tree_awake,
            self.poses,
            self._meshes,
            -mats_module.THICKNESS_MM / 10 + 0.003,
            self._list,
        )
        if count:
            self.events.append(Event(self.step, "fall", tuple(int(i) for i in self._list[:count])))

    def _look_at_contacts(self, resting: bool) -> None:
        data, first = self.data, self._first_geom
        if data.ncon:
            geoms, frames = data.contact.geom, data.contact.frame  # each look copies them: once is enough
            both = (geoms[:, 0] >= first) & (geoms[:, 1] >= first)
            ones, twos = (geoms[both] - first).T
            # A normal points from one to two: attraction pulls two against it.
            pulls = -(self._pairs[twos, ones, :3] * frames[both, :3]).sum(axis=1)
            lighter = np.minimum(self._body[ones, 0], self._body[twos, 0]) * steps_module.GRAVITY
            attracted = (pulls > ATTRACTION * lighter).tolist()
            for one, two, pulled in zip(ones.tolist(), twos.tolist(), attracted, strict=True):
                pair = (one, two) if one < two else (two, one)
                contact = self._contacts.get(pair)
                if contact is None:
                    contact = self._contacts[pair] = _Contact(self.step, self.step)
                    self.events.append(Event(self.step, "touch", pair))
                contact.seen = self.step
                contact.attracted = pulled
                if self.held in pair:
                    contact.pressed = True
        touched, asleep = [0] * len(self.shapes), self._asleep.tolist()
        for pair, contact in list(self._contacts.items()):
            for magnet in pair:
                touched[magnet] = max(touched[magnet], 2 if contact.told else 1)
            sleeping = asleep[pair[0]] and asleep[pair[1]]
            if not sleeping and not contact.pressed and self.step - contact.seen > PART_STEPS:
                del self._contacts[pair]
            elif not contact.told and (
                contact.pressed
                or (contact.attracted and (resting or contact.seen - contact.since >= HELD_TOGETHER_STEPS))
            ):
                contact.told = True
                self.events.append(Event(self.step, "collapse", pair))
        self._touched[:] = touched

    # --- looking ---

    def pose(self, magnet: int) -> Pose:
        """Where a magnet is, mm."""
        x, y, z, w, a, b, c = (float(number) for number in self.poses[magnet])
        return x * 10, y * 10, z * 10, w, a, b, c

    @property
    def on_board(self) -> tuple[int, ...]:
        """The magnets that lie free in the scene."""
        return tuple(int(i) for i in np.flatnonzero(self.where == ON_BOARD))

    def groups(self) -> list[tuple[int, ...]]:
        """The pieces that hold together (Y10), group by group, the group with the lowest number first."""
        groups: list[set[int]] = []
        for pair, contact in self._contacts.items():
            if contact.told:
                joined = [group for group in groups if group & set(pair)]
                groups = [group for group in groups if not group & set(pair)]
                groups.append(set(pair).union(*joined))
        return sorted(tuple(sorted(group)) for group in groups)

    def magnetic(self) -> Array:
        """Magnetic force (N) and torque (N·m) on each magnet, shape (n, 6), zero for those not in the scene."""
        self._prepare()
        result: Array = self.total * np.array([1e-5] * 3 + [1e-7] * 3)
        result[self.where == AWAY] = 0
        return result

    def energy(self) -> float:
        """Kinetic, gravitational and magnetic energy of the free pieces, joules."""
        here = np.flatnonzero(self.where != AWAY)
        magnetic = all_wrenches(self._table[here], self.poses[here], np.zeros((len(here), 6)))
        mass, inertia = self._body[here, 0], self._body[here, 1:4]
        v, w = self.velocities[here, :3], self.velocities[here, 3:]
        kinetic = 0.5 * (mass * (v * v).sum(axis=1)).sum() + 0.5 * (inertia * w * w).sum()
        return float(magnetic + kinetic + (mass * steps_module.GRAVITY * self.poses[here, 2]).sum()) * 1e-7

    # --- saving ---

    def save(self) -> Snapshot:
        """All that is needed to go on from here, bit by bit."""
        kind = mujoco.mjtState.mjSTATE_INTEGRATION
        numbers = np.empty(mujoco.mj_stateSize(self.model, kind))
        mujoco.mj_getState(self.model, self.data, numbers, kind)
        whole = np.stack(
            [self.where, self._asleep, self._still, self._touched, self.model.tree_sleep_policy, self.data.tree_asleep]
        )
        extra = np.concatenate(
            [self._slept.ravel(), self._limits.ravel(), self._anchor.ravel(), self._hand, [self._back[1]]]
        )
        contacts = tuple(
            (pair, (c.since, c.seen, c.told, c.attracted, c.pressed)) for pair, c in self._contacts.items()
        )
        return Snapshot(numbers, whole, extra, contacts, self.held, self.step, self._sample_step)

    def restore(self, saved: Snapshot) -> None:
        """Go back to what `save` gave, in this process or another with the same version."""
        kind = mujoco.mjtState.mjSTATE_INTEGRATION
        model, data, n = self.model, self.data, len(self.shapes)
        self.where[:], self._asleep[:], self._still[:], self._touched[:] = saved.whole[:4]
        for i in range(n):
            self._collide(i, bool(self.where[i] != AWAY))
        # First everything awake, so that MuJoCo knows where the sleepers lie; then the state once more, as the first pass disturbs it.
        mujoco.mj_setState(model, data, saved.numbers, kind)
        data.tree_asleep[:] = -11
        self._update_sleep()
        mujoco.mj_forward(model, data)
        mujoco.mj_setState(model, data, saved.numbers, kind)
        model.tree_sleep_policy[:] = saved.whole[4]
        data.tree_asleep[:] = saved.whole[5]
        self._update_sleep()
        self._slept[:] = saved.extra[: 6 * n].reshape(n, 6)
        self._limits[:] = saved.extra[6 * n : 8 * n].reshape(n, 2)
        self._anchor[:] = saved.extra[8 * n : 15 * n].reshape(n, 7)
        self._hand[:] = saved.extra[15 * n : 15 * n + 20]
        self._back[1] = int(saved.extra[15 * n + 20])
        self._contacts = {pair: _Contact(*values) for pair, values in saved.contacts}
        self.held, self.step, self._sample_step = saved.held, saved.step, saved.sample_step
        self.events.clear()
        self._prepare()


def _centimetres(pose: Pose) -> Array:
    result = np.array(pose, dtype=np.float64)
    result[:3] /= 10
    result[3:] /= np.linalg.norm(result[3:])
    return result
