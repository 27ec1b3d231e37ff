"""Records of finished games, and uploaded ones. Callers have checked that they are legal."""

from collections.abc import Mapping, Sequence

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.answers.problems import not_found
from ludotheque.core import JsonObject
from ludotheque.server.database import played, records, reviews
from ludotheque.server.store.base import text_of


def add_record(
    connection: Connection,
    card: JsonObject,
    body: JsonObject | str,
    *,
    private: bool,
    seats: Mapping[int, str] | None = None,
    uploader: str | None = None,
) -> None:
    """Add the record of a finished game, or an uploaded one; `body` is the record, or its JSON."""
    connection.execute(
        sql.insert(records).values(
            id=card["id"],
            game=card["game"],
            private=private,
            uploader=uploader,
            ended=card["ended"],
            card=text_of(card),
            body=body if isinstance(body, str) else text_of(body),
        )
    )
    for seat, person in (seats or {}).items():
        connection.execute(sql.insert(played).values(record=card["id"], person=person, seat=seat))


def add_upload(connection: Connection, card: JsonObject, body: str, person: str) -> None:
    """Add an uploaded record, unless it is there already."""
    if connection.execute(sql.select(records.c.id).where(records.c.id == card["id"])).first() is None:
        add_record(connection, card, body, private=True, uploader=person)


def list_records(
    connection: Connection, game: str | None, before: int | None, person: str | None
) -> Sequence[JsonObject]:
    """Finished public games, or a person's games and uploads, the latest first."""
    query = sql.select(records.c.card).order_by(records.c.ended.desc()).limit(50)
    if person is None:
        query = query.where(records.c.private.is_(False))
    else:
        mine = sql.select(played.c.record).where(played.c.person == person)
        query = query.where(sql.or_(records.c.id.in_(mine), records.c.uploader == person))
    if game is not None:
        query = query.where(records.c.game == game)
    if before is not None:
        query = query.where(records.c.ended < before)
    return [orjson.loads(card) for card in connection.execute(query).scalars()]


def list_results(
    connection: Connection, person: str, before: int | None, most: int
) -> Sequence[tuple[JsonObject, Sequence[int], str | None]]:
    """The finished games that a person played at tables, the latest first: cards, their seats, finished reviews."""
    mine = sql.select(played.c.record).where(played.c.person == person)
    query = (
        sql.select(records.c.id, records.c.card, reviews.c.body)
        .outerjoin(reviews, sql.and_(reviews.c.record == records.c.id, reviews.c.state == "done"))
        .where(records.c.id.in_(mine))
        .order_by(records.c.ended.desc())
        .limit(most)
    )
    if before is not None:
        query = query.where(records.c.ended < before)
    rows = connection.execute(query).all()
    seats: dict[str, list[int]] = {row.id: [] for row in rows}
    sat = sql.select(played.c.record, played.c.seat).where(played.c.person == person, played.c.record.in_(seats))
    for record, seat in connection.execute(sat.order_by(played.c.seat)).all():
        seats[record].append(seat)
    return [(orjson.loads(row.card), seats[row.id], row.body) for row in rows]


def record_card(connection: Connection, record: str) -> JsonObject:
    """What lists show of a record."""
    card = connection.execute(sql.select(records.c.card).where(records.c.id == record)).scalar()
    if card is None:
        raise not_found("record")
    found: JsonObject = orjson.loads(card)
    return found


def read_record_text(connection: Connection, record: str) -> str:
    """A record's JSON."""
    text = connection.execute(sql.select(records.c.body).where(records.c.id == record)).scalar()
    if text is None:
        raise not_found("record")
    return str(text)


def delete_record(connection: Connection, record: str, person: str) -> None:
    """Delete an upload of a person."""
    if (
        connection.execute(sql.delete(records).where(records.c.id == record, records.c.uploader == person)).rowcount
        != 1
    ):
        raise not_found("upload")
