"""Which tables stay in memory while nobody is connected: those at which something goes on by itself, and no others."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from ludotheque.server import housekeeping, store
from ludotheque.server.database import open_database, tables
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.tables import NewTable
from ludotheque.server.session.session import Session
from ludotheque.server.settings import ServerSettings
from server.test_session import Somebody, arrives

SEATS = [{"kind": "me"}, {"kind": "bot", "level": 1}]


@pytest.fixture
def in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A process whose housekeeping is done by hand, and in which every table without a connection counts as idle."""
    monkeypatch.setattr(housekeeping, "PERIOD", 3600.0)
    database = f"sqlite:///{tmp_path / 'tables.sqlite'}"

    def run(evening: Callable[[TableRegistry], Awaitable[None]]) -> None:
        async def whole() -> None:
            settings = ServerSettings(database=database, workers=1, warm_up=False, idle_seconds=-1.0)
            registry = TableRegistry(open_database(database), settings, "")
            try:
                await evening(registry)
            finally:
                await registry.close()

        asyncio.run(whole())

    return run


async def opened(registry: TableRegistry, **more: Any) -> Session:
    wanted = {"game": "yam-master", "seats": SEATS, "settings": {"pace": 10}, **more}
    session = await registry.open(NewTable.model_validate(wanted), {"id": "anna", "name": "Anna"})
    anna = Somebody("Anna")
    await arrives(session, anna)
    session.exit(anna)
    return session


async def attended(registry: TableRegistry, table: str) -> bool:
    query = sql.select(tables.c.attended).where(tables.c.id == table)
    return bool(await registry.read(lambda connection: connection.execute(query).scalar_one()))


def test_a_table_against_a_bot_leaves_memory_while_the_person_is_to_act(in_a_process: Callable[..., None]) -> None:
    async def evening(registry: TableRegistry) -> None:
        table = (await opened(registry, options={"first": 0})).state.id
        assert await attended(registry, table)
        await registry.housekeeping._release_idle()
        assert table not in registry.sessions
        assert not await attended(registry, table)
        await registry.housekeeping._adopt()
        assert table not in registry.sessions, "no process takes it up by itself"
        again = await registry.find(table)
        assert isinstance(again, Session)
        assert again.state.acting == 0
        assert await attended(registry, table), "somebody is there, so a bot may have to act after a crash"

    in_a_process(evening)


def test_a_table_that_has_left_memory_still_says_whom_it_waits_for(in_a_process: Callable[..., None]) -> None:
    async def evening(registry: TableRegistry) -> None:
        table = (await opened(registry, options={"first": 0})).state.id

        async def awaited() -> list[Any]:
            card = await registry.read(lambda connection: store.table_card(connection, table))
            cards = await registry.read(lambda connection: store.list_tables(connection, None, None, None))
            return [one.get(store.AWAITS) for one in (card, *cards)]

        assert await awaited() == [None, None], "its process knows it better"
        await registry.housekeeping._release_idle()
        assert await awaited() == ["anna", "anna"]
        await registry.find(table)
        assert await awaited() == [None, None], "it has an owner again, who may have played since"

    in_a_process(evening)


@pytest.mark.parametrize(
    "more",
    [
        {"options": {"first": 1}},
        {"options": {"first": 0}, "settings": {"clock": {"kind": "game", "seconds": 600}}},
    ],
    ids=["the bot is to act", "a clock runs"],
)
def test_a_table_stays_while_something_goes_on_by_itself(
    in_a_process: Callable[..., None], more: dict[str, Any]
) -> None:
    async def evening(registry: TableRegistry) -> None:
        table = (await opened(registry, **more)).state.id
        await registry.housekeeping._release_idle()
        assert table in registry.sessions
        assert await attended(registry, table)

    in_a_process(evening)
