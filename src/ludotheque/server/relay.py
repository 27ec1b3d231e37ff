"""Relay between server processes that share a PostgreSQL: forwards a connection to the process that owns its table.

The receiving side is in `relay_server`; which process owns which table is in `leases`.
"""

import asyncio
import contextlib
import logging
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ludotheque.server.session.connection import COME_AGAIN, Connection
from ludotheque.server.websocket import Transport

LOG: Final = logging.getLogger("ludotheque.server")
KEY_HEADER: Final = "X-Ludotheque-Link"
LARGEST_STATE: Final = 64 * 1024 * 1024  # bytes: a state with a long log
PREFIX: Final = "/tables/"


async def forward(transport: Transport, client: Connection, address: str, key: str, table: str, hello: str) -> None:
    """Forward a connection's messages to the process that owns the table, and back, until either end closes.

    `key` is the secret that the processes of this site share.
    """
    try:
        link = await connect(
            f"ws://{address}{PREFIX}{table}",
            additional_headers={KEY_HEADER: key},
            max_size=LARGEST_STATE,
            compression=None,
            open_timeout=5,
            proxy=None,
        )
    except (OSError, TimeoutError, InvalidHandshake):
        LOG.info("the owner of a table cannot be reached")
        await asyncio.sleep(0.5)  # it is gone or going: its lease will tell
        client.leave(COME_AGAIN, "come again")
        return
    async with link:
        await link.send(hello)
        inward = asyncio.create_task(_inward(transport, link))
        outward = asyncio.create_task(_outward(link, client))
        await asyncio.wait((inward, outward), return_when=asyncio.FIRST_COMPLETED)
        for task in (inward, outward):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
                await task
    code = link.close_code
    known = code is not None and (code >= 4000 or code in (1008, 1009, 1012, 1013))
    client.leave(code if known and code is not None else COME_AGAIN, link.close_reason or "come again")


async def _inward(transport: Transport, link: ClientConnection) -> None:
    while (text := await transport.receive()) is not None:
        await link.send(text)


async def _outward(link: ClientConnection, client: Connection) -> None:
    async for text in link:
        client.send(text if isinstance(text, bytes) else text.encode())
