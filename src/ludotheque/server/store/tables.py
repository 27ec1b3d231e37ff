"""Tables from outside, and who sat at them. Their logs are in `log`."""

from collections.abc import Mapping, Sequence

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.answers.problems import not_found
from ludotheque.core import Json, JsonObject
from ludotheque.server.clock import MARK
from ludotheque.server.database import attendance, entries, keys, leases, tables
from ludotheque.server.store.base import text_of

MOST_AT_ONCE = 500  # values in one query
REMOVED = "removed"  # of a card: who may not see it any more
_CARDS = sql.select(tables.c.card, leases.c.epoch).select_from(tables).outerjoin(leases)
AWAITS = "awaits"  # of a card: the person whom the table waits for, where no process has held it since that was so


def add_table(connection: Connection, card: JsonObject, attended: bool, touched: int) -> None:
    """Add a table. `touched`, from which its age is counted, is in the site's time; the card has the date."""
    connection.execute(
        sql.insert(tables).values(
            id=card["id"],
            game=card["game"],
            private=card["private"],
            status=card["status"],
            attended=attended,
            card=text_of(card),
            created=card["created"],
            touched=touched,
        )
    )


def update_table(connection: Connection, card: JsonObject, attended: bool, touched: int) -> None:
    """Update a table whose seats or state have changed, at a moment of the site's time."""
    connection.execute(
        sql.update(tables)
        .where(tables.c.id == card["id"])
        .values(status=card["status"], attended=attended, card=text_of(card), touched=touched)
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
    row = connection.execute(_CARDS.where(tables.c.id == table)).first()
    if row is None:
        raise not_found("table")
    return _read_card(row.card, row.epoch)


def _read_card(text: str, epoch: int | None) -> JsonObject:
    """A stored card. Whom it says the table waits for is left out if the table has had another owner since."""
    card: dict[str, Json] = orjson.loads(text)
    awaits = card.pop(AWAITS, None)
    if isinstance(awaits, dict) and awaits["epoch"] == epoch:
        card[AWAITS] = awaits["person"]
    return card


def note_awaited(connection: Connection, table: str, epoch: int, person: str | None) -> None:
    """Store whom a table waits for that its owner, who has it in this epoch, is about to release."""
    lease = sql.select(leases.c.epoch).where(leases.c.table_id == table).with_for_update()
    if connection.execute(lease).scalar() != epoch:
        return
    text = connection.execute(sql.select(tables.c.card).where(tables.c.id == table)).scalar_one()
    card = {**orjson.loads(text), AWAITS: {"person": person, "epoch": epoch}}
    connection.execute(sql.update(tables).where(tables.c.id == table).values(card=text_of(card)))


def list_tables(
    connection: Connection, game: str | None, status: str | None, person: str | None
) -> Sequence[JsonObject]:
    """Public tables that are open to newcomers, or all of a person's, the latest first.

    A person's private tables are left out where they were removed.
    """
    query = _CARDS.order_by(tables.c.touched.desc()).limit(100)
    if person is None:
        query = query.where(tables.c.private.is_(False))
    else:
        query = query.join(attendance, attendance.c.table_id == tables.c.id).where(attendance.c.person == person)
    if game is not None:
        query = query.where(tables.c.game == game)
    if status is not None:
        query = query.where(tables.c.status == status)
    cards = [_read_card(row.card, row.epoch) for row in connection.execute(query)]
    if person is None:
        return [card for card in cards if card.get("newcomers", True)]
    return [card for card in cards if not card["private"] or not _is_removed(card, person)]


def _is_removed(card: JsonObject, person: str) -> bool:
    removed = card.get(REMOVED)
    return isinstance(removed, list) and person in removed


def survey_tables(connection: Connection, some: Sequence[str], most: int) -> Sequence[JsonObject]:
    """For the operator: some tables, and the latest ones besides."""
    latest = sql.select(tables.c.id).order_by(tables.c.touched.desc()).limit(most)
    wanted = list(dict.fromkeys([*some, *connection.execute(latest).scalars()]))
    steps = (
        sql.select(sql.func.count())
        .where(entries.c.table_id == tables.c.id, entries.c.kind == "step")
        .scalar_subquery()
        .label("actions")
    )
    mark = connection.execute(sql.select(keys.c.value).where(keys.c.name == MARK)).scalar()
    ahead = 0 if mark is None else int(mark.split()[1]) - int(mark.split()[0])  # the date, of the site's time
    found: list[JsonObject] = []
    for first in range(0, len(wanted), MOST_AT_ONCE):
        query = (
            sql.select(
                tables.c.id, tables.c.game, tables.c.status, tables.c.card, tables.c.touched, leases.c.owner, steps
            )
            .join(leases, leases.c.table_id == tables.c.id)
            .where(tables.c.id.in_(wanted[first : first + MOST_AT_ONCE]))
        )
        for row in connection.execute(query).mappings():
            told = dict(row)
            seats = orjson.loads(told.pop("card"))["seats"]
            told["touched"] += ahead
            found.append({**told, "names": [seat["name"] for seat in seats if seat["kind"] != "open"]})
    return found


def sweep_tables(connection: Connection, before: int) -> Sequence[str]:
    """Delete the tables that nobody has touched since a moment of the site's time; returns their ids."""
    old = list(connection.execute(sql.select(tables.c.id).where(tables.c.touched < before).limit(1000)).scalars())
    if old:
        connection.execute(sql.delete(tables).where(tables.c.id.in_(old)))
    return old


def touch(connection: Connection, at: Mapping[str, int]) -> None:
    """Store when tables were last played at, in the site's time; steps do not update their rows."""
    one = sql.update(tables).where(tables.c.id == sql.bindparam("table")).values(touched=sql.bindparam("moment"))
    connection.execute(one, [{"table": table, "moment": touched} for table, touched in at.items()])
