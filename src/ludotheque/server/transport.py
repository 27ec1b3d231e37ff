"""An open connection as the server sees it, and the slower of two ways to have one: through ASGI's queue and tasks.

The fast way is in `websocket`; `run` chooses (docs/decisions/picows.md). Messages are handled in `connections`.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Protocol

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from ludotheque.server.admission import Admission, remote_address
from ludotheque.server.security import Receive, Scope, Send

EXTENSION: Final = "ludotheque.transport"  # in an ASGI scope: call it to accept the connection and get its transport
FINISH_SECONDS: Final = 5.0


class Transport(Protocol):
    """An open connection that carries messages: a WebSocket of this process, or one relayed by another."""

    on_message: "Callable[[str | bytes], bool] | None"
    """Called as a message arrives, while none is waiting to be received; returns whether it has handled the message."""

    async def receive(self) -> str | bytes | None:
        """The next message: text, or bytes if it was binary; None at the end."""

    def send(self, text: bytes) -> None:
        """Queue a text message, in order. Does not block."""

    congested: bool
    """Whether the send buffer may be large; while it is False, `unsent` need not be asked."""

    @property
    def unsent(self) -> int:
        """How many bytes wait to be sent."""

    def close(self, code: int, reason: str) -> None:
        """Close it after what was sent."""


class AsgiTransport:
    """A WebSocket that uvicorn reads and writes; a task of its own sends."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send_event = receive, send
        self.on_message: Callable[[str | bytes], bool] | None = None  # unused: messages are received in a task
        self._waiting: deque[bytes] = deque()
        self._more = asyncio.Event()
        self._end: tuple[int, str] | None = None
        self.congested = True  # it counts its own bytes
        self.unsent = 0
        self._task = asyncio.get_running_loop().create_task(self._send())

    async def receive(self) -> str | bytes | None:
        """The next message."""
        event = await self._receive()
        if event["type"] != "websocket.receive":
            self.close(1000, "")
            return None
        text: str | None = event.get("text")
        content: bytes | None = event.get("bytes")
        return content if text is None else text

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
        self.close(1000, "")
        await asyncio.wait((self._task,), timeout=FINISH_SECONDS)
        self._task.cancel()

    async def _send(self) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # gone, or closed already: the receiving side notices
            while True:
                while self._waiting:
                    text = self._waiting.popleft()
                    await self._send_event({"type": "websocket.send", "text": text.decode()})
                    self.unsent -= len(text)
                if self._end is not None:
                    code, reason = self._end
                    await self._send_event({"type": "websocket.close", "code": code, "reason": reason})
                    return
                self._more.clear()
                await self._more.wait()


class AsgiHandshake(WebSocketsSansIOProtocol):
    """uvicorn's own WebSocket, counted like ours."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        admission: Admission,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._admission = admission
        self._address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """uvicorn hands over the connection."""
        self._address = remote_address(transport)  # counted already, when it began as HTTP
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._admission.leave(self._address)
        super().connection_lost(exc)


async def accept(scope: Scope, receive: Receive, send: Send) -> Transport:
    """Accept a WebSocket, by its own transport if it has one."""
    await receive()
    transport: Callable[[], Transport] | None = scope.get("extensions", {}).get(EXTENSION)
    if transport is not None:
        return transport()
    await send({"type": "websocket.accept"})
    return AsgiTransport(receive, send)
