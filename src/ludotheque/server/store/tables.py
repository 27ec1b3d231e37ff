"""Tables from outside, and who sat at them. Their logs are in `log`."""

from collections.abc import Mapping, Sequence

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.core import JsonObject
from ludotheque.server.database import attendance, tables
from ludotheque.server.problems import not_found
from ludotheque.server.store.base import moment, text_of


def add_table(connection: Connection, card: JsonObject, attended: bool) -> None:
    """Add a table."""
    connection.execute(
        sql.insert(tables).values(
            id=card["id"],
            game=card["game"],
            private=card["private"],
            status=card["status"],
            attended=attended,
            card=text_of(card),
            created=card["created"],
            touched=card["touched"],
        )
    )


def update_table(connection: Connection, card: JsonObject, attended: bool) -> None:
    """Update a table whose seats or state have changed."""
    connection.execute(
        sql.update(tables)
        .where(tables.c.id == card["id"])
        .values(status=card["status"], attended=attended, card=text_of(card), touched=card["touched"])
    )


def attend(connection: Connection, table: str, person: str) -> None:
    """Store that a person sat at a table."""
    if connection.execute(
        sql.select(attendance).where(attendance.c.table_id == table, attendance.c.person == person)
    ).first():
        return
    connection.execute(sql.insert(attendance).values(table_id=table, person=person))


def set_attended(connection: Connection, table: str, *, attended: bool) -> None:
    """Mark whether some process must own a table. One that is not attended is loaded when somebody connects."""
    connection.execute(sql.update(tables).where(tables.c.id == table).values(attended=attended))


def table_card(connection: Connection, table: str) -> JsonObject:
    """A table from outside."""
    text = connection.execute(sql.select(tables.c.card).where(tables.c.id == table)).scalar()
    if text is None:
        raise not_found("table")
    card: JsonObject = orjson.loads(text)
    return card


def list_tables(
    connection: Connection, game: str | None, status: str | None, person: str | None
) -> Sequence[JsonObject]:
    """Public tables, or all of a person's, the latest first."""
    query = sql.select(tables.c.card).order_by(tables.c.touched.desc()).limit(100)
    if person is None:
        query = query.where(tables.c.private.is_(False))
    else:
        query = query.join(attendance, attendance.c.table_id == tables.c.id).where(attendance.c.person == person)
    if game is not None:
        query = query.where(tables.c.game == game)
    if status is not None:
        query = query.where(tables.c.status == status)
    return [orjson.loads(card) for card in connection.execute(query).scalars()]


def sweep_tables(connection: Connection, days: int) -> Sequence[str]:
    """Delete the tables that nobody has touched for so many days; returns their ids."""
    before = moment() - days * 86_400_000
    old = list(connection.execute(sql.select(tables.c.id).where(tables.c.touched < before).limit(1000)).scalars())
    if old:
        connection.execute(sql.delete(tables).where(tables.c.id.in_(old)))
    return old


def touch(connection: Connection, at: Mapping[str, int]) -> None:
    """Store when tables were last played at; steps do not update their rows."""
    one = sql.update(tables).where(tables.c.id == sql.bindparam("table")).values(touched=sql.bindparam("moment"))
    connection.execute(one, [{"table": table, "moment": touched} for table, touched in at.items()])
