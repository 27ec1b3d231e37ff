"""Periodic jobs of a process: release idle tables, adopt those without an owner, delete old ones.

`notifications` tells when another process has released tables.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy.engine import Connection, Engine

from ludotheque.server import store
from ludotheque.server.admin.state import OperatorState
from ludotheque.server.clock import SiteClock
from ludotheque.server.leases import Leases
from ludotheque.server.metrics import Metrics
from ludotheque.server.notifications import FREE, ORDERS, listen
from ludotheque.server.problems import Later
from ludotheque.server.relay import Links
from ludotheque.server.session.connection import COME_AGAIN
from ludotheque.server.settings import ServerSettings
from ludotheque.server.slices import in_slices
from ludotheque.server.writer import Writer

LOG: Final = logging.getLogger("ludotheque.server")
PERIOD: Final = 1.0  # seconds between two runs
REVOCATION_SECONDS: Final = 0.5  # between two looks for secrets that other processes have revoked
LEASE_LOOK_SECONDS: Final = 0.5
ADOPT_EVERY: Final = 2  # runs
TOUCH_EVERY: Final = 30  # runs
SWEEP_SECONDS: Final = 600.0  # between two searches for abandoned tables
ADOPTED_AT_ONCE: Final = 50
DROPPED_AT_ONCE: Final = 8  # tables in one callback; each has some sockets to close
DAY: Final = 86_400_000  # milliseconds
GONE: Final = 4404

Result = TypeVar("Result")


class Lock(Protocol):
    """The lock of a table."""

    def locked(self) -> bool:
        """Whether a request is being handled."""


class TableState(Protocol):
    """What housekeeping needs to know of a table."""

    id: str

    @property
    def acting_person(self) -> str | None:
        """The person who is to act now, if it is one."""


class OwnedTable(Protocol):
    """A table that this process owns."""

    epoch: int
    used: float

    @property
    def state(self) -> TableState:
        """Its state."""

    @property
    def connected(self) -> bool:
        """Whether anybody is connected to it."""

    @property
    def at_work(self) -> bool:
        """Whether something goes on by itself: a bot decides, a step is due, a clock or a live turn runs."""

    @property
    def lock(self) -> Lock:
        """Its lock."""

    def drop(self, code: int = ..., reason: str = ...) -> None:
        """Release it without writing; its clients connect again."""


class Registry(Protocol):
    """The tables that this process owns, and what is needed to release and adopt some."""

    engine: Engine
    closing: bool
    settings: ServerSettings
    metrics: Metrics
    leases: Leases
    links: Links
    clock: SiteClock
    writer: Writer
    orders: asyncio.Event
    operation: OperatorState

    @property
    def sessions(self) -> Mapping[str, OwnedTable]:
        """The owned tables by id."""

    def read(self, work: Callable[[Connection], Result]) -> Awaitable[Result]:
        """Read from the database."""

    def find(self, table: str) -> Awaitable[object]:
        """Adopt a table, unless another process owns it."""

    async def close_revoked(self) -> None:
        """Close the sockets of secrets that are no longer valid."""

    def keep(self, task: "asyncio.Future[Any]") -> None:
        """Keep a reference to a task until it is done."""


class Housekeeping:
    """The periodic jobs of one process."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._letting_go: asyncio.Future[None] | None = None
        self._touched: set[str] = set()  # since the last half minute
        self._loop = loop = asyncio.get_running_loop()
        registry.leases.on_lapse = self._on_lapse
        self._tasks = [loop.create_task(self._run()), loop.create_task(self._watch_leases())]
        if registry.engine.dialect.name == "postgresql":
            self._tasks.append(loop.create_task(listen(registry.engine, self._on_notification)))
            self._tasks.append(loop.create_task(self._watch_revocations()))

    def touched(self, table: str) -> None:
        """Note that a table is played at; its row is updated within half a minute."""
        self._touched.add(table)

    def stop(self) -> None:
        """Cancel the jobs."""
        for task in self._tasks:
            task.cancel()

    async def _run(self) -> None:
        swept = time.monotonic() - SWEEP_SECONDS + 30
        runs = 0
        while not self._registry.closing:
            await asyncio.sleep(PERIOD)
            runs += 1
            try:
                if not self._registry.leases.valid:
                    continue
                await self._release_idle()
                if runs % ADOPT_EVERY == 0:
                    await self._adopt()
                if runs % TOUCH_EVERY == 0:
                    await self.write_touched()
                if time.monotonic() - swept > SWEEP_SECONDS:
                    swept = time.monotonic()
                    await self._sweep()
            except asyncio.CancelledError:
                raise
            except Exception:
                LOG.exception("housekeeping failed")

    async def _watch_leases(self) -> None:
        """Notice that the leases have lapsed, or that another process has died. It never waits for the database."""
        registry = self._registry
        while not registry.closing:
            await asyncio.sleep(LEASE_LOOK_SECONDS)
            if not registry.leases.valid:
                registry.leases.lapse()
                self._begin_to_let_go()
            async for client in in_slices(registry.links.take_dead(registry.leases.addresses)):
                client.leave(COME_AGAIN, "come again")

    async def _watch_revocations(self) -> None:
        """Close the sockets of secrets that another process has revoked."""
        last: str | None = None
        while not self._registry.closing:
            await asyncio.sleep(REVOCATION_SECONDS)
            try:
                now = await self._registry.read(store.last_revocation)
                if now != last:
                    await self._registry.close_revoked()
                    last = now
            except asyncio.CancelledError:
                raise
            except Exception:
                LOG.exception("housekeeping failed")

    def _on_notification(self, payload: str) -> None:
        """Another process has released tables, or a table of ours has a new owner."""
        if self._registry.closing:
            return
        if payload == ORDERS:
            self._registry.orders.set()
        elif payload == FREE:
            self._registry.keep(asyncio.ensure_future(self._adopt_now()))
        elif (session := self._registry.sessions.get(payload)) is not None:
            session.drop()

    async def _adopt_now(self) -> None:
        try:
            await self._adopt()
        except Exception:
            LOG.exception("free tables could not be adopted")

    def _on_lapse(self) -> None:
        """Called by the thread of the leases."""
        try:
            self._loop.call_soon_threadsafe(self._begin_to_let_go)
        except RuntimeError:  # the loop has been closed, and with it everything that could be let go
            self._registry.leases.let_go()

    def _begin_to_let_go(self) -> None:
        """The leases have lapsed: other processes may own the tables by now."""
        if self._registry.leases.valid or (self._letting_go is not None and not self._letting_go.done()):
            return  # a second call for the same lapse
        self._letting_go = asyncio.ensure_future(self._let_go())
        self._registry.keep(self._letting_go)

    async def _let_go(self) -> None:
        """Drop all tables; then the process may come back. Meanwhile none of them tells anybody anything: no lease is valid."""
        sessions = list(self._registry.sessions.values())
        if sessions:
            LOG.warning("leases have expired", extra={"count": len(sessions)})
            self._registry.metrics.leases_lost.inc(len(sessions))
        async for session in in_slices(sessions, DROPPED_AT_ONCE):
            session.drop()
        self._registry.leases.let_go()

    async def _release_idle(self) -> None:
        """Release tables without connections at which nothing goes on by itself: they wait for a person."""
        if self._registry.operation.read_only:  # a frozen table does not tell whether something would go on
            return
        now = asyncio.get_running_loop().time()
        async for session in in_slices(self._registry.sessions.values()):
            idle = not session.connected and not session.at_work
            if idle and now - session.used > self._registry.settings.idle_seconds and not session.lock.locked():
                session.drop()
                await self._release(session.state.id, session.epoch, session.state.acting_person)

    async def _release(self, table: str, epoch: int, awaited: str | None) -> None:
        registry = self._registry

        def job(connection: Connection) -> None:
            store.note_awaited(connection, table, epoch, awaited)
            registry.leases.release(connection, table, epoch)
            store.set_attended(connection, table, attended=False)

        await registry.writer.do(job)

    async def _adopt(self) -> None:
        """Adopt tables with bots or clocks that have no owner: after a start, or after another process's end."""
        registry = self._registry
        if registry.operation.draining or registry.operation.read_only:
            return
        for table in await registry.read(lambda connection: registry.leases.orphans(connection, ADOPTED_AT_ONCE)):
            if table not in registry.sessions:
                try:
                    await registry.find(table)
                except Later:  # the database or the leases are gone for the moment: the next run tries again
                    return
                except Exception:
                    LOG.exception("a table could not be adopted")
                    await self._leave_alone(table)

    async def _leave_alone(self, table: str) -> None:
        await self._registry.writer.do(lambda connection: store.set_attended(connection, table, attended=False))

    async def write_touched(self) -> None:
        """Store when tables were last played at, and how far the site's time has come."""
        touched, self._touched = self._touched, set()
        now = self._registry.clock.moment()  # half a minute too late at most, and no clock is read for each action

        def job(connection: Connection) -> None:
            self._registry.clock.mark(connection)
            if touched:
                store.touch(connection, dict.fromkeys(touched, now))

        await self._registry.writer.do(job)

    async def _sweep(self) -> None:
        """Delete tables that nobody has touched for long, and what is kept of operators' doings."""
        if self._registry.operation.read_only:
            return
        now = self._registry.clock.moment()
        await self._registry.writer.do(lambda connection: store.sweep_operation(connection, now))
        before = now - self._registry.settings.table_days * DAY
        deleted = await self._registry.writer.do(lambda connection: store.sweep_tables(connection, before))
        for table in deleted:
            session = self._registry.sessions.get(table)
            if session is not None:
                session.drop(GONE, "gone")
        if deleted:
            LOG.info("abandoned tables deleted", extra={"count": len(deleted)})
