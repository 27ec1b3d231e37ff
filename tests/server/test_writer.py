"""What the writer promises: lines go in only while their table's lease is ours, and nobody suffers for another."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sql

from ludotheque.server import database
from ludotheque.server.metrics import Metrics
from ludotheque.server.writer import LeaseLost, Writer
from ludotheque.table.entries import LogEntry, Stepped


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    made: str = request.getfixturevalue("postgres")
    return made


def test_whose_lease_is_lost_writes_nothing_and_the_others_in_the_same_commit_do(address: str) -> None:
    engine = database.open_database(address)
    names = ["one", "lost", "other"]
    with engine.begin() as connection:
        for name in names:
            connection.execute(
                sql.insert(database.tables).values(
                    id=name,
                    game="yam-master",
                    private=False,
                    status="playing",
                    attended=False,
                    card="{}",
                    created=0,
                    touched=0,
                )
            )
            connection.execute(sql.insert(database.leases).values(table_id=name, owner="us", epoch=2))

    def line(number: int) -> LogEntry:
        return LogEntry(number, Stepped(0, "pass"), 1)

    async def evening() -> list[BaseException | None]:
        writer = Writer(engine, Metrics())
        writings = [writer.append(name, 1 if name == "lost" else 2, [line(1), line(2)]) for name in names]
        told = await asyncio.gather(*writings, return_exceptions=True)
        await writer.append("one", 2, [line(3)])  # the writer goes on
        await writer.close()
        return told

    told = asyncio.run(evening())
    with engine.connect() as connection:
        columns = database.entries.c
        query = sql.select(columns.table_id, columns.number).where(columns.table_id.in_(names))
        rows = connection.execute(query).all()
    engine.dispose()
    assert [type(one) for one in told] == [type(None), LeaseLost, type(None)]
    assert sorted(map(tuple, rows)) == [("one", 1), ("one", 2), ("one", 3), ("other", 1), ("other", 2)]
