"""Frames as no browser sends them: in parts, out of order, unmasked, too large, no UTF-8. A bare socket writes them."""

import base64
import contextlib
import json
import os
import socket
import struct
from collections.abc import Iterator
from typing import TypedDict

import pytest

from ludotheque.server.schemas.base import LARGEST_MESSAGE
from server.guests import PATIENCE, Guest, House

TEXT, BINARY, MORE, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
HELLO = json.dumps({"do": "hello", "version": 1}).encode()


class HowSent(TypedDict, total=False):
    """What is unusual about a frame."""

    last: bool
    masked: bool
    reserved: int


class Bare:
    """A TCP connection that has been upgraded."""

    def __init__(self, home: House, table: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", home.port), PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{home.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"X-Long: {'x' * 5000}\r\n\r\n".encode()
        )
        self.file = self.socket.makefile("rb")
        assert b" 101 " in self.file.readline()
        while self.file.readline() != b"\r\n":
            pass

    def frame(self, kind: int, content: bytes, *, last: bool = True, masked: bool = True, reserved: int = 0) -> None:
        size = len(content)
        head = bytes([(128 if last else 0) | reserved << 4 | kind])
        sign = 128 if masked else 0
        if size < 126:
            head += bytes([sign | size])
        elif size < 65_536:
            head += struct.pack("!BH", sign | 126, size)
        else:
            head += struct.pack("!BQ", sign | 127, size)
        with contextlib.suppress(OSError):  # it may have hung up already
            self.socket.sendall(head + (b"\0\0\0\0" if masked else b"") + content)

    def hears(self) -> tuple[int, bytes]:
        first, second = self.file.read(2)
        size = second & 127
        if size == 126:
            (size,) = struct.unpack("!H", self.file.read(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self.file.read(8))
        return first & 15, self.file.read(size)

    def until(self, what: str) -> dict[str, object]:
        while True:
            kind, content = self.hears()
            assert kind in (TEXT, PING)
            if kind == TEXT and (message := json.loads(content))["what"] == what:
                return dict(message)

    def goodbye(self) -> int:
        while True:
            kind, content = self.hears()
            if kind == CLOSE:
                return int(struct.unpack("!H", content[:2])[0])


@pytest.fixture
def bare(home: House, anna: Guest) -> Iterator[Bare]:
    one = Bare(home, anna.opens())
    yield one
    one.socket.close()


def test_a_message_in_parts_is_read_as_one_and_a_ping_between_them_is_answered(bare: Bare) -> None:
    bare.frame(TEXT, HELLO[:10], last=False)
    bare.frame(PING, b"there?")
    assert bare.hears() == (PONG, b"there?")
    bare.frame(MORE, HELLO[10:20], last=False)
    bare.frame(MORE, HELLO[20:])
    assert bare.until("state")["why"] == "hello"


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([(TEXT, b'{"do": "\xff"}', {})], 1007),
        ([(TEXT, b'{"do": "\xff', {"last": False}), (MORE, b'"}', {})], 1007),
        ([(MORE, b"{}", {})], 1002),
        ([(TEXT, b"{", {"last": False}), (TEXT, b"}", {})], 1002),
        ([(TEXT, b"{}", {"masked": False})], 1002),
        ([(TEXT, b"{}", {"reserved": 4})], 1002),
        ([(TEXT, b"x" * (LARGEST_MESSAGE + 1), {})], 1009),
        ([(TEXT, b"x" * 40_000, {"last": False}), (MORE, b"x" * 40_000, {})], 1009),
    ],
    ids=["no-utf8", "no-utf8-in-parts", "no-beginning", "no-end", "unmasked", "reserved", "too-large", "large-parts"],
)
def test_broken_frames_end_the_connection_with_the_code_that_says_why(
    bare: Bare, frames: list[tuple[int, bytes, HowSent]], code: int
) -> None:
    bare.frame(TEXT, HELLO)
    bare.until("state")
    for kind, content, more in frames:
        bare.frame(kind, content, **more)
    assert bare.goodbye() == code


def test_a_goodbye_is_answered_and_the_others_hear_who_left(bare: Bare, home: House) -> None:
    bare.frame(TEXT, HELLO)
    bare.until("here")
    bare.frame(CLOSE, struct.pack("!H", 1000))
    assert bare.goodbye() == 1000
    assert bare.file.read() == b""


def test_a_request_that_is_no_handshake_is_refused(home: House, anna: Guest) -> None:
    with socket.create_connection(("127.0.0.1", home.port), PATIENCE) as one:
        one.sendall(
            f"GET /api/tables/{anna.opens()}/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n".encode()
        )
        assert one.makefile("rb").readline().split()[1] == b"400"
