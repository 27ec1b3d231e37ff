"""Admission of TCP connections: how many a network may open, and how long a client may take to say what it wants.

Requests and sockets have limits of their own, in `security` and `connections`.
"""

import asyncio
from collections import Counter
from ipaddress import ip_address, ip_network
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.server import ServerState

from ludotheque.server.security import IpNetwork, network_of

REQUEST_SECONDS: Final = 10.0
"""From the first byte of a request, or from connecting, to the end of its headers."""
STALLED_SECONDS: Final = 60.0
"""For a client that does not read its answer."""
LARGEST_HEAD: Final = 65_536  # bytes of a request before its body
MOST_FROM_A_NETWORK: Final = 250
"""Open TCP connections of one address, or of one IPv6 /64."""
RESERVED_FILES: Final = 128
"""Descriptors that connections leave to the database, the workers and the log."""
MOST_FILES: Final = 1 << 20


def raise_file_limit() -> int:
    """Let this process open as many files as the system allows it, and return that number."""
    try:
        import resource  # noqa: PLC0415 - Windows has neither it nor such a limit
    except ImportError:
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_FILES if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


class Admission:
    """Counts the open connections of this process: all of them, and those of each network."""

    def __init__(self, most: int, from_a_network: int, proxies: str | None = None) -> None:
        self._most = most
        self._from_a_network = from_a_network
        self._proxies = read_proxies(proxies)  # everybody comes through them
        self._open: Counter[str] = Counter()
        self._all = 0

    def enter(self, address: str) -> bool:
        """Count a new connection; returns False if it is one too many, and is to be closed."""
        network = network_of(address)
        allowed = self._all < self._most and (self._open[network] < self._from_a_network or self._is_proxy(address))
        self._open[network] += 1
        self._all += 1
        return allowed

    def leave(self, address: str) -> None:
        """A connection has ended."""
        network = network_of(address)
        self._all -= 1
        self._open[network] -= 1
        if self._open[network] <= 0:
            del self._open[network]

    def _is_proxy(self, address: str) -> bool:
        try:
            return any(ip_address(address) in network for network in self._proxies)
        except ValueError:
            return False


def read_proxies(trusted: str | None) -> tuple[IpNetwork, ...]:
    """The networks of `--behind`; `*` means all."""
    found = []
    for one in (trusted or "").split(","):
        for text in ("0.0.0.0/0", "::/0") if one.strip() == "*" else (one.strip(),):
            try:
                found.append(ip_network(text, strict=False))
            except ValueError:  # a name or nothing, which uvicorn ignores as well
                continue
    return tuple(found)


def remote_address(transport: asyncio.BaseTransport) -> str:
    """The address that a connection comes from."""
    remote = get_remote_addr(transport)  # type: ignore[arg-type] # it asks for more than it uses
    return remote[0] if remote else ""


class HttpConnection(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # chosen when uvicorn is imported
    """uvicorn's HTTP connection, for clients that are slow on purpose."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        admission: Admission,
    ) -> None:
        super().__init__(config=config, server_state=server_state, app_state=app_state, _loop=_loop)
        self._admission = admission
        self._address = ""
        self._timer: asyncio.TimerHandle | None = None
        self._head = 0  # bytes of a request whose headers are not complete

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Count the connection, and wait for its first request."""
        super().connection_made(transport)
        self._address = remote_address(transport)
        if self._admission.enter(self._address):
            self._await(REQUEST_SECONDS)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._await(None)
        self._admission.leave(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Part of a request; its headers have to be complete in time."""
        before = self.cycle
        if self._between_requests() and self._timer is None:
            self._await(REQUEST_SECONDS)
        self._head += len(data)
        super().data_received(data)
        if self.cycle is not before or not self._between_requests():
            self._await(None)
            self._head = 0
        elif self._head > LARGEST_HEAD:
            self.transport.abort()

    def handle_websocket_upgrade(self, *arguments: Any) -> None:
        """From here on the connection belongs to the WebSocket."""
        self._await(None)
        super().handle_websocket_upgrade(*arguments)

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._await(STALLED_SECONDS)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._await(None)

    def _between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _await(self, seconds: float | None) -> None:
        """Close the connection after so long, unless this is called again before."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self.transport.abort)
