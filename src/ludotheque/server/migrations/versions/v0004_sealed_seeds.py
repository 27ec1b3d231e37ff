"""Seeds are sealed, the end of a match reveals its own, and cards name who was removed."""

from collections.abc import Iterable
from typing import Any, Final

import orjson
import sqlalchemy as sql
from alembic import context, op
from sqlalchemy.engine import Connection

from ludotheque.core import commitment
from ludotheque.server.seed_key import SeedCipher

revision = "0004"
down_revision = "0003"

AT_ONCE: Final = 1000  # entries
SEEDS: Final = "ludotheque_seeds"
entries = sql.table("entries", sql.column("table_id"), sql.column("number"), sql.column("kind"), sql.column("body"))
tables = sql.table("tables", sql.column("id"), sql.column("card"))  # both as they are here, whatever becomes of them


def upgrade() -> None:
    """Seal the seeds of all logs; in SQLite nothing of them stays in the file."""
    connection = op.get_bind()
    seeds: SeedCipher = context.config.attributes[SEEDS]
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON")
    rewrite = (
        sql.update(entries)
        .where(entries.c.table_id == sql.bindparam("of"), entries.c.number == sql.bindparam("at"))
        .values(body=sql.bindparam("text"))
    )
    table, seed = None, ""
    with_seeds = sql.or_(entries.c.kind.in_(("opened", "ended")), entries.c.body.like('%"next_seed"%'))
    for rows in _parts(connection, with_seeds):
        changed = []
        for row in rows:
            if row.table_id != table:
                table, seed = row.table_id, ""
            body, place = orjson.loads(row.body), f"{row.table_id}/{row.number}"
            if row.kind == "opened":
                seed = body["seed"]
                body |= {"seed": seeds.seal(seed, place), "commitment": commitment(seed)}
            elif (end := body if row.kind == "ended" else body.get("end")) is not None:
                seed, ended = end["next_seed"], seed
                end |= {"next_seed": seeds.seal(seed, place), "next_commitment": commitment(seed), "seed": ended}
            changed.append({"of": row.table_id, "at": row.number, "text": orjson.dumps(body).decode()})
        connection.execute(rewrite, changed)
    _name_the_removed(connection)


def _parts(connection: Connection, which: sql.ColumnElement[bool]) -> Iterable[Any]:
    """Some entries, a part at a time, by their key: a long log does not fill the memory."""
    here = sql.tuple_(entries.c.table_id, entries.c.number)
    query = sql.select(entries).where(which).order_by(entries.c.table_id, entries.c.number).limit(AT_ONCE)
    rows = connection.execute(query).all()
    while rows:
        yield rows
        last = rows[-1]
        rows = connection.execute(query.where(here > sql.tuple_(last.table_id, last.number))).all()


def _name_the_removed(connection: Connection) -> None:
    for rows in _parts(connection, entries.c.kind == "removed"):
        for row in rows:
            mine = tables.c.id == row.table_id
            card = orjson.loads(connection.execute(sql.select(tables.c.card).where(mine)).scalar_one())
            card["removed"] = sorted({*card.get("removed", ()), orjson.loads(row.body)["person"]})
            connection.execute(sql.update(tables).where(mine).values(card=orjson.dumps(card).decode()))
