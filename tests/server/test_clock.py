"""Ages are counted in the site's own time: no jump of a date makes anything old."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import Engine

from ludotheque.answers.problems import NotFound
from ludotheque.server import store
from ludotheque.server.clock import LONGEST_ABSENCE, SiteClock, steady
from ludotheque.server.database import keys, open_database, tables
from ludotheque.server.registry import TableRegistry
from ludotheque.server.settings import ServerSettings
from server.test_leases import NEW, TestClock

DAY = 86_400


class Dates:
    """The machine's date, moved as a test wants."""

    def __init__(self) -> None:
        self.moved = 0.0
        self._true = time.time

    def time(self) -> float:
        return self._true() + self.moved

    def time_ns(self) -> int:
        return int(1e9 * self.time())


@pytest.fixture
def dates(monkeypatch: pytest.MonkeyPatch) -> Dates:
    dates = Dates()
    monkeypatch.setattr(time, "time", dates.time)
    monkeypatch.setattr(time, "time_ns", dates.time_ns)
    return dates


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield engine
    engine.dispose()


def test_the_steady_clock_goes_on_while_a_machine_sleeps() -> None:
    before = steady()
    assert steady() >= before
    if hasattr(time, "CLOCK_BOOTTIME"):
        assert abs(steady() - time.clock_gettime(time.CLOCK_BOOTTIME)) < 60


@pytest.mark.parametrize("jump", [3600, -3600, 40 * DAY, -40 * DAY])
def test_the_sites_time_does_not_jump_with_the_date(engine: Engine, dates: Dates, jump: float) -> None:
    moved = TestClock()
    site = SiteClock(engine, moved)
    began = site.moment()
    dates.moved = jump
    moved.now += 60
    with engine.begin() as connection:
        site.mark(connection)
    assert site.moment() == began + 60_000


def test_of_a_time_in_which_nothing_ran_at_most_a_day_counts(engine: Engine, dates: Dates) -> None:
    clock = TestClock()
    began = SiteClock(engine, clock).moment()
    dates.moved = 3600
    assert SiteClock(engine, clock).moment() == pytest.approx(began + 3_600_000, abs=60_000)
    dates.moved = 400 * DAY
    started = SiteClock(engine, clock).moment()
    assert started == pytest.approx(began + 3_600_000 + LONGEST_ABSENCE, abs=60_000)
    dates.moved = 0.0
    assert SiteClock(engine, clock).moment() == pytest.approx(started, abs=60_000), "it never goes back"


def test_processes_go_on_from_the_furthest(engine: Engine, dates: Dates) -> None:
    slow, quick = TestClock(), TestClock()
    one, other = SiteClock(engine, slow), SiteClock(engine, quick)
    quick.now += 500
    for site in (other, one):
        with engine.begin() as connection:
            site.mark(connection)
    assert one.moment() == other.moment()


def test_a_database_without_a_mark_begins_with_its_latest_table(engine: Engine, dates: Dates) -> None:
    with engine.begin() as connection:
        connection.execute(sql.delete(keys))
        for name, touched in (("old", 1_000), ("new", 5_000_000)):
            values = {"game": "twisty", "private": True, "status": "over", "attended": False, "card": "{}"}
            connection.execute(sql.insert(tables).values(id=name, created=0, touched=touched, **values))
    assert SiteClock(engine, TestClock()).moment() == 5_000_000 + LONGEST_ABSENCE, "though the date says decades"


@pytest.mark.parametrize("jump", [DAY, -DAY, 400 * DAY, -400 * DAY])
def test_no_jump_deletes_a_table_or_a_link(tmp_path: Path, dates: Dates, jump: float) -> None:
    """Neither the jump nor the jump back, and those opened and touched in between neither."""

    async def evening() -> None:
        address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
        registry = TableRegistry(open_database(address), ServerSettings(database=address, workers=1, warm_up=False), "")
        clock = TestClock()
        registry.clock._clock, registry.clock._anchor = clock, (registry.clock.moment(), clock.now)
        try:
            host = {"id": "anna", "name": "Anna"}
            anna, _ = await registry.writer.do(lambda connection: store.add_person(connection, "Anna"))
            opened = [(await registry.open(NEW, host)).state.id]
            codes = [await link(registry, str(anna["id"]))]
            for moved in (jump, 0.0):
                dates.moved = moved
                opened.append((await registry.open(NEW, host)).state.id)
                codes.append(await link(registry, str(anna["id"])))
                await registry.housekeeping.write_touched()
                await registry.housekeeping._sweep()
                assert set(opened) == set(await stored(registry))
            for code in codes:
                now = registry.clock.moment()
                await registry.writer.do(lambda connection, code=code, now=now: store.use_link(connection, code, now))  # type: ignore[misc] # mypy cannot infer it
            last = await link(registry, str(anna["id"]))
            clock.now += 31 * DAY
            now = registry.clock.moment()
            with pytest.raises(NotFound):
                await registry.writer.do(lambda connection: store.use_link(connection, last, now))
            await registry.housekeeping._sweep()
            assert await stored(registry) == [], "after thirty days of the site's time they are old"
        finally:
            await registry.close()

    asyncio.run(evening())


async def link(registry: TableRegistry, person: str) -> str:
    now = registry.clock.moment()
    code, _ = await registry.writer.do(lambda connection: store.add_link(connection, person, 600, now))
    return code


async def stored(registry: TableRegistry) -> list[str]:
    return await registry.read(lambda connection: list(connection.execute(sql.select(tables.c.id)).scalars()))
