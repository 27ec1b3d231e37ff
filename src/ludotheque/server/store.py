"""What is read from and written to the database, in the server's own words; each function is one transaction's work.

When it is committed is the writer's business; what it means, the callers'.
"""

import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.core import JsonObject
from ludotheque.server.database import attendance, devices, keys, lines, links, people, played, records, reviews, tables
from ludotheque.server.problems import WhoAreYou, not_found
from ludotheque.server.table import Line

FORGOTTEN = "…"


def moment() -> int:
    """Now, in milliseconds."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """An address that nobody can guess: 128 bits."""
    return secrets.token_urlsafe(16)


def hashed(secret: str) -> str:
    """What is stored of a secret. Secrets are 256 random bits, so a plain hash cannot be searched."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def text_of(value: Any) -> str:
    """JSON for a column."""
    return orjson.dumps(value).decode()


# People


def add_person(connection: Connection, name: str) -> tuple[JsonObject, str]:
    """A new person and their first secret."""
    person = new_id()
    connection.execute(sql.insert(people).values(id=person, name=name, created=moment()))
    return {"id": person, "name": name}, add_device(connection, person)


def add_device(connection: Connection, person: str) -> str:
    """A further secret of a person."""
    secret = secrets.token_urlsafe(32)
    connection.execute(sql.insert(devices).values(hash=hashed(secret), person=person, created=moment()))
    return secret


def person_of(connection: Connection, secret: str) -> JsonObject | None:
    """Whose secret that is."""
    query = (
        sql.select(people.c.id, people.c.name)
        .join(devices, devices.c.person == people.c.id)
        .where(devices.c.hash == hashed(secret))
    )
    row = connection.execute(query).first()
    return None if row is None else {"id": row.id, "name": row.name}


def count_devices(connection: Connection, person: str) -> int:
    """How many devices a person uses."""
    query = sql.select(sql.func.count()).select_from(devices).where(devices.c.person == person)
    return connection.execute(query).scalar_one()


def rename(connection: Connection, person: str, name: str) -> None:
    """Another name from now on; tables keep the one under which a person sat down."""
    connection.execute(sql.update(people).where(people.c.id == person).values(name=name))


def forget_other_devices(connection: Connection, person: str, secret: str) -> None:
    """All other devices' secrets stop working."""
    connection.execute(sql.delete(devices).where(devices.c.person == person, devices.c.hash != hashed(secret)))
    connection.execute(sql.delete(links).where(links.c.person == person))


def add_link(connection: Connection, person: str, seconds: int) -> tuple[str, int]:
    """A one-time code, and when it expires."""
    code, expires = secrets.token_urlsafe(16), moment() + 1000 * seconds
    connection.execute(sql.delete(links).where(links.c.expires < moment()))
    connection.execute(sql.insert(links).values(hash=hashed(code), person=person, expires=expires))
    return code, expires


def use_link(connection: Connection, code: str) -> tuple[JsonObject, str]:
    """The person whose one-time code it is, with a new secret; the code is spent."""
    row = connection.execute(sql.select(links).where(links.c.hash == hashed(code))).first()
    spent = connection.execute(sql.delete(links).where(links.c.hash == hashed(code))).rowcount
    if row is None or spent != 1 or row.expires < moment():
        raise not_found("link (it works once, for ten minutes)", "lien (il sert une fois, pendant dix minutes)")
    name = connection.execute(sql.select(people.c.name).where(people.c.id == row.person)).scalar_one()
    return {"id": row.person, "name": name}, add_device(connection, row.person)


def forget_person(connection: Connection, person: str) -> Sequence[str]:
    """Take a person out of everything that is stored: seats, logs, cards, records, secrets. Returns the tables concerned."""
    sat_at = list(connection.execute(sql.select(attendance.c.table_id).where(attendance.c.person == person)).scalars())
    for table in sat_at:
        _forget_in_lines(connection, table, person)
        card = connection.execute(sql.select(tables.c.card).where(tables.c.id == table)).scalar_one()
        connection.execute(
            sql.update(tables).where(tables.c.id == table).values(card=text_of(_without(orjson.loads(card), person)))
        )
    connection.execute(sql.delete(attendance).where(attendance.c.person == person))
    mine = connection.execute(sql.select(played.c.record, played.c.seat).where(played.c.person == person)).all()
    for record, seat in mine:
        row = connection.execute(sql.select(records.c.card, records.c.body).where(records.c.id == record)).one()
        card, body = orjson.loads(row.card), orjson.loads(row.body)
        card["players"][seat]["name"] = body["players"][seat]["name"] = FORGOTTEN
        connection.execute(
            sql.update(records).where(records.c.id == record).values(card=text_of(card), body=text_of(body))
        )
    connection.execute(sql.delete(played).where(played.c.person == person))
    connection.execute(sql.delete(records).where(records.c.uploader == person))
    connection.execute(sql.update(reviews).where(reviews.c.person == person).values(person=FORGOTTEN))
    connection.execute(sql.delete(people).where(people.c.id == person))
    return sat_at


def _forget_in_lines(connection: Connection, table: str, person: str) -> None:
    named = sql.select(lines.c.number, lines.c.body).where(
        lines.c.table_id == table, lines.c.kind.in_(("opened", "sit"))
    )
    for row in connection.execute(named).all():
        body = orjson.loads(row.body)
        connection.execute(
            sql.update(lines)
            .where(lines.c.table_id == table, lines.c.number == row.number)
            .values(body=text_of(_without(body, person)))
        )


def _without(body: dict[str, Any], person: str) -> dict[str, Any]:
    """The same line or card without a person's name; the id alone, which leads nowhere any more, keeps the log whole."""
    if body.get("host") == person:
        body["host_name"] = FORGOTTEN
    elif isinstance(body.get("host"), dict) and body["host"]["id"] == person:
        body["host"] = None
    for seat in [body, *(body.get("seats") or [])]:
        holder = seat.get("person")
        if holder == person:
            seat["person_name"], seat["name"] = FORGOTTEN, None
        elif isinstance(holder, dict) and holder["id"] == person:
            seat["person"], seat["name"] = None, FORGOTTEN
    return body


# Tables


def add_table(connection: Connection, card: JsonObject, attended: bool) -> None:
    """A table that was opened."""
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
    """A table whose seats or state have changed."""
    connection.execute(
        sql.update(tables)
        .where(tables.c.id == card["id"])
        .values(status=card["status"], attended=attended, card=text_of(card), touched=card["touched"])
    )


def attend(connection: Connection, table: str, person: str) -> None:
    """Remember that a person sat at a table."""
    if connection.execute(
        sql.select(attendance).where(attendance.c.table_id == table, attendance.c.person == person)
    ).first():
        return
    connection.execute(sql.insert(attendance).values(table_id=table, person=person))


def unattend(connection: Connection, table: str) -> None:
    """A table that cannot be taken up is left alone until somebody comes."""
    connection.execute(sql.update(tables).where(tables.c.id == table).values(attended=False))


def line_rows(table: str, epoch: int, log: Sequence[Line]) -> list[dict[str, Any]]:
    """Lines as rows."""
    return [
        {
            "table_id": table,
            "number": line.number,
            "kind": line.kind,
            "body": text_of(line.body),
            "at": line.at,
            "epoch": epoch,
        }
        for line in log
    ]


def add_lines(connection: Connection, table: str, epoch: int, log: Sequence[Line]) -> None:
    """Add lines to a table's log."""
    connection.execute(sql.insert(lines), line_rows(table, epoch, log))


def read_lines(connection: Connection, table: str) -> list[Line]:
    """The whole log of a table."""
    query = sql.select(lines.c.number, lines.c.kind, lines.c.body, lines.c.at).where(lines.c.table_id == table)
    return [
        Line(row.number, row.kind, orjson.loads(row.body), row.at)
        for row in connection.execute(query.order_by(lines.c.number))
    ]


def table_card(connection: Connection, table: str) -> JsonObject:
    """A table from outside."""
    text = connection.execute(sql.select(tables.c.card).where(tables.c.id == table)).scalar()
    if text is None:
        raise not_found("table", "table")
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
    """Remove the tables that nobody has touched for so long; returns which."""
    before = moment() - days * 86_400_000
    old = list(connection.execute(sql.select(tables.c.id).where(tables.c.touched < before).limit(1000)).scalars())
    if old:
        connection.execute(sql.delete(tables).where(tables.c.id.in_(old)))
    return old


def touch(connection: Connection, at: Mapping[str, int]) -> None:
    """When tables were last played at; steps alone do not update their rows."""
    for table, touched in at.items():
        connection.execute(sql.update(tables).where(tables.c.id == table).values(touched=touched))


# Records


def add_record(
    connection: Connection,
    card: JsonObject,
    body: JsonObject,
    *,
    private: bool,
    seats: Mapping[int, str] | None = None,
    uploader: str | None = None,
) -> None:
    """A finished game, or an uploaded one."""
    connection.execute(
        sql.insert(records).values(
            id=card["id"],
            game=card["game"],
            private=private,
            uploader=uploader,
            ended=card["ended"],
            card=text_of(card),
            body=text_of(body),
        )
    )
    for seat, person in (seats or {}).items():
        connection.execute(sql.insert(played).values(record=card["id"], person=person, seat=seat))


def add_upload(connection: Connection, card: JsonObject, body: JsonObject, person: str) -> None:
    """Keep an uploaded record; the same one again changes nothing."""
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


def read_record_text(connection: Connection, record: str) -> str:
    """A record's JSON."""
    text = connection.execute(sql.select(records.c.body).where(records.c.id == record)).scalar()
    if text is None:
        raise not_found("record", "partie")
    return str(text)


def delete_record(connection: Connection, record: str, person: str) -> None:
    """Remove an upload of one's own."""
    if (
        connection.execute(sql.delete(records).where(records.c.id == record, records.c.uploader == person)).rowcount
        != 1
    ):
        raise not_found("upload of yours", "partie importée par vous")


# Keys


def key(connection: Connection, name: str) -> str:
    """A secret that all processes of this site share; made when first asked for."""
    found = connection.execute(sql.select(keys.c.value).where(keys.c.name == name)).scalar()
    if found is not None:
        return str(found)
    value = secrets.token_urlsafe(32)
    connection.execute(sql.insert(keys).values(name=name, value=value))
    return value


def must_be(person: JsonObject | None) -> JsonObject:
    """The person, or the problem that nobody is known."""
    if person is None:
        raise WhoAreYou(
            "This needs to know who you are: choose a name first.",
            "Il faut d'abord savoir qui vous êtes : choisissez un nom.",
        )
    return person
