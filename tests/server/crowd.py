"""A crowd that plays on through faults and records everything that it is told; `history` judges it."""

import asyncio
import contextlib
import json
import random
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.engine import Engine
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from ludotheque.server.database import entries
from ludotheque.server.store import read_entries
from ludotheque.table.entries import Opened, Stepped
from server.guests import Guest, House, eventually
from server.history import Connected, History, Logged, Read, Told, Violation, check


@dataclass
class Player:
    """One seat of one table, played by a client that reconnects for ever."""

    addresses: Sequence[str]
    """Of the servers, as host:port; any will do."""
    table: str
    secret: str
    seat: int
    random: random.Random
    rough: bool = False
    """Whether this client's connection is cut now and then, and its requests are sent twice, late or out of order."""
    patience: float = 60.0
    """Seconds without a word after which it tries another server."""
    history: History = field(default_factory=lambda: History(secrets.token_hex(2)))
    acknowledged: int = 0
    connections: int = 0
    last: int = 0
    waiting: dict[str, Any] | None = None
    asked: dict[str, float] = field(default_factory=dict)
    """When requests were sent on this connection, by id; that of the hello has no id."""

    def hear(self, message: dict[str, Any]) -> None:
        """Record what was told."""
        now, number = time.monotonic(), int(message["number"])
        if message["what"] == "welcome":
            self.history.events.append(Connected(self.asked[""], now, number))
            return
        if message["what"] == "state":
            self.history.events.append(Read(self.asked.get(message["id"] or "", self.asked[""]), now, number))
            self.history.applied |= self.history.requests & set(message["applied"])
            if self.waiting is not None and self.waiting["at"] < number:
                self.waiting = None  # it was applied, or is out of date
        else:
            content = f"{message['what']} {message.get('action') or message.get('why')}"
            self.history.events.append(Told(now, number, content, message["request"]))
            if self.waiting is not None and message["request"] == self.waiting["id"]:
                self.acknowledged += 1
                self.waiting = None
        self.last = number

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
            address = self.random.choice(self.addresses)
            with contextlib.suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError, EOFError):
                async with connect(
                    f"ws://{address}/api/tables/{self.table}/socket",
                    max_size=None,
                    open_timeout=self.patience,
                    close_timeout=1,
                    proxy=None,
                    compression=None,
                ) as socket:
                    self.connections += 1
                    await self._sit(socket, stop)
            await asyncio.sleep(0.05 + 0.1 * self.random.random())

    async def _ask(self, socket: ClientConnection, request: dict[str, Any]) -> None:
        """Send a request, and remember when."""
        self.asked.setdefault(request.get("id", ""), time.monotonic())
        await socket.send(json.dumps(request))

    async def _where(self, socket: ClientConnection) -> None:
        """Ask for the state: a request that is surely outdated is answered with it."""
        await self._ask(socket, {"do": "roll", "id": secrets.token_hex(4), "at": 0})

    async def _sit(self, socket: ClientConnection, stop: asyncio.Event) -> None:
        self.asked = {}
        await self._ask(socket, {"do": "hello", "version": 1, "secret": self.secret, "last": self.last or None})
        if self.waiting is not None:  # we do not know whether it was applied: say it again, as it was
            await self._ask(socket, self.waiting)
        heard = time.monotonic()
        while not stop.is_set():
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), 1.0))
            except TimeoutError:
                if time.monotonic() - heard > self.patience:
                    socket.transport.abort()
                    return
                await self._where(socket)
                continue
            heard = time.monotonic()
            if message["what"] not in ("welcome", "state", "step", "table"):
                continue
            if message["what"] == "state":
                self.seat = message["you"]["seats"][0]
            elif message["what"] == "table" and message["table"] is not None and message["why"] == "began":
                await self._where(socket)  # which seat now?
            self.hear(message)
            table = message.get("table")
            if table is not None and self.seat in table["dice"]["awaited"]:
                request = secrets.token_hex(8)
                self.history.requests.add(request)
                await self._ask(socket, {"do": "contribute", "id": request, "at": self.last, "number": "7"})
            following = None if message["what"] == "welcome" else self.next_request(message)
            if following is not None and self.waiting is None:
                self.waiting = {**following, "id": secrets.token_hex(8), "at": self.last}
                self.history.requests.add(self.waiting["id"])
                await self._send(socket, self.waiting)

    async def _send(self, socket: ClientConnection, request: dict[str, Any]) -> None:
        fate = self.random.random() if self.rough else 1.0
        if fate < 0.1:
            await self._ask(socket, request)
            await self._ask(socket, request)  # twice
        elif fate < 0.2:
            await asyncio.sleep(0.05 * self.random.random())  # late
            await self._ask(socket, request)
        elif fate < 0.25:
            await self._ask(socket, request)
            socket.transport.abort()  # cut, with the answer on its way
        elif fate < 0.3:
            socket.transport.abort()  # cut before it left
        elif fate < 0.4:
            await self._ask(socket, {"do": "roll", "id": secrets.token_hex(8), "at": max(0, self.last - 1)})
            await self._ask(socket, request)  # out of order
        else:
            await self._ask(socket, request)


def a_crowd(home: House, tables: int, addresses: Sequence[str], *, rough: bool = False) -> list[Player]:
    """Some tables of two people each, opened at one server and played at any."""
    players = []
    anna, bruno = eventually(lambda: (Guest(home, "Anna"), Guest(home, "Bruno")))
    for number in range(tables):
        table = eventually(lambda: _a_table(anna, bruno))
        for seat, guest in enumerate((anna, bruno)):
            players.append(Player(addresses, table, guest.secret, seat, random.Random(10 * number + seat), rough))
    return players


def _a_table(anna: Guest, bruno: Guest) -> str:
    """A table at which two people play."""
    table = anna.opens(options={"max_turns": 5}, private=True)
    chair = bruno.enters(table)
    chair.until("state")
    chair.asks("sit", seat=1)
    chair.until("table", why="began")
    chair.leaves()
    return table


def read_log(engine: Engine, table: str) -> list[Logged]:
    """A table's log as the judge reads it."""
    with engine.connect() as connection:
        query = entries.select().where(entries.c.table_id == table).with_only_columns(entries.c.number, entries.c.epoch)
        epochs = {row.number: row.epoch for row in connection.execute(query)}
        log = []
        for line in read_entries(connection, table):
            entry = line.entry
            content = f"step {entry.action}" if isinstance(entry, Stepped) else f"table {entry.kind}"
            request = None if isinstance(entry, Opened) else entry.request
            log.append(Logged(line.number, content, request, epochs[line.number]))
    return log


def by_table(players: Sequence[Player]) -> dict[str, list[History]]:
    """The histories of each table's clients."""
    found: dict[str, list[History]] = {}
    for player in players:
        found.setdefault(player.table, []).append(player.history)
    return found


def judge(engine: Engine, players: Sequence[Player]) -> list[Violation]:
    """What is wrong with any of the tables."""
    return [
        violation
        for table, histories in by_table(players).items()
        for violation in check(read_log(engine, table), histories)
    ]
