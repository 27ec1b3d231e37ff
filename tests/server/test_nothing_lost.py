"""Nothing that was told is ever lost or doubled: not by kills, not by cut connections, not when a process goes for good.

LUDOTHEQUE_KILLS and LUDOTHEQUE_SECONDS make the campaign longer (`make campaign-server`).
"""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ludotheque.core import read_record
from ludotheque.server.database import open_database
from server.crowd import Player, a_crowd, judge
from server.guests import PATIENCE, Guest, House, house

KILLS = int(os.environ.get("LUDOTHEQUE_KILLS", "2"))
SECONDS = float(os.environ.get("LUDOTHEQUE_SECONDS", "2"))
TABLES = 6
LEASE = "3"  # seconds: after a kill, its tables wait for so long


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    return str(request.getfixturevalue("postgres"))


def nothing_is_wrong(database: str, players: list[Player]) -> None:
    """Every table's log has all that was told, at its number, once, and replays."""
    engine = open_database(database)
    try:
        assert not judge(engine, players)
        assert sum(len(player.history.events) for player in players) > 0
    finally:
        engine.dispose()


async def _through(players: list[Player], storms: "list[object]", seconds: float) -> None:
    stop = asyncio.Event()
    tasks = [asyncio.create_task(player.play(stop)) for player in players]
    for storm in storms:
        await asyncio.sleep(seconds)
        assert callable(storm)
        await asyncio.to_thread(storm)
    before = [player.acknowledged for player in players]
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:  # every table must go on after the last storm
        await asyncio.sleep(0.2)
        gained = [now.acknowledged - was for now, was in zip(players, before, strict=True)]
        if all(gained[place] + gained[place + 1] > 2 for place in range(0, len(gained), 2)):
            break
    else:
        raise AssertionError(f"some tables did not go on: {gained}")
    stop.set()
    await asyncio.wait(tasks, timeout=20)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_a_server_killed_again_and_again_loses_nothing(database: str) -> None:
    home = House(database, "--no-limits", "--lease", LEASE).open()
    try:
        players = a_crowd(home, TABLES, [home.address])

        def kill() -> None:
            home.kill()
            home.open()

        asyncio.run(_through(players, [kill] * KILLS, SECONDS))
    finally:
        home.close()
    nothing_is_wrong(database, players)


def test_cut_delayed_doubled_and_reordered_requests_lose_nothing(home: House) -> None:
    players = a_crowd(home, TABLES, [home.address], rough=True)
    asyncio.run(_through(players, [lambda: None], 2 * SECONDS))
    assert sum(player.connections for player in players) > len(players), "some connections were cut"
    nothing_is_wrong(home.database, players)


@pytest.fixture(scope="module")
def lasting_house(postgres: str) -> Iterator[House]:
    """The process that goes on, whatever becomes of the other."""
    with house(postgres, "--no-limits", "--lease", LEASE) as one:
        yield one


@pytest.fixture
def two_houses(lasting_house: House) -> Iterator[tuple[House, House]]:
    with house(lasting_house.database, "--no-limits", "--lease", LEASE) as first:
        yield first, lasting_house


def test_two_processes_share_a_table_and_one_goes_on_when_the_other_is_killed(two_houses: tuple[House, House]) -> None:
    first, second = two_houses
    players = a_crowd(first, TABLES, [first.address, second.address])
    asyncio.run(_through(players, [first.kill], SECONDS))
    nothing_is_wrong(first.database, players)


def test_people_at_different_processes_play_at_one_table(two_houses: tuple[House, House]) -> None:
    first, second = two_houses
    anna, bruno = Guest(first, "Anna"), Guest(second, "Bruno")
    table = anna.opens()
    here = anna.enters(table)
    there = bruno.enters(table)
    here.until("state")
    there.until("state")
    there.asks("sit", seat=1)
    assert here.until("table", why="began") == there.until("table", why="began")
    card = httpx.get(f"{second.url}/api/tables/{table}", timeout=PATIENCE).json()
    assert card["status"] == "playing"
    record = httpx.get(f"{second.url}/api/tables/{table}/record", timeout=PATIENCE).json()
    assert read_record(record).match.log == []
    carla = Guest(second, "Carla")
    other = anna.opens()
    held_here, relayed = anna.enters(other), carla.enters(other)
    relayed.until("state")
    relayed.asks("sit", seat=1)
    held_here.until("table", why="began")
    assert carla.ask("DELETE", "/api/people/me").status_code == 204
    assert held_here.closed() == 1012, "its holder is told at once, not at its next write"
    first.close()  # in good order: its tables are free at once
    assert there.closed() == 1012
    again = bruno.enters(table, last=there.number)
    assert again.until("welcome")["number"] == there.number


def test_a_clock_runs_on_at_another_process_when_its_own_is_killed(two_houses: tuple[House, House]) -> None:
    first, second = two_houses
    anna = Guest(first, "Anna")
    table = anna.opens(
        seats=[{"kind": "me"}, {"kind": "me", "name": "Zoé"}], settings={"clock": {"kind": "move", "seconds": 5}}
    )
    first.kill()
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        card = httpx.get(f"{second.url}/api/tables/{table}", timeout=PATIENCE).json()
        if card["status"] == "over":
            return
        time.sleep(0.5)
    raise AssertionError("nobody took the table up")
