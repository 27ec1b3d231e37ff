"""PostgreSQL notifications between server processes: that tables are free, or that a table has a new owner.

They only save time. Correctness does not depend on them: `housekeeping` polls, and every write checks its lease.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from ludotheque.server.database import NETWORK

LOG: Final = logging.getLogger("ludotheque.server")
CHANNEL: Final = "ludotheque"
FREE: Final = "free"  # some tables have no owner
ORDERS: Final = "orders"  # the operator has given some; any other payload is the id of a table whose owner has changed
RETRY_SECONDS: Final = 2.0


def notify(connection: Connection, payload: str) -> None:
    """Notify the other processes when this transaction is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(sql.text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})


async def listen(engine: Engine, heard: Callable[[str], None]) -> None:
    """Call `heard` with every notification; reconnects when the connection is lost."""
    import psycopg  # noqa: PLC0415 - an extra: with SQLite nobody listens
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415

    url = make_conninfo(engine.url.set(drivername="postgresql").render_as_string(hide_password=False), **NETWORK)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                heard(FREE)  # for what was sent while nobody listened
                async for notice in connection.notifies():
                    heard(notice.payload)
        except psycopg.Error as error:
            LOG.info("notifications are interrupted", extra={"error": type(error).__name__})
        await asyncio.sleep(RETRY_SECONDS)
