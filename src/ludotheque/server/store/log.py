"""The log of a table as rows: an entry is stored as its kind and its JSON body. What entries mean is in `ludotheque.table`."""

from collections.abc import Sequence
from typing import Any

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.core import find_game
from ludotheque.server.database import entries
from ludotheque.server.log import Line
from ludotheque.server.store.base import text_of
from ludotheque.table.entries import VERSION, LogEntry, read_entry, write_entry


def body_of(entry: LogEntry | Line) -> str:
    """An entry's body as it is stored."""
    return text_of(write_entry(entry.entry) if isinstance(entry, LogEntry) else _from_line(entry))


def add_entries(connection: Connection, table: str, epoch: int, log: Sequence[LogEntry | Line]) -> None:
    """Add entries to a table's log."""
    rows = [
        {"table_id": table, "number": one.number, "kind": one.kind, "body": body_of(one), "at": one.at, "epoch": epoch}
        for one in log
    ]
    connection.execute(sql.insert(entries), rows)


def read_entries(connection: Connection, table: str) -> list[LogEntry]:
    """The whole log of a table; BadEntry if this version cannot read it."""
    return [
        LogEntry(row.number, read_entry(row.kind, orjson.loads(row.body)), row.at) for row in _rows(connection, table)
    ]


def read_lines(connection: Connection, table: str) -> list[Line]:
    """The whole log of a table as untyped lines, checked like `read_entries`."""
    found = []
    for row in _rows(connection, table):
        body = orjson.loads(row.body)
        read_entry(row.kind, body)
        found.append(Line(row.number, row.kind, _to_line(body), row.at))
    return found


def _rows(connection: Connection, table: str) -> Sequence[Any]:
    query = sql.select(entries.c.number, entries.c.kind, entries.c.body, entries.c.at)
    return connection.execute(query.where(entries.c.table_id == table).order_by(entries.c.number)).all()


def _from_line(line: Line) -> dict[str, Any]:
    body = {"v": VERSION, **line.body}
    request = body.pop("wish", None)
    if request is not None:
        body["request"] = request
    if line.kind == "opened":
        body["rules"] = find_game(body["game"]).rules_version
    return body


def _to_line(body: dict[str, Any]) -> dict[str, Any]:
    request = body.pop("request", None)
    return body if request is None else {**body, "wish": request}
