"""How many live Yikerz turns one core carries: hands move at 60 poses a second, two people watch each, everything of the
server (its process and its live worker) on the first core, this process on the others. Prints a table and writes it as JSON.

A turn is carried when its watchers get their 30 frames a second; the busiest number of turns for which all do is the answer.
"""

import argparse
import asyncio
import json
import math
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import orjson
import psutil

sys.path.insert(0, str(Path(__file__).parent))

from client import Client, sit_down
from run import HERE, PORTS, show, start

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match, find_game

POSES = 60
FULL = 30 * 0.95  # frames a second: a frame late at the edge of the window is no failure


def board(pieces: int) -> dict[str, Any]:
    """A position in which a seat is to take a magnet in hand and so many, with that one, are in play.

    They lie on the mats as far apart as there is room: what is measured is many pieces, not many collapses.
    """
    match = Match(find_game("yikerz"), 2, dice=Dice("live bench"))
    player = bot(match.game, 1)
    while match.to_move == CHANCE or match.position.view()["phase"] != "turn":
        if match.to_move == CHANCE:
            match.draw()
        else:
            match.play(player.choose(match.position, seed=len(match.log)).action)
    view: dict[str, Any] = json.loads(json.dumps(match.position.view()))
    others_first = sorted(view["magnets"], key=lambda magnet: magnet["owner"] == view["player"])
    for magnet, (x, y) in zip(others_first[: pieces - 1], places(), strict=False):
        magnet.update({"where": "board", "owner": None, "pose": [x, y, 3.2, 1.0, 0.0, 0.0, 0.0]})
    return view


def places() -> list[tuple[float, float]]:
    """Three rows of seven on the four triangles of the usual board, each row moved by half a step against the next."""
    return [(-150 + 40 * column + 20 * row, 40.0 * (row - 1)) for column in range(7) for row in range(3)]


class LiveTable:
    """Two people at a table of Yikerz; the one whose turn it is moves a hand in circles."""

    def __init__(self) -> None:
        self.frames = [0, 0]
        self.clients: list[Client] = []
        self.number = 0
        self.position: dict[str, Any] = {}
        self.began = asyncio.get_running_loop().create_future()
        self.holds: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def sit(self, http: httpx.AsyncClient, people: list[dict[str, Any]], setup: dict[str, Any]) -> None:
        """Open a table in that position and take both seats."""
        headers = {"authorization": f"Bearer {people[0]['secret']}"}
        answer = await http.post("/api/tables", json={"game": "yikerz", "setup": setup}, headers=headers)
        table = answer.json()["table"]["id"]
        await sit_down(PORTS["ludotheque"], table, people, self.clients, self.heard)
        await asyncio.wait_for(self.began, 300)

    def heard(self, player: int, _client: Client, text: bytes) -> None:
        """A message came."""
        if text.startswith(b'{"what":"live"'):
            self.frames[player] += 1
        elif b'"why":"began"' in text[:200] and player == 0:
            message = orjson.loads(text)
            self.number, self.position = message["number"], message["position"]
            self.began.set_result(None)
        elif text.startswith(b'{"what":"done"') and not self.holds.done():
            self.holds.set_result(None)
        elif text.startswith(b'{"what":"refused"') and not self.holds.done():
            self.holds.set_exception(RuntimeError(text.decode()))

    async def takes(self) -> None:
        """Take a magnet in hand."""
        state = self.position["state"]
        seat = self.position["acting"]
        own = [one["id"] for one in state["magnets"] if one["where"] != "board" and one["owner"] == seat]
        hand = {"magnet": own[0], "pose": self.pose(0.0)}
        self.clients[seat].send(orjson.dumps({"do": "begin", "id": "turn", "at": self.number, "hand": hand}))
        await asyncio.wait_for(self.holds, 300)

    @staticmethod
    def pose(at: float) -> list[float]:
        """High above the mats, in a circle."""
        return [40 * math.cos(at), 40 * math.sin(at), 120.0, 1.0, 0.0, 0.0, 0.0]

    async def moves(self, until: float) -> None:
        """Sixty poses a second."""
        client, due = self.clients[self.position["acting"]], time.perf_counter()
        while (now := time.perf_counter()) < until:
            client.send(orjson.dumps({"do": "hand", "hand": {"pose": self.pose(now)}}))
            due += 1 / POSES
            await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def measure(turns: int, pieces: int, seconds: float, setup: dict[str, Any]) -> dict[str, Any]:
    """So many turns at once."""
    with tempfile.TemporaryDirectory() as folder:
        server = start("ludotheque", Path(folder))
        try:
            address = f"http://127.0.0.1:{PORTS['ludotheque']}"
            async with httpx.AsyncClient(base_url=address, timeout=600) as http:
                people = [(await http.post("/api/people", json={"name": who})).json() for who in ("Anna", "Bruno")]
                tables = [LiveTable() for _ in range(turns)]
                for table in tables:
                    await table.sit(http, people, setup)
                hands = []
                for table in tables:
                    await table.takes()
                    hands.append(asyncio.create_task(table.moves(time.perf_counter() + 600)))
                processes = [psutil.Process(server.pid), *psutil.Process(server.pid).children(recursive=True)]
                for process in processes:
                    if hasattr(process, "cpu_affinity"):
                        process.cpu_affinity([0])
                before = [sum(process.cpu_times()[:2]) for process in processes]
                for table in tables:
                    table.frames = [0, 0]
                began = time.perf_counter()
                await asyncio.sleep(seconds)
                took = time.perf_counter() - began
                used = [sum(process.cpu_times()[:2]) - was for process, was in zip(processes, before, strict=True)]
                rates = [count / took for table in tables for count in table.frames]
                for hand in hands:
                    hand.cancel()
                return {
                    "turns": turns,
                    "pieces": pieces,
                    "frames/s": round(median(rates), 1),
                    "least frames/s": round(min(rates), 1),
                    "carried": min(rates) >= FULL,
                    "server CPU": round(used[0] / took, 2),
                    "worker CPU": round(sum(used[1:]) / took, 2),
                }
        finally:
            for child in psutil.Process(server.pid).children(recursive=True):
                child.kill()
            server.kill()
            server.wait()


def main() -> None:
    """Measure some numbers of turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, nargs="+", default=[1, 2, 4, 8, 12])
    parser.add_argument("--pieces", type=int, nargs="+", default=[1, 10, 20])
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--port", type=int, default=PORTS["ludotheque"], help="the first of three that are free")
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "out" / "bench-live.json")
    chosen = parser.parse_args()
    PORTS.update({"ludotheque": chosen.port, "boardgame.io": chosen.port + 1})
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, set(range(1, os.cpu_count() or 1)))
    rows = []
    for pieces in chosen.pieces:
        setup = board(pieces)
        for turns in chosen.turns:
            rows.append(asyncio.run(measure(turns, pieces, chosen.seconds, setup)))
            print(rows[-1], file=sys.stderr, flush=True)
            if not rows[-1]["carried"]:
                break
    show(rows)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
