"""Leases: which process owns which table. A lease has an epoch that rises with every new owner, and lapses with its process.

`writer` checks the epoch of every write, so that a stale owner cannot write.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.server.clock import database_date, steady
from ludotheque.server.database import detached_connection, leases, processes, tables
from ludotheque.server.notifications import FREE, notify

LOG: Final = logging.getLogger("ludotheque.server")
LOOK_SECONDS: Final = 1.0  # at most, between two looks at the other processes
KEPT_LEASES: Final = 4  # lengths of a lease after which the row of a dead process is deleted


@dataclass(frozen=True)
class Held:
    """This process owns the table in this epoch, under the identity that it had when it acquired it."""

    epoch: int
    process: str


@dataclass(frozen=True)
class Elsewhere:
    """Another process owns the table; its address."""

    address: str


@dataclass(frozen=True)
class Seen:
    """The last renewal of another process that was seen, and when it was seen first (steady seconds)."""

    expires: float
    since: float


class Leases:
    """The leases of this process.

    Its identity ends when it could not be renewed in time, and is never renewed after that: the process lets go of its
    tables, and comes back under another one. Time is a steady clock's on every machine. A process counts as dead when
    somebody has seen no renewal of it for the length of a lease; it began to count its own lease earlier, when it asked
    for the last renewal, so its own has ended by then.
    """

    def __init__(self, engine: Engine, address: str, seconds: float, clock: Callable[[], float] = steady) -> None:
        self.process = secrets.token_hex(8)
        self.address = address
        self.on_lapse: Callable[[], None] | None = None
        """Called in a thread when the leases have lapsed. Whoever sets it calls `let_go` when all tables are dropped."""
        self._engine = engine
        self._seconds = seconds
        self._clock = clock
        self.addresses: frozenset[str] = frozenset()
        """Of the processes that counted as alive when somebody looked last, within a second."""
        self._others: dict[str, Seen] = {}
        self._lock = threading.Lock()  # of `_others`, and of a lapse
        self._stop = threading.Event()
        self._lapsed = False
        self._tables_dropped = False
        asked = clock()
        with engine.begin() as connection:
            if engine.dialect.name == "sqlite":  # the file is locked: no other process is alive
                connection.execute(sql.delete(processes))
            self._enter(connection, self.process)
            self._living(connection)
        self._renewed = asked
        self._reserved: Connection | None = detached_connection(engine)
        self._thread = threading.Thread(target=self._run, name="leases", daemon=True)
        self._thread.start()

    def _date(self, connection: Connection) -> float:
        """What `expires` is compared with: the database's date. A file of one process needs no date."""
        return database_date(connection) if connection.dialect.name == "postgresql" else self._clock()

    def _enter(self, connection: Connection, process: str) -> None:
        expires = self._date(connection) + self._seconds
        connection.execute(sql.insert(processes).values(id=process, address=self.address, expires=expires))

    def _run(self) -> None:
        """Renew three times in a lease's length, and look at the others once a second.

        A thread of its own, since a busy event loop must not lose the tables, and a connection of its own, which is open
        already when others wait for one or no descriptor is left.
        """
        failed = False
        while not self._stop.wait(min(LOOK_SECONDS, self._seconds / 6)):
            try:
                connection = self._reserved or detached_connection(self._engine)
                self._reserved = connection
                if self._lapsed:
                    self._come_back(connection)
                elif failed or self._clock() - self._renewed >= self._seconds / 3:
                    self._renew(connection)
                if self._engine.dialect.name == "postgresql":
                    with connection.begin():
                        self._living(connection)
                        self._bury(connection)
                failed = False
            except Exception as error:  # whatever it is, the next renewal may succeed
                LOG.warning("leases could not be renewed", extra={"error": type(error).__name__})
                failed = True
                self._disconnect()
            if not self._lapsed and not self.valid:
                self.lapse()
        self._disconnect()

    def _renew(self, connection: Connection) -> None:
        """Renew what has not lapsed, by the database's clock and by ours."""
        asked = self._clock()
        with connection.begin():
            now = self._date(connection)
            query = sql.update(processes).where(processes.c.id == self.process, processes.c.expires > now)
            renewed = connection.execute(query.values(expires=now + self._seconds)).rowcount == 1
        if renewed and self.valid:
            self._renewed = asked
        else:
            self.lapse()

    def lapse(self) -> None:
        """The leases have lapsed: other processes may own the tables by now. Nothing makes them valid again."""
        with self._lock:
            if self._lapsed:
                return
            self._tables_dropped = self.on_lapse is None
            self._lapsed = True
        if self.on_lapse is not None:
            self.on_lapse()

    def let_go(self) -> None:
        """All tables have been dropped since the lapse: the process may come back."""
        self._tables_dropped = True

    def _come_back(self, connection: Connection) -> None:
        """Return under a new identity, once nothing is left of the old one."""
        if not self._tables_dropped:
            return
        process, asked = secrets.token_hex(8), self._clock()
        with connection.begin():
            self._leave(connection)
            self._enter(connection, process)
        self.process, self._renewed = process, asked
        self._lapsed = False
        LOG.info("back with new leases")

    def _leave(self, connection: Connection) -> None:
        connection.execute(sql.update(leases).where(leases.c.owner == self.process).values(owner=None))
        connection.execute(sql.delete(processes).where(processes.c.id == self.process))
        notify(connection, FREE)

    def _disconnect(self) -> None:
        """Close the reserved connection; the next renewal opens another."""
        reserved, self._reserved = self._reserved, None
        if reserved is not None:
            try:
                reserved.close()
            except SQLAlchemyError as error:
                LOG.info("a connection did not close", extra={"error": type(error).__name__})

    @property
    def valid(self) -> bool:
        """Whether the leases are surely valid; otherwise other processes may own the tables by now."""
        return not self._lapsed and self._clock() - self._renewed < self._seconds

    def holds(self, held: Held) -> bool:
        """Whether a table that was acquired is still ours: there was no lapse since."""
        return held.process == self.process and self.valid

    def close(self) -> None:
        """Release everything, so that other processes need not wait."""
        self._stop.set()
        self._thread.join(timeout=10)
        try:
            with self._engine.begin() as connection:
                self._leave(connection)
        except SQLAlchemyError as error:
            LOG.warning("leases could not be released", extra={"error": type(error).__name__})

    # The other processes

    def _living(self, connection: Connection) -> Mapping[str, str]:
        """The addresses of the processes that count as alive, this one included.

        The clock is read before the rows for those that have not changed, and after them for those that have: whichever way
        the database delays us, nobody is dead too early.
        """
        before = self._clock()
        rows = connection.execute(sql.select(processes)).all()
        after = self._clock()
        with self._lock:
            known, self._others = self._others, {}
            for row in rows:
                seen = known.get(row.id)
                renewed = seen is None or seen.expires != row.expires
                self._others[row.id] = Seen(row.expires, after) if seen is None or renewed else seen
            living = {
                row.id: row.address
                for row in rows
                if row.id == self.process or before - self._others[row.id].since < self._seconds
            }
            self.addresses = frozenset(living.values())
        return living

    def _bury(self, connection: Connection) -> None:
        """Delete the rows of processes that have been dead for long. If one lives after all, it comes back as another."""
        now = self._clock()
        with self._lock:
            dead = {
                process: seen.expires
                for process, seen in self._others.items()
                if process != self.process and now - seen.since > KEPT_LEASES * self._seconds
            }
        for process, expires in dead.items():
            connection.execute(sql.delete(processes).where(processes.c.id == process, processes.c.expires == expires))

    def is_alive(self, connection: Connection, process: str) -> bool:
        """Whether a process has renewed its leases lately."""
        return process in self._living(connection)

    # Tables

    def acquire(self, connection: Connection, table: str) -> Held | Elsewhere | None:
        """Acquire a table unless a living process owns it; None if there is no such table."""
        process = self.process
        lease = connection.execute(sql.select(leases).where(leases.c.table_id == table).with_for_update()).first()
        if lease is None:
            return None
        if lease.owner is not None and lease.owner != process:
            address = self._living(connection).get(lease.owner)
            if address is not None:
                return Elsewhere(address)
        epoch = lease.epoch + 1
        connection.execute(sql.update(leases).where(leases.c.table_id == table).values(owner=process, epoch=epoch))
        return Held(epoch, process)

    def set_address(self, connection: Connection, address: str) -> None:
        """Publish the address at which other processes reach this one."""
        self.address = address
        connection.execute(sql.update(processes).where(processes.c.id == self.process).values(address=address))

    def add(self, connection: Connection, table: str) -> Held:
        """Add the lease of a new table."""
        held = Held(1, self.process)
        connection.execute(sql.insert(leases).values(table_id=table, owner=held.process, epoch=held.epoch))
        return held

    def release(self, connection: Connection, table: str, epoch: int) -> None:
        """Release a table. Its epoch says whose it is."""
        connection.execute(
            sql.update(leases).where(leases.c.table_id == table, leases.c.epoch == epoch).values(owner=None)
        )

    def revoke(self, connection: Connection, held: Collection[str], wanted: Sequence[str]) -> None:
        """Revoke other processes' leases of tables whose log has been changed; their next write fails."""
        elsewhere = [table for table in wanted if table not in held]
        if elsewhere:
            connection.execute(
                sql.update(leases).where(leases.c.table_id.in_(elsewhere)).values(owner=None, epoch=leases.c.epoch + 1)
            )
            for table in elsewhere:
                notify(connection, table)

    def orphans(self, connection: Connection, most: int) -> Sequence[str]:
        """Tables with a clock or a bot to run that no living process owns."""
        query = (
            sql.select(tables.c.id)
            .join(leases, leases.c.table_id == tables.c.id)
            .where(
                tables.c.attended.is_(True),
                sql.or_(leases.c.owner.is_(None), leases.c.owner.not_in(list(self._living(connection)))),
            )
            .order_by(tables.c.touched.desc())
            .limit(most)
        )
        return [row.id for row in connection.execute(query)]
