"""MuJoCo's model and data of a scene together with our own buffers: pieces enter and leave, sleep, are saved and restored.

Time passes in `scene`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .buffers import AWAY, INERTIA, MASS, Array, HandTarget, SceneBuffers
from .field import COLUMNS, NEWTON_METRE_PER_DYN_CM, NEWTON_PER_DYN, all_wrenches, magnet_table
from .mats import Layout
from .model import body_table, compiled
from .mujoco_library import (
    ALLOWED,
    COMPILED_STEPS,
    FULLY_AWAKE,
    NEVER,
    SLEEP,
    address,
    mujoco,
    option_of,
    update_sleep,
)
from .shapes import Shape
from .sleep import GRAVITY, wake_where_field_changed
from .steps import advance, advance_by_calls, compute_field

STATE_KIND = mujoco.mjtState.mjSTATE_INTEGRATION
"""The smaller kinds of MuJoCo's state do not continue bit for bit."""
SAVED = (
    "status",
    "asleep",
    "still_steps",
    "contact",
    "rest_wrenches",
    "wake_load",
    "wake_change",
    "anchors",
    "pieces_close",
    "snapping",
    "closing",
    "knocks",
    "contact_springs",
    "friction_ratio",
)
"""The fields of `SceneBuffers` that belong to a saved world. MuJoCo's state has the others, or `compute_field` computes them."""
JOULE_PER_ERG = 1e-7


@dataclass(frozen=True)
class SavedWorld:
    """Everything that a world needs to go on bit for bit."""

    state: Array
    """MuJoCo's state, of `STATE_KIND`."""
    tree_asleep: NDArray[np.int32]
    """MuJoCo's cycles of sleeping bodies, shape (n,)."""
    sleep_policy: NDArray[np.int32]
    """Shape (n,)."""
    buffers: Mapping[str, NDArray[Any]]
    """Copies of the fields `SAVED`."""


class World:
    """The bodies of n magnets on a layout. All numbers are in centimetres, grams and seconds."""

    def __init__(self, layout: Layout, shapes: tuple[Shape, ...], *, never_sleep: bool, finer: int = 1) -> None:
        n = len(shapes)
        self.model = copy.copy(compiled(layout, shapes))
        self.data = mujoco.MjData(self.model)
        self.buffers = _new_buffers(self.model, self.data, shapes, never_sleep=never_sleep, finer=finer)
        self.first_geom = int(self.model.body_geomadr[1]) if n else 0
        """MuJoCo's number of the first magnet's geom."""
        mujoco.mj_forward(self.model, self.data)
        for magnet in range(n):
            self._set_collisions(magnet, False)
        self._tree_asleep = self.data.tree_asleep if SLEEP else np.zeros(n, dtype=np.int32)
        self.buffers.sleep_policy[:] = ALLOWED
        self._tree_asleep[:] = np.arange(n)
        self._update_sleep()

    def enter(self, magnet: int, pose: Array, status: int) -> None:
        """Add a magnet at rest, ON_BOARD or HELD. pose: shape (7,), cm."""
        buffers = self.buffers
        buffers.status[magnet] = status
        buffers.poses[magnet] = pose
        buffers.velocities[magnet] = 0
        self._set_collisions(magnet, True)
        buffers.asleep[magnet] = 0
        buffers.still_steps[magnet] = 0
        self._tree_asleep[magnet] = FULLY_AWAKE
        buffers.sleep_policy[magnet] = NEVER
        self._update_sleep()
        compute_field(buffers)

    def leave(self, magnet: int) -> None:
        """Remove a magnet and wake those asleep together with it; `settle` must follow."""
        self._wake_with(magnet)
        buffers = self.buffers
        buffers.status[magnet] = AWAY
        buffers.velocities[magnet] = 0
        self.data.qacc_warmstart[6 * magnet : 6 * magnet + 6] = 0
        self._set_collisions(magnet, False)
        buffers.asleep[magnet] = 1
        self._tree_asleep[magnet] = magnet
        buffers.sleep_policy[magnet] = ALLOWED

    def settle(self) -> None:
        """After magnets have left: compute the field without them, and wake those on which it changed."""
        self._update_sleep()
        compute_field(self.buffers)
        wake_where_field_changed(self.buffers)

    def advance(self, steps: int, hand: HandTarget) -> int:
        """Make up to `steps` steps; returns why it stopped, as `steps.advance` does."""
        if COMPILED_STEPS and SLEEP:
            return advance(self.buffers, steps, hand)
        return advance_by_calls(self.model, self.data, self.buffers, steps, hand)

    def deepest_overlap(self) -> tuple[float, int, int] | None:
        """The deepest contact: its distance (cm, negative for an overlap) and the two bodies, the lower number first.

        A magnet has its number; mats and the table have negative ones. None if nothing touches. Disturbs the world.
        """
        mujoco.mj_forward(self.model, self.data)
        if not self.data.ncon:
            return None
        contact = self.data.contact
        deepest = int(contact.dist.argmin())
        one, two = sorted(int(geom) - self.first_geom for geom in contact.geom[deepest])
        return float(contact.dist[deepest]), one, two

    def _set_collisions(self, magnet: int, on: bool) -> None:
        """Let a magnet collide, or not. MuJoCo keeps the same bits a second time, per body, for its broad phase."""
        geom = self.first_geom + magnet
        model = self.model
        for bits, k in (
            (model.geom_contype, geom),
            (model.geom_conaffinity, geom),
            (model.body_contype, 1 + magnet),
            (model.body_conaffinity, 1 + magnet),
        ):
            bits[k] = int(on)

    def _wake_with(self, magnet: int) -> None:
        """Wake a magnet and those that MuJoCo put to sleep together with it: they form a cycle in `tree_asleep`."""
        asleep = self._tree_asleep
        current = magnet
        while asleep[current] >= 0:
            after = int(asleep[current])
            asleep[current] = FULLY_AWAKE
            if self.buffers.status[current] != AWAY:
                self.buffers.sleep_policy[current] = NEVER
                self.buffers.asleep[current] = 0
                self.buffers.still_steps[current] = 0
            current = after

    def _update_sleep(self) -> None:
        update_sleep(self.buffers.model, self.buffers.data)

    @property
    def at_rest(self) -> bool:
        """Whether everything sleeps and nothing is about to wake."""
        return bool(self.buffers.asleep.all()) and not (self.buffers.sleep_policy == NEVER).any()

    def magnetic(self) -> Array:
        """Magnetic force (N) and torque (N·m) on each magnet in the board's frame, shape (n, 6); zero for those not in the scene."""
        compute_field(self.buffers)
        result: Array = self.buffers.wrenches * np.array([NEWTON_PER_DYN] * 3 + [NEWTON_METRE_PER_DYN_CM] * 3)
        result[self.buffers.status == AWAY] = 0
        return result

    def energy(self) -> float:
        """Kinetic, gravitational and magnetic energy of the magnets in the scene, joules."""
        buffers = self.buffers
        here = np.flatnonzero(buffers.status != AWAY)
        magnetic = all_wrenches(buffers.magnets[here], buffers.poses[here], np.zeros((len(here), 6)))
        mass, inertia = buffers.bodies[here, MASS], buffers.bodies[here, INERTIA : INERTIA + 3]
        v, w = buffers.velocities[here, :3], buffers.velocities[here, 3:]
        kinetic = 0.5 * (mass * (v * v).sum(axis=1)).sum() + 0.5 * (inertia * w * w).sum()
        potential = (mass * GRAVITY * buffers.poses[here, 2]).sum()
        return float(magnetic + kinetic + potential) * JOULE_PER_ERG

    def save(self) -> SavedWorld:
        """Everything that is needed to go on from here."""
        state = np.empty(mujoco.mj_stateSize(self.model, STATE_KIND))
        mujoco.mj_getState(self.model, self.data, state, STATE_KIND)
        return SavedWorld(
            state,
            self._tree_asleep.copy(),
            self.buffers.sleep_policy.copy(),
            {name: getattr(self.buffers, name).copy() for name in SAVED},
        )

    def restore(self, saved: SavedWorld) -> None:
        """Go back to what `save` returned for a world of the same layout and shapes."""
        model, data = self.model, self.data
        for name in SAVED:
            getattr(self.buffers, name)[:] = saved.buffers[name]
        for magnet in range(len(self.buffers.status)):
            self._set_collisions(magnet, bool(self.buffers.status[magnet] != AWAY))
        # First everything awake, so that MuJoCo computes where the sleepers are; then the state again, as that pass disturbs it.
        mujoco.mj_setState(model, data, saved.state, STATE_KIND)
        self._tree_asleep[:] = FULLY_AWAKE
        self._update_sleep()
        mujoco.mj_forward(model, data)
        mujoco.mj_setState(model, data, saved.state, STATE_KIND)
        self.buffers.sleep_policy[:] = saved.sleep_policy
        self._tree_asleep[:] = saved.tree_asleep
        self._update_sleep()
        compute_field(self.buffers)


def _new_buffers(model: Any, data: Any, shapes: tuple[Shape, ...], *, never_sleep: bool, finer: int) -> SceneBuffers:
    """The memory of a new scene, in which all pieces are away and asleep."""
    n = len(shapes)
    return SceneBuffers(
        model=address(model),
        data=address(data),
        magnets=magnet_table(shapes),
        bodies=body_table(shapes),
        status=np.zeros(n, dtype=np.int32),
        poses=data.qpos.reshape(n, 7),
        velocities=data.qvel.reshape(n, 6),
        passive_forces=data.qfrc_passive.reshape(n, 6),
        awake=data.tree_awake if SLEEP else np.ones(n, dtype=np.int32),
        sleep_policy=model.tree_sleep_policy if SLEEP else np.zeros(n, dtype=np.int32),
        asleep=np.ones(n, dtype=np.int32),
        still_steps=np.zeros(n, dtype=np.int32),
        anchors=np.zeros((n, 7)),
        points=np.zeros((n, 4, COLUMNS)),
        moments=np.zeros((n, 4)),
        pair_wrenches=np.zeros((n, n, 6)),
        wrenches=np.zeros((n, 6)),
        rest_wrenches=np.zeros((n, 6)),
        wake_load=np.zeros(n),
        wake_change=np.zeros(n),
        contact=np.zeros(n, dtype=np.int32),
        steps_made=np.zeros(1, dtype=np.int32),
        pieces_close=np.zeros(1, dtype=np.int32),
        closing=np.zeros((n, n)),
        knocks=np.zeros((n, n)),
        timestep=option_of(model, "timestep"),
        friction_ratio=option_of(model, "impratio"),
        contact_springs=model.geom_solref[model.ngeom - n :],
        snapping=np.zeros(1, dtype=np.int32),
        finer=finer,
        never_sleep=never_sleep or not SLEEP,
    )
