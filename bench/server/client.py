"""A WebSocket client that costs little, so that the benchmark measures the server: text frames only, on bare asyncio.

It is no library: it knows just what the two servers of the benchmark send.
"""

import asyncio
import base64
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import orjson

SOURCE: str | None = None
"""The loopback address that new connections come from; None: as the system chooses."""


class Client(asyncio.Protocol):
    """One connection; `heard` is called with the bytes of every text message."""

    def __init__(self, host: str, path: str, heard: Callable[["Client", bytes], None]) -> None:
        self.heard = heard
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost = False
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
        self._waiting = b""
        self._open = False
        self._transport: asyncio.Transport | None = None
        self._parts: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        self.lost = True
        if not self.ready.done():
            self.ready.set_exception(exc or ConnectionError("refused"))

    def send(self, text: bytes) -> None:
        """One text frame; the mask is zero, so that masking costs nothing."""
        size = len(text)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        assert self._transport is not None
        self._transport.write(head + b"\0\0\0\0" + text)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Take frames apart."""
        data = self._waiting + data if self._waiting else data
        if not self._open:
            head, ended, rest = data.partition(b"\r\n\r\n")
            if not ended:
                self._waiting = data
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                raise ConnectionError(head.decode())
            self._open, data = True, rest
            self.ready.set_result(None)
        at = 0
        while len(data) - at >= 2:
            first, size = data[at], data[at + 1] & 127
            body = at + 2
            if size == 126:
                if len(data) - at < 4:
                    break
                size, body = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                if len(data) - at < 10:
                    break
                size, body = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if len(data) < body + size:
                break
            self._frame(first, data[body : body + size])
            at = body + size
        self._waiting = data[at:]

    def _frame(self, first: int, content: bytes) -> None:
        kind = first & 15
        if kind == 9:  # a ping
            assert self._transport is not None
            self._transport.write(struct.pack("!BB", 0x8A, 0x80 | len(content)) + b"\0\0\0\0" + content)
        elif kind in (0, 1):
            self._parts.append(content)
            if first & 128:
                whole, self._parts = b"".join(self._parts), []
                self.heard(self, whole)


async def open_client(port: int, path: str, heard: Callable[[Client, bytes], None]) -> Client:
    """Connect to a server on this machine."""
    loop = asyncio.get_running_loop()
    source = None if SOURCE is None else (SOURCE, 0)
    _, protocol = await loop.create_connection(
        lambda: Client(f"127.0.0.1:{port}", path, heard), "127.0.0.1", port, local_addr=source
    )
    await asyncio.wait_for(protocol.ready, 60)
    return protocol


async def sit_down(
    port: int,
    table: str,
    people: Sequence[Mapping[str, Any]],
    clients: list[Client],
    heard: Callable[[int, Client, bytes], None],
) -> None:
    """Connect two people to a table of Ludothèque; the second takes the open seat. `heard` is told whose message it is."""
    for player in (0, 1):
        client = await open_client(port, f"/api/tables/{table}/socket", partial(heard, player))
        clients.append(client)
        client.send(orjson.dumps({"do": "hello", "version": 1, "secret": people[player]["secret"]}))
    clients[0].send(orjson.dumps({"do": "contribute", "id": "number", "at": 1, "number": "heads"}))
    clients[1].send(orjson.dumps({"do": "sit", "id": "sit", "at": 1, "seat": 1, "number": "tails"}))
