"""Who is connected to a table, who is away, and what was said. Nothing of it is in the log."""

from collections import deque
from collections.abc import Iterable
from typing import Final

from ludotheque.core import Json, JsonObject
from ludotheque.table.effects import Actor, person_id

KEPT_SAYINGS: Final = 50
MOST_MUTED: Final = 1000


class Room:
    """The people around a table."""

    def __init__(self, people: Iterable[str], now: float) -> None:
        self.actors: dict[Actor, None] = {}  # in the order in which they came
        self.said: deque[JsonObject] = deque(maxlen=KEPT_SAYINGS)
        self.muted: dict[str, set[str]] = {}  # by listener
        self.away: dict[str, float] = dict.fromkeys(people, now)  # since when, by person
        self._present: frozenset[str] | None = None

    def enter(self, actor: Actor) -> None:
        """Somebody has come."""
        self.actors[actor] = None
        self._present = None
        person = person_id(actor)
        if person is not None:
            self.away.pop(person, None)

    def leave(self, actor: Actor, now: float) -> None:
        """Somebody has gone."""
        self.actors.pop(actor, None)
        self._present = None
        person = person_id(actor)
        if person is not None and person not in self.present:
            self.away[person] = now

    @property
    def present(self) -> frozenset[str]:
        """The ids of those who are connected."""
        if self._present is None:
            self._present = frozenset(person for actor in self.actors if (person := person_id(actor)) is not None)
        return self._present

    @property
    def people(self) -> list[JsonObject]:
        """Those who are connected, each once."""
        return list(
            {str(actor.person["id"]): actor.person for actor in self.actors if actor.person is not None}.values()
        )

    def person(self, identity: str) -> JsonObject:
        """A person by id, with the name under which they are connected."""
        return next((one for one in self.people if one["id"] == identity), {"id": identity, "name": ""})

    def mute(self, listener: str, speaker: str, *, on: bool) -> None:
        """Let somebody hear a person no more, or again."""
        muted = self.muted.setdefault(listener, set())
        if on and len(muted) < MOST_MUTED:
            muted.add(speaker)
        else:
            muted.discard(speaker)

    def hearers(self, speaker: str) -> tuple[Actor, ...]:
        """Those who have not muted a person."""
        return tuple(one for one in self.actors if speaker not in self.muted.get(person_id(one) or "", ()))

    def said_to(self, listener: str | None) -> list[Json]:
        """What was said by those whom a person has not muted."""
        muted = self.muted.get(listener or "", set())
        return [one for one in self.said if _speaker(one) not in muted]


def _speaker(said: JsonObject) -> Json:
    person = said["person"]
    return person["id"] if isinstance(person, dict) else None
