"""`/healthz` writes to the database, and what cannot be stored is refused and never acknowledged."""

import resource
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server.guests import PATIENCE, Guest, House, house


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def home(folder: Path) -> Iterator[House]:
    with house(f"sqlite:///{folder / 'tables.sqlite'}", "--no-limits") as one:
        yield one


def health(home: House) -> int:
    return httpx.get(f"{home.url}/healthz", timeout=60).status_code


def recovers(home: House) -> None:
    """Once the heartbeat has been written again."""
    deadline = time.monotonic() + PATIENCE
    while health(home) != 200:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_it_is_well_and_has_written(home: House, folder: Path) -> None:
    def last() -> str:
        with sqlite3.connect(folder / "tables.sqlite") as connection:
            return str(connection.execute("SELECT value FROM keys WHERE name = 'health'").fetchone()[0])

    assert health(home) == 200
    first = last()
    assert health(home) == 200
    assert last() != first


def nothing_is_acknowledged(home: House, anna: Guest, table: str) -> None:
    """Opening, sitting and acting are refused or get no answer; the table is the same as before."""
    assert anna.ask("POST", "/api/tables", {"game": "yam-master"}).status_code == 503
    assert anna.ask("POST", "/api/people", {"name": "Zoé"}).status_code == 503
    chair = anna.enters(table)
    assert chair.closed() in (1012, 1013, 4404)
    assert not [one for one in chair.heard if one["what"] in ("step", "table")]


@pytest.mark.parametrize("replaced", [False, True], ids=["deleted", "replaced"])
def test_a_file_that_is_gone_is_noticed(home: House, folder: Path, replaced: bool) -> None:
    anna, file = Guest(home, "Anna"), folder / "tables.sqlite"
    table = anna.opens()
    chair = anna.enters(table)
    chair.until("here")
    away = folder / "elsewhere.sqlite"
    file.rename(away)
    if replaced:
        file.write_bytes(away.read_bytes())
    assert health(home) == 503
    chair.asks("sit", seat=1)
    assert chair.closed() in (1012, 1013)
    assert not [one for one in chair.heard if one["what"] in ("step", "table")], "it was not told as done"
    nothing_is_acknowledged(home, anna, table)
    away.replace(file)
    recovers(home)  # the right file is back
    anna.enters(table).until("state")


def test_a_full_disk_is_noticed_and_what_was_there_goes_on_afterwards(home: House, folder: Path) -> None:
    anna = Guest(home, "Anna")
    table = anna.opens()
    assert home.process is not None
    size = max(file.stat().st_size for file in folder.iterdir())
    resource.prlimit(home.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    statuses = [health(home)]
    while statuses[-1] != 503 and len(statuses) < 1000:  # the journal has some room left
        statuses.append(health(home))
    assert set(statuses) <= {200, 503}
    assert health(home) == 503
    chair = anna.enters(table)
    assert chair.closed() in (1012, 1013)
    resource.prlimit(home.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    recovers(home)
    chair = anna.enters(table)
    chair.until("state")
    chair.asks("sit", seat=1)
    chair.until("table", why="began")


def test_a_lock_that_somebody_holds_is_noticed(home: House, folder: Path) -> None:
    other = sqlite3.connect(folder / "tables.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert health(home) == 503
    finally:
        other.execute("ROLLBACK")
        other.close()
    recovers(home)
