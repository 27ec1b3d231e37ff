"""Relay server: accepts the connections that other processes of this site forward to the owner of a table."""

import asyncio
import contextlib
import hmac
import logging
from collections import deque
from collections.abc import Callable
from typing import Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from ludotheque.server.connections import serve_connection
from ludotheque.server.registry import TableRegistry
from ludotheque.server.relay import KEY_HEADER, NETWORK_HEADER, PREFIX
from ludotheque.server.schemas.base import LARGEST_MESSAGE

LOG: Final = logging.getLogger("ludotheque.server")


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
        if hmac.compare_digest(request.headers.get(KEY_HEADER, "").encode(), key.encode()) and request.path.startswith(
            PREFIX
        ):
            return None
        return connection.respond(403, "no\n")

    async def handle(connection: ServerConnection) -> None:
        assert connection.request is not None
        transport = RelayTransport(connection)
        table = connection.request.path.removeprefix(PREFIX)
        network = connection.request.headers.get(NETWORK_HEADER, "")
        await serve_connection(registry, transport, table, network, relayed=True)
        await transport.finish()

    return await serve(
        handle, host, 0, process_request=check, max_size=LARGEST_MESSAGE, compression=None, logger=LOG.getChild("link")
    )
