"""`make bench-server`: pairs of players at real sockets, from this process, at our server (every action on disk) and at
boardgame.io's own (in memory), in turns in the same run. Prints a table and writes it as JSON.

The number to trust on a busy machine is actions per second of the server's own processor time.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import psutil

sys.path.insert(0, str(Path(__file__).parent))

from pairs import OurPair, Pair, Tally, TheirPair, percentile, start_all

HERE = Path(__file__).parent
PORTS = {"ludotheque": 18_431, "boardgame.io": 18_432}


def start(name: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start one of the servers on one core, where the machine lets us choose."""
    if name == "ludotheque":
        command = [sys.executable, "-m", "ludotheque", "serve", "--no-browser", "--no-limits", "--workers", "1"]
        command += ["--port", str(PORTS[name]), "--database", f"sqlite:///{folder / 'tables.sqlite'}"]
    else:
        command = ["node", str(HERE / "boardgame" / "server.js"), str(PORTS[name])]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{lobby(name)}/" + ("healthz" if name == "ludotheque" else "games")
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


async def measure(name: str, tables: int, seconds: float) -> dict[str, Any]:
    """One server with so many tables: how fast, how late, how large."""
    with tempfile.TemporaryDirectory() as folder:
        server = start(name, Path(folder))
        try:
            return await _measure(name, psutil.Process(server.pid), tables, seconds)
        finally:
            server.kill()
            server.wait()


async def _measure(name: str, process: psutil.Process, tables: int, seconds: float) -> dict[str, Any]:
    tally = Tally()
    port = PORTS[name]
    empty = memory(process)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{lobby(name)}", timeout=120) as client:
        people = []
        if name == "ludotheque":
            people = [(await client.post("/api/people", json={"name": who})).json() for who in ("Anna", "Bruno")]
        pairs: list[Pair] = []
        for first in range(0, tables, 20):
            batch: list[Any] = [
                (OurPair if name == "ludotheque" else TheirPair)(tally) for _ in range(min(20, tables - first))
            ]
            await asyncio.gather(*(pair.sit(port, client, people) for pair in batch))
            pairs += batch
        idle = memory(process)
        start_all(pairs)
        await asyncio.sleep(min(3.0, seconds / 2))
        tally.actions, tally.latencies = 0, []
        before, began = process.cpu_times(), time.perf_counter()
        await asyncio.sleep(seconds)
        after, took = process.cpu_times(), time.perf_counter() - began
        actions, latencies = tally.actions, list(tally.latencies)
        for pair in pairs:
            pair.going = False
        active = memory(process)
        for pair in pairs:
            for wire in pair.wires:
                wire.close()
    used = after.user + after.system - before.user - before.system
    return {
        "server": name,
        "tables": tables,
        "actions/s": round(actions / took),
        "actions/s of its CPU": round(actions / used) if used else 0,
        "p50 ms": round(percentile(latencies, 0.5), 1),
        "p99 ms": round(percentile(latencies, 0.99), 1),
        "MiB empty": round(empty),
        "kiB/idle table": round(1024 * (idle - empty) / tables, 1),
        "kiB/active table": round(1024 * (active - empty) / tables, 1),
        "trouble": tally.trouble,
    }


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
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "out" / "bench-server.json")
    parser.add_argument("--alone", action="store_true", help="our server only")
    chosen = parser.parse_args()
    rows = []
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, set(range(1, os.cpu_count() or 1)))
    for tables in chosen.tables:
        for _ in range(chosen.rounds):
            for name in PORTS if not chosen.alone else ["ludotheque"]:
                rows.append(asyncio.run(measure(name, tables, chosen.seconds)))
                print(rows[-1], file=sys.stderr, flush=True)
    show(rows)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
