"""Pairs of players at the tables of one server or the other, all playing Yam Master in the same way: roll, keep all but one
die, roll, pass. A latency is from sending an action to the other player's receiving it.
"""

import asyncio
import itertools
import random
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import orjson
from client import Client, open_client, sit_down


@dataclass
class Tally:
    """What was measured."""

    actions: int = 0
    latencies: list[float] = field(default_factory=list)
    trouble: int = 0


class Pair(ABC):
    """Two players at one table."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.clients: list[Client] = []
        self.going = False
        self._on_its_way: dict[int, tuple[int, float]] = {}

    @abstractmethod
    async def sit(self, port: int, http: httpx.AsyncClient, people: list[dict[str, str]]) -> None:
        """Open a table and take both seats."""

    @abstractmethod
    def go(self) -> None:
        """The next action of whoever acts."""

    @property
    def waiting(self) -> bool:
        """Whether an action is on its way."""
        return bool(self._on_its_way)

    def send(self, player: int, number: int, text: bytes) -> None:
        """One player's action leaves; it will have that number."""
        self._on_its_way[number] = (player, time.perf_counter())
        self.clients[player].send(text)

    def arrived(self, player: int, number: int) -> bool:
        """An action has reached a player; counted when it is the other one. Whether the one who sent it has it now."""
        sender, sent = self._on_its_way.get(number, (player, 0.0))
        if player == sender:
            return True
        del self._on_its_way[number]
        self.tally.actions += 1
        self.tally.latencies.append(time.perf_counter() - sent)
        return False


class OurPair(Pair):
    """At a table of Ludothèque."""

    counter = itertools.count()

    async def sit(self, port: int, http: httpx.AsyncClient, people: list[dict[str, str]]) -> None:
        """Open a table and take both seats."""
        answer = await http.post(
            "/api/tables",
            json={"game": "yam-master", "options": {"max_turns": 1000}},
            headers={"authorization": f"Bearer {people[0]['secret']}"},
        )
        table = answer.json()["table"]["id"]
        self.swapped = False
        self.number = 0
        self.position: dict[str, Any] = {}
        self.began: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await sit_down(port, table, people, self.clients, self.heard)
        await asyncio.wait_for(self.began, 120)

    def heard(self, player: int, _client: Client, text: bytes) -> None:
        """A message came."""
        if text.startswith(b'{"what":"step"'):
            message = orjson.loads(text)
            if not self.arrived(player, message["number"]):
                return  # the actor goes on when it hears it itself
        elif b'"why":"began"' in text[:200]:
            if player == 1:
                return
            message = orjson.loads(text)
            if self.began.done():  # a match was played again, and sides have changed
                self.swapped = not self.swapped
            else:
                self.began.set_result(None)
        elif text.startswith((b'{"what":"refused"', b'{"what":"state"')) and self.going:
            self.tally.trouble += 1
            return
        else:
            return
        self.number, self.position = message["number"], message["position"]
        if self.going:
            self.go()

    def go(self) -> None:
        """The next action of whoever acts; a match that is over is played again."""
        position = self.position
        request: dict[str, object] = {"id": f"{next(self.counter):x}", "at": self.number}
        if position["over"]:
            for client in self.clients:
                client.send(orjson.dumps({**request, "do": "rematch"}))
            return
        if position["to_move"] == "chance":
            request["do"] = "roll"
        else:
            state = position["state"]
            request["do"] = "act"
            request["action"] = "pass" if state["rolls"] == 2 else f"keep {state['dice'][:4]}"
        self.send(position["acting"] ^ self.swapped, self.number + 1, orjson.dumps(request))


class TheirPair(Pair):
    """At a table of boardgame.io: Socket.IO over a WebSocket."""

    async def sit(self, port: int, http: httpx.AsyncClient, people: list[dict[str, str]]) -> None:
        """Make a match and join it twice."""
        del people
        self.match = (await http.post("/games/yam/create", json={"numPlayers": 2})).json()["matchID"]
        self.keys = [
            (
                await http.post(
                    f"/games/yam/{self.match}/join", json={"playerID": str(player), "playerName": f"p{player}"}
                )
            ).json()["playerCredentials"]
            for player in (0, 1)
        ]
        self.state: dict[str, object] = {}
        self.synced = asyncio.get_running_loop().create_future()
        for player in (0, 1):
            self.clients.append(
                await open_client(
                    port,
                    "/socket.io/?EIO=4&transport=websocket",
                    partial(self.heard, player),
                )
            )
        await asyncio.wait_for(self.synced, 60)

    def heard(self, player: int, client: Client, text: bytes) -> None:
        """A packet came."""
        if text == b"2":
            client.send(b"3")
        elif text.startswith(b"0{"):
            client.send(b"40/yam,")
        elif text.startswith(b"40/yam"):
            client.send(b"42/yam," + orjson.dumps(["sync", self.match, str(player), self.keys[player], 2]))
        elif text.startswith(b'42/yam,["sync"'):
            if player == 1:
                self.state = orjson.loads(text[7:])[2]["state"]
                self.synced.set_result(None)
        elif text.startswith(b'42/yam,["update"'):
            state = orjson.loads(text[7:])[2]
            if self.arrived(player, state["_stateID"]):
                self.state = state
                if self.going:
                    self.go()
        elif b"error" in text[:40]:
            self.tally.trouble += 1

    def go(self) -> None:
        """The next action of whoever acts."""
        game, turn = self.state["G"], self.state["ctx"]
        assert isinstance(game, dict)
        assert isinstance(turn, dict)
        player = int(turn["currentPlayer"])
        arguments: list[str] = []
        if game["rolls"] == 0 or game["kept"]:
            move = "roll"
        elif game["rolls"] == 2:
            move = "pass"
        else:
            move, arguments = "keep", [game["dice"][:4]]
        payload = {"type": move, "args": arguments, "playerID": str(player), "credentials": self.keys[player]}
        packet = ["update", {"type": "MAKE_MOVE", "payload": payload}, self.state["_stateID"], self.match, str(player)]
        number = self.state["_stateID"]
        assert isinstance(number, int)
        self.send(player, number + 1, b"42/yam," + orjson.dumps(packet))


def percentile(values: list[float], part: float) -> float:
    """A percentile, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


def start_all(pairs: list[Pair]) -> None:
    """Let every pair begin, in any order."""
    random.shuffle(pairs)
    for pair in pairs:
        pair.going = True
        pair.go()
