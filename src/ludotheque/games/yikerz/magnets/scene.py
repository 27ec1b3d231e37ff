"""A board with magnets as a physical scene: MuJoCo's bodies and contacts, our field, pieces that sleep until something acts on them.

It reports touches, collapses and falls; what they mean for the score is in the game's `turn` and `rules`. The bodies are in `world`,
the inner loop is in `steps`, contacts are in `contacts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ludotheque.games.yikerz.catalogue import text

from .buffers import AWAY, HELD, ON_BOARD, Array, HandTarget, Ints, SceneBuffers
from .compile import kernel
from .contacts import Contacts, ContactState, Pair
from .events import Event, Knock
from .mats import THICKNESS_MM, Layout
from .poses import Pose
from .problems import PhysicsBroken, SceneRefused
from .shapes import CORNERS, Shape
from .steps import BROKEN, HAND_SPRING, RESTING
from .timing import STEPS_PER_SAMPLE
from .world import SavedWorld, World

CONTACT_STEPS = 4
"""Steps between two looks at MuJoCo's contacts while pieces are close to each other: 4 ms."""
INSIDE_MM = 1.0
"""Given poses may overlap by this much, rounding and soft contacts included."""
TABLE_HEIGHT = -THICKNESS_MM / 10 + 0.003
"""cm: a piece whose lowest corner is below this has fallen off the mats."""
LOW = 1.0
"""cm: a piece whose centre is higher cannot have reached the table."""


@dataclass(frozen=True)
class Snapshot:
    """Everything that a scene needs to go on bit for bit."""

    world: SavedWorld
    hand: tuple[Array, Array, int]
    """The hand's poses at the beginning and the end of its sample, cm, and the steps of it that have passed."""
    contacts: tuple[tuple[Pair, ContactState], ...]
    held: int | None
    step: int


@kernel
def _lowest(mesh: Array, pose: Array) -> float:
    """Height of a piece's lowest corner, cm. mesh: shape (64, 3), cm. pose: shape (7,), cm."""
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    a, b, c = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    lowest = 1e30
    for k in range(len(mesh)):
        lowest = min(lowest, a * mesh[k, 0] + b * mesh[k, 1] + c * mesh[k, 2])
    return float(lowest + pose[2])


@kernel
def _fallen(scene: SceneBuffers, meshes: Array, out: Ints) -> int:
    """List the free pieces that have reached the table in out, shape (n,). Returns how many. meshes: shape (n, 64, 3), cm."""
    count = 0
    for i in range(len(scene.status)):
        if (
            scene.status[i] == ON_BOARD
            and scene.awake[i] != 0
            and scene.poses[i, 2] < LOW
            and _lowest(meshes[i], scene.poses[i]) < TABLE_HEIGHT
        ):
            out[count] = i
            count += 1
    return count


@dataclass
class Scene:
    """Magnets on a board. Poses are in millimetres outside, in centimetres in `buffers`."""

    layout: Layout
    shapes: tuple[Shape, ...]
    full: bool = False
    """Let no piece sleep, for comparison."""
    finer: int = 1
    """Divide every step into that many more parts, for comparison."""
    step: int = 0
    """Steps of 1/960 s since the scene began."""
    held: int | None = None
    """The magnet in the hand."""
    events: list[Event] = field(default_factory=list)
    """What happened, in order; the reader may clear it."""

    def __post_init__(self) -> None:
        n = len(self.shapes)
        self.world = World(self.layout, tuple(self.shapes), never_sleep=self.full, finer=self.finer)
        self.buffers = self.world.buffers
        self._hand_start, self._hand_end = np.zeros(7), np.zeros(7)
        self._hand_steps = 0
        self._contacts = Contacts()
        self._meshes = np.array([shape.mesh_mm / 10 for shape in self.shapes]).reshape(n, 4 * CORNERS, 3)
        self._fallen = np.zeros(n, dtype=np.int32)

    # Magnets in and out, and the hand.

    def put(self, magnet: int, pose: Pose) -> None:
        """Put a magnet on the board, at rest, in this pose (mm)."""
        self._enter(magnet, pose, ON_BOARD)

    def hold(self, magnet: int, pose: Pose) -> None:
        """Bring a magnet in with the hand, in this pose (mm)."""
        if self.held is not None:
            raise SceneRefused(text("scene.hand-is-full"))
        self._enter(magnet, pose, HELD)
        self.held = magnet
        self._hand_start[:] = self._hand_end[:] = _centimetres(pose)
        self._hand_steps = 0

    def _enter(self, magnet: int, pose: Pose, status: int) -> None:
        if not 0 <= magnet < len(self.shapes):
            raise SceneRefused(text("scene.no-magnet", magnet=magnet, last=len(self.shapes) - 1))
        if self.status[magnet] != AWAY:
            raise SceneRefused(text("scene.already-there", magnet=magnet))
        self.world.enter(magnet, _centimetres(pose), status)

    def take(self, magnets: Iterable[int]) -> None:
        """Lift magnets off the board, all at once."""
        for magnet in magnets:
            if self.status[magnet] == AWAY:
                raise SceneRefused(text("scene.not-there", magnet=magnet))
            self.world.leave(magnet)
            if self.held == magnet:
                self.held = None
            self._contacts.remove(magnet)
        self.world.settle()

    def aim(self, pose: Pose) -> None:
        """Set where the hand will be at the end of the next sample (1/60 s), mm."""
        self._hand_start[:] = self._hand_end
        self._hand_end[:] = _centimetres(pose)
        self._hand_steps = 0

    def let_go(self) -> None:
        """Let the held piece go: it is free and keeps its velocity."""
        if self.held is None:
            raise SceneRefused(text("scene.hand-is-empty"))
        self.status[self.held] = ON_BOARD
        self.held = None

    def check_room(self) -> None:
        """Refuse a scene in which pieces are inside each other, a mat or the table by more than a millimetre."""
        probe = Scene(self.layout, self.shapes)
        for magnet in np.flatnonzero(self.status != AWAY):
            probe.put(int(magnet), self.pose(int(magnet)))
        deepest = probe.world.deepest_overlap()
        if deepest is None or deepest[0] > -INSIDE_MM / 10:
            return
        _, one, two = deepest
        if one >= 0:
            raise SceneRefused(text("scene.inside-each-other", one=one, other=two))
        raise SceneRefused(text("scene.inside-a-mat", magnet=two))

    # Time.

    @property
    def at_rest(self) -> bool:
        """Whether nothing moves and nothing is held."""
        return self.held is None and self.world.at_rest

    @property
    def awake(self) -> int:
        """How many pieces are being simulated."""
        return int((self.buffers.asleep == 0).sum())

    def advance(self, steps: int) -> int:
        """Let at most `steps` steps pass; returns early after an event. Returns the steps that passed.

        Time in which everything sleeps costs nothing. New events are appended to `events`.
        """
        buffers = self.buffers
        passed = 0
        known = len(self.events)
        while passed < steps:
            if self.at_rest:
                self.step += steps - passed
                return steps
            chunk = min(CONTACT_STEPS if buffers.pieces_close[0] else STEPS_PER_SAMPLE, steps - passed)
            buffers.pieces_close[0] = 0
            hand = HandTarget(self._hand_start, self._hand_end, self._hand_steps, HAND_SPRING)
            reason = self.world.advance(chunk, hand)
            done = int(buffers.steps_made[0])
            passed += done
            self.step += done
            self._hand_steps += done
            if reason == BROKEN:
                raise PhysicsBroken(text("scene.broken"))
            self._report(reason == RESTING)
            if len(self.events) > known:
                return passed
        return passed

    def _report(self, resting: bool) -> None:
        """Append the events of the last steps: touches, collapses and falls."""
        if self.buffers.pieces_close[0] or self._contacts:
            self.events += self._contacts.update(self.world, self.held, self.step, resting=resting)
        count = _fallen(self.buffers, self._meshes, self._fallen)
        if count:
            self.events.append(Event(self.step, "fall", tuple(int(i) for i in self._fallen[:count])))

    # Looking.

    @property
    def status(self) -> Ints:
        """AWAY, ON_BOARD or HELD for each magnet, shape (n,)."""
        return self.buffers.status

    @property
    def poses(self) -> Array:
        """Poses of all magnets, shape (n, 7), cm."""
        return self.buffers.poses

    @property
    def velocities(self) -> Array:
        """Velocities of all magnets, shape (n, 6): cm/s in the board's frame, rad/s in the piece's own."""
        return self.buffers.velocities

    def pose(self, magnet: int) -> Pose:
        """The pose of a magnet, mm."""
        x, y, z, w, a, b, c = (float(number) for number in self.poses[magnet])
        return x * 10, y * 10, z * 10, w, a, b, c

    @property
    def on_board(self) -> tuple[int, ...]:
        """The magnets that lie free in the scene."""
        return tuple(int(i) for i in np.flatnonzero(self.status == ON_BOARD))

    def groups(self) -> list[tuple[int, ...]]:
        """The pieces that hold together (Y10), group by group, the group with the lowest number first."""
        return self._contacts.groups()

    def heard(self) -> list[Knock]:
        """The knocks of pieces against each other since this was last asked."""
        knocks, self._contacts.knocks = self._contacts.knocks, []
        return knocks

    def magnetic(self) -> Array:
        """Magnetic force (N) and torque (N·m) on each magnet in the board's frame, shape (n, 6); zero for those not in the scene."""
        return self.world.magnetic()

    def energy(self) -> float:
        """Kinetic, gravitational and magnetic energy of the magnets in the scene, joules."""
        return self.world.energy()

    # Saving.

    def save(self) -> Snapshot:
        """Everything that is needed to go on from here, bit for bit."""
        hand = (self._hand_start.copy(), self._hand_end.copy(), self._hand_steps)
        return Snapshot(self.world.save(), hand, self._contacts.save(), self.held, self.step)

    def restore(self, saved: Snapshot) -> None:
        """Go back to what `save` returned, in this process or another with the same version of the physics."""
        self.world.restore(saved.world)
        start, end, self._hand_steps = saved.hand
        self._hand_start[:], self._hand_end[:] = start, end
        self._contacts.restore(saved.contacts)
        self.held, self.step = saved.held, saved.step
        self.events.clear()


def _centimetres(pose: Pose) -> Array:
    result = np.array(pose, dtype=np.float64)
    result[:3] /= 10
    result[3:] /= np.linalg.norm(result[3:])
    return result
