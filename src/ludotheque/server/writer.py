"""The writer thread: commits for all tables together. What arrives during one transaction goes into the next.

Callers are told only when their write is on disk. Entries are added only while this process owns the table's lease.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import orjson
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.core import Problem
from ludotheque.server import database
from ludotheque.server.crash_reports import terminate_process
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import busy
from ludotheque.server.seed_key import SeedCipher
from ludotheque.server.store.base import text_of
from ludotheque.server.store.log import stored_body
from ludotheque.table.entries import LogEntry

MOST_AT_ONCE: Final = 2000  # writes in one transaction
TOLD_AT_ONCE: Final = 32  # callers that are told of a commit in one callback
ENOUGH: Final = 64  # writes; a smaller batch waits while more arrive, since a commit costs as much as several writes
LOG: Final = logging.getLogger("ludotheque.server")

Result = TypeVar("Result")
Job = Callable[[Connection], Any]


class LeaseLost(Exception):
    """Another process owns the table now; nothing was written."""


@dataclass(slots=True)
class PendingWrite:
    """A write of one table (or, without a table, of one request), all or nothing.

    `done` is called in the event loop when it is on disk, with the last job's result, or with the exception that prevented it.
    """

    done: Callable[[Any], None]
    table: str | None = None
    epoch: int = 0
    entries: Sequence[LogEntry] = ()
    jobs: Sequence[Job] = ()


def statements(engine: Engine) -> tuple[str, str]:
    """The two statements that every action needs, as SQL: SQLAlchemy would compile them each time.

    One adds entries, given as a JSON list of rows, of tables whose lease has the row's epoch: a whole batch is one call into the
    database, during which the event loop goes on. A row whose lease is lost has no epoch, and with it the statement fails as
    a whole. The other tells the epochs of some tables' leases (a JSON list). Leases stay locked until the commit where
    others write too.
    """
    alone = engine.dialect.name == "sqlite"
    columns = [column.name for column in database.entries.columns]
    given = [
        f"json_extract(value, '$[{place}]')"
        if alone
        else f"(value->>{place})" + "::bigint" * (column.type.python_type is int)
        for place, column in enumerate(database.entries.columns)
    ]
    rows = "json_each(?)" if alone else "json_array_elements(%s::json)"
    lock = "" if alone else " FOR SHARE"
    held = f"SELECT epoch FROM leases WHERE leases.table_id = one.table_id AND leases.epoch = one.epoch{lock}"  # noqa: S608 - our names
    fields = ", ".join(f"{what} AS {column}" for what, column in zip(given, columns, strict=True))
    insert = (
        f"INSERT INTO entries ({', '.join(columns)}) "  # noqa: S608 - our names
        f"SELECT {', '.join(f'({held})' if column == 'epoch' else f'one.{column}' for column in columns)} "
        f"FROM (SELECT {fields} FROM {rows}) AS one"
    )
    some = "SELECT value FROM json_each(?)" if alone else "SELECT json_array_elements_text(%s::json)"
    return insert, f"SELECT table_id, epoch FROM leases WHERE table_id IN ({some}){lock}"  # noqa: S608 - our names


def rows_of(writings: Iterable[PendingWrite], seeds: SeedCipher) -> list[tuple[str | None, int, str, str, int, int]]:
    """Entries as rows, in the order of the columns. Bodies are texts already: SQLite takes longer to write JSON than orjson."""
    return [
        (one.table, entry.number, entry.kind, text_of(stored_body(str(one.table), entry, seeds)), entry.at, one.epoch)
        for one in writings
        for entry in one.entries
    ]


def _settle(future: "asyncio.Future[Any]", result: object) -> None:
    if future.done():
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)


class Writer:
    """The thread that writes, one batch after the other. All its methods are called from the event loop."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine = engine
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._insert, self._leases = statements(engine)
        self._seeds = database.seeds_of(engine)
        self._file = database.FileWatch(engine)
        self._lost_file = False
        self._waiting: list[PendingWrite] = []
        self._busy = False
        self._batches: queue.SimpleQueue[list[PendingWrite] | None] = queue.SimpleQueue()
        self._connection: Connection | None = None  # the thread's own
        self._quick: Connection | None = None  # another, on which every statement is a transaction
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def append(self, table: str, epoch: int, entries: Sequence[LogEntry], jobs: Sequence[Job] = ()) -> None:
        """Add entries to a table's log; returns when they are on disk. LeaseLost if the table is no longer ours."""
        future = self._loop.create_future()
        self.add(PendingWrite(partial(_settle, future), table, epoch, entries, jobs))
        await future

    async def do(self, job: Callable[[Connection], Result]) -> Result:
        """Write something else in a transaction; returns what the job returned, once it is on disk."""
        future = self._loop.create_future()
        self.add(PendingWrite(partial(_settle, future), jobs=(job,)))
        result: Result = await future
        return result

    def add(self, writing: PendingWrite) -> None:
        """Queue a write."""
        self._waiting.append(writing)
        if not self._busy:  # at the end of this iteration of the loop, with what else arrives in it
            self._busy = True
            self._loop.call_soon(self._submit)

    def _submit(self, waited: int = 0) -> None:
        """Submit what waits to the thread; a small batch only after an iteration of the loop that added nothing."""
        if waited < len(self._waiting) < ENOUGH:
            self._loop.call_soon(self._submit, len(self._waiting))
            return
        batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        self._batches.put(batch)

    def _report(self, outcomes: Sequence[tuple[PendingWrite, Any]]) -> None:
        if self._waiting:  # first: the disk need not wait for the callbacks
            self._submit()
        else:
            self._busy = False
        self._tell(outcomes)

    def _tell(self, outcomes: Sequence[tuple[PendingWrite, Any]]) -> None:
        """Tell those who wait, some at a time: after a large batch others have their turn in between."""
        for writing, result in outcomes[:TOLD_AT_ONCE]:
            try:
                writing.done(result)
            except Exception:
                LOG.exception("a callback after a write failed")
        if len(outcomes) > TOLD_AT_ONCE:
            self._loop.call_soon(self._tell, outcomes[TOLD_AT_ONCE:])

    @property
    def waiting(self) -> int:
        """How many writes wait."""
        return len(self._waiting)

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
                    self._loop.call_soon_threadsafe(self._report, outcomes)
                except RuntimeError:  # the loop has been closed: nobody waits any more
                    LOG.info("written after the loop was closed", extra={"count": len(outcomes)})
        except BaseException:
            terminate_process("the writer ended: nothing more can be stored")
            raise
        finally:
            self._disconnect()

    def _write(self, batch: Sequence[PendingWrite]) -> list[tuple[PendingWrite, Any]]:
        """Write a batch. Where the database's file is gone, before or after, nothing counts as written."""
        if not self._file.gone:
            outcomes = self._commit(batch)
            if not self._file.gone:
                self._lost_file = False
                return outcomes
        if not self._lost_file:
            self._lost_file = True
            LOG.critical("the database's file was deleted or replaced: nothing can be stored")
        return [(one, busy()) for one in batch]

    def _commit(self, batch: Sequence[PendingWrite]) -> list[tuple[PendingWrite, Any]]:
        """Write a batch in one transaction; if that fails, each write alone, so that one cannot spoil the others."""
        began = time.perf_counter()
        try:
            if self._add_entries(batch):
                outcomes = [(one, None) for one in batch]
            else:
                if self._connection is None:
                    self._connection = self._engine.connect()
                with self._connection.begin():
                    outcomes = self._attempt(self._connection, batch)
        except Exception as error:
            self._disconnect()  # a connection that failed is not trusted again
            if len(batch) == 1:
                if not isinstance(error, Problem):
                    LOG.warning("a write failed", extra={"error": type(error).__name__})
                failed = isinstance(error, SQLAlchemyError | self._engine.dialect.loaded_dbapi.Error)
                return [(batch[0], busy() if failed else error)]
            return [outcome for one in batch for outcome in self._commit([one])]
        self._metrics.commits.inc()
        self._metrics.commit_seconds.observe(time.perf_counter() - began)
        self._metrics.commit_size.observe(len(batch))
        return outcomes

    def _disconnect(self) -> None:
        connections, self._connection, self._quick = (self._connection, self._quick), None, None
        for connection in connections:
            if connection is not None:
                try:
                    connection.close()
                except SQLAlchemyError as error:
                    LOG.info("a connection did not close", extra={"error": type(error).__name__})

    def _add_entries(self, batch: Sequence[PendingWrite]) -> bool:
        """Write a batch of nothing but entries past SQLAlchemy. Returns False if it is another kind of batch or a lease is lost.

        One statement, which is its own transaction: the thread need not be woken between beginning, writing and committing,
        and SQLite keeps no journal of the statement beside that of the transaction.
        """
        if any(one.jobs for one in batch):
            return False
        if self._quick is None:
            self._quick = database.autocommit_connection(self._engine)
        cursor = self._quick.connection.cursor()
        try:
            cursor.execute(self._insert, (orjson.dumps(rows_of(batch, self._seeds)).decode(),))
        except self._engine.dialect.loaded_dbapi.IntegrityError:  # some lease is lost: find out whose
            return False
        finally:
            cursor.close()
        return True

    def _attempt(self, connection: Connection, batch: Sequence[PendingWrite]) -> list[tuple[PendingWrite, Any]]:
        lost = self._lost(connection, [one for one in batch if one.table is not None])
        rows = rows_of((one for one in batch if one.table is not None and id(one) not in lost), self._seeds)
        if rows:
            connection.exec_driver_sql(self._insert, (orjson.dumps(rows).decode(),))
        outcomes: list[tuple[PendingWrite, Any]] = []
        for one in batch:
            if id(one) in lost:
                outcomes.append((one, LeaseLost()))
                continue
            result = None
            for job in one.jobs:
                result = job(connection)
            outcomes.append((one, result))
        return outcomes

    def _lost(self, connection: Connection, writings: Iterable[PendingWrite]) -> set[int]:
        """The writes whose lease has another epoch. The rows stay locked until the commit, so that no other process takes over."""
        tables = list({one.table: None for one in writings})
        if not tables:
            return set()
        rows = connection.exec_driver_sql(self._leases, (orjson.dumps(tables).decode(),))
        held: dict[str | None, int] = {row[0]: row[1] for row in rows}
        return {id(one) for one in writings if held.get(one.table) != one.epoch}
