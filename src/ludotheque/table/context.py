"""What handlers see of a table, and the only way in which they change it."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ludotheque.core import Game, JsonObject
from ludotheque.table.effects import Actor, Effects, Message, Now, Work, person_id
from ludotheque.table.entries import Change, LogEntry, Stepped
from ludotheque.table.messages import step_message, table_message
from ludotheque.table.room import Room
from ludotheque.table.state import Ready, TableState

Handling: TypeAlias = Generator[Work, Any, None]
"""A request being carried out: it yields the work that it needs and is sent the result.

Who drives it decides where the work is done; so the same handler serves rules that run here and rules that run elsewhere.
"""
CheckPlayer: TypeAlias = Callable[[Game, int, str | None], None]
"""Raises BadOption where there is no bot of that level, or no such program."""


@dataclass(frozen=True, slots=True)
class LiveTurn:
    """A live turn that goes on: its work's id, whose it is, and the entry number that it began at."""

    id: int
    seat: int
    person: str | None
    request: str
    number: int


class Context:
    """A table while something is being carried out."""

    def __init__(self, state: TableState, room: Room, check_player: CheckPlayer) -> None:
        self.state = state
        self.room = room
        self.check_player = check_player
        self.now = Now(0.0, 0)
        self.actor: Actor | None = None  # whoever asks; a handler that waits for work looks before
        self.person: str | None = None  # and their id
        self.effects = Effects()
        self.live: LiveTurn | None = None
        self._work = 0

    def begin(self, now: Now, actor: Actor | None = None) -> None:
        """Start collecting effects of what an actor asks, or of what goes on by itself."""
        self.now, self.actor, self.effects = now, actor, Effects()
        self.person = None if actor is None else person_id(actor)

    def add(self, entry: Change, ready: Ready = None) -> None:
        """Add an entry to the log, and the message that tells everyone."""
        state, now = self.state, self.now
        line = LogEntry(state.number + 1, entry, now.moment)
        effects = self.effects
        effects.entries.append(line)
        step = state.apply(line, ready)
        if state.clocks.used and state.match is not None:
            state.clocks.run(state.timed, now.seconds)
        if step is not None and isinstance(entry, Stepped):
            content = step_message(state, self.room, entry, step, now)
        else:
            content = table_message(state, self.room, entry, now)
        effects.messages.append(Message(content, None, line.number))

    def tell(self, content: JsonObject, *to: Actor) -> None:
        """Send a message that is no entry, to some."""
        self.effects.messages.append(Message(content, to))

    def tell_all(self, content: JsonObject) -> None:
        """Send a message that is no entry, to everyone."""
        self.effects.messages.append(Message(content))

    def asker(self) -> Actor:
        """Whoever asks."""
        assert self.actor is not None
        return self.actor

    def done(self, actor: Actor, request: str) -> None:
        """Answer a request that has no other answer."""
        self.tell({"what": "done", "id": request}, actor)

    def hand_out(self, work: Work) -> int:
        """Have the host do some work; returns its id."""
        self._work += 1
        work.id = self._work
        self.effects.work = [*self.effects.work, work]
        return self._work
