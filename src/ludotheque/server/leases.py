"""Leases: which process owns which table. A lease has an epoch that rises with every new owner, and expires with its process.

`writer` checks the epoch of every write, so that a stale owner cannot write.
"""

import logging
import secrets
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.server.database import detached_connection, leases, processes, tables
from ludotheque.server.notifications import FREE, notify

LOG: Final = logging.getLogger("ludotheque.server")


@dataclass(frozen=True)
class Held:
    """This process owns the table, in this epoch."""

    epoch: int


@dataclass(frozen=True)
class Elsewhere:
    """Another process owns the table; its address."""

    address: str


def _now(connection: Connection) -> float:
    """The database's time, so that the clocks of machines need not agree."""
    if connection.dialect.name == "postgresql":
        return float(connection.execute(sql.text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    return time.time()


def is_alive(connection: Connection, process: str) -> bool:
    """Whether a process has renewed its leases lately."""
    expires = connection.execute(sql.select(processes.c.expires).where(processes.c.id == process)).scalar()
    return expires is not None and expires > _now(connection)


class Leases:
    """The leases of this process."""

    def __init__(self, engine: Engine, address: str, seconds: float) -> None:
        self.process = secrets.token_hex(8)
        self.address = address
        self._engine = engine
        self._seconds = seconds
        self._stop = threading.Event()
        self._renewed = time.monotonic()
        with engine.begin() as connection:
            now = _now(connection)
            if engine.dialect.name == "sqlite":  # the file is locked: no other process is alive
                connection.execute(sql.delete(processes))
            else:
                connection.execute(sql.delete(processes).where(processes.c.expires < now - 3600))
            connection.execute(sql.insert(processes).values(id=self.process, address=address, expires=now + seconds))
        self._reserved: Connection | None = detached_connection(engine)
        self._thread = threading.Thread(target=self._renew, name="leases", daemon=True)
        self._thread.start()

    def _renew(self) -> None:
        """Renew three times in a lease's length.

        A thread of its own, since a busy event loop must not lose the tables, and a connection of its own, which is open
        already when others wait for one or no descriptor is left.
        """
        while not self._stop.wait(self._seconds / 3):
            try:
                connection = self._reserved or detached_connection(self._engine)
                self._reserved = connection
                with connection.begin():
                    connection.execute(
                        sql.update(processes)
                        .where(processes.c.id == self.process)
                        .values(expires=_now(connection) + self._seconds)
                    )
                self._renewed = time.monotonic()
            except Exception as error:  # whatever it is, the next renewal may succeed
                LOG.warning("leases could not be renewed", extra={"error": type(error).__name__})
                self._let_go()
        self._let_go()

    def _let_go(self) -> None:
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
        return time.monotonic() - self._renewed < self._seconds

    def close(self) -> None:
        """Release everything, so that other processes need not wait."""
        self._stop.set()
        self._thread.join(timeout=10)
        try:
            with self._engine.begin() as connection:
                connection.execute(sql.update(leases).where(leases.c.owner == self.process).values(owner=None))
                connection.execute(sql.delete(processes).where(processes.c.id == self.process))
                notify(connection, FREE)
        except SQLAlchemyError as error:
            LOG.warning("leases could not be released", extra={"error": type(error).__name__})

    def acquire(self, connection: Connection, table: str) -> Held | Elsewhere | None:
        """Acquire a table unless a living process owns it; None if there is no such table."""
        lease = connection.execute(sql.select(leases).where(leases.c.table_id == table).with_for_update()).first()
        if lease is None:
            return None
        if lease.owner is not None and lease.owner != self.process:
            holder = connection.execute(sql.select(processes).where(processes.c.id == lease.owner)).first()
            if holder is not None and holder.expires > _now(connection):
                return Elsewhere(holder.address)
        epoch = lease.epoch + 1
        connection.execute(sql.update(leases).where(leases.c.table_id == table).values(owner=self.process, epoch=epoch))
        return Held(epoch)

    def set_address(self, connection: Connection, address: str) -> None:
        """Publish the address at which other processes reach this one."""
        self.address = address
        connection.execute(sql.update(processes).where(processes.c.id == self.process).values(address=address))

    def add(self, connection: Connection, table: str) -> None:
        """Add the lease of a new table."""
        connection.execute(sql.insert(leases).values(table_id=table, owner=self.process, epoch=1))

    def release(self, connection: Connection, table: str, epoch: int) -> None:
        """Release a table."""
        connection.execute(
            sql.update(leases)
            .where(leases.c.table_id == table, leases.c.owner == self.process, leases.c.epoch == epoch)
            .values(owner=None)
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
        alive = sql.select(processes.c.id).where(processes.c.expires > _now(connection))
        query = (
            sql.select(tables.c.id)
            .join(leases, leases.c.table_id == tables.c.id)
            .where(tables.c.attended.is_(True), sql.or_(leases.c.owner.is_(None), leases.c.owner.not_in(alive)))
            .order_by(tables.c.touched.desc())
            .limit(most)
        )
        return [row.id for row in connection.execute(query)]
