"""The log of a table as rows: an entry is stored as its kind and its JSON body. What entries mean is in `ludotheque.table`.

Seeds are stored sealed, since whoever can read them knows all dice to come. The end of a match has its seed as it is.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.core import Json, JsonObject, commitment
from ludotheque.server.database import entries, seeds_of
from ludotheque.server.seed_key import SEALED, SeedCipher
from ludotheque.server.store.base import text_of
from ludotheque.table.entries import LogEntry, read_entry, write_entry

SEED, NEXT_SEED, COMMITMENT, NEXT_COMMITMENT = "seed", "next_seed", "commitment", "next_commitment"
END, REVEALED = "end", "seed"
WITH_SEEDS: Final = frozenset({"opened", "ended", "step"})


def stored_body(table: str, line: LogEntry, seeds: SeedCipher) -> JsonObject:
    """The body of an entry as it is stored."""
    body = write_entry(line.entry)
    if line.kind not in WITH_SEEDS or (line.kind == "step" and END not in body):
        return body
    place = seed_place(table, line.number)
    if line.kind == "opened":
        return {**body, COMMITMENT: commitment(str(body[SEED])), SEED: seeds.seal(str(body[SEED]), place)}
    if line.kind == "ended":
        return _sealed_end(body, seeds, place)
    end = body[END]
    assert isinstance(end, dict)
    return {**body, END: _sealed_end(end, seeds, place)}


def _sealed_end(end: Mapping[str, Json], seeds: SeedCipher, place: str) -> dict[str, Json]:
    seed = str(end[NEXT_SEED])
    return {**end, NEXT_SEED: seeds.seal(seed, place), NEXT_COMMITMENT: commitment(seed)} if seed else {**end}


def seed_place(table: str, number: int) -> str:
    """Where a seed is stored: sealed there, it is of no use anywhere else."""
    return f"{table}/{number}"


def add_entries(connection: Connection, table: str, epoch: int, log: Sequence[LogEntry]) -> None:
    """Add entries to a table's log."""
    rows = [
        {
            "table_id": table,
            "number": one.number,
            "kind": one.kind,
            "body": text_of(stored_body(table, one, seeds_of(connection))),
            "at": one.at,
            "epoch": epoch,
        }
        for one in log
    ]
    connection.execute(sql.insert(entries), rows)


def read_entries(connection: Connection, table: str) -> list[LogEntry]:
    """The whole log of a table; BadEntry if this version cannot read it.

    A seed that another key has sealed is empty, unless its match has ended.
    """
    rows = [(row.number, row.kind, orjson.loads(row.body), row.at) for row in _rows(connection, table)]
    _unseal(table, [(number, kind, body) for number, kind, body, _ in rows], seeds_of(connection))
    return [LogEntry(number, read_entry(kind, body), at) for number, kind, body, at in rows]


def _unseal(table: str, rows: Sequence[tuple[int, str, Any]], seeds: SeedCipher) -> None:
    """Put the seeds into bodies. From the end on: what is not readable is told by the end of its match, if that is there."""
    revealed = ""
    for number, kind, body in reversed(rows):
        if kind not in WITH_SEEDS or not isinstance(body, dict):
            continue
        holder, name = (body, SEED) if kind == "opened" else (body.get(END) if kind == "step" else body, NEXT_SEED)
        if not isinstance(holder, dict):
            continue
        sealed = holder.get(name)
        if isinstance(sealed, str) and sealed.startswith(SEALED):
            found = seeds.unseal(sealed, seed_place(table, number))
            holder[name] = revealed if found is None else found
        if kind != "opened":
            revealed = holder.get(REVEALED) or ""


def _rows(connection: Connection, table: str) -> Sequence[Any]:
    query = sql.select(entries.c.number, entries.c.kind, entries.c.body, entries.c.at)
    return connection.execute(query.where(entries.c.table_id == table).order_by(entries.c.number)).all()
