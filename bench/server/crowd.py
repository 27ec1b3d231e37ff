"""`make bench-crowd`: many idle sockets and many tables at one server on one core, at a fixed rate of actions, for a minute.

Two people sit at each active table, and all tables together play so many actions a second whether or not the server keeps up
(open loop): a latency is from the moment when an action was due to the moment when both players have it. The idle sockets
watch tables at which nobody plays and answer pings. Everybody comes from several loopback addresses, since the server's
limits by address are on. boardgame.io's server is measured in the same run, with the same crowd or as many as it takes.

Nakama publishes 19,542 sockets on one core of 1 GB (heroiclabs.com/docs/nakama/getting-started/benchmarks); ours carry games.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
import psutil

sys.path.insert(0, str(Path(__file__).parent))

import client as sockets
from pairs import OurPair, Pair, Tally, TheirPair, percentile
from run import HERE, PORTS, lobby, memory, open_many, show, start

TABLES_EACH = 5  # of an address: with their people and sockets well within its limits
IDLE_EACH = 10  # idle sockets at a table
TOGETHER = 50  # connections that are opened at the same time


def addresses() -> Iterator[str]:
    """Loopback addresses, one after the other, for ever."""
    while True:
        yield from (f"127.1.{high}.{low}" for high in range(4) for low in range(1, 251))


class InStep(Pair):
    """A pair that plays when an action is due, not as fast as it can."""

    due: deque[float]
    late = 0  # actions that were due while the one before was not done

    def act(self, at: float) -> None:
        """An action is due."""
        self.due.append(at)
        if self.waiting:
            self.late += 1
        else:
            self.go()

    def send(self, player: int, number: int, text: bytes) -> None:
        """One player's action leaves."""
        self._on_its_way[number] = (player, self.due.popleft())
        self.has: set[int] = set()
        self.clients[player].send(text)

    def arrived(self, player: int, number: int) -> bool:
        """An action has reached a player; it counts when both have it. Whether the one who sent it has it now."""
        if number not in self._on_its_way:
            return False
        sender, due = self._on_its_way[number]
        self.has.add(player)
        if len(self.has) == 2:
            del self._on_its_way[number]
            self.tally.actions += 1
            self.tally.latencies.append(time.perf_counter() - due)
            if self.due:
                asyncio.get_running_loop().call_soon(self.go)
        return player == sender


class OurPairInStep(InStep, OurPair):
    """At a table of Ludothèque."""


class TheirPairInStep(InStep, TheirPair):
    """At a table of boardgame.io."""


def pair_of(kind: type[InStep], tally: Tally) -> InStep:
    """A pair with nothing due."""
    pair = kind(tally)
    pair.due = deque()
    return pair


class Crowd:
    """One server, its active tables and its idle sockets."""

    def __init__(self, name: str, chosen: argparse.Namespace, folder: Path, sources: Path | None) -> None:
        self.name, self.chosen = name, chosen
        self.server = start(name, folder, sources, limits=True)
        self.process = psutil.Process(self.server.pid)
        self.tally = Tally()
        self.pairs: list[InStep] = []
        self.idle: subprocess.Popen[str] | None = None
        self.row: dict[str, Any] = {"server": name}

    async def gather(self) -> None:
        """Everybody comes: the players, then the idle."""
        ours = self.name != "boardgame.io"
        empty = memory(self.process)
        tables: list[str] = []
        for address in itertools.islice(addresses(), -(-self.chosen.tables // TABLES_EACH)):
            sockets.SOURCE = address
            transport = httpx.AsyncHTTPTransport(local_address=address, verify=False)
            url = f"http://127.0.0.1:{lobby(self.name)}"
            async with httpx.AsyncClient(base_url=url, timeout=600, transport=transport) as http:
                await self._fill(http, ours, tables)
        seated = memory(self.process)
        began = self.process.cpu_times()
        got = await self._open_idle(tables) if self.chosen.sockets else 0
        used = self.process.cpu_times()
        full = memory(self.process)
        self.row.update({"tables": len(self.pairs), "sockets": 2 * len(self.pairs) + got, "idle": got})
        self.row["kiB/table"] = round(1024 * (seated - empty) / max(1, len(self.pairs)))
        self.row["kiB/idle socket"] = round(1024 * (full - seated) / max(1, got), 1)
        self.row["ms to open a socket"] = round(
            1000 * (used.user + used.system - began.user - began.system) / max(1, got), 2
        )

    async def _fill(self, http: httpx.AsyncClient, ours: bool, tables: list[str]) -> None:
        """The tables of one address, and the idle ones for the watchers."""
        count = min(TABLES_EACH, self.chosen.tables - len(self.pairs))
        kind: type[InStep] = OurPairInStep if ours else TheirPairInStep
        batch = [pair_of(kind, self.tally) for _ in range(count)]
        names = ("Anna", "Bruno") * count if ours else ()
        came = await asyncio.gather(*(http.post("/api/people", json={"name": name}) for name in names))
        people = [answer.json() for answer in came]
        seats = [people[2 * place : 2 * place + 2] for place in range(count)]
        await asyncio.gather(*(pair.sit(PORTS[self.name], http, two) for pair, two in zip(batch, seats, strict=True)))
        self.pairs += batch
        share = -(-self.chosen.sockets // IDLE_EACH) / max(1, self.chosen.tables)
        while ours and len(tables) < share * len(self.pairs):
            secret = people[0]["secret"]
            answer = await http.post(
                "/api/tables", json={"game": "yam-master"}, headers={"authorization": f"Bearer {secret}"}
            )
            tables.append(answer.json()["table"]["id"])

    async def _open_idle(self, tables: list[str]) -> int:
        """Another process opens the idle sockets and holds them; returns how many it got."""
        wanted = {"port": PORTS[self.name], "sockets": self.chosen.sockets, "tables": tables, "first": 500}
        self.idle = subprocess.Popen(
            [sys.executable, __file__, "--idle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.idle.stdin is not None
        self.idle.stdin.write(json.dumps(wanted) + "\n")
        self.idle.stdin.flush()
        return int(await asyncio.to_thread(self._idle_line))

    def _idle_line(self) -> str:
        assert self.idle is not None
        assert self.idle.stdout is not None
        return self.idle.stdout.readline() or "0"

    async def play(self) -> None:
        """Let time pass without anybody playing, then play at the rate."""
        before, began = self.process.cpu_times(), time.perf_counter()
        await asyncio.sleep(self.chosen.quiet)
        after = self.process.cpu_times()
        used = after.user + after.system - before.user - before.system
        self.row["CPU when idle"] = round(used / (time.perf_counter() - began), 3)
        await self._play(min(5.0, self.chosen.seconds / 2))
        self.tally.actions, self.tally.latencies = 0, []
        for pair in self.pairs:
            pair.late = 0
        before, began = self.process.cpu_times(), time.perf_counter()
        await self._play(self.chosen.seconds)
        after, took = self.process.cpu_times(), time.perf_counter() - began
        used = after.user + after.system - before.user - before.system
        played = max(1, self.tally.actions)
        self.row.update(
            {
                "actions/s": round(self.tally.actions / took),
                "p50 ms": round(percentile(self.tally.latencies, 0.5), 1),
                "p99 ms": round(percentile(self.tally.latencies, 0.99), 1),
                "longest ms": round(percentile(self.tally.latencies, 1.0), 1),
                "late": sum(pair.late for pair in self.pairs),
                "CPU": round(used / took, 3),
                "µs CPU/action": round(1e6 * used / played),
                "MiB": round(memory(self.process)),
                "trouble": self.tally.trouble + sum(one.lost for pair in self.pairs for one in pair.clients),
            }
        )

    async def _play(self, seconds: float) -> None:
        """Actions at a fixed rate, the tables in turn, whether or not the server keeps up; then wait for what is on its way."""
        began, step = time.perf_counter(), 1 / self.chosen.rate
        for number in range(round(seconds * self.chosen.rate)):
            due = began + number * step
            while (left := due - time.perf_counter()) > 0:
                await asyncio.sleep(left)
            self.pairs[number % len(self.pairs)].act(due)
            if number % 64 == 0:
                await asyncio.sleep(0)
        patience = time.perf_counter() + 60
        while any(pair.waiting for pair in self.pairs) and time.perf_counter() < patience:
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Count who is left, and end everything."""
        if self.idle is not None:
            assert self.idle.stdin is not None
            with contextlib.suppress(OSError):
                self.idle.stdin.close()
            self.row["idle at the end"] = int(await asyncio.to_thread(self._idle_line))
            self.idle.wait(60)
        self.server.kill()
        self.server.wait()


# In the process of the idle sockets


async def hold_idle() -> None:
    """Open idle sockets, tell how many there are, hold them until the input ends, and tell how many are left."""
    wanted = json.loads(sys.stdin.readline())
    port, tables = wanted["port"], wanted["tables"]
    path = "/api/tables/{}/socket" if tables else "/socket.io/?EIO=4&transport=websocket"
    sources = addresses()
    for _ in range(wanted["first"]):
        next(sources)
    places = iter(range(wanted["sockets"]))
    held: list[sockets.Client] = []

    async def open_some() -> None:
        for place in places:
            if place % 25 == 0:
                sockets.SOURCE = next(sources)
            where = path.format(tables[(place // IDLE_EACH) % len(tables)]) if tables else path
            try:
                one = await sockets.open_client(port, where, _hear_ours if tables else _hear_theirs)
            except (OSError, TimeoutError):
                return  # it takes no more
            if tables:
                one.send(orjson.dumps({"do": "hello", "version": 1}))
            held.append(one)

    await asyncio.gather(*(open_some() for _ in range(TOGETHER)))
    await asyncio.sleep(1)
    print(sum(not one.lost for one in held), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(sum(not one.lost for one in held), flush=True)


def _hear_ours(_client: sockets.Client, _text: bytes) -> None:
    """Whoever is idle reads, and says nothing."""


def _hear_theirs(client: sockets.Client, text: bytes) -> None:
    """Socket.IO has pings of its own, and asks who comes."""
    if text == b"2":
        client.send(b"3")
    elif text.startswith(b"0{"):
        client.send(b"40/yam,")


async def measure(name: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """One server."""
    with tempfile.TemporaryDirectory() as folder:
        sources = chosen.beside / "src" if name == "beside" else None
        crowd = Crowd(name, chosen, Path(folder), sources)
        try:
            await crowd.gather()
            await crowd.play()
        except (OSError, TimeoutError, httpx.HTTPError, KeyError) as error:  # a server that takes no such crowd
            crowd.row["failed"] = f"{type(error).__name__} at {len(crowd.pairs)} tables"
        finally:
            await crowd.close()
    return crowd.row


def main() -> None:
    """Measure the servers one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=10_000, help="idle ones")
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=2000, help="actions a second, of all tables together")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--quiet", type=float, default=20, help="seconds in which nobody plays, before")
    parser.add_argument("--port", type=int, default=PORTS["ludotheque"], help="the first of four that are free")
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "out" / "bench-crowd.json")
    parser.add_argument("--alone", action="store_true", help="our server only")
    parser.add_argument("--beside", type=Path, help="another checkout of Ludothèque, measured in the same run")
    parser.add_argument("--idle", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    open_many()
    if chosen.idle:
        asyncio.run(hold_idle())
        return
    PORTS.update({"ludotheque": chosen.port, "boardgame.io": chosen.port + 1, "beside": chosen.port + 3})
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, set(range(1, os.cpu_count() or 1)))
    rows: list[dict[str, Any]] = []
    names = ["ludotheque", *(["beside"] if chosen.beside else [])]
    if not chosen.alone and (HERE / "boardgame" / "node_modules").is_dir():
        names.append("boardgame.io")
    elif not chosen.alone:
        print("boardgame.io is not installed and is left out: `make bench-crowd` installs it.", file=sys.stderr)
    for name in names:
        rows.append(asyncio.run(measure(name, chosen)))
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_text(json.dumps(rows, indent=1))
        print(rows[-1], file=sys.stderr, flush=True)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    show([{key: row.get(key, "") for key in columns} for row in rows])


if __name__ == "__main__":
    main()
