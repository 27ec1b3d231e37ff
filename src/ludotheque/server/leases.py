"""Which process holds which table: a lease with an epoch that rises with every new holder, good while its process is heard of.

What a holder does with a table is the session's business; that stale holders cannot write is the writer's.
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

from ludotheque.server.database import leases, processes, tables
from ludotheque.server.notices import FREE, notify

LOG: Final = logging.getLogger("ludotheque.server")


@dataclass(frozen=True)
class Held:
    """The table is ours, in this epoch."""

    epoch: int


@dataclass(frozen=True)
class Elsewhere:
    """Another process holds the table, and is reached there."""

    address: str


def _now(connection: Connection) -> float:
    """The time by which processes live: the database's own, so that machines need not agree."""
    if connection.dialect.name == "postgresql":
        return float(connection.execute(sql.text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    return time.time()


def living(connection: Connection, process: str) -> bool:
    """Whether a process has been heard of lately."""
    expires = connection.execute(sql.select(processes.c.expires).where(processes.c.id == process)).scalar()
    return expires is not None and expires > _now(connection)


class Leases:
    """This process among the others."""

    def __init__(self, engine: Engine, address: str, seconds: float) -> None:
        self.process = secrets.token_hex(8)
        self.address = address
        self._engine = engine
        self._seconds = seconds
        self._stop = threading.Event()
        self._heard = time.monotonic()
        with engine.begin() as connection:
            now = _now(connection)
            if engine.dialect.name == "sqlite":  # we hold the file: whoever had it is gone
                connection.execute(sql.delete(processes))
            else:
                connection.execute(sql.delete(processes).where(processes.c.expires < now - 3600))
            connection.execute(sql.insert(processes).values(id=self.process, address=address, expires=now + seconds))
        self._thread = threading.Thread(target=self._beat, name="leases", daemon=True)
        self._thread.start()

    def _beat(self) -> None:
        """Be heard of three times in a lease's length. A thread of its own: a busy loop must not cost us our tables."""
        while not self._stop.wait(self._seconds / 3):
            try:
                with self._engine.begin() as connection:
                    connection.execute(
                        sql.update(processes)
                        .where(processes.c.id == self.process)
                        .values(expires=_now(connection) + self._seconds)
                    )
                self._heard = time.monotonic()
            except Exception as error:  # whatever it is, the next beat is the only remedy
                LOG.warning("the database did not hear us", extra={"error": type(error).__name__})

    @property
    def heard(self) -> bool:
        """Whether our leases are surely good: otherwise others may have taken our tables."""
        return time.monotonic() - self._heard < self._seconds

    def close(self) -> None:
        """Give everything back, so that others need not wait."""
        self._stop.set()
        self._thread.join(timeout=10)
        try:
            with self._engine.begin() as connection:
                connection.execute(sql.update(leases).where(leases.c.owner == self.process).values(owner=None))
                connection.execute(sql.delete(processes).where(processes.c.id == self.process))
                notify(connection, FREE)
        except SQLAlchemyError as error:
            LOG.warning("leases could not be given back", extra={"error": type(error).__name__})

    def take(self, connection: Connection, table: str) -> Held | Elsewhere | None:
        """Take a table unless a living process holds it; None if there is no such table."""
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

    def move_to(self, connection: Connection, address: str) -> None:
        """Tell the others where we are reached."""
        self.address = address
        connection.execute(sql.update(processes).where(processes.c.id == self.process).values(address=address))

    def new(self, connection: Connection, table: str) -> None:
        """The lease of a table that we open."""
        connection.execute(sql.insert(leases).values(table_id=table, owner=self.process, epoch=1))

    def give_back(self, connection: Connection, table: str, epoch: int) -> None:
        """Let go of a table that nobody needs in memory."""
        connection.execute(
            sql.update(leases)
            .where(leases.c.table_id == table, leases.c.owner == self.process, leases.c.epoch == epoch)
            .values(owner=None)
        )

    def call_in(self, connection: Connection, held: Collection[str], wanted: Sequence[str]) -> None:
        """Make other holders let go of tables whose log was changed under them; their next write tells them."""
        elsewhere = [table for table in wanted if table not in held]
        if elsewhere:
            connection.execute(
                sql.update(leases).where(leases.c.table_id.in_(elsewhere)).values(owner=None, epoch=leases.c.epoch + 1)
            )
            for table in elsewhere:
                notify(connection, table)

    def orphans(self, connection: Connection, most: int) -> Sequence[str]:
        """Tables with a clock or a bot to run that no living process holds."""
        living = sql.select(processes.c.id).where(processes.c.expires > _now(connection))
        query = (
            sql.select(tables.c.id)
            .join(leases, leases.c.table_id == tables.c.id)
            .where(tables.c.attended.is_(True), sql.or_(leases.c.owner.is_(None), leases.c.owner.not_in(living)))
            .order_by(tables.c.touched.desc())
            .limit(most)
        )
        return [row.id for row in connection.execute(query)]
