"""Clocks: seconds for leases, and the site's own time for ages. Neither is changed by a jump of a machine's date.

Moments that people read (when a game was played) are plain dates: `store.moment`.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from ludotheque.server.database import keys, tables

MARK: Final = "site-time"
LONGEST_ABSENCE: Final = 86_400_000  # milliseconds: what counts at most of a time in which no process ran

steady: Callable[[], float]
"""Seconds that never jump; they go on while the machine is suspended. Leases ask twice for each action: no function is between."""
if sys.platform == "linux":
    steady = partial(time.clock_gettime, time.CLOCK_BOOTTIME)
elif sys.platform == "darwin":
    steady = partial(time.clock_gettime, time.CLOCK_MONOTONIC)
else:
    steady = time.monotonic


def database_date(connection: Connection) -> float:
    """The date in seconds since 1970: the database's own where machines share one, so that theirs need not agree."""
    if connection.dialect.name == "postgresql":
        return float(connection.execute(sql.text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    return time.time()


class SiteClock:
    """The site's time in milliseconds: it runs while some process runs, at the pace of a steady clock.

    What is deleted by age is counted in it, so that a wrong date makes nothing old. It began as a date, but it is none:
    of a time in which no process ran, at most a day counts, since the date after it may be wrong. All processes store
    how far it has come (`mark`), and go on from the furthest.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = steady) -> None:
        self._clock = clock
        with engine.begin() as connection:
            stored, date = self._stored(connection)
            absence = _milliseconds(database_date(connection)) - date
            self._anchor = (stored + min(max(absence, 0), LONGEST_ABSENCE), clock())
            self._store(connection, self.moment())

    def moment(self) -> int:
        """Now."""
        moment, at = self._anchor
        return moment + _milliseconds(self._clock() - at)

    def mark(self, connection: Connection) -> None:
        """Store how far the site's time has come, or learn that another process is ahead."""
        stored, _ = self._stored(connection)
        now = max(stored, self.moment())
        self._anchor = (now, self._clock())
        self._store(connection, now)

    def _stored(self, connection: Connection) -> tuple[int, int]:
        """The site's time at its last mark, and the date at which it was made."""
        query = sql.select(keys.c.value).where(keys.c.name == MARK).with_for_update()
        found = connection.execute(query).scalar()
        if found is not None:
            moment, date = found.split()
            return int(moment), int(date)
        latest = connection.execute(sql.select(sql.func.max(tables.c.touched))).scalar()
        if latest is None:
            latest = _milliseconds(database_date(connection))
        return int(latest), int(latest)

    def _store(self, connection: Connection, moment: int) -> None:
        insert = sql.text(
            "INSERT INTO keys (name, value) VALUES (:name, :value) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        )
        value = f"{moment} {_milliseconds(database_date(connection))}"
        connection.execute(insert, {"name": MARK, "value": value})


def _milliseconds(seconds: float) -> int:
    return int(1000 * seconds)
