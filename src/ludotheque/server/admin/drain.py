"""Lets go of a process's tables before it stops: each at a pause in play, so that nobody is interrupted in a turn.

Another process takes them over, or their clients come again to the next one.
"""

import asyncio
import logging
import os
import signal
from typing import Final

from sqlalchemy.engine import Connection

from ludotheque.server.notifications import FREE, notify
from ludotheque.server.registry import TableRegistry
from ludotheque.server.session.session import Session

LOG: Final = logging.getLogger("ludotheque.server")
LOOK_SECONDS: Final = 0.25
PAUSE_SECONDS: Final = 2.0
"""For so long nobody has asked anything of a table that is being played at."""


class Drain:
    """Empties one process, then stops it."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._task: asyncio.Task[None] | None = None

    def start(self, within: float) -> None:
        """Take nothing new, and stop when every table has been let go of, or after so many seconds."""
        self._registry.operation.draining = True
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run(within))

    def stop(self) -> None:
        """The process stops already."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, within: float) -> None:
        registry = self._registry
        deadline = registry.loop.time() + within
        LOG.info("draining", extra={"tables": len(registry.sessions)})
        while registry.sessions and registry.loop.time() < deadline:
            for session in list(registry.sessions.values()):
                if self._pauses(session):
                    await self._let_go(session)
            await asyncio.sleep(LOOK_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)  # as an operator would: what is left is closed in order

    def _pauses(self, session: Session) -> bool:
        """Whether a table can be let go of: a match is not going on, or nobody does anything."""
        if not session.resting:
            return False
        return session.state.status != "playing" or self._registry.loop.time() - session.used > PAUSE_SECONDS

    async def _let_go(self, session: Session) -> None:
        registry, table, epoch = self._registry, session.state.id, session.epoch
        async with session.lock:
            session.drop()

        def release(connection: Connection) -> None:
            registry.leases.release(connection, table, epoch)
            notify(connection, FREE)

        await registry.writer.do(release)
