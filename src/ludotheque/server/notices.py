"""Processes that share a PostgreSQL wake each other: a NOTIFY says that tables are free, or that a table changed hands.

It only saves time. Nothing depends on it: every round of the hall looks for itself, and every write checks its lease.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import psycopg
import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

LOG: Final = logging.getLogger("ludotheque.server")
CHANNEL: Final = "ludotheque"
FREE: Final = "free"  # some tables have no holder now; otherwise the id of a table whose holder must look again
AGAIN_SECONDS: Final = 2.0


def notify(connection: Connection, word: str) -> None:
    """Tell the other processes, once this transaction is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(sql.text("SELECT pg_notify(:channel, :word)"), {"channel": CHANNEL, "word": word})


async def listen(engine: Engine, heard: Callable[[str], None]) -> None:
    """Hear what the others tell, for ever; a lost connection is made again."""
    url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                heard(FREE)  # whatever was told while nobody listened
                async for notice in connection.notifies():
                    heard(notice.payload)
        except psycopg.Error as error:
            LOG.info("not listening to the others", extra={"error": type(error).__name__})
        await asyncio.sleep(AGAIN_SECONDS)
