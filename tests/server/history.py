"""Judges what the clients of a table were told against its log: nothing lost, nothing doubled, one order, no way back.

Clients record; this module only compares. Times are of one clock that all clients share.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

Kind = Literal["lost", "doubled", "reordered", "went back"]
KINDS: Final[tuple[Kind, ...]] = ("lost", "doubled", "reordered", "went back")


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry of the table's log, as it is stored at the end."""

    number: int
    content: str
    request: str | None
    epoch: int


@dataclass(frozen=True, slots=True)
class Told:
    """A numbered message: everybody's, and for whoever made the request its acknowledgement."""

    at: float
    number: int
    content: str
    request: str | None


@dataclass(frozen=True, slots=True)
class Read:
    """A state that a client was shown: asked for at one time, there at another."""

    asked: float
    at: float
    number: int


@dataclass(frozen=True, slots=True)
class Connected:
    """A new connection, and the number that its welcome told. What follows may repeat what the one before told."""

    asked: float
    at: float
    number: int


Event = Told | Read | Connected


@dataclass
class History:
    """What one client of one table saw, in its order."""

    client: str
    events: list[Event] = field(default_factory=list)
    requests: set[str] = field(default_factory=set)
    """The ids of its own requests."""
    applied: set[str] = field(default_factory=set)
    """Those of its requests that a state called applied."""

    def acknowledged(self) -> list[Told]:
        """What was told it about its own requests, once each."""
        found = {one.request: one for one in self.events if isinstance(one, Told) and one.request in self.requests}
        return list(found.values())


@dataclass(frozen=True)
class Violation:
    """Something that must not be."""

    kind: Kind
    what: str


def check(log: Sequence[Logged], histories: Sequence[History]) -> list[Violation]:
    """Everything that is wrong with a table; an empty list if nothing is."""
    return [*_check_log(log), *_check_told(log, histories), *_check_connections(histories), *_check_reads(histories)]


def _check_log(log: Sequence[Logged]) -> Iterable[Violation]:
    """Numbers without gaps, every request once, and no former owner's entry after its successor's."""
    numbers = [entry.number for entry in log]
    if numbers != list(range(1, len(log) + 1)):
        yield Violation("lost", f"the log's numbers have gaps: {numbers[:20]}")
    applied = Counter(entry.request for entry in log if entry.request is not None)
    for request, times in applied.items():
        if times > 1:
            yield Violation("doubled", f"request {request} was applied {times} times")
    for before, after in pairwise(log):
        if after.epoch < before.epoch:
            yield Violation("reordered", f"{after.number} is of epoch {after.epoch}, after {before.epoch}")


def _check_told(log: Sequence[Logged], histories: Sequence[History]) -> Iterable[Violation]:
    """Whatever was told is in the log, at its number."""
    stored = {entry.number: entry for entry in log}
    requests = {entry.request for entry in log}
    for history in histories:
        for request in history.applied - requests:
            yield Violation("lost", f"{history.client}'s request {request} was called applied: it is gone")
        for event in history.events:
            if not isinstance(event, Told):
                continue
            entry = stored.get(event.number)
            if entry is None:
                yield Violation("lost", f"{history.client} was told {event.number}, {event.content}: it is gone")
            elif (entry.content, entry.request) != (event.content, event.request):
                yield Violation(
                    "reordered",
                    f"{history.client} was told {event.number} is {event.content}, in the log it is {entry.content}",
                )


def _check_connections(histories: Sequence[History]) -> Iterable[Violation]:
    """On one connection numbers follow one another; what a client has seen, it is not shown as undone later."""
    for history in histories:
        last: int | None = None  # on this connection
        seen = 0
        for event in history.events:
            if isinstance(event, Connected):
                if event.number < seen:
                    yield Violation(
                        "went back", f"{history.client} had seen {seen}, then was welcomed at {event.number}"
                    )
                last = None
                continue
            if isinstance(event, Told):
                if last is not None and event.number != last + 1:
                    yield Violation("reordered", f"{history.client} was told {event.number} after {last}")
            elif event.number < max(seen, last or 0):
                yield Violation("went back", f"{history.client} had seen {seen}, then read {event.number}")
            last = event.number
            seen = max(seen, event.number)


def _check_reads(histories: Sequence[History]) -> Iterable[Violation]:
    """Whoever asks after somebody was told a number is shown that number or a later one."""
    known = sorted((event.at, event.number) for history in histories for event in history.events)
    reads = sorted(
        (event.asked, event.number, history.client)
        for history in histories
        for event in history.events
        if not isinstance(event, Told)
    )
    place, highest = 0, 0
    for asked, number, client in reads:
        while place < len(known) and known[place][0] < asked:
            highest = max(highest, known[place][1])
            place += 1
        if number < highest:
            yield Violation("went back", f"{client} asked after {highest} had been told, and read {number}")


def longest_pause(histories: Sequence[History]) -> float:
    """The longest time, in seconds, in which nobody at the table was told anything: how long it was not to be had."""
    times = sorted(event.at for history in histories for event in history.events if isinstance(event, Told))
    return max((after - before for before, after in pairwise(times)), default=0.0)
