"""Which pieces touch each other, since when, and which of them hold together (Y7, Y10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from .buffers import APART, HOLDING_TOGETHER, MASS, TOUCHING
from .events import Event, Knock
from .sleep import GRAVITY
from .world import World

Pair = tuple[int, int]
"""Two pieces, the lower number first."""
ContactState = tuple[int, int, bool, bool, bool]
"""The fields of a `Contact`."""

HELD_TOGETHER_STEPS = 24
"""Pieces that attract each other and have touched for that many steps (25 ms) hold together."""
PART_STEPS = 48
"""Contact that breaks for less than that many steps (50 ms) is a bounce, not a parting."""
ATTRACTION = 1.0
"""How hard, in weights of the lighter piece, two touching pieces must attract each other to be held together by it."""

MM_PER_CM = 10
AUDIBLE_MM_S = 30
"""Knocks below this speed are not noted."""
MOST_KNOCKS = 200
"""As many are kept if nobody reads them."""


@dataclass
class Contact:
    """Two pieces that touch."""

    since: int
    """Step at which they first touched."""
    seen: int
    """Step at which they were last seen touching."""
    reported: bool = False
    """Whether their holding together has been reported."""
    attracted: bool = False
    """Whether they attract each other enough to hold together."""
    pressed: bool = False
    """Whether the hand pressed one on the other (Y7): then they hold together whatever the field says."""


class Contacts:
    """The contacts between the pieces of one scene."""

    def __init__(self) -> None:
        self._pairs: dict[Pair, Contact] = {}
        self.knocks: list[Knock] = []
        """What was to be heard, in order; the reader clears it. Not part of what is saved."""

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def update(self, world: World, held: int | None, step: int, *, resting: bool) -> list[Event]:
        """Compare with MuJoCo's contacts after a step; fills the buffer `contact`. Returns what is new: touches and collapses.

        resting: everything in the scene sleeps.
        """
        scene = world.buffers
        events = self._see_touches(world, held, step)
        contact_of, asleep = [APART] * len(scene.status), scene.asleep.tolist()
        for pair, contact in list(self._pairs.items()):
            for magnet in pair:
                contact_of[magnet] = max(contact_of[magnet], HOLDING_TOGETHER if contact.reported else TOUCHING)
            sleeping = asleep[pair[0]] and asleep[pair[1]]
            if not sleeping and not contact.pressed and step - contact.seen > PART_STEPS:
                del self._pairs[pair]
            elif not contact.reported and (
                contact.pressed
                or (contact.attracted and (resting or contact.seen - contact.since >= HELD_TOGETHER_STEPS))
            ):
                contact.reported = True
                events.append(Event(step, "collapse", pair))
        scene.contact[:] = contact_of
        self._see_knocks(world)
        return events

    def _see_knocks(self, world: World) -> None:
        """Note the knocks of pieces that touch since the last look."""
        knocks = world.buffers.knocks
        for one, two in zip(*(places.tolist() for places in np.nonzero(knocks)), strict=True):
            speed = round(float(knocks[one, two]) * MM_PER_CM)
            if speed >= AUDIBLE_MM_S and (one, two) in self._pairs and len(self.knocks) < MOST_KNOCKS:
                self.knocks.append(Knock((one, two), speed))
        knocks[:] = 0.0

    def _see_touches(self, world: World, held: int | None, step: int) -> list[Event]:
        scene, data, first_geom = world.buffers, world.data, world.first_geom
        events: list[Event] = []
        if not data.ncon:
            return events
        geoms, frames = data.contact.geom, data.contact.frame  # each access copies them: once is enough
        both = (geoms[:, 0] >= first_geom) & (geoms[:, 1] >= first_geom)
        ones, twos = (geoms[both] - first_geom).T
        # A normal points from one to two: attraction pulls two against it.
        pulls = -(scene.pair_wrenches[twos, ones, :3] * frames[both, :3]).sum(axis=1)
        mass = scene.bodies[:, MASS]
        attracted = (pulls > ATTRACTION * (np.minimum(mass[ones], mass[twos]) * GRAVITY)).tolist()
        for one, two, pulled in zip(ones.tolist(), twos.tolist(), attracted, strict=True):
            pair = (one, two) if one < two else (two, one)
            contact = self._pairs.get(pair)
            if contact is None:
                contact = self._pairs[pair] = Contact(step, step)
                met = max(scene.knocks[pair], scene.closing[pair])
                events.append(Event(step, "touch", pair, round(float(met) * MM_PER_CM)))
            contact.seen = step
            contact.attracted = pulled
            if held in pair:
                contact.pressed = True
        return events

    def remove(self, magnet: int) -> None:
        """Forget the contacts of a piece that was taken away."""
        for pair in [pair for pair in self._pairs if magnet in pair]:
            del self._pairs[pair]

    def groups(self) -> list[tuple[int, ...]]:
        """The pieces that hold together (Y10), group by group, the group with the lowest number first."""
        groups: list[set[int]] = []
        for pair, contact in self._pairs.items():
            if contact.reported:
                joined = [group for group in groups if group & set(pair)]
                groups = [group for group in groups if not group & set(pair)]
                groups.append(set(pair).union(*joined))
        return sorted(tuple(sorted(group)) for group in groups)

    def save(self) -> tuple[tuple[Pair, ContactState], ...]:
        """All contacts as plain values."""
        return tuple((pair, astuple(contact)) for pair, contact in self._pairs.items())

    def restore(self, saved: Sequence[tuple[Pair, ContactState]]) -> None:
        """Go back to what `save` returned."""
        self._pairs = {pair: Contact(*values) for pair, values in saved}
