"""The link between server processes that share a PostgreSQL: a person connected here, whose table is held elsewhere,
talks through us to its holder. Who holds what is the leases' business.
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

from ludotheque.server.hall import Hall
from ludotheque.server.schemas.base import LARGEST_MESSAGE
from ludotheque.server.session.visitors import COME_AGAIN
from ludotheque.server.sockets import SocketVisitor, talk
from ludotheque.server.wires import Wire

LOG: Final = logging.getLogger("ludotheque.server")
KEY_HEADER: Final = "X-Ludotheque-Link"
LARGEST_STATE: Final = 64 * 1024 * 1024  # a state with a long log; it comes from our own kind
PREFIX: Final = "/tables/"


class LinkWire:
    """A connection that comes through another process; a task of its own sends."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self.shortcut: Callable[[str | bytes], bool] | None = None  # what comes this way is received in a task anyhow
        self._waiting: deque[bytes] = deque()
        self._more = asyncio.Event()
        self._end: tuple[int, str] | None = None
        self.choked = True  # it counts for itself
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
        """End it, after what was sent."""
        if self._end is None:
            self._end = (code, reason)
            self._more.set()

    async def finish(self) -> None:
        """Send what waits, then stop."""
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


async def listen_for_others(hall: Hall, key: str, host: str) -> Server:
    """Open this process's own door for the others; whoever does not know the site's key stays out."""

    def check(connection: ServerConnection, request: Request) -> Response | None:
        if hmac.compare_digest(request.headers.get(KEY_HEADER, ""), key) and request.path.startswith(PREFIX):
            return None
        return connection.respond(403, "no\n")

    async def handle(connection: ServerConnection) -> None:
        assert connection.request is not None
        wire = LinkWire(connection)
        await talk(hall, wire, connection.request.path.removeprefix(PREFIX), linked=True)
        await wire.finish()

    return await serve(
        handle, host, 0, process_request=check, max_size=LARGEST_MESSAGE, compression=None, logger=LOG.getChild("link")
    )


async def pass_on(hall: Hall, wire: Wire, visitor: SocketVisitor, address: str, table: str, hello: str) -> None:
    """Carry a person's messages to the process that holds the table, and back, until either end closes."""
    try:
        link = await connect(
            f"ws://{address}{PREFIX}{table}",
            additional_headers={KEY_HEADER: hall.key},
            max_size=LARGEST_STATE,
            compression=None,
            open_timeout=5,
            proxy=None,
        )
    except (OSError, TimeoutError, InvalidHandshake):
        LOG.info("a table's holder cannot be reached")
        await asyncio.sleep(0.5)  # it is gone or going: its lease will tell
        visitor.leave(COME_AGAIN, "come again")
        return
    async with link:
        await link.send(hello)
        inward = asyncio.create_task(_inward(wire, link))
        outward = asyncio.create_task(_outward(link, visitor))
        await asyncio.wait((inward, outward), return_when=asyncio.FIRST_COMPLETED)
        for task in (inward, outward):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
                await task
    code = link.close_code
    known = code is not None and (code >= 4000 or code in (1008, 1009, 1012, 1013))
    visitor.leave(code if known and code is not None else COME_AGAIN, link.close_reason or "come again")


async def _inward(wire: Wire, link: ClientConnection) -> None:
    while (text := await wire.receive()) is not None:
        await link.send(text)


async def _outward(link: ClientConnection, visitor: SocketVisitor) -> None:
    async for text in link:
        visitor.send(text if isinstance(text, bytes) else text.encode())
