"""A lease that has lapsed is never renewed, and no process is thought dead or alive because of a date."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from ludotheque.server import store
from ludotheque.server.database import leases as lease_rows
from ludotheque.server.database import open_database, processes, tables
from ludotheque.server.leases import Elsewhere, Held, Leases
from ludotheque.server.problems import Later, busy
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.tables import NewTable
from ludotheque.server.settings import ServerSettings
from ludotheque.server.writer import LeaseLost
from server.dated import DatedDatabase
from server.test_session import Somebody, arrives, asks

SECONDS = 0.6
PATIENCE = 60.0
DAY = 86_400.0


class TestClock:
    """A steady clock that moves when it is told to, as if the machine had been suspended."""

    __test__ = False

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    else:
        address = DatedDatabase(request.getfixturevalue("postgres"), "leases").address
    engine = open_database(address)
    yield engine
    engine.dispose()


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def leases(engine: Engine, clock: TestClock) -> Iterator[Leases]:
    one = Leases(engine, "here:1", SECONDS, clock)
    yield one
    one.close()


def known(engine: Engine) -> set[str]:
    with engine.connect() as connection:
        return set(connection.execute(sql.select(processes.c.id)).scalars())


def test_it_is_renewed_in_time(leases: Leases, clock: TestClock) -> None:
    identity = leases.process
    for _ in range(5):
        clock.now += SECONDS / 2
        renewed = clock.now
        until(lambda renewed=renewed: leases._renewed == renewed)  # type: ignore[misc] # mypy cannot infer this lambda
    assert leases.valid
    assert leases.process == identity


def test_after_a_suspension_it_comes_back_as_another_once_its_tables_are_dropped(
    leases: Leases, clock: TestClock, engine: Engine
) -> None:
    lapses: list[str] = []
    identity = leases.process
    leases.on_lapse = lambda: lapses.append(leases.process)
    clock.now += SECONDS + 0.01
    assert not leases.valid, "from that moment on, before anybody has looked"
    until(lambda: bool(lapses))
    time.sleep(3 * SECONDS / 6)  # some turns of its thread
    assert lapses == [identity]
    assert not leases.valid
    assert known(engine) == {identity}, "nothing was renewed, and it waits for its tables to be dropped"
    leases.let_go()
    until(lambda: leases.valid)
    assert leases.process != identity
    assert known(engine) == {leases.process}


@pytest.mark.parametrize("deleted", [False, True], ids=["expired", "deleted"])
def test_a_lease_that_the_database_calls_expired_is_not_renewed(
    leases: Leases, clock: TestClock, engine: Engine, deleted: bool
) -> None:
    identity = leases.process
    with engine.begin() as connection:
        connection.execute(sql.delete(processes) if deleted else sql.update(processes).values(expires=0))
    clock.now += SECONDS / 2
    until(lambda: leases.process != identity)
    assert known(engine) == {leases.process}


def test_an_answer_that_comes_after_the_end_renews_nothing(
    leases: Leases, clock: TestClock, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database renews it, but is so slow that meanwhile it has ended here: others may have seen that."""
    identity = leases.process
    date = leases._date

    def slow(connection: Connection) -> float:
        now = date(connection)
        clock.now += SECONDS if leases.process == identity else 0
        return now

    monkeypatch.setattr(leases, "_date", slow)
    clock.now += SECONDS / 2
    until(lambda: leases.process != identity)
    until(lambda: leases.valid)


# Processes that share a PostgreSQL


@pytest.fixture
def shared(postgres: str) -> DatedDatabase:
    return DatedDatabase(postgres, "leases")


def add_table(engine: Engine, owner: Leases, table: str) -> None:
    with engine.begin() as connection:
        connection.execute(
            sql.insert(tables).values(
                id=table,
                game="yam-master",
                private=True,
                status="playing",
                attended=True,
                card="{}",
                created=0,
                touched=0,
            )
        )
        owner.add(connection, table)


def acquire(engine: Engine, who: Leases, table: str) -> Held | Elsewhere | None:
    with engine.begin() as connection:
        return who.acquire(connection, table)


def orphans(engine: Engine, who: Leases) -> list[str]:
    with engine.begin() as connection:
        return list(who.orphans(connection, 10))


@pytest.mark.parametrize("jump", [3600.0, -3600.0, 3 * DAY, -3 * DAY])
def test_no_jump_of_the_databases_date_makes_a_process_dead_or_keeps_a_dead_one_alive(
    shared: DatedDatabase, jump: float
) -> None:
    engine = open_database(shared.address)
    owners, others = TestClock(), TestClock()
    owner, other = Leases(engine, "here:1", SECONDS, owners), Leases(engine, "there:2", SECONDS, others)
    try:
        add_table(engine, owner, "one")
        shared.move_date(jump)
        assert acquire(engine, other, "one") == Elsewhere("here:1")
        assert orphans(engine, other) == []
        owner._stop.set()  # it dies, as others see it
        owner._thread.join()
        others.now += SECONDS
        held = acquire(engine, other, "one")
        assert isinstance(held, Held)
        assert held.epoch == 2
    finally:
        owner.close()
        other.close()
        engine.dispose()


def test_a_process_that_has_just_started_waits_for_a_lease_before_it_calls_another_dead(shared: DatedDatabase) -> None:
    engine = open_database(shared.address)
    owner = Leases(engine, "here:1", SECONDS, TestClock())
    add_table(engine, owner, "one")
    owner._stop.set()
    owner._thread.join()
    clock = TestClock()
    started = Leases(engine, "there:2", SECONDS, clock)
    try:
        clock.now += SECONDS - 0.01
        assert acquire(engine, started, "one") == Elsewhere("here:1")
        clock.now += 0.02
        assert orphans(engine, started) == ["one"]
        clock.now += 4 * SECONDS
        until(lambda: owner.process not in known(engine))
    finally:
        owner.close()
        started.close()
        engine.dispose()


def test_two_processes_that_start_at_once_on_a_new_database_agree_on_its_key(shared: DatedDatabase) -> None:
    engine = open_database(shared.address)
    try:
        with ThreadPoolExecutor(1) as other, engine.begin() as first:
            key = store.key(first, "link")

            def start() -> str:
                with engine.begin() as connection:
                    return store.key(connection, "link")

            second = other.submit(start)
            until(lambda: waits(engine) or second.done())
            first.commit()
            assert second.result(PATIENCE) == key
    finally:
        engine.dispose()


def waits(engine: Engine) -> bool:
    """Whether somebody waits for another transaction."""
    with engine.connect() as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        return bool(connection.execute(sql.text(query)).scalar_one())


# A process with tables


def in_a_process(folder: Path, what: Callable[[TableRegistry, TestClock], Awaitable[None]]) -> None:
    async def evening() -> None:
        address = f"sqlite:///{folder / 'tables.sqlite'}"
        registry = TableRegistry(open_database(address), ServerSettings(database=address, workers=1, warm_up=False), "")
        clock = TestClock()
        registry.leases._clock, registry.leases._renewed = clock, clock.now
        try:
            await what(registry, clock)
        finally:
            await registry.close()

    asyncio.run(evening())


NEW = NewTable.model_validate({"game": "yam-master", "seats": [{"kind": "me"}, {"kind": "me", "name": "Zoé"}]})


def test_a_process_whose_leases_lapsed_tells_its_clients_and_loads_its_tables_anew(tmp_path: Path) -> None:
    async def lapses(registry: TableRegistry, clock: TestClock) -> None:
        anna = Somebody("Anna")
        assert anna.person is not None
        session = await registry.open(NEW, anna.person)
        await arrives(session, anna)
        identity, table = registry.leases.process, session.state.id
        clock.now += registry.settings.lease_seconds + 1
        with pytest.raises(Later):
            await registry.find(table)
        deadline = time.monotonic() + PATIENCE
        while registry.leases.process == identity:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.01)
        assert anna.heard[-1] == {"what": "left", "code": 1012}
        again = await registry.find(table)
        assert again is not session
        with registry.engine.connect() as connection:
            assert connection.execute(sql.select(lease_rows.c.owner, lease_rows.c.epoch)).all() == [
                (registry.leases.process, 2)
            ]

    in_a_process(tmp_path, lapses)


def test_what_was_committed_is_not_told_after_the_leases_end(tmp_path: Path) -> None:
    async def suspended(registry: TableRegistry, clock: TestClock) -> None:
        anna = Somebody("Anna")
        assert anna.person is not None
        session = await registry.open(NEW, anna.person)
        await arrives(session, anna)
        write = registry.writer._write

        def slow(batch):  # type: ignore[no-untyped-def] # as the method that it stands for
            outcomes = write(batch)
            clock.now += registry.settings.lease_seconds + 1
            return outcomes

        registry.writer._write = slow  # type: ignore[method-assign] # the machine sleeps after the commit
        before = session.state.number
        with pytest.raises(LeaseLost):
            await asks(session, anna, "roll")
        registry.writer._write = write  # type: ignore[method-assign]
        assert anna.heard[-1] == {"what": "left", "code": 1012}
        assert not [one for one in anna.heard if one["what"] == "step" and one["number"] > before]
        with registry.engine.connect() as connection:
            assert connection.execute(sql.text("SELECT max(number) FROM entries")).scalar() == before + 1

    in_a_process(tmp_path, suspended)


def test_a_table_that_cannot_be_adopted_for_the_moment_is_adopted_later(tmp_path: Path) -> None:
    """Its clock or bot is not forgotten because the database or the leases were away when its turn came."""

    async def away(registry: TableRegistry, _clock: TestClock) -> None:
        anna = Somebody("Anna")
        assert anna.person is not None
        session = await registry.open(NEW, anna.person)
        table = session.state.id
        session.drop()

        def free(connection: Connection) -> None:
            registry.leases.release(connection, table, session.epoch)
            store.set_attended(connection, table, attended=True)

        async def later(_table: str) -> NoReturn:
            raise busy()

        await registry.writer.do(free)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(registry, "find", later)
            await registry.housekeeping._adopt()
        with registry.engine.connect() as connection:
            assert connection.execute(sql.select(tables.c.attended)).scalar_one() is True
        await registry.housekeeping._adopt()
        assert table in registry.sessions

    in_a_process(tmp_path, away)
