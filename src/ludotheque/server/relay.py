"""Relay between server processes that share a PostgreSQL: forwards a connection to the process that owns its table.

The receiving side is in `relay_server`; which process owns which table is in `leases`.
"""

import asyncio
import contextlib
import logging
from collections.abc import Collection, Iterator
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ludotheque.server.session.connection import COME_AGAIN, Connection
from ludotheque.server.transport import Transport

LOG: Final = logging.getLogger("ludotheque.server")
KEY_HEADER: Final = "X-Ludotheque-Link"
NETWORK_HEADER: Final = "X-Ludotheque-Network"  # of the client, which its questions are charged to
LARGEST_STATE: Final = 64 * 1024 * 1024  # bytes: a state with a long log
PREFIX: Final = "/tables/"


class Links:
    """The clients that this process forwards to others, by the others' addresses."""

    def __init__(self) -> None:
        self._clients: dict[str, set[Connection]] = {}

    @contextlib.contextmanager
    def counted(self, address: str, client: Connection) -> Iterator[None]:
        """While a client is forwarded."""
        clients = self._clients.setdefault(address, set())
        clients.add(client)
        try:
            yield
        finally:
            clients.discard(client)
            if not clients:
                self._clients.pop(address, None)

    def take_dead(self, living: Collection[str]) -> list[Connection]:
        """Those whose table's owner counts as dead: they have to come again, since a machine that is cut off closes nothing."""
        dead = [one for one in self._clients if one not in living]
        return [client for address in dead for client in self._clients.pop(address)]


async def forward(
    transport: Transport, client: Connection, links: Links, address: str, key: str, table: str, hello: str
) -> None:
    """Forward a connection's messages to the process that owns the table, and back, until either end closes.

    `key` is the secret that the processes of this site share.
    """
    with links.counted(address, client):
        await _forward(transport, client, address, key, table, hello)


async def _forward(transport: Transport, client: Connection, address: str, key: str, table: str, hello: str) -> None:
    try:
        link = await connect(
            f"ws://{address}{PREFIX}{table}",
            additional_headers={KEY_HEADER: key, NETWORK_HEADER: client.network},
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
