"""Relay between server processes that share a PostgreSQL: forwards a connection to the process that owns its table.

Which process owns which table is in `leases`.
"""

import asyncio
import contextlib
import hmac
import logging
from collections import deque
from collections.abc import Callable
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.http11 import Request, Response

from ludotheque.server.connections import WebSocketConnection, serve_connection
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.base import LARGEST_MESSAGE
from ludotheque.server.session.connection import COME_AGAIN
from ludotheque.server.websocket import Transport

LOG: Final = logging.getLogger("ludotheque.server")
KEY_HEADER: Final = "X-Ludotheque-Link"
LARGEST_STATE: Final = 64 * 1024 * 1024  # a state with a long log; it comes from our own kind
PREFIX: Final = "/tables/"


class RelayTransport:
    """A connection that another process forwards to this one; a task of its own sends."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self.on_message: Callable[[str | bytes], bool] | None = None  # unused: messages are received in a task
        self._waiting: deque[bytes] = deque()
        self._more = asyncio.Event()
        self._end: tuple[int, str] | None = None
        self.congested = True  # it counts its own bytes
        self.unsent = 0
        self._task = asyncio.get_running_loop().create_task(self._send())

    async def receive(self) -> str | bytes | None:
        """The next message."""
        try:
            return await self._connection.recv()
        except ConnectionClosed:
            return None

    def send(self, text: bytes) -> None:
        """Send a text."""
        if self._end is None:
            self._waiting.append(text)
            self.unsent += len(text)
            self._more.set()

    def close(self, code: int, reason: str) -> None:
        """Close it after what was sent."""
        if self._end is None:
            self._end = (code, reason)
            self._more.set()

    async def finish(self) -> None:
        """Wait until everything is sent."""
        await asyncio.wait((self._task,), timeout=5)

    async def _send(self) -> None:
        with contextlib.suppress(ConnectionClosed):  # gone: the receiving side notices and tidies up
            while True:
                while self._waiting:
                    text = self._waiting.popleft()
                    await self._connection.send(text, text=True)
                    self.unsent -= len(text)
                if self._end is not None:
                    await self._connection.close(*self._end)
                    return
                self._more.clear()
                await self._more.wait()


async def serve_relay(registry: TableRegistry, key: str, host: str) -> Server:
    """Listen for other processes of this site; they must know its key."""

    def check(connection: ServerConnection, request: Request) -> Response | None:
        if hmac.compare_digest(request.headers.get(KEY_HEADER, ""), key) and request.path.startswith(PREFIX):
            return None
        return connection.respond(403, "no\n")

    async def handle(connection: ServerConnection) -> None:
        assert connection.request is not None
        transport = RelayTransport(connection)
        await serve_connection(registry, transport, connection.request.path.removeprefix(PREFIX), relayed=True)
        await transport.finish()

    return await serve(
        handle, host, 0, process_request=check, max_size=LARGEST_MESSAGE, compression=None, logger=LOG.getChild("link")
    )


async def forward(
    registry: TableRegistry, transport: Transport, client: WebSocketConnection, address: str, table: str, hello: str
) -> None:
    """Forward a connection's messages to the process that owns the table, and back, until either end closes."""
    try:
        link = await connect(
            f"ws://{address}{PREFIX}{table}",
            additional_headers={KEY_HEADER: registry.key},
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


async def _outward(link: ClientConnection, client: WebSocketConnection) -> None:
    async for text in link:
        client.send(text if isinstance(text, bytes) else text.encode())
