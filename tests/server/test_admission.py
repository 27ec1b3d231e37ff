"""Clients that take connections and give nothing: they are counted, they run out of time, and nobody else notices them."""

import asyncio
import contextlib
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludotheque.server import app, security
from ludotheque.server.admission import MOST_FROM_A_NETWORK, Admission
from ludotheque.server.database import open_database
from ludotheque.server.leases import Leases
from ludotheque.server.registry import MOST_SOCKETS_OF_A_PERSON
from ludotheque.server.security import RateLimits, SecurityMiddleware, address_of, network_of
from ludotheque.server.settings import ServerSettings
from server.guests import PATIENCE, Guest, House, eventually, house

SILENT = 1005  # the usual limit is 1024 descriptors
OTHERS = [f"127.0.0.{last}" for last in range(2, 9)]  # further addresses of this machine


@contextlib.contextmanager
def file_limit(soft: int) -> Iterator[None]:
    """The processes that are started meanwhile begin with so few descriptors."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[House]:
    with file_limit(1024), contextlib.ExitStack() as stack:
        home = stack.enter_context(house(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--lease", "2"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        yield home


def connected(home: House, address: str, first: bytes = b"") -> socket.socket:
    """A connection from one of this machine's addresses, with the first bytes that it sends."""
    one = socket.create_connection(("127.0.0.1", home.port), timeout=PATIENCE, source_address=(address, 0))
    with contextlib.suppress(ConnectionError):  # it may be refused already
        one.sendall(first)
    return one


def ended(one: socket.socket) -> bool:
    """Whether the server ends a connection; it may answer before."""
    try:
        while one.recv(65_536):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


def answered(one: socket.socket) -> bool:
    """Whether the server answers a connection, with whatever it says, before it ends it."""
    try:
        return bool(one.recv(65_536))
    except ConnectionError:
        return False


def test_a_thousand_silent_connections_disturb_nobody_and_run_out_of_time(home: House) -> None:
    anna = Guest(home, "Anna")
    table = anna.opens()
    partial = b"GET /api/site HTTP/1.1\r\nHost: x\r\n"
    slow = {
        "silent": connected(home, "127.0.0.9"),
        "half a header": connected(home, "127.0.0.9", partial),
        "half of the next request": connected(home, "127.0.0.9", partial + b"\r\n" + partial),
        "endless headers": connected(home, "127.0.0.9", partial + b"x: " + b"y" * 100_000),
    }
    silent = [connected(home, OTHERS[number % len(OTHERS)]) for number in range(SILENT)]
    try:
        chair = anna.enters(table)
        chair.until("state")
        chair.asks("sit", seat=1)
        chair.until("table", why="began")
        until = time.monotonic() + 3  # longer than a lease: the heartbeat has its connection
        while time.monotonic() < until:
            chair.asks("ping")
            chair.until("pong")
            assert httpx.get(f"{home.url}/healthz", timeout=PATIENCE).status_code == 200
        for name, one in slow.items():
            assert ended(one), name
        assert all(map(ended, silent)), "the others, too"
        assert httpx.get(f"{home.url}/healthz", timeout=PATIENCE).status_code == 200
    finally:
        for one in (*silent, *slow.values()):
            one.close()


def test_one_address_gets_so_many_connections_and_no_more(home: House) -> None:
    asked = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    mine = [connected(home, "127.0.0.2", asked) for _ in range(MOST_FROM_A_NETWORK + 50)]
    try:
        assert sum(map(answered, mine)) == MOST_FROM_A_NETWORK
        assert httpx.get(f"{home.url}/healthz", timeout=PATIENCE).status_code == 200, "another address is served"
    finally:
        for one in mine:
            one.close()


def test_a_person_gets_so_many_sockets_and_no_more(home: House) -> None:
    anna, bruno = Guest(home, "Anna"), Guest(home, "Bruno")
    table = anna.opens()
    chairs = [anna.enters(table) for _ in range(MOST_SOCKETS_OF_A_PERSON)]
    for chair in chairs:
        chair.until("state")
    assert anna.enters(table).closed() == 1013
    bruno.enters(table).until("state")
    chairs.pop().leaves()
    eventually(lambda: anna.enters(table).until("state"))  # a socket that is closed counts no more, once it is noticed


def test_a_network_gets_so_many_sockets_and_no_more() -> None:
    closed: list[tuple[int, str]] = []

    class Transport:
        def close(self, code: int, reason: str) -> None:
            closed.append((code, reason))

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(_message: Any) -> None:
        raise AssertionError("it is accepted, so that the client reads the code")

    scope = {
        "type": "websocket",
        "path": "/api/tables/x/socket",
        "client": ("::1", 5),
        "extensions": {"ludotheque.transport": Transport},
    }
    full = Admission(10, 0)
    server: Any = None
    asyncio.run(app._websocket(server, ServerSettings(), RateLimits(False), full, scope, receive, send))
    assert closed == [(1013, "too many connections")]
    assert not full._open, "it is counted no longer"


def test_limits_count_the_64_of_an_ipv6_address() -> None:
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::4") != network_of("2001:db8:1:2::4")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("not an address") == "not an address"
    assert address_of({"client": ("2001:db8::1", 5)}) == "2001:db8::/64"
    limits = RateLimits(True)
    asked = [limits.allows("new", address_of({"client": (f"2001:db8::{last:x}", 5)})) for last in range(40)]
    assert asked.count(True) == 30, "whoever changes the address within the /64 gets no more"


def test_a_proxy_is_not_limited_and_everybody_together_is() -> None:
    gate = Admission(6, 2, "10.0.0.0/8, 2001:db8::7")
    assert [gate.enter("192.0.2.1") for _ in range(3)] == [True, True, False]
    gate.leave("192.0.2.1")  # the one that was refused
    assert all(gate.enter("10.1.2.3") for _ in range(3))
    assert gate.enter("2001:db8::7")
    assert not gate.enter("192.0.2.9"), "six are there"
    for address in ("192.0.2.9", "192.0.2.1"):
        gate.leave(address)
    assert gate.enter("192.0.2.1")
    assert all(Admission(9, 0, "*").enter(address) for address in ("192.0.2.1", "2001:db8::1"))


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 0.01)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.002)
        return {"type": "http.request", "body": b" ", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    async def never(*_: Any) -> None:
        raise AssertionError("the application hears nothing of it")

    scope = {"type": "http", "path": "/api/people", "query_string": b"", "headers": []}
    asyncio.run(SecurityMiddleware(never)(scope, receive, send))
    assert sent[0]["status"] == 400


def test_the_heartbeat_has_a_connection_of_its_own(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    leases = Leases(engine, "", 0.6)
    taken = [engine.connect() for _ in range(16)]  # the whole pool
    try:
        first, deadline = leases._renewed, time.monotonic() + PATIENCE
        while leases._renewed == first:
            assert time.monotonic() < deadline, "it waits for the others"
            time.sleep(0.05)
    finally:
        for connection in taken:
            connection.close()
        leases.close()
        engine.dispose()
