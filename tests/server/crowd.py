"""A crowd that plays on through kills and cuts, and remembers everything that it was told.

What was told must be in the log afterwards, once; that is what the tests judge.
"""

import asyncio
import contextlib
import json
import random
import secrets
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException


@dataclass
class Player:
    """One seat of one table, played by a client that reconnects for ever."""

    ports: list[int]
    table: str
    secret: str
    seat: int
    random: random.Random
    rough: bool = False
    """Whether this client's connection is cut now and then, and its requests are sent twice, late or out of order."""
    told: dict[int, tuple[str, str]] = field(default_factory=dict)
    """By number: what was acknowledged (kind and content)."""
    contradictions: list[str] = field(default_factory=list)
    acknowledged: int = 0
    connections: int = 0
    last: int = 0
    waiting: dict[str, Any] | None = None
    over: bool = False

    def hear(self, message: dict[str, Any]) -> None:
        """Remember what was told, and notice if it contradicts what was told before."""
        if message["what"] in ("step", "table"):
            content = (message["what"], str(message.get("action") or message.get("why")))
            known = self.told.setdefault(message["number"], content)
            if known != content:
                self.contradictions.append(f"{message['number']} was {known}, now it is {content}")
            if self.waiting is not None and message["request"] == self.waiting["id"]:
                self.acknowledged += 1
                self.waiting = None
        if message["number"] < self.last:
            self.contradictions.append(f"after {self.last} came {message['number']}")
        self.last = message["number"]
        if message["what"] == "state" and self.waiting is not None and self.waiting["at"] < self.last:
            self.waiting = None  # it was applied, or is out of date

    def next_request(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """What to do next, if it is our turn."""
        position = message["position"]
        table = message.get("table")
        if table is not None and table["status"] == "over":
            return {"do": "rematch"}
        if position is None or position["acting"] != self.seat:
            return None
        if position["to_move"] == "chance":
            return {"do": "roll"}
        return {"do": "act", "action": self.random.choice(position["legal"]["actions"])}

    async def play(self, stop: asyncio.Event) -> None:
        """Play, come back, play on."""
        while not stop.is_set():
            port = self.random.choice(self.ports)
            with contextlib.suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError, EOFError):
                async with connect(
                    f"ws://127.0.0.1:{port}/api/tables/{self.table}/socket",
                    max_size=None,
                    open_timeout=10,
                    close_timeout=1,
                    proxy=None,
                    compression=None,
                ) as socket:
                    self.connections += 1
                    await self._sit(socket, stop)
            await asyncio.sleep(0.05 + 0.1 * self.random.random())

    async def _sit(self, socket: ClientConnection, stop: asyncio.Event) -> None:
        await socket.send(json.dumps({"do": "hello", "version": 1, "secret": self.secret, "last": self.last or None}))
        if self.waiting is not None:  # we do not know whether it was applied: say it again, as it was
            await socket.send(json.dumps(self.waiting))
        while not stop.is_set():
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), 1.0))
            except TimeoutError:
                await socket.send(json.dumps({"do": "roll", "id": secrets.token_hex(4), "at": 0}))  # where are we?
                continue
            if message["what"] not in ("state", "step", "table"):
                continue
            if message["what"] == "state":
                self.seat = message["you"]["seats"][0]
            elif message["table"] is not None and message["what"] == "table" and message["why"] == "began":
                await socket.send(json.dumps({"do": "roll", "id": secrets.token_hex(4), "at": 0}))  # which seat now?
            self.hear(message)
            following = self.next_request(message)
            if following is not None and self.waiting is None:
                self.waiting = {**following, "id": secrets.token_hex(8), "at": self.last}
                await self._send(socket)

    async def _send(self, socket: ClientConnection) -> None:
        text = json.dumps(self.waiting)
        if not self.rough:
            await socket.send(text)
            return
        fate = self.random.random()
        if fate < 0.1:
            await socket.send(text)
            await socket.send(text)  # twice
        elif fate < 0.2:
            await asyncio.sleep(0.05 * self.random.random())  # late
            await socket.send(text)
        elif fate < 0.25:
            await socket.send(text)
            socket.transport.abort()  # cut, with the answer on its way
        elif fate < 0.3:
            socket.transport.abort()  # cut before it left
        elif fate < 0.4:
            old = {"do": "roll", "id": secrets.token_hex(8), "at": max(0, self.last - 1)}
            await socket.send(json.dumps(old))  # out of order
            await socket.send(text)
        else:
            await socket.send(text)
