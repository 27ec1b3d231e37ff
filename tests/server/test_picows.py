"""The WebSockets' two ways: picows is tried at the start, and where it is another one, uvicorn's own way serves the same table."""

import asyncio
import json
import logging
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ludotheque.server import run, transport, websocket
from server.guests import PATIENCE, Guest, House


def test_picows_is_as_we_know_it() -> None:
    assert websocket.check_picows() is None
    assert run.websocket_class() is websocket.WebSocketHandshake


@pytest.mark.parametrize(
    "changed", [lambda *arguments: None, lambda one: None, type("WSProtocol", (), {"__init__": lambda self, *_: None})]
)
def test_another_picows_is_noticed_and_gone_around(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, changed: object
) -> None:
    monkeypatch.setattr(websocket, "WSProtocol", changed)
    with caplog.at_level(logging.WARNING, "ludotheque.server"):
        assert run.websocket_class() is transport.AsgiHandshake
    assert "slower way" in caplog.text


def test_messages_go_both_ways_and_the_end_is_told() -> None:
    sent: list[MutableMapping[str, Any]] = []
    arriving: list[MutableMapping[str, Any]] = [
        {"type": "websocket.connect"},
        {"type": "websocket.receive", "text": "hello"},
        {"type": "websocket.receive", "bytes": b"\x01"},
        {"type": "websocket.disconnect", "code": 1001},
    ]

    async def receive() -> MutableMapping[str, Any]:
        return arriving.pop(0)

    async def send(event: MutableMapping[str, Any]) -> None:
        sent.append(event)

    async def talk() -> None:
        opened = await transport.accept({"extensions": {}}, receive, send)
        assert isinstance(opened, transport.AsgiTransport)
        assert await opened.receive() == "hello"
        opened.send("é".encode())
        assert opened.unsent == 2
        assert await opened.receive() == b"\x01"
        opened.close(4403, "banned")
        opened.send(b"too late")
        assert await opened.receive() is None
        await opened.finish()
        assert opened.unsent == 0

    asyncio.run(talk())
    assert sent == [
        {"type": "websocket.accept"},
        {"type": "websocket.send", "text": "é"},
        {"type": "websocket.close", "code": 4403, "reason": "banned"},
    ]


WITHOUT_PICOWS = """
import picows.picows
picows.picows.WSProtocol = None
from ludotheque.cli import main
main()
"""


def test_a_table_is_played_the_slower_way(tmp_path: Path) -> None:
    home = House(f"sqlite:///{tmp_path / 'tables.sqlite'}", program=(sys.executable, "-c", WITHOUT_PICOWS))
    home.log = tmp_path / "log"
    home.open()
    try:
        guest = Guest(home, "Ada")
        table = guest.opens()  # sends a number for the dice over the socket
        chair = guest.enters(table)
        chair.until("state")
        chair.socket.send("no JSON")
        assert chair.until("refused")["code"] == "bad-json"
        chair.leaves()
        with connect(f"ws://{home.address}/api/tables/{table}/socket") as stranger:
            stranger.send(json.dumps({"do": "hello", "version": 999}))
            assert "hello" in json.loads(stranger.recv(PATIENCE))["sentence"]
            with pytest.raises(ConnectionClosed) as closed:
                stranger.recv(PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.reason == "bad hello"
    finally:
        home.close()
    assert "WebSockets take the slower way" in home.log.read_text("utf-8")
