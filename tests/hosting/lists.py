"""A host made of plain lists: what is committed, published and run is appended to a list. Its clock is moved by hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludotheque.core import Game, JsonObject, parse
from ludotheque.core.jsons import write
from ludotheque.table import (
    Actor,
    Effects,
    LogEntry,
    Message,
    Now,
    Opened,
    Seat,
    Settings,
    Table,
    Work,
    do_here,
    read_entry,
    read_request,
    write_entry,
)
from ludotheque.table.work import RulesWork


@dataclass(eq=False)
class Person:
    """Somebody at the table, and what they heard; without a name they have not said who they are."""

    name: str = ""
    heard: list[dict[str, Any]] = field(default_factory=list)

    @property
    def person(self) -> JsonObject | None:
        return {"id": self.name.lower(), "name": self.name} if self.name else None

    def last(self, what: str) -> dict[str, Any]:
        return next(one for one in reversed(self.heard) if one["what"] == what)


class ListHost:
    """A table and its host. With `elsewhere` the rules run in the host and not in the table, and everything is awaited."""

    def __init__(
        self,
        entries: Sequence[LogEntry],
        games: Mapping[str, Game],
        *,
        elsewhere: bool = False,
        check_player: Callable[[Game, int, str | None], None] = lambda _game, _level, _program: None,
    ) -> None:
        self.log = list(entries)
        self.seconds = 1000.0
        self.published: list[Message] = []
        self.pending: list[Work] = []
        self.elsewhere = elsewhere
        self.requests = 0
        self.table = Table.restore(
            "t1",
            self.reread(),
            self.now,
            games=games,
            runs_here=lambda _game: not elsewhere,
            check_player=check_player,
        )
        self.carry_out(self.table.wake(self.now))

    @property
    def now(self) -> Now:
        return Now(self.seconds, int(self.seconds * 1000))

    def reread(self) -> list[LogEntry]:
        """The log as a file would have it."""
        return [
            LogEntry(one.number, read_entry(one.kind, parse(write(write_entry(one.entry)))), one.at) for one in self.log
        ]

    def carry_out(self, effects: Effects) -> None:
        while True:
            self.commit(effects.entries, 0)
            self.publish(effects.messages)
            for work in effects.work:
                self.run(work)
            awaited = effects.awaited
            if not isinstance(awaited, RulesWork):
                return
            self.pending.remove(awaited)
            effects = self.table.resume(awaited.id, self.result(awaited), self.now)

    def result(self, work: RulesWork) -> Any:
        try:
            return do_here(work)
        except ValueError as problem:
            return problem

    def commit(self, entries: Sequence[LogEntry], epoch: int) -> None:
        self.log += entries

    def publish(self, messages: Sequence[Message]) -> None:
        for message in messages:
            text = write(message.content)
            self.published.append(message)
            for actor in self.table.room.actors if message.to is None else message.to:
                assert isinstance(actor, Person)
                content = parse(text)
                assert isinstance(content, dict)
                actor.heard.append(content)

    def run(self, work: Work) -> None:
        self.pending.append(work)

    def stream(self, frame: Message) -> None:
        self.publish([frame])

    def enter(self, *actors: Person) -> None:
        """People come and, as the page does, send the number that the table awaits of them."""
        for actor in actors:
            self.carry_out(self.table.enter(actor, self.now))
        for actor in actors:
            if {self.table.state.seats[seat].person for seat in self.table.state.awaited} & {actor.name.lower()}:
                self.asks(actor, "contribute", number=actor.name)

    def asks(self, actor: Actor, do: str, **more: Any) -> None:
        self.requests += 1
        request = {"do": do, "id": f"r{self.requests}", "at": self.table.state.number, **more}
        self.carry_out(self.table.handle(read_request(request), actor, self.now))

    def resumes(self, work: Work, result: Any) -> None:
        self.pending.remove(work)
        self.carry_out(self.table.resume(work.id, result, self.now))

    def passes(self, seconds: float) -> None:
        """Let time pass; what is due is done."""
        self.seconds += seconds
        deadline = self.table.deadline
        if deadline is not None and deadline <= self.seconds:
            self.carry_out(self.table.tick(self.now))


def opened(
    game: str, *seats: Seat, rules: int = 1, options: JsonObject | None = None, series: int = 1, **settings: Any
) -> LogEntry:
    """The first entry of a table; Anna is its host."""
    entry = Opened(
        game, rules, options or {"goal": 20}, False, "anna", "Anna", Settings(**settings), seats, series, "seed", None
    )
    return LogEntry(1, entry, 1)


def seat(name: str) -> Seat:
    """A person's seat."""
    return Seat("person", name.lower(), name)
