"""One table in the browser: stores its entries, then sends its messages, and keeps what its bots and clocks have to do.

What happens at a table is in `ludotheque.table`; when bots think is up to `host`.
"""

import logging
import time
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from ludotheque.analysis import advise
from ludotheque.bots import bot
from ludotheque.browser.storage import BODIES, ENTRIES, RECORDS, TABLES, Change, Storage, entry_key, entry_prefix
from ludotheque.core import BadRequest, Decision, Json, JsonObject, Problem, parse
from ludotheque.core.capabilities import FIRST_LEARNED
from ludotheque.core.jsons import write
from ludotheque.table import (
    Actor,
    Advise,
    Cancel,
    Choose,
    Effects,
    LogEntry,
    Message,
    Now,
    Request,
    Table,
    TableState,
    read_entry,
    write_entry,
)
from ludotheque.table.entries import Ended, Stepped
from ludotheque.table.requests import AskHint

LOG: Final = logging.getLogger("ludotheque.browser")
KEPT_MESSAGES: Final = 32  # older ones are answered with the whole state
HINT_SECONDS: Final = 1.0


class Connection(Protocol):
    """Somebody connected to a table; to the table it is an `Actor`."""

    person: JsonObject | None
    language: str

    def send(self, text: str) -> None:
        """Send a message, in order."""

    def leave(self, code: int, reason: str) -> None:
        """Close the connection."""


@dataclass(slots=True)
class Thinking:
    """A bot that is to decide, or has decided and waits until its step is due."""

    work: Choose
    decided: bool = False
    result: str | Problem = ""


def now() -> Now:
    """The present, for a table."""
    return Now(time.monotonic(), time.time_ns() // 1_000_000)


class Session:
    """The host of one table. Its methods are called one after the other; none may begin before another has ended."""

    def __init__(self, table: Table, storage: Storage, lacking: Collection[str] = ()) -> None:
        self.table = table
        self._lacking = lacking  # games whose learned weights are still on their way
        self.connections: dict[Actor, Connection] = {}
        self._storage = storage
        self._recent: deque[tuple[int, str]] = deque(maxlen=KEPT_MESSAGES)
        self._thinking: dict[int, Thinking] = {}
        self._hints: dict[int, Advise] = {}
        self._askers: dict[int, tuple[Connection, str]] = {}  # of hints, with their requests

    @property
    def state(self) -> TableState:
        """The table's state."""
        return self.table.state

    async def wake(self) -> None:
        """Set a new or restored table going."""
        await self._carry_out(self.table.wake(now()))

    async def open(self, entry: LogEntry) -> None:
        """Store a new table with its first entry, and set it going."""
        await self._storage.write([*self._entries([entry]), self._card()])
        await self.wake()

    # Coming and going

    def enter(self, connection: Connection, last: int | None) -> None:
        """Somebody comes, and hears what they have missed since number `last`."""
        missed = self._since(last)
        effects = self.table.enter(connection, now(), caught_up=missed is not None)
        self.connections[connection] = connection
        welcome, *others = effects.messages
        connection.send(write(welcome.content))
        for text in missed or ():
            connection.send(text)
        self._publish(others)

    def exit(self, connection: Connection) -> None:
        """Somebody's connection has ended."""
        if self.connections.pop(connection, None) is not None:
            self._publish(self.table.leave(connection, now()).messages)

    def _since(self, last: int | None) -> list[str] | None:
        """The numbered messages after `last`; None if they are no longer all there."""
        number = self.state.number
        if last is None or last > number:
            return None
        missed = [text for one, text in self._recent if one > last]
        return missed if len(missed) == number - last else None

    # Requests

    async def handle(self, connection: Connection, request: Request) -> None:
        """Carry out a request; a Problem refuses it."""
        effects = self.table.handle(request, connection, now())
        for work in effects.work:
            if isinstance(work, Advise) and isinstance(request, AskHint):
                self._askers[work.id] = connection, request.id
        await self._carry_out(effects)

    async def _carry_out(self, effects: Effects) -> None:
        """Store, then publish, then note what is to be done later."""
        if effects.entries:
            await self._storage.write([*self._entries(effects.entries), self._card(), *self._records(effects.entries)])
        self._publish(effects.messages)
        for work in effects.work:
            if isinstance(work, Choose):
                self._thinking[work.id] = Thinking(work)
            elif isinstance(work, Cancel):
                self._thinking.pop(work.id, None)
            elif isinstance(work, Advise):
                self._hints[work.id] = work
        for actor in effects.dismissed:
            if (connection := self.connections.get(actor)) is not None:
                connection.leave(4403, "removed")

    def _publish(self, messages: Iterable[Message]) -> None:
        for content, to, number in messages:
            text = write(content)
            if number is not None:
                self._recent.append((number, text))
            receivers = list(self.connections) if to is None else to
            for actor in receivers:
                if (connection := self.connections.get(actor)) is not None:
                    connection.send(text)

    # What is stored

    def _entries(self, entries: Sequence[LogEntry]) -> list[Change]:
        table = self.state.id
        return [Change(ENTRIES, entry_key(table, one.number), write_line(one)) for one in entries]

    def _card(self) -> Change:
        return Change(TABLES, self.state.id, write(shown_card(self.state)))

    def _records(self, entries: Sequence[LogEntry]) -> list[Change]:
        """The record of a match that ends with these entries."""
        state = self.state
        ends = any(
            isinstance(one.entry, Ended) or (isinstance(one.entry, Stepped) and one.entry.end) for one in entries
        )
        if not ends or state.ended is None or state.match is None:
            return []
        body, end = state.record(reveal=True), state.ended
        card: JsonObject = {
            "id": end.record,
            "game": state.game.name,
            "players": body["players"],
            "returns": list(end.returns),
            "ended": state.touched,
            "how": end.how,
            "actions": len(state.match.log),
            "uploaded": False,
        }
        return [Change(RECORDS, end.record, write(card)), Change(BODIES, end.record, write(body))]

    # What goes on by itself, one piece at a time

    @property
    def due(self) -> float | None:
        """When there is something to do, in seconds of `now`; None: not before the next request."""
        if any(self._can_think(one.level) for one in self._hints.values()):
            return 0.0
        if any(not one.decided and self._can_think(one.work.level) for one in self._thinking.values()):
            return 0.0
        times = [one.work.not_before for one in self._thinking.values() if one.decided]
        if self.table.deadline is not None:
            times.append(self.table.deadline)
        return min(times, default=None)

    async def advance(self) -> None:
        """Do one piece of what is due: answer a hint, play what a bot has decided, let a clock run out, let a bot think."""
        present = now()
        for hint in self._hints.values():
            if self._can_think(hint.level):
                del self._hints[hint.id]
                await self._answer(hint)
                return
        for one in self._thinking.values():
            if one.decided and one.work.not_before <= present.seconds:
                del self._thinking[one.work.id]
                await self._carry_out(self.table.resume(one.work.id, one.result, present))
                return
        if self.table.deadline is not None and self.table.deadline <= present.seconds:
            await self._carry_out(self.table.tick(present))
            return
        for one in self._thinking.values():
            if not one.decided and self._can_think(one.work.level):
                one.result, one.decided = _choose(one.work), True
                return

    def _can_think(self, level: int) -> bool:
        """Whether a bot has what it needs: the higher levels wait for what was learned, the first move does not."""
        return level < FIRST_LEARNED or self.state.game.name not in self._lacking

    async def _answer(self, hint: Advise) -> None:
        """Answer somebody who asked for a hint."""
        connection, request = self._askers.pop(hint.id)
        try:
            await self._carry_out(self.table.resume(hint.id, _advise(hint), now()))
        except Problem as problem:
            refuse(connection, request, problem)


def _choose(work: Choose) -> str | Problem:
    """A bot's decision, or the Problem that prevented it: the game goes on all the same, as on a server whose worker dies."""
    try:
        player = bot(work.position.game, work.level)
        try:
            return player.choose(work.position, seed=work.seed).action
        finally:
            player.close()
    except Problem as problem:
        return problem
    except Exception:
        LOG.exception("a bot could not decide")
        return BadRequest("server.busy")


def _advise(work: Advise) -> Decision | Problem:
    """A hint, or the Problem that prevented it."""
    try:
        player = bot(work.position.game, work.level)
        try:
            return advise(work.position, player, HINT_SECONDS)
        finally:
            player.close()
    except Problem as problem:
        return problem
    except Exception:
        LOG.exception("a hint could not be given")
        return BadRequest("server.busy")


def shown_card(state: TableState) -> JsonObject:
    """A table from outside, as it is stored and shown: the page reads it without asking the host."""
    card = {key: value for key, value in state.card().items() if key != "removed"}
    return {**with_all_settings(card), "your_turn": state.acting_person is not None}


def with_all_settings(table: JsonObject) -> JsonObject:
    """A table whose settings are all named, as the server's schema has them."""
    settings = table["settings"]
    assert isinstance(settings, Mapping)
    return {**table, "settings": {**settings, "remind": settings.get("remind", False)}}


def refuse(connection: Connection, request: str | None, problem: Problem) -> None:
    """Tell somebody that a request is refused, and why."""
    said: JsonObject = {
        "what": "refused",
        "id": request,
        "code": problem.code,
        "sentence": problem.sentence(connection.language),
    }
    connection.send(write(said))


def write_line(line: LogEntry) -> str:
    """A log entry as it is stored."""
    return write({"number": line.number, "kind": line.kind, "at": line.at, "body": write_entry(line.entry)})


def read_line(text: str) -> LogEntry:
    """A stored log entry; BadEntry names the place of whatever is wrong."""
    line: Json = parse(text)
    assert isinstance(line, dict)
    return LogEntry(line["number"], read_entry(line["kind"], line["body"]), line["at"])


async def read_log(storage: Storage, table: str) -> list[LogEntry]:
    """The log of a table; empty if there is none."""
    return [read_line(text) for text in await storage.list(ENTRIES, entry_prefix(table))]
