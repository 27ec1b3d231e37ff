"""Plays at a site through faults, for an hour, and judges what the players were told (`make campaign-faults`).

It can be stopped with Ctrl-C and goes on where it was: what was found so far is in a file. Figures add up over all runs. The
faults themselves are in `faulty_site`, the judge in `history`.
"""

import argparse
import asyncio
import contextlib
import dataclasses
import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from server.crowd import a_crowd, by_table, judge
from server.faulty_site import Site
from server.history import KINDS, Violation, longest_pause

FAULTS_OF_A_ROUND: Final = 6
QUIET: Final = (3.0, 12.0)  # seconds of play before a fault
RECOVERY_SECONDS: Final = 120.0
EXAMPLES: Final = 20  # of violations that are kept

Say = Callable[[str], None]


@dataclass
class Figures:
    """What all runs have found so far."""

    seed: int = 1
    left: float = 0.0
    """Seconds of the present hour that are still to be played."""
    seconds: float = 0.0
    rounds: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    acknowledged: int = 0
    violations: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    stuck: int = 0
    """Tables that did not go on after the faults of their round."""
    longest_unavailable: float = 0.0
    examples: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, file: Path) -> "Figures":
        """What a file has; nothing where there is none."""
        return cls(**json.loads(file.read_text("utf-8"))) if file.exists() else cls()

    def write(self, file: Path) -> None:
        """Keep them, all or nothing."""
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(dataclasses.asdict(self), indent=1), "utf-8")
        new.replace(file)

    def add(self, violations: Sequence[Violation]) -> None:
        """Count what was found in a round."""
        for one in violations:
            self.violations[one.kind] += 1
        self.examples = [*self.examples, *(f"{one.kind}: {one.what}" for one in violations)][:EXAMPLES]

    @property
    def clean(self) -> bool:
        """Whether nothing was wrong."""
        return not any(self.violations.values()) and not self.stuck

    def lines(self) -> list[str]:
        """They, to be read."""
        hours = max(self.seconds, 1.0) / 3600
        faults = sum(self.faults.values())
        return [
            f"{self.seconds / 60:.1f} minutes of play in {self.rounds} rounds",
            f"{faults} faults ({faults / hours:.0f} an hour)",
            *(f"  {count:5} {kind}" for kind, count in sorted(self.faults.items())),
            f"{self.acknowledged:,} acknowledged actions ({self.acknowledged / hours:,.0f} an hour)",
            *(f"  {self.violations[kind]:5} {kind}" for kind in KINDS),
            f"  {self.stuck:5} tables that did not go on",
            f"longest unavailability of a table: {self.longest_unavailable:.1f} s",
            *(f"  ! {one}" for one in self.examples),
        ]


class Round:
    """Some tables, played through some faults, then judged."""

    def __init__(self, site: Site, tables: int, *, rough: bool = False, quiet: tuple[float, float] = QUIET) -> None:
        self._site = site
        self._quiet = quiet
        self.stuck: set[str] = set()
        """Tables that have not gone on after the last fault."""
        for host in site.hosts:
            host.house.wait()
        self.players = a_crowd(site.hosts[0].house, tables, site.addresses, rough=rough)
        for player in self.players:
            player.patience = 2 * site.lease

    def acknowledged(self) -> int:
        """Actions so far."""
        return sum(player.acknowledged for player in self.players)

    async def play(self, faults: Sequence[str], chance: random.Random, stop: asyncio.Event, say: Say) -> dict[str, int]:
        """Play through faults, and on until every table goes again. Returns how many there were of each kind."""
        done: dict[str, int] = {}
        over = asyncio.Event()
        tasks = [asyncio.create_task(player.play(over)) for player in self.players]
        known = self._site.faults()
        try:
            for fault in faults:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), chance.uniform(*self._quiet))
                if stop.is_set():
                    break
                began = time.monotonic()
                try:
                    await asyncio.to_thread(known[fault], chance)
                except (AssertionError, OSError, subprocess.SubprocessError):
                    if not stop.is_set():  # Ctrl-C ends the servers, too
                        raise
                    break
                done[fault] = done.get(fault, 0) + 1
                say(f"{fault} ({time.monotonic() - began:.1f} s); {self.acknowledged():,} actions in this round")
            await self._recover(stop)
        finally:
            over.set()
            await asyncio.wait(tasks, timeout=20)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return done

    async def _recover(self, stop: asyncio.Event) -> None:
        before = {id(player): player.acknowledged for player in self.players}
        deadline = time.monotonic() + RECOVERY_SECONDS
        while time.monotonic() < deadline and not stop.is_set():
            gone_on = {player.table for player in self.players if player.acknowledged > before[id(player)]}
            self.stuck = {player.table for player in self.players} - gone_on
            if not self.stuck:
                return
            await asyncio.sleep(0.1)

    def judge(self) -> list[Violation]:
        """What is wrong."""
        engine = self._site.postgres.open()
        try:
            return judge(engine, self.players)
        finally:
            engine.dispose()

    def longest_unavailable(self) -> float:
        """The longest time that a table stood still."""
        return max(longest_pause(histories) for histories in by_table(self.players).values())


@dataclass(frozen=True)
class Plan:
    """How a campaign is run."""

    file: Path
    seconds: float
    hosts: int
    tables: int
    lease: float


async def campaign(figures: Figures, plan: Plan, say: Say) -> None:
    """Play what is left of the present hour, or another one."""
    if figures.left <= 0:
        figures.left = plan.seconds
    stop = asyncio.Event()
    for which in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(which, stop.set)
    site = await asyncio.to_thread(Site, plan.hosts, plan.lease)
    try:
        if not site.network.separate:
            say("hosts are not separate here: faults between them are left out")
        while figures.left > 0 and not stop.is_set():
            await _play_round(figures, plan, site, stop, say)
    except Exception:
        keep_logs(site, plan.file.parent / "faults-logs")
        if not stop.is_set():
            raise
        say("stopped in the middle of a round, which is not counted")  # Ctrl-C ends the servers, too
    finally:
        await asyncio.to_thread(site.close)


async def _play_round(figures: Figures, plan: Plan, site: Site, stop: asyncio.Event, say: Say) -> None:
    """Play one round and add what it found."""
    began = time.monotonic()
    chance = random.Random(f"{figures.seed} {figures.rounds}")
    one = await asyncio.to_thread(Round, site, plan.tables, rough=chance.random() < 0.2)
    done = await one.play(chance.sample(sorted(site.faults()), FAULTS_OF_A_ROUND), chance, stop, say)
    violations = await asyncio.to_thread(one.judge)
    figures.add(violations)
    for kind, count in done.items():
        figures.faults[kind] = figures.faults.get(kind, 0) + count
    figures.acknowledged += one.acknowledged()
    figures.stuck += 0 if stop.is_set() else len(one.stuck)
    figures.longest_unavailable = max(figures.longest_unavailable, one.longest_unavailable())
    figures.rounds += 1
    spent = time.monotonic() - began
    figures.seconds, figures.left = figures.seconds + spent, figures.left - spent
    figures.write(plan.file)
    if violations or one.stuck:
        keep_logs(site, plan.file.parent / "faults-logs")
    wrong = "nothing wrong" if figures.clean else "SOMETHING IS WRONG, see below"
    left = max(0.0, figures.left)
    say(f"round {figures.rounds}: {figures.acknowledged:,} actions in all, {wrong}, {left:.0f} s left")


def keep_logs(site: Site, folder: Path) -> None:
    """Copy the servers' logs to where they can be read afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    for host in site.hosts:
        if host.house.log is not None:
            shutil.copy(host.house.log, folder)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--seed", type=int, default=1, help="of a new file; an old one has its own")
    parser.add_argument("--file", type=Path, default=Path("out/faults.json"))
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--lease", type=float, default=2.0)
    chosen = parser.parse_args()
    figures = Figures.read(chosen.file) if chosen.file.exists() else Figures(seed=chosen.seed)

    def say(text: str) -> None:
        sys.stdout.write(f"{time.strftime('%H:%M:%S')}  {text}\n")
        sys.stdout.flush()

    plan = Plan(chosen.file, chosen.seconds, chosen.hosts, chosen.tables, chosen.lease)
    asyncio.run(campaign(figures, plan, say))
    sys.stdout.write("\n".join(figures.lines()) + "\n")
    return 0 if figures.clean else 1


if __name__ == "__main__":
    sys.exit(main())
