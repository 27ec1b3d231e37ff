"""One thread writes for all tables: whatever comes while it writes goes into its next transaction, and nobody is told before
it is on disk.

What is written is the store's business. A table's lines go in only while its lease is ours.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import orjson
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.core import Problem
from ludotheque.server import database
from ludotheque.server.lastwords import stop_this_process
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import come_later
from ludotheque.server.store import text_of
from ludotheque.server.table import Line

MOST_AT_ONCE: Final = 2000  # writings in one transaction
LOG: Final = logging.getLogger("ludotheque.server")

Result = TypeVar("Result")
Job = Callable[[Connection], Any]


class LeaseLost(Exception):
    """Another process has taken the table over: nothing was written."""


@dataclass(slots=True)
class Writing:
    """What one table (or, without a table, one request) wants written, all or nothing."""

    done: "asyncio.Future[Any]"
    table: str | None = None
    epoch: int = 0
    lines: Sequence[Line] = ()
    jobs: Sequence[Job] = field(default_factory=tuple)


def statements(engine: Engine) -> tuple[str, str]:
    """The two statements that every action needs, in the database's own words: SQLAlchemy would compile them each time.

    One adds lines, the other tells the epochs of some tables' leases (a JSON list), locked until the commit where others write too.
    """
    alone = engine.dialect.name == "sqlite"
    place = "?" if alone else "%s"
    columns = [column.name for column in database.lines.columns]
    insert = f"INSERT INTO lines ({', '.join(columns)}) VALUES ({', '.join([place] * len(columns))})"  # noqa: S608 - our names
    some = "SELECT value FROM json_each(?)" if alone else "SELECT json_array_elements_text(%s::json)"
    lock = "" if alone else " FOR SHARE"
    return insert, f"SELECT table_id, epoch FROM leases WHERE table_id IN ({some}){lock}"  # noqa: S608 - our names


class Writer:
    """The thread that writes, one batch after the other. All its methods are called from the event loop."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine = engine
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._insert, self._leases = statements(engine)
        self._waiting: list[Writing] = []
        self._busy = False
        self._batches: queue.SimpleQueue[list[Writing] | None] = queue.SimpleQueue()
        self._connection: Connection | None = None  # the thread's own
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def lines(self, table: str, epoch: int, lines: Sequence[Line], jobs: Sequence[Job] = ()) -> None:
        """Add lines to a table's log; returns when they are on disk. LeaseLost if the table is no longer ours."""
        await self._written(Writing(self._loop.create_future(), table, epoch, lines, jobs))

    async def do(self, job: Callable[[Connection], Result]) -> Result:
        """Write something else in a transaction; returns what the job returned, once it is on disk."""
        result: Result = await self._written(Writing(self._loop.create_future(), jobs=(job,)))
        return result

    def _written(self, writing: Writing) -> "asyncio.Future[Any]":
        self._waiting.append(writing)
        if not self._busy:  # at the end of this round of the loop, with whatever else comes in it
            self._busy = True
            self._loop.call_soon(self._hand_over)
        return writing.done

    def _hand_over(self) -> None:
        batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        self._batches.put(batch)

    def _tell(self, outcomes: Sequence[tuple[Writing, Any]]) -> None:
        for writing, result in outcomes:
            if writing.done.done():
                continue
            if isinstance(result, BaseException):
                writing.done.set_exception(result)
            else:
                writing.done.set_result(result)
        if self._waiting:
            self._hand_over()
        else:
            self._busy = False

    async def close(self) -> None:
        """Write what waits, then stop."""
        while self._busy:
            await asyncio.sleep(0.01)
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join, 30)

    # In the thread

    def _run(self) -> None:
        try:
            while (batch := self._batches.get()) is not None:
                outcomes = self._write(batch)
                try:
                    self._loop.call_soon_threadsafe(self._tell, outcomes)
                except RuntimeError:  # the loop has been closed: nobody waits any more
                    LOG.info("written after closing time", extra={"count": len(outcomes)})
        except BaseException:
            stop_this_process("the writer ended: nothing more can be stored")
            raise
        finally:
            self._hang_up()

    def _write(self, batch: Sequence[Writing]) -> list[tuple[Writing, Any]]:
        """A batch in one transaction; where that fails, each alone, so that nobody suffers for another."""
        began = time.perf_counter()
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                outcomes = self._attempt(self._connection, batch)
        except Exception as error:
            self._hang_up()  # a connection that failed is not trusted again
            if len(batch) == 1:
                if not isinstance(error, Problem):
                    LOG.warning("a write failed", extra={"error": type(error).__name__})
                return [(batch[0], come_later() if isinstance(error, SQLAlchemyError) else error)]
            return [outcome for one in batch for outcome in self._write([one])]
        self._metrics.commits.inc()
        self._metrics.commit_seconds.observe(time.perf_counter() - began)
        self._metrics.commit_size.observe(len(batch))
        return outcomes

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except SQLAlchemyError as error:
                LOG.info("a connection did not close", extra={"error": type(error).__name__})

    def _attempt(self, connection: Connection, batch: Sequence[Writing]) -> list[tuple[Writing, Any]]:
        lost = self._lost(connection, [one for one in batch if one.table is not None])
        rows = [
            (one.table, line.number, line.kind, text_of(line.body), line.at, one.epoch)
            for one in batch
            if one.table is not None and id(one) not in lost
            for line in one.lines
        ]
        if rows:
            connection.exec_driver_sql(self._insert, rows)
        outcomes: list[tuple[Writing, Any]] = []
        for one in batch:
            if id(one) in lost:
                outcomes.append((one, LeaseLost()))
                continue
            result = None
            for job in one.jobs:
                result = job(connection)
            outcomes.append((one, result))
        return outcomes

    def _lost(self, connection: Connection, writings: Iterable[Writing]) -> set[int]:
        """Whose lease has gone to another epoch. The rows stay locked until the commit, so that nobody takes over in between."""
        tables = list({one.table: None for one in writings})
        if not tables:
            return set()
        rows = connection.exec_driver_sql(self._leases, (orjson.dumps(tables).decode(),))
        held: dict[str | None, int] = {row[0]: row[1] for row in rows}
        return {id(one) for one in writings if held.get(one.table) != one.epoch}
