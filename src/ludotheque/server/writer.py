"""One thread writes for all tables: whatever waits goes into one transaction, and nobody is told before it is on disk.

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

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.core import Problem
from ludotheque.server import database
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import come_later
from ludotheque.server.store import line_rows
from ludotheque.server.table import Line

MOST_AT_ONCE: Final = 2000
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


class Writer:
    """The thread that writes."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine = engine
        self._metrics = metrics
        self._waiting: queue.SimpleQueue[Writing | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._insert = sql.insert(database.lines)
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def lines(self, table: str, epoch: int, lines: Sequence[Line], jobs: Sequence[Job] = ()) -> None:
        """Add lines to a table's log; returns when they are on disk. LeaseLost if the table is no longer ours."""
        done: asyncio.Future[Any] = self._loop.create_future()
        self._waiting.put(Writing(done, table, epoch, lines, jobs))
        await done

    async def do(self, job: Callable[[Connection], Result]) -> Result:
        """Write something else in a transaction; returns what the job returned, once it is on disk."""
        done: asyncio.Future[Result] = self._loop.create_future()
        self._waiting.put(Writing(done, jobs=(job,)))
        return await done

    def close(self) -> None:
        """Write what waits, then stop."""
        self._waiting.put(None)
        self._thread.join(timeout=30)

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch: list[Writing] = [first]
            stop = False
            while len(batch) < MOST_AT_ONCE:
                try:
                    another = self._waiting.get_nowait()
                except queue.Empty:
                    break
                if another is None:
                    stop = True
                    break
                batch.append(another)
            self._finish(self._write(batch))
            if stop:
                return

    def _write(self, batch: Sequence[Writing]) -> list[tuple[Writing, Any]]:
        began = time.perf_counter()
        try:
            with self._engine.begin() as connection:
                outcomes = self._attempt(connection, batch)
        except Exception as error:
            if len(batch) == 1:
                if not isinstance(error, Problem):
                    LOG.warning("a write failed", extra={"error": type(error).__name__})
                return [(batch[0], come_later() if isinstance(error, SQLAlchemyError) else error)]
            return [outcome for one in batch for outcome in self._write([one])]
        self._metrics.commits.inc()
        self._metrics.commit_seconds.observe(time.perf_counter() - began)
        self._metrics.commit_size.observe(len(batch))
        return outcomes

    def _attempt(self, connection: Connection, batch: Sequence[Writing]) -> list[tuple[Writing, Any]]:
        lost = self._lost(connection, [one for one in batch if one.table is not None])
        rows = [
            row
            for one in batch
            if one.table is not None and id(one) not in lost
            for row in line_rows(one.table, one.epoch, one.lines)
        ]
        if rows:
            connection.execute(self._insert, rows)
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
        by_table = {one.table: one for one in writings}
        if not by_table:
            return set()
        lease = database.leases.c
        query = sql.select(lease.table_id, lease.epoch).where(lease.table_id.in_(by_table)).with_for_update(read=True)
        held = {row.table_id: row.epoch for row in connection.execute(query)}
        return {id(one) for one in writings if held.get(one.table) != one.epoch}

    def _finish(self, outcomes: Sequence[tuple[Writing, Any]]) -> None:
        try:
            self._loop.call_soon_threadsafe(_tell, outcomes)
        except RuntimeError:  # the loop has been closed: nobody waits any more
            LOG.info("written after closing time", extra={"count": len(outcomes)})


def _tell(outcomes: Sequence[tuple[Writing, Any]]) -> None:
    for writing, result in outcomes:
        if writing.done.done():
            continue
        if isinstance(result, BaseException):
            writing.done.set_exception(result)
        else:
            writing.done.set_result(result)
