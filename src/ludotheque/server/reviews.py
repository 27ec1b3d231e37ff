"""Reviews as queued jobs: one at a time in each process, in short parts in the workers, so that bots need not wait for long.

Their progress is in the database, so that any process can report and stop them. The judging itself is in `ludotheque.answers`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.analysis import Moment, Review
from ludotheque.answers.positions import JUDGE, review_part
from ludotheque.core import Problem
from ludotheque.server import store
from ludotheque.server.costs import Payer
from ludotheque.server.database import reviews
from ludotheque.server.leases import Leases
from ludotheque.server.problems import TooMany
from ludotheque.server.workers import Workers, WorkFailed, WorkLost
from ludotheque.server.writer import Writer
from ludotheque.table import NotAllowed

LOG: Final = logging.getLogger("ludotheque.server")
PART: Final = 0.6  # seconds of judging at a time
LONGEST_PART: Final = 60.0
ATTEMPTS: Final = 3
MOST_EACH: Final = 2  # reviews that one person may have under way
UNDER_WAY: Final = ("waiting", "working")

Result = TypeVar("Result")


class Host(Protocol):
    """What a job needs of the server."""

    questions: Workers
    writer: Writer
    leases: Leases

    def keep(self, task: "asyncio.Future[None]") -> None:
        """Keep a reference to a task until it is done."""

    def read(self, work: Callable[[Connection], Result]) -> Awaitable[Result]:
        """Read something from the database."""


@dataclass(frozen=True)
class Progress:
    """How far a review has come."""

    state: str
    done: int = 0
    total: int = 0
    ahead: int = 0
    person: str | None = None
    body: str | None = None


class Reviews:
    """All reviews that this process works at."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._one_at_a_time = asyncio.Lock()

    async def look(self, record: str) -> Progress:
        """How far the review of a record has come."""
        return await self._host.read(lambda connection: _progress(connection, self._host.leases, record))

    async def ask(self, record: str, person: str, payer: Payer) -> None:
        """Have a record reviewed, unless it is done or under way; TooMany if reviews have cost the network too much."""
        payer.must_afford()
        text = await self._host.read(lambda connection: store.read_record_text(connection, record))
        players, total = await asyncio.to_thread(_sizes, text)
        leases = self._host.leases
        process = await self._host.writer.do(lambda connection: _enter(connection, leases, record, person, total))
        if process is not None:
            self._host.keep(asyncio.ensure_future(self._work(record, process, text, players, payer)))

    async def stop(self, record: str, person: str) -> None:
        """Stop a review that one has asked for; what is finished stays."""
        await self._host.writer.do(lambda connection: _stop(connection, record, person))

    async def _work(self, record: str, process: str, text: str, players: int, payer: Payer) -> None:
        """Review a record, as long as it is ours under the identity with which the process took it on."""
        found: list[Moment] = []
        async with self._one_at_a_time:
            try:
                while await self._still_wanted(record, process, len(found)):
                    part = await self._part(text, found[-1] if found else None, payer)
                    if not part:
                        body = await asyncio.to_thread(_write_review, Review(players, tuple(found)))
                        await self._finish(record, process, body)
                        return
                    found += part
            except (WorkLost, WorkFailed, Problem) as error:
                LOG.warning("a review failed", extra={"error": type(error).__name__})
                await self._host.writer.do(lambda connection: _end(connection, record, process, "failed", None))

    async def _part(self, text: str, last: Moment | None, payer: Payer) -> list[Moment]:
        """One part of the work; a worker that is lost over it is forgiven, not for ever."""
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._host.questions.run_for(payer, LONGEST_PART, review_part, text, last, PART)
            except WorkLost:
                continue
        return await self._host.questions.run_for(payer, LONGEST_PART, review_part, text, last, PART)

    async def _still_wanted(self, record: str, process: str, done: int) -> bool:
        return await self._host.writer.do(lambda connection: _advance(connection, record, process, done))

    async def _finish(self, record: str, process: str, body: str) -> None:
        await self._host.writer.do(lambda connection: _end(connection, record, process, "done", body))


# In a thread: a record may have megabytes, and a review thousands of moments


def _sizes(record: str) -> tuple[int, int]:
    """How many players and actions a record has."""
    source = orjson.loads(record)
    return len(source["players"]), len(source["actions"])


def _write_review(review: Review) -> str:
    return store.text_of({"judge": f"bot:{JUDGE}", **review.json()})


# The rows


def _progress(connection: Connection, leases: Leases, record: str) -> Progress:
    row = connection.execute(sql.select(reviews).where(reviews.c.record == record)).first()
    if row is None:
        return Progress("none")
    under_way = row.state in UNDER_WAY
    if under_way and not leases.is_alive(connection, row.owner):
        return Progress("stopped", row.done, row.total, 0, row.person)  # its process is gone: it can be asked for again
    before = sql.select(sql.func.count()).where(
        reviews.c.owner == row.owner, reviews.c.state.in_(UNDER_WAY), reviews.c.asked < row.asked
    )
    ahead = connection.execute(before).scalar_one() if under_way else 0
    return Progress(row.state, row.done, row.total, ahead, row.person, row.body)


def _enter(connection: Connection, leases: Leases, record: str, person: str, total: int) -> str | None:
    """Queue a review for this process; returns its identity, or None where that is not needed."""
    progress, process = _progress(connection, leases, record), leases.process
    if progress.state in (*UNDER_WAY, "done"):
        return None
    mine = sql.select(reviews.c.owner).where(reviews.c.person == person, reviews.c.state.in_(UNDER_WAY))
    busy = sum(leases.is_alive(connection, owner) for owner in connection.execute(mine).scalars().all())
    if busy >= MOST_EACH:
        raise TooMany("server.review.too-many", count=busy)
    connection.execute(sql.delete(reviews).where(reviews.c.record == record))
    values = {"person": person, "owner": process, "state": "waiting", "asked": store.moment(), "done": 0}
    connection.execute(sql.insert(reviews).values(record=record, total=total, body=None, **values))
    return process


def _ours(record: str, process: str) -> "sql.ColumnElement[bool]":
    return sql.and_(reviews.c.record == record, reviews.c.owner == process, reviews.c.state.in_(UNDER_WAY))


def _advance(connection: Connection, record: str, process: str, done: int) -> bool:
    """Tell how far it has come; False if it has been stopped meanwhile."""
    query = sql.update(reviews).where(_ours(record, process)).values(state="working", done=done)
    return connection.execute(query).rowcount == 1


def _end(connection: Connection, record: str, process: str, state: str, body: str | None) -> None:
    done = {} if body is None else {"done": reviews.c.total}
    connection.execute(sql.update(reviews).where(_ours(record, process)).values(state=state, body=body, **done))


def _stop(connection: Connection, record: str, person: str) -> None:
    row = connection.execute(sql.select(reviews.c.person, reviews.c.state).where(reviews.c.record == record)).first()
    if row is None or row.state not in UNDER_WAY:
        return
    if row.person != person:
        raise NotAllowed("server.review.not-yours")
    connection.execute(sql.update(reviews).where(reviews.c.record == record).values(state="stopped"))
