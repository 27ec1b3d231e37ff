"""Nothing that was told is ever lost or doubled: not by kills, not by cut connections, not when a process goes for good.

LUDOTHEQUE_KILLS and LUDOTHEQUE_SECONDS make the campaign longer (`make campaign-server`).
"""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sql

from ludotheque.core import read_record
from ludotheque.server.database import entries, open_database
from ludotheque.server.store import read_entries
from ludotheque.table.entries import Opened, Stepped
from server.crowd import Player
from server.guests import Guest, House, house

KILLS = int(os.environ.get("LUDOTHEQUE_KILLS", "2"))
SECONDS = float(os.environ.get("LUDOTHEQUE_SECONDS", "2"))
TABLES = 6
LEASE = "3"  # seconds: after a kill, its tables wait for so long


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    return str(request.getfixturevalue("postgres"))


def a_crowd(home: House, ports: list[int], *, rough: bool = False) -> list[Player]:
    """Six tables of two people each."""
    players = []
    for number in range(TABLES):
        anna, bruno = Guest(home, "Anna"), Guest(home, "Bruno")
        table = anna.opens(options={"max_turns": 5}, private=True)
        chair = bruno.enters(table)
        chair.until("state")
        chair.asks("sit", seat=1)
        chair.until("table", why="began")
        chair.leaves()
        for seat, guest in enumerate((anna, bruno)):
            players.append(Player(ports, table, guest.secret, seat, random.Random(10 * number + seat), rough))
    return players


def judge(database: str, players: list[Player]) -> None:
    """Every table's log has all that was told, at its number, once, and replays."""
    engine = open_database(database)
    told = 0
    with engine.connect() as connection:
        for player in players:
            assert not player.contradictions
            log = {line.number: line.entry for line in read_entries(connection, player.table)}
            assert sorted(log) == list(range(1, len(log) + 1)), "numbers without gaps"
            for number, (what, content) in player.told.items():
                told += 1
                assert number in log, f"{number} was told and is gone"
                entry = log[number]
                assert content == (entry.action if isinstance(entry, Stepped) else entry.kind)
                assert (what == "step") == isinstance(entry, Stepped)
            requests = [entry.request for entry in log.values() if not isinstance(entry, Opened) and entry.request]
            assert len(requests) == len(set(requests)), "a request was applied twice"
        epochs = connection.execute(sql.select(entries.c.table_id, entries.c.number, entries.c.epoch)).all()
    engine.dispose()
    by_table: dict[str, list[int]] = {}
    for table, _, epoch in sorted(epochs):
        by_table.setdefault(table, []).append(epoch)
    assert all(one == sorted(one) for one in by_table.values()), "no stale owner wrote after its successor"
    assert told > 0


async def _through(players: list[Player], storms: "list[object]", seconds: float) -> None:
    stop = asyncio.Event()
    tasks = [asyncio.create_task(player.play(stop)) for player in players]
    for storm in storms:
        await asyncio.sleep(seconds)
        assert callable(storm)
        await asyncio.to_thread(storm)
    before = [player.acknowledged for player in players]
    deadline = time.monotonic() + 60
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
        players = a_crowd(home, [home.port])

        def kill() -> None:
            home.kill()
            home.open()

        asyncio.run(_through(players, [kill] * KILLS, SECONDS))
    finally:
        home.close()
    judge(database, players)


def test_cut_delayed_doubled_and_reordered_requests_lose_nothing(home: House) -> None:
    players = a_crowd(home, [home.port], rough=True)
    asyncio.run(_through(players, [lambda: None], 2 * SECONDS))
    assert sum(player.connections for player in players) > len(players), "some connections were cut"
    judge(home.database, players)


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
    players = a_crowd(first, [first.port, second.port])
    asyncio.run(_through(players, [first.kill], SECONDS))
    judge(first.database, players)


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
    card = httpx.get(f"{second.url}/api/tables/{table}", timeout=30).json()
    assert card["status"] == "playing"
    record = httpx.get(f"{second.url}/api/tables/{table}/record", timeout=30).json()
    assert read_record(record).match.log == []
    carla = Guest(second, "Carla")
    other = anna.opens()
    held_here, relayed = anna.enters(other), carla.enters(other)
    relayed.until("state")
    relayed.asks("sit", seat=1)
    held_here.until("table", why="began")
    assert carla.ask("DELETE", "/api/people/me").status_code == 204
    assert held_here.closed(20) == 1012, "its holder is told at once, not at its next write"
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
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        card = httpx.get(f"{second.url}/api/tables/{table}", timeout=30).json()
        if card["status"] == "over":
            return
        time.sleep(0.5)
    raise AssertionError("nobody took the table up")
