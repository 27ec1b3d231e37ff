"""WebSocket transport: uvicorn accepts the connection, then picows reads and writes its frames without a task or queue.

picows' protocol class is not part of its documented interface: `check_picows` tries at the start what we need of it, and `run`
falls back on `transport` where it fails. Messages are handled in `connections`.
"""

import asyncio
import base64
import logging
import socket
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import unquote

from picows import WSAutoPingStrategy, WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport
from picows.picows import WSProtocol  # type: ignore[attr-defined] # see above
from uvicorn.config import Config
from uvicorn.protocols.utils import get_local_addr, get_remote_addr, is_ssl
from uvicorn.server import ServerState

from ludotheque.server.admission import Admission, remote_address
from ludotheque.server.schemas.base import LARGEST_MESSAGE
from ludotheque.server.transport import EXTENSION

LOG: Final = logging.getLogger("ludotheque.server")
FRAMES: Final = logging.getLogger("ludotheque.server.frames")
PROTOCOL_ERROR, INVALID_TEXT, TOO_LARGE, BROKEN, COME_AGAIN = 1002, 1007, 1009, 1011, 1012
TEXT: Final = WSMsgType.TEXT  # a local name: an enumeration's members are slow to reach
PING_SECONDS: Final = 20.0
OPENING_SECONDS: Final = 10.0
CLOSING_SECONDS: Final = 5.0  # for the client's close frame
MOST_UNREAD: Final = 16  # unread messages after which reading pauses
PROBE_SECONDS: Final = 5.0  # for a WebSocket to ourselves
READ_BUFFER: Final = 2048  # bytes; it grows where a message needs it


class WebSocketTransport(WSListener):
    """A WebSocket that a client opened to this process."""

    def __init__(self, on_end: Callable[[], None]) -> None:
        self._on_end = on_end
        self._transport: WSTransport | None = None
        self._inbox: deque[str | bytes] = deque()
        self._parts: list[bytes] = []
        self._parts_are: WSMsgType | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._paused = False
        self._ended = False
        self.congested = False
        self.on_message: Callable[[str | bytes], bool] | None = None

    # What picows calls

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The handshake is done."""
        self._transport = transport

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The connection is gone."""
        del transport
        self.end()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A frame has arrived; a message may have several."""
        kind = frame.msg_type
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.close(PROTOCOL_ERROR, "reserved bits")
        elif kind == TEXT and frame.fin and self._parts_are is None:
            try:
                self._receive_message(frame.get_payload_as_utf8_text())
            except UnicodeDecodeError:
                self.close(INVALID_TEXT, "not UTF-8")
        elif kind in (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION):
            self._part(kind, frame)
        elif kind == WSMsgType.CLOSE:
            if not transport.is_close_frame_sent:
                transport.send_close(WSCloseCode.OK)
            transport.disconnect()
            self.end()

    def pause_writing(self) -> None:
        """The client reads slowly; the connection decides by `unsent` what to do."""
        self.congested = True

    def resume_writing(self) -> None:
        """The client reads again."""
        self.congested = False

    def _part(self, kind: WSMsgType, frame: WSFrame) -> None:
        """A frame of a fragmented or binary message."""
        if (kind == WSMsgType.CONTINUATION) == (self._parts_are is None):
            self.close(PROTOCOL_ERROR, "parts out of order")
            return
        if self._parts_are is None:
            self._parts_are = kind
        self._parts.append(frame.get_payload_as_bytes())
        if sum(map(len, self._parts)) > LARGEST_MESSAGE or len(self._parts) > LARGEST_MESSAGE // 64:
            self.close(TOO_LARGE, "too large")
        elif frame.fin:
            whole, kind = b"".join(self._parts), self._parts_are
            self._parts, self._parts_are = [], None
            try:
                self._receive_message(whole.decode() if kind == WSMsgType.TEXT else whole)
            except UnicodeDecodeError:
                self.close(INVALID_TEXT, "not UTF-8")

    def _receive_message(self, message: str | bytes) -> None:
        if self._ended:
            return
        if self.on_message is not None and self._waiter is not None and not self._inbox and self.on_message(message):
            return
        self._inbox.append(message)
        if len(self._inbox) >= MOST_UNREAD and not self._paused:
            assert self._transport is not None
            self._paused = True
            self._transport.underlying_transport.pause_reading()
        self._wake()

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    # What the connection calls

    async def receive(self) -> str | bytes | None:
        """The next message; None at the end."""
        while not self._inbox:
            if self._ended:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        message = self._inbox.popleft()
        if self._paused and not self._inbox and not self._ended:
            assert self._transport is not None
            self._paused = False
            self._transport.underlying_transport.resume_reading()
        return message

    def send(self, text: bytes) -> None:
        """Send a text."""
        if self._transport is not None and not self._ended and not self._transport.is_close_frame_sent:
            self._transport.send(TEXT, text)

    @property
    def unsent(self) -> int:
        """How many bytes wait to be sent in this process."""
        if self._transport is None or self._ended:
            return 0
        waiting: int = self._transport.underlying_transport.get_write_buffer_size()
        return waiting

    def close(self, code: int, reason: str) -> None:
        """Send a close frame; disconnects if the client does not answer it."""
        transport = self._transport
        if transport is None or self._ended or transport.is_close_frame_sent:
            return
        transport.send_close(code, reason.encode())  # type: ignore[arg-type] # any number will do
        if self._paused:  # the client's close frame must be read
            self._paused = False
            transport.underlying_transport.resume_reading()
        asyncio.get_running_loop().call_later(CLOSING_SECONDS, transport.disconnect, False)
        self._ended = True
        self._inbox.clear()
        self._wake()

    def end(self) -> None:
        """No more messages arrive; those that have are still received."""
        self._ended = True
        self._wake()
        self._on_end()


def hand_over(transport: asyncio.Transport, request: bytes, listener: WebSocketTransport) -> None:
    """Let picows answer a request for a WebSocket and take over its connection."""
    frames = WSProtocol(
        None,
        None,
        False,
        lambda _request: listener,
        logging.LoggerAdapter(FRAMES),  # picows would wrap a plain logger anew for every connection
        True,
        OPENING_SECONDS,
        True,
        PING_SECONDS,
        PING_SECONDS,
        WSAutoPingStrategy.PING_WHEN_IDLE,
        True,
        LARGEST_MESSAGE,
        None,
        READ_BUFFER,
    )
    if transport.is_closing():
        listener.end()
        return
    frames.connection_made(transport)
    transport.set_protocol(frames)
    while request and not transport.is_closing():
        room = frames.get_buffer(-1)
        part = request[: len(room)]
        room[: len(part)] = part
        frames.buffer_updated(len(part))
        request = request[len(part) :]
    if frames.listener is None or transport.is_closing():  # not a handshake: picows has answered so
        listener.end()


def check_picows() -> str | None:
    """Open a WebSocket to ourselves and send a message each way; returns what is wrong with picows, or None."""
    try:
        return asyncio.run(asyncio.wait_for(_probe(), PROBE_SECONDS))
    except (
        Exception
    ) as error:  # another signature, another class, a message that never comes: anything may be different
        return f"{type(error).__name__}: {error}"


async def _probe() -> str | None:
    """Play the client's part over loopback."""
    loop = asyncio.get_running_loop()
    with socket.create_server(("127.0.0.1", 0)) as listening:  # picows sets options that only TCP has
        there = socket.create_connection(listening.getsockname())
        here, _ = listening.accept()
    there.setblocking(False)
    here.setblocking(False)
    key = base64.b64encode(bytes(16)).decode()
    request = (
        f"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    listener = WebSocketTransport(lambda: None)
    try:
        transport, _ = await loop.connect_accepted_socket(asyncio.Protocol, here)
        try:
            hand_over(transport, request, listener)
            await loop.sock_sendall(there, b"\x81\x82\0\0\0\0hi")  # a masked text frame
            heard = await listener.receive()
            listener.send(b"hello")
            answer = b""
            while not answer.endswith(b"\x81\x05hello"):
                part = await loop.sock_recv(there, 4096)
                if not part:
                    break
                answer += part
            as_expected = heard == "hi" and answer.startswith(b"HTTP/1.1 101 ") and answer.endswith(b"hello")
            return None if as_expected else "a WebSocket to ourselves carried something else"
        finally:
            transport.abort()
            await asyncio.sleep(0)  # picows hears of the end, and stops its pings
    finally:
        there.close()


class WebSocketHandshake(asyncio.Protocol):
    """Takes over a connection from uvicorn that asks for a WebSocket; the application accepts or refuses it."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], *, admission: Admission
    ) -> None:
        self._admission = admission
        self._address = ""
        self._app = config.loaded_app
        self._root_path = config.root_path
        self._connections: set[Any] = server_state.connections
        self._tasks = server_state.tasks
        self._state = app_state
        self._transport: asyncio.Transport | None = None
        self._request = b""
        self._accepted: WebSocketTransport | None = None
        self._started = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """uvicorn hands over the connection."""
        self._transport = cast(asyncio.Transport, transport)
        self._address = remote_address(transport)  # counted already, when it began as HTTP
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is lost before it was accepted."""
        del exc
        self._end()

    def _end(self) -> None:
        if self in self._connections:
            self._connections.discard(self)
            self._admission.leave(self._address)

    def data_received(self, data: bytes) -> None:
        """The request, which uvicorn has checked. More data before the answer is an error."""
        self._request += data
        if len(self._request) > LARGEST_MESSAGE:
            self._refuse()
        elif not self._started:
            self._started = True
            task = asyncio.get_running_loop().create_task(self._run(self._scope()))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _scope(self) -> dict[str, Any]:
        assert self._transport is not None
        first, *lines = self._request.partition(b"\r\n\r\n")[0].split(b"\r\n")
        target = first.split(b" ")[1]
        raw_path, _, query = target.partition(b"?")
        headers = [(name.lower(), value) for name, _, value in (line.partition(b": ") for line in lines)]
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if is_ssl(self._transport) else "ws",
            "server": get_local_addr(self._transport),
            "client": get_remote_addr(self._transport),
            "root_path": self._root_path,
            "path": self._root_path + unquote(raw_path.decode("latin-1")),
            "raw_path": raw_path,
            "query_string": query,
            "headers": headers,
            "subprotocols": [],
            "state": dict(self._state),
            "extensions": {EXTENSION: self._accept},
        }

    async def _run(self, scope: dict[str, Any]) -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "websocket.connect"}

        async def send(message: dict[str, Any]) -> None:
            assert message["type"] == "websocket.close", "a connection is accepted by its transport"
            self._refuse()

        try:
            await self._app(scope, receive, send)
        except Exception:
            LOG.exception("a connection failed")
            if self._accepted is None:
                self._refuse()
            else:
                self._accepted.close(BROKEN, "something went wrong here")

    def _refuse(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            status = HTTPStatus.FORBIDDEN
            self._transport.write(
                f"HTTP/1.1 {status} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".encode()
            )
            self._transport.close()

    def _accept(self) -> WebSocketTransport:
        """Accept the connection: picows answers the request and takes over."""
        transport = self._transport
        assert transport is not None
        accepted = self._accepted = WebSocketTransport(self._end)
        hand_over(transport, self._request, accepted)
        return accepted

    def shutdown(self) -> None:
        """The server stops."""
        if self._accepted is not None:
            self._accepted.close(COME_AGAIN, "come again")
        elif self._transport is not None:
            self._transport.close()
