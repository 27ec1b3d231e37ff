"""`make bench-server`: pairs of players at real sockets, from this process, at our server (every action on disk) and at
boardgame.io's own (in memory), side by side and in turns, each pinned to the first core, this process to the others.
Prints a table and writes it as JSON. `--beside FOLDER` measures another checkout of Ludothèque in the same run.

The number to trust on a busy machine is actions per second of the server's own processor time.
"""

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import psutil

with contextlib.suppress(ImportError):  # Windows has none
    import resource

sys.path.insert(0, str(Path(__file__).parent))

from pairs import OurPair, Pair, Tally, TheirPair, percentile, start_all

HERE = Path(__file__).parent
PORTS = {"ludotheque": 18_431, "boardgame.io": 18_432, "beside": 18_434}


def open_many() -> None:
    """Let this process, and the servers that it starts, have as many connections as the system allows."""
    if "resource" in globals():
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def start(name: str, folder: Path, sources: Path | None = None, *, limits: bool = False) -> subprocess.Popen[bytes]:
    """Start one of the servers on one core, where the machine lets us choose; ours from other sources, if they are given."""
    if name != "boardgame.io":
        command = [sys.executable, "-m", "ludotheque", "serve", "--no-browser", "--workers", "1"]
        command += [] if limits else ["--no-limits"]
        command += ["--port", str(PORTS[name]), "--database", f"sqlite:///{folder / 'tables.sqlite'}"]
    else:
        command = ["node", str(HERE / "boardgame" / "server.js"), str(PORTS[name])]
    environment = os.environ | ({"PYTHONPATH": str(sources)} if sources else {})
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{lobby(name)}/" + ("games" if name == "boardgame.io" else "healthz")
    for _ in range(600):
        try:
            if httpx.get(address, timeout=5).status_code == 200:
                if hasattr(os, "sched_setaffinity"):
                    os.sched_setaffinity(server.pid, {0})
                return server
        except httpx.HTTPError:
            time.sleep(0.1)
    server.kill()
    raise RuntimeError(f"{name} did not start")


def lobby(name: str) -> int:
    """The port that takes HTTP."""
    return PORTS[name] + (name == "boardgame.io")


def memory(process: psutil.Process) -> float:
    """The server process alone, in MiB; workers are told apart."""
    return process.memory_info().rss / 2**20


class Bench:
    """One server with so many tables, played at in slices; what the slices measured adds up."""

    def __init__(self, name: str, tables: int, folder: Path, sources: Path | None) -> None:
        self.name, self.tables = name, tables
        self.server = start(name, folder, sources)
        self.process = psutil.Process(self.server.pid)
        self.tally = Tally()
        self.pairs: list[Pair] = []
        self.slices: list[tuple[int, float, float]] = []  # actions, seconds, the server's own processor seconds
        self.latencies: list[float] = []
        self.empty = self.idle = self.active = 0.0

    async def sit(self, client: httpx.AsyncClient) -> None:
        """Fill the tables. The first one is not measured: it loads the rules, once for all."""
        people = []
        if self.name != "boardgame.io":
            people = [(await client.post("/api/people", json={"name": who})).json() for who in ("Anna", "Bruno")]
        kind: Callable[[Tally], Pair] = TheirPair if self.name == "boardgame.io" else OurPair
        self.pairs = [kind(self.tally)]
        await self.pairs[0].sit(PORTS[self.name], client, people)
        self.empty = memory(self.process)
        while len(self.pairs) < self.tables:
            batch = [kind(self.tally) for _ in range(min(20, self.tables - len(self.pairs)))]
            await asyncio.gather(*(pair.sit(PORTS[self.name], client, people) for pair in batch))
            self.pairs += batch
        self.idle = memory(self.process)

    async def play(self, seconds: float, *, counts: bool = True) -> None:
        """Everybody plays for a while, then rests."""
        start_all(self.pairs)
        await asyncio.sleep(min(1.0, seconds / 4))
        self.tally.actions, self.tally.latencies = 0, []
        before, began = self.process.cpu_times(), time.perf_counter()
        await asyncio.sleep(seconds)
        after, took = self.process.cpu_times(), time.perf_counter() - began
        if counts:
            used = after.user + after.system - before.user - before.system
            self.slices.append((self.tally.actions, took, used))
            self.latencies += self.tally.latencies
        for pair in self.pairs:
            pair.going = False
        self.active = memory(self.process)
        while any(pair.waiting for pair in self.pairs):
            await asyncio.sleep(0.05)

    def row(self) -> dict[str, Any]:
        """What came out; the spread is from the slowest slice to the fastest."""
        rates = sorted(actions / took for actions, took, _ in self.slices)
        own = sorted(actions / used for actions, _, used in self.slices if used)
        more = max(1, self.tables - 1)
        return {
            "server": self.name,
            "tables": self.tables,
            "actions/s": round(median(rates)),
            "from": round(rates[0]),
            "to": round(rates[-1]),
            "actions/s of its CPU": round(median(own)),
            "least": round(own[0]),
            "most": round(own[-1]),
            "p50 ms": round(percentile(self.latencies, 0.5), 1),
            "p99 ms": round(percentile(self.latencies, 0.99), 1),
            "MiB, one table": round(self.empty),
            "MiB": round(self.active),
            "kiB/idle table": round(1024 * (self.idle - self.empty) / more, 1),
            "kiB/active table": round(1024 * (self.active - self.empty) / more, 1),
            "trouble": self.tally.trouble,
        }

    def close(self) -> None:
        """End the server."""
        self.server.kill()
        self.server.wait()


async def measure(
    names: list[str], beside: Path | None, tables: int, seconds: float, rounds: int
) -> list[dict[str, Any]]:
    """The servers side by side, played at in turns, so that whatever else the machine does falls on all alike."""
    async with contextlib.AsyncExitStack() as stack:
        benches = []
        for name in names:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            sources = beside / "src" if name == "beside" and beside else None
            bench = Bench(name, tables, folder, sources)
            stack.callback(bench.close)
            client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{lobby(name)}", timeout=600)
            await bench.sit(await stack.enter_async_context(client))
            benches.append(bench)
        for bench in benches:
            await bench.play(seconds / 2, counts=False)
        for _ in range(rounds):
            for bench in benches:
                await bench.play(seconds)
        for bench in benches:
            for pair in bench.pairs:
                for player in pair.clients:
                    player.close()
        return [bench.row() for bench in benches]


def show(rows: list[dict[str, Any]]) -> None:
    """A table for people."""
    widths = {key: max(len(key), *(len(str(row[key])) for row in rows)) for key in rows[0]}
    print("  ".join(key.rjust(width) for key, width in widths.items()))
    for row in rows:
        print("  ".join(str(row[key]).rjust(width) for key, width in widths.items()))


def main() -> None:
    """Measure both, in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100, 1000, 2000, 5000])
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--port", type=int, default=PORTS["ludotheque"], help="the first of four that are free")
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "out" / "bench-server.json")
    parser.add_argument("--alone", action="store_true", help="our server only")
    parser.add_argument("--beside", type=Path, help="another checkout of Ludothèque, measured in the same run")
    chosen = parser.parse_args()
    PORTS.update({"ludotheque": chosen.port, "boardgame.io": chosen.port + 1, "beside": chosen.port + 3})
    open_many()
    rows = []
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, set(range(1, os.cpu_count() or 1)))
    for tables in chosen.tables:
        names = ["ludotheque", *([] if chosen.alone else ["boardgame.io"]), *(["beside"] if chosen.beside else [])]
        rows += asyncio.run(measure(names, chosen.beside, tables, chosen.seconds, chosen.rounds))
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_text(json.dumps(rows, indent=1))  # after each, since the large ones take long
        for row in rows[-len(names) :]:
            print(row, file=sys.stderr, flush=True)
    show(rows)


if __name__ == "__main__":
    main()
