"""What a process does again and again for its tables: let go of idle ones, take up those that nobody holds, tidy away old ones.

What tables are is the hall's business; who tells that some are free, notices.py's.
"""

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final

from ludotheque.server import store
from ludotheque.server.notices import FREE, listen

if TYPE_CHECKING:
    from ludotheque.server.hall import Hall

LOG: Final = logging.getLogger("ludotheque.server")
ROUND: Final = 1.0  # seconds between two looks at what has to be done
TIDY: Final = 600.0  # seconds between two looks for abandoned tables
ADOPTED_AT_ONCE: Final = 50


class Rounds:
    """The hall's housekeeper."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._touched: dict[str, int] = {}
        self._tasks = [hall.loop.create_task(self._go())]
        if hall.engine.dialect.name == "postgresql":
            self._tasks.append(hall.loop.create_task(listen(hall.engine, self._hear)))

    def touched(self, table: str, at: int) -> None:
        """A table was played at; its row hears of it within half a minute."""
        self._touched[table] = at

    def stop(self) -> None:
        """Go round no more."""
        for task in self._tasks:
            task.cancel()

    async def _go(self) -> None:
        tidied = time.monotonic() - TIDY + 30
        beat = 0
        while not self._hall.closing:
            await asyncio.sleep(ROUND)
            beat += 1
            try:
                if not self._hall.leases.heard:
                    self._let_go_of_all("our leases ran out")
                    continue
                await self._let_go_of_idle()
                if beat % 2 == 0:
                    await self._adopt()
                if beat % 30 == 0:
                    await self.write_touched()
                if time.monotonic() - tidied > TIDY:
                    tidied = time.monotonic()
                    await self._tidy()
            except asyncio.CancelledError:
                raise
            except Exception:
                LOG.exception("a round failed")

    def _hear(self, word: str) -> None:
        """Another process tells something: tables are free, or one that we hold has changed hands."""
        if self._hall.closing:
            return
        if word == FREE:
            self._hall.keep(asyncio.ensure_future(self._adopt_now()))
        elif (session := self._hall.sessions.get(word)) is not None:
            session.drop()

    async def _adopt_now(self) -> None:
        try:
            await self._adopt()
        except Exception:
            LOG.exception("free tables could not be taken up")

    def _let_go_of_all(self, why: str) -> None:
        if self._hall.sessions:
            LOG.warning(why, extra={"count": len(self._hall.sessions)})
            self._hall.metrics.leases_lost.inc(len(self._hall.sessions))
        for session in list(self._hall.sessions.values()):
            session.drop()

    async def _let_go_of_idle(self) -> None:
        now = asyncio.get_running_loop().time()
        for session in list(self._hall.sessions.values()):
            idle = not session.visitors and not session.table.attended
            if idle and now - session.used > self._hall.operator.idle_seconds and not session.lock.locked():
                table, epoch = session.table.id, session.epoch
                session.drop()
                await self._hall.writer.do(
                    lambda connection, table=table, epoch=epoch: self._hall.leases.give_back(connection, table, epoch)  # type: ignore[misc]
                )

    async def _adopt(self) -> None:
        """Take up tables with bots or clocks that nobody holds: after a start, or after another process's end."""
        orphans = await self._hall.read(lambda connection: self._hall.leases.orphans(connection, ADOPTED_AT_ONCE))
        for table in orphans:
            if table not in self._hall.sessions:
                try:
                    await self._hall.find(table)
                except Exception:
                    LOG.exception("a table could not be taken up")
                    await self._hall.writer.do(lambda connection, table=table: store.unattend(connection, table))  # type: ignore[misc]

    async def write_touched(self) -> None:
        """Store when tables were last played at."""
        touched, self._touched = self._touched, {}
        if touched:
            await self._hall.writer.do(lambda connection: store.touch(connection, touched))

    async def _tidy(self) -> None:
        gone = await self._hall.writer.do(
            lambda connection: store.sweep_tables(connection, self._hall.operator.table_days)
        )
        for table in gone:
            session = self._hall.sessions.get(table)
            if session is not None:
                session.drop(4404, "gone")
        if gone:
            LOG.info("abandoned tables removed", extra={"count": len(gone)})
