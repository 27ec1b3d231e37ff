"""What processes that share a PostgreSQL tell each other: that tables are free."""

import asyncio

import pytest

from ludotheque.server import housekeeping
from ludotheque.server.database import open_database
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.tables import NewTable
from ludotheque.server.settings import ServerSettings
from server.test_session import Somebody, arrives

SEATS = [{"kind": "me"}, {"kind": "me", "name": "Zoé"}]


def test_a_process_that_closes_tells_the_others_and_they_take_its_tables_up_at_once(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "PERIOD", 3600.0)  # nobody looks by themselves: it takes the notice

    async def evening() -> None:
        settings = ServerSettings(database=postgres, workers=1, warm_up=False)
        leaving, staying = (TableRegistry(open_database(postgres), settings, "") for _ in range(2))
        try:
            wanted = NewTable.model_validate(
                {"game": "yam-master", "seats": SEATS, "settings": {"clock": {"kind": "game", "seconds": 600}}}
            )
            anna = Somebody("Anna")
            assert anna.person is not None
            session = await leaving.open(wanted, anna.person)
            await arrives(session, anna)
            await asyncio.sleep(1)
            assert session.state.id not in staying.sessions, "a table that is held is left alone"
            await leaving.close()
            for _ in range(1800):
                found = staying.sessions.get(session.state.id)
                if found is not None and found.state.clocks.running is not None:
                    break
                await asyncio.sleep(0.1)
            else:
                pytest.fail("its clock runs on in the other process")
        finally:
            await staying.close()

    asyncio.run(evening())
