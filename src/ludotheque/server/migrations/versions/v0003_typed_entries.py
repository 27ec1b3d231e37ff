"""Log entries get the typed, versioned form of `ludotheque.table.entries`, and their table its name."""

from collections.abc import Iterable
from typing import Any, Final

import orjson
import sqlalchemy as sql
from alembic import op
from sqlalchemy.engine import Connection

revision = "0003"
down_revision = "0002"

AT_ONCE: Final = 1000  # entries
RULES: Final = 1  # the version that every game's rules had until now
KINDS: Final = frozenset(
    (
        "began",
        "bot",
        "ended",
        "forgotten",
        "opened",
        "rematch",
        "removed",
        "sit",
        "stand",
        "step",
        "takeback",
        "takeback-asked",
        "takeback-refused",
        "taken-over",
    )
)

entries = sql.table(
    "entries", sql.column("table_id"), sql.column("number"), sql.column("kind"), sql.column("body")
)  # as it is here, whatever becomes of it later


def upgrade() -> None:
    """Rename the table, then rewrite the bodies: an entry version, `request` for `wish`, the rules' version."""
    connection = op.get_bind()
    op.rename_table("lines", "entries")
    if connection.dialect.name == "postgresql":  # SQLite names none of these
        op.execute("ALTER TABLE entries RENAME CONSTRAINT lines_pkey TO entries_pkey")
        op.execute("ALTER TABLE entries RENAME CONSTRAINT lines_table_id_fkey TO entries_table_id_fkey")
    rewrite = (
        sql.update(entries)
        .where(entries.c.table_id == sql.bindparam("of"), entries.c.number == sql.bindparam("at"))
        .values(body=sql.bindparam("text"))
    )
    for rows in _parts(connection):
        changed = [{"of": row.table_id, "at": row.number, "text": _rewritten(row)} for row in rows]
        connection.execute(rewrite, changed)


def _parts(connection: Connection) -> Iterable[Any]:
    """All entries, some at a time, by their key: a long log does not fill the memory."""
    here = sql.tuple_(entries.c.table_id, entries.c.number)
    query = sql.select(entries).order_by(entries.c.table_id, entries.c.number).limit(AT_ONCE)
    rows = connection.execute(query).all()
    while rows:
        yield rows
        last = rows[-1]
        rows = connection.execute(query.where(here > sql.tuple_(last.table_id, last.number))).all()


def _rewritten(row: Any) -> str:
    if row.kind not in KINDS:
        raise ValueError(f"table {row.table_id}, entry {row.number}: unknown kind {row.kind!r}")
    body: dict[str, Any] = {"v": 1, **orjson.loads(row.body)}
    request = body.pop("wish", None)
    if request is not None:
        body["request"] = request
    if row.kind == "opened":
        body["rules"] = RULES
    return orjson.dumps(body).decode()
