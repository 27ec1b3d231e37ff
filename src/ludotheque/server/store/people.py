"""People, their devices, the links that carry an identity to another device, and forgetting a person everywhere."""

import secrets
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.answers.problems import not_found
from ludotheque.core import JsonObject
from ludotheque.server.database import (
    attendance,
    bans,
    devices,
    entries,
    links,
    people,
    played,
    records,
    reviews,
    tables,
)
from ludotheque.server.store.base import FORGOTTEN, hashed, mark_revocation, moment, new_id, text_of

MOST_AT_ONCE = 500  # values in one query


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
    """The person whose secret it is, or None."""
    query = (
        sql.select(people.c.id, people.c.name)
        .join(devices, devices.c.person == people.c.id)
        .where(devices.c.hash == hashed(secret))
    )
    row = connection.execute(query).first()
    return None if row is None else {"id": row.id, "name": row.name}


def valid_devices(connection: Connection, hashes: Collection[str]) -> set[str]:
    """Those of some hashes whose secrets are valid."""
    wanted, found = list(hashes), set[str]()
    for first in range(0, len(wanted), MOST_AT_ONCE):
        some = wanted[first : first + MOST_AT_ONCE]
        found.update(connection.execute(sql.select(devices.c.hash).where(devices.c.hash.in_(some))).scalars())
    return found


def deleted_people(connection: Connection, some: Collection[str]) -> set[str]:
    """Those of some people who are no longer there."""
    return set(some) - set(connection.execute(sql.select(people.c.id).where(people.c.id.in_(some))).scalars())


def count_devices(connection: Connection, person: str) -> int:
    """How many devices a person uses."""
    query = sql.select(sql.func.count()).select_from(devices).where(devices.c.person == person)
    return connection.execute(query).scalar_one()


def rename(connection: Connection, person: str, name: str) -> None:
    """Change a person's name; tables keep the one under which the person sat down."""
    connection.execute(sql.update(people).where(people.c.id == person).values(name=name))


def rename_everywhere(connection: Connection, person: str, name: str) -> Sequence[str]:
    """Change a person's name wherever it is shown. Returns the tables concerned; NotFound if there is no such person."""
    if connection.execute(sql.update(people).where(people.c.id == person).values(name=name)).rowcount != 1:
        raise not_found("person")
    sat_at = _rewrite_tables(connection, person, partial(_renamed, person=person, name=name))
    _rename_in_records(connection, person, name)
    mark_revocation(connection)  # so that nobody goes by the old name
    return sat_at


def read_person(connection: Connection, person: str) -> JsonObject:
    """What is stored of a person; NotFound if there is none."""
    row = connection.execute(sql.select(people).where(people.c.id == person)).first()
    if row is None:
        raise not_found("person")
    sat_at = connection.execute(sql.select(attendance.c.table_id).where(attendance.c.person == person)).scalars()
    finished = sql.select(sql.func.count(sql.distinct(played.c.record))).where(played.c.person == person)
    return {
        "id": row.id,
        "name": row.name,
        "created": row.created,
        "devices": count_devices(connection, person),
        "tables": sorted(sat_at),
        "records": connection.execute(finished).scalar_one(),
    }


def forget_other_devices(connection: Connection, person: str, secret: str) -> None:
    """All other devices' secrets stop working."""
    connection.execute(sql.delete(devices).where(devices.c.person == person, devices.c.hash != hashed(secret)))
    connection.execute(sql.delete(links).where(links.c.person == person))
    mark_revocation(connection)


def add_link(connection: Connection, person: str, seconds: int, now: int) -> tuple[str, int]:
    """A one-time code, and the date at which it expires. `now`, by which it does, is in the site's time."""
    code = secrets.token_urlsafe(16)
    connection.execute(sql.delete(links).where(links.c.expires < now))
    connection.execute(sql.insert(links).values(hash=hashed(code), person=person, expires=now + 1000 * seconds))
    return code, moment() + 1000 * seconds


def use_link(connection: Connection, code: str, now: int) -> tuple[JsonObject, str]:
    """The person whose one-time code it is, with a new secret; the code is spent. `now` is in the site's time."""
    row = connection.execute(sql.select(links).where(links.c.hash == hashed(code))).first()
    spent = connection.execute(sql.delete(links).where(links.c.hash == hashed(code))).rowcount
    if row is None or spent != 1 or row.expires < now:
        raise not_found("link")
    name = connection.execute(sql.select(people.c.name).where(people.c.id == row.person)).scalar_one()
    return {"id": row.person, "name": name}, add_device(connection, row.person)


def forget_person(connection: Connection, person: str) -> Sequence[str]:
    """Remove a person from seats, logs, cards, records and secrets. Returns the tables concerned."""
    sat_at = _rewrite_tables(connection, person, partial(_without, person=person))
    connection.execute(sql.delete(attendance).where(attendance.c.person == person))
    _rename_in_records(connection, person, FORGOTTEN)
    connection.execute(sql.delete(played).where(played.c.person == person))
    connection.execute(sql.delete(records).where(records.c.uploader == person))
    connection.execute(sql.update(reviews).where(reviews.c.person == person).values(person=FORGOTTEN))
    connection.execute(sql.delete(bans).where(bans.c.kind == "person", bans.c.who == person))
    connection.execute(sql.delete(people).where(people.c.id == person))
    mark_revocation(connection)
    return sat_at


def _rewrite_tables(connection: Connection, person: str, rewrite: Callable[[dict[str, Any]], Any]) -> Sequence[str]:
    """Rewrite the logs and cards of the tables at which a person sat; returns their ids."""
    sat_at = list(connection.execute(sql.select(attendance.c.table_id).where(attendance.c.person == person)).scalars())
    for table in sat_at:
        _rewrite_log(connection, table, rewrite)
        card = connection.execute(sql.select(tables.c.card).where(tables.c.id == table)).scalar_one()
        connection.execute(
            sql.update(tables).where(tables.c.id == table).values(card=text_of(rewrite(orjson.loads(card))))
        )
    return sat_at


def _rename_in_records(connection: Connection, person: str, name: str) -> None:
    mine = connection.execute(sql.select(played.c.record, played.c.seat).where(played.c.person == person)).all()
    for record, seat in mine:
        row = connection.execute(sql.select(records.c.card, records.c.body).where(records.c.id == record)).one()
        card, body = orjson.loads(row.card), orjson.loads(row.body)
        card["players"][seat]["name"] = body["players"][seat]["name"] = name
        connection.execute(
            sql.update(records).where(records.c.id == record).values(card=text_of(card), body=text_of(body))
        )


def _rewrite_log(connection: Connection, table: str, rewrite: Callable[[dict[str, Any]], Any]) -> None:
    named = sql.select(entries.c.number, entries.c.body).where(
        entries.c.table_id == table, entries.c.kind.in_(("opened", "sit"))
    )
    for row in connection.execute(named).all():
        body = orjson.loads(row.body)
        connection.execute(
            sql.update(entries)
            .where(entries.c.table_id == table, entries.c.number == row.number)
            .values(body=text_of(rewrite(body)))
        )


def _without(body: dict[str, Any], person: str) -> dict[str, Any]:
    """An entry or card without a person's name. The id, which refers to nobody now, stays, so that the log can be replayed."""
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


def _renamed(body: dict[str, Any], person: str, name: str) -> dict[str, Any]:
    """An entry or card with a person's other name, also at seats that they gave names of their own."""
    if body.get("host") == person:
        body["host_name"] = name
    elif isinstance(body.get("host"), dict) and body["host"]["id"] == person:
        body["host"]["name"] = name
    for seat in [body, *(body.get("seats") or [])]:
        holder = seat.get("person")
        if holder == person and "person_name" in seat:
            seat["person_name"], seat["name"] = name, None
        elif isinstance(holder, dict) and holder["id"] == person:
            seat["person"]["name"] = seat["name"] = name
    return body
