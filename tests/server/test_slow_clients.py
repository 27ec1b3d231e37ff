"""Clients that take their time: what does not come, is not read or is not answered ends the connection, and nobody waits for it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from ludotheque.server import admission, connections, websocket
from ludotheque.server.admission import RESERVED_FILES, Admission, HttpConnection, raise_file_limit
from ludotheque.server.connections import MOST_UNSENT, WebSocketConnection
from ludotheque.server.run import _configured
from ludotheque.server.settings import ServerSettings
from ludotheque.server.websocket import WebSocketTransport, hand_over
from server.guests import PATIENCE

SOON = 1.0  # seconds
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Silent:
    """A transport from which nothing comes; it keeps what was sent and how it was closed."""

    def __init__(self, unsent: int = 0) -> None:
        self.on_message: Callable[[str | bytes], bool] | None = None
        self.congested, self.unsent = unsent > 0, unsent
        self.sent: list[bytes] = []
        self.closed: int | None = None

    async def receive(self) -> str | bytes | None:
        await asyncio.get_running_loop().create_future()
        raise AssertionError("nothing comes")

    def send(self, text: bytes) -> None:
        self.sent.append(text)

    def close(self, code: int, reason: str) -> None:
        del reason
        self.closed = code


@pytest.fixture
def registry() -> Any:
    """What a connection needs of a server before its hello has come."""

    class Counter:
        def inc(self) -> None: ...

        def dec(self) -> None: ...

    class Registry:
        def __init__(self) -> None:
            self.sockets: set[object] = set()
            self.gone = 0
            self.metrics = SimpleNamespace(sockets=Counter())

        def discount_socket(self, _connection: object) -> None: ...

    return Registry()


def test_a_socket_that_says_no_hello_is_closed(registry: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HELLO_SECONDS", 0.01)
    transport = Silent()
    asyncio.run(connections.serve_connection(registry, transport, "table", ""))
    assert transport.closed == 1008


def test_a_client_that_leaves_too_much_unread_is_closed() -> None:
    patient, slow = Silent(MOST_UNSENT), Silent(MOST_UNSENT + 1)
    WebSocketConnection(patient).send(b"{}")
    assert (patient.sent, patient.closed) == ([b"{}"], None)
    WebSocketConnection(slow).send(b"{}")
    assert (slow.sent, slow.closed) == ([], 1013)


def over_tcp(protocol: Callable[[], asyncio.Protocol], client: Callable[[int], Awaitable[None]]) -> None:
    """A client talks to a protocol of ours."""

    async def evening() -> None:
        server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
        async with server:
            await client(server.sockets[0].getsockname()[1])

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_a_socket_that_answers_no_ping_is_closed_and_one_that_does_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "PING_SECONDS", SOON)
    listeners: list[WebSocketTransport] = []

    class Upgraded(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            listeners.append(WebSocketTransport(lambda: None))
            hand_over(transport, HANDSHAKE, listeners[-1])

    async def client(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await reader.readuntil(b"\r\n\r\n")
        assert (await reader.readexactly(2))[0] & 15 == 9, "a ping"
        writer.write(b"\x8a\x80\0\0\0\0")
        assert (await reader.readexactly(2))[0] & 15 == 9, "it was answered: here is the next one"
        assert not listeners[0]._ended
        assert await listeners[0].receive() is None, "and now the client is silent"
        writer.close()

    over_tcp(Upgraded, client)


@pytest.fixture
def http(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], HttpConnection]]:
    """HTTP connections to an application whose answers are far too long to fit into any buffer."""
    monkeypatch.setattr(admission, "STALLED_SECONDS", SOON)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http"
        await receive()
        body = b"x" * (1 << 26 if scope["path"] == "/long" else 0)
        length = (b"content-length", str(len(body)).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    config = uvicorn.Config(app, log_config=None, timeout_keep_alive=1, lifespan="off")
    config.load()
    counted = Admission(10, 10)
    yield lambda: HttpConnection(config, ServerState(), {}, admission=counted)
    assert not counted._open, "nobody is counted who has gone"


def test_a_client_that_does_not_read_its_answer_is_cut_off(http: Callable[[], HttpConnection]) -> None:
    async def client(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        while not writer.transport.is_closing():  # it reads nothing; that it is cut off it notices when it writes
            await asyncio.sleep(0.01)
            writer.write(b"x")
        with pytest.raises(ConnectionError):
            await reader.read()

    over_tcp(http, client)


def test_a_connection_on_which_nothing_more_is_asked_is_closed(http: Callable[[], HttpConnection]) -> None:
    async def client(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        await reader.read()  # until it ends
        writer.close()

    over_tcp(http, client)


def test_the_server_is_configured_so_and_limits_by_number_can_be_switched_off() -> None:
    def admits(settings: ServerSettings) -> Admission:
        found = _configured(settings, None, 1).http.keywords["admission"]  # type: ignore[union-attr] # a partial
        assert isinstance(found, Admission)
        return found

    limited, free = admits(ServerSettings()), admits(ServerSettings(rate_limits=False))
    assert limited._from_a_network == admission.MOST_FROM_A_NETWORK
    assert limited._most == free._most == free._from_a_network
    assert limited._most == raise_file_limit() - RESERVED_FILES
