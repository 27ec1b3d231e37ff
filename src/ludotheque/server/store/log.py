"""The log of a table as rows: an entry is stored as its kind and its JSON body. What entries mean is in `ludotheque.table`."""

from collections.abc import Sequence
from typing import Any

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.server.database import entries
from ludotheque.server.store.base import text_of
from ludotheque.table.entries import LogEntry, read_entry, write_entry


def add_entries(connection: Connection, table: str, epoch: int, log: Sequence[LogEntry]) -> None:
    """Add entries to a table's log."""
    rows = [
        {
            "table_id": table,
            "number": one.number,
            "kind": one.kind,
            "body": text_of(write_entry(one.entry)),
            "at": one.at,
            "epoch": epoch,
        }
        for one in log
    ]
    connection.execute(sql.insert(entries), rows)


def read_entries(connection: Connection, table: str) -> list[LogEntry]:
    """The whole log of a table; BadEntry if this version cannot read it."""
    return [
        LogEntry(row.number, read_entry(row.kind, orjson.loads(row.body)), row.at) for row in _rows(connection, table)
    ]


def _rows(connection: Connection, table: str) -> Sequence[Any]:
    query = sql.select(entries.c.number, entries.c.kind, entries.c.body, entries.c.at)
    return connection.execute(query.where(entries.c.table_id == table).order_by(entries.c.number)).all()
