"""The operator's orders and their answers, bans, reports, the audit log, and what holds for the whole site.

What orders do is in `ludotheque.server.admin`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.answers.problems import not_found
from ludotheque.core import JsonObject
from ludotheque.server.clock import database_date, steady
from ludotheque.server.database import answers, audit, bans, orders, people, processes, reports, site
from ludotheque.server.store.base import mark_operation, moment, new_id, text_of

ORDER_SECONDS: Final = 60.0  # after which an order that nobody has carried out is not carried out any more
DAY: Final = 86_400_000  # milliseconds
REPORT_DAYS: Final = 90
ENDED_BAN_DAYS: Final = 30
AUDIT_DAYS: Final = 366  # a day more than the database insists on


@dataclass(frozen=True, slots=True)
class Order:
    """Something that the operator asks of the running processes; `operator` is their system user."""

    id: str
    operator: str
    what: str
    body: JsonObject


@dataclass(frozen=True, slots=True)
class Ban:
    """Who is banned: a person's id, or a network. Without `until`, for good."""

    kind: str
    who: str
    at: int
    until: int | None
    reason: str | None


# Orders


def living_processes(connection: Connection) -> Sequence[str]:
    """The processes that run."""
    now = database_date(connection) if connection.dialect.name == "postgresql" else steady()  # as `leases` counts
    query = sql.select(processes.c.id).where(processes.c.expires > now).order_by(processes.c.id)
    return list(connection.execute(query).scalars())


def add_order(connection: Connection, operator: str, what: str, body: JsonObject) -> str:
    """Give an order to all processes; returns its id."""
    order = new_id()
    at = int(database_date(connection) * 1000)
    connection.execute(
        sql.insert(orders).values(id=order, at=at, operator=operator[:100], what=what, body=text_of(body), owner=None)
    )
    return order


def remove_order(connection: Connection, order: str) -> None:
    """Nobody waits for it any more."""
    connection.execute(sql.delete(orders).where(orders.c.id == order))


def pending_orders(connection: Connection, process: str) -> Sequence[Order]:
    """The orders that a process has not answered, in the order in which they came."""
    answered = sql.select(answers.c.order_id).where(answers.c.process == process)
    since = int((database_date(connection) - ORDER_SECONDS) * 1000)
    query = sql.select(orders).where(orders.c.at > since, orders.c.id.not_in(answered)).order_by(orders.c.at)
    return [Order(row.id, row.operator, row.what, orjson.loads(row.body)) for row in connection.execute(query)]


def claim_order(connection: Connection, order: str, process: str) -> bool:
    """Whether this process carries out an order that one process does for all."""
    claim = sql.update(orders).where(orders.c.id == order, orders.c.owner.is_(None)).values(owner=process)
    return connection.execute(claim).rowcount == 1


def add_answer(connection: Connection, order: str, process: str, body: JsonObject) -> None:
    """Answer an order, unless nobody waits for it any more."""
    if connection.execute(sql.select(orders.c.id).where(orders.c.id == order)).first() is not None:
        connection.execute(sql.insert(answers).values(order_id=order, process=process, body=text_of(body)))


def read_answers(connection: Connection, order: str) -> Mapping[str, JsonObject]:
    """What processes have answered so far."""
    rows = connection.execute(sql.select(answers.c.process, answers.c.body).where(answers.c.order_id == order))
    return {row.process: orjson.loads(row.body) for row in rows}


# The audit log


def add_audit(connection: Connection, order: Order, subject: str, reason: str | None, stored: int) -> None:
    """Note what an operator has changed, and let all processes know that something has."""
    connection.execute(
        sql.insert(audit).values(
            id=new_id(),
            at=moment(),
            operator=order.operator,
            what=order.what,
            subject=subject[:100],
            reason=None if reason is None else reason[:500],
            stored=stored,
        )
    )
    mark_operation(connection)


def list_audit(connection: Connection, most: int) -> Sequence[JsonObject]:
    """The latest entries, the last one first."""
    rows = connection.execute(sql.select(audit).order_by(audit.c.at.desc(), audit.c.id).limit(most))
    return [
        {"at": row.at, "operator": row.operator, "what": row.what, "subject": row.subject, "reason": row.reason}
        for row in rows
    ]


# Bans


def set_ban(connection: Connection, ban: Ban, stored: int) -> None:
    """Ban somebody, or change their ban; NotFound if there is no such person."""
    if (
        ban.kind == "person"
        and connection.execute(sql.select(people.c.id).where(people.c.id == ban.who)).first() is None
    ):
        raise not_found("person")
    connection.execute(sql.delete(bans).where(bans.c.kind == ban.kind, bans.c.who == ban.who))
    connection.execute(
        sql.insert(bans).values(
            kind=ban.kind, who=ban.who, at=ban.at, until=ban.until, reason=ban.reason, stored=stored
        )
    )


def remove_ban(connection: Connection, kind: str, who: str) -> None:
    """End a ban; NotFound if there is none."""
    if connection.execute(sql.delete(bans).where(bans.c.kind == kind, bans.c.who == who)).rowcount != 1:
        raise not_found("ban")


def list_bans(connection: Connection) -> Sequence[Ban]:
    """The bans that have not ended, the latest first."""
    query = (
        sql.select(bans)
        .where(sql.or_(bans.c.until.is_(None), bans.c.until > moment()))
        .order_by(bans.c.at.desc(), bans.c.who)
    )
    return [Ban(row.kind, row.who, row.at, row.until, row.reason) for row in connection.execute(query)]


# Reports


def add_report(connection: Connection, reporter: str, person: str, name: str | None, stored: int) -> None:
    """Somebody reports a person's name, by default the present one: once for each name. NotFound if there is no such person."""
    known = connection.execute(sql.select(people.c.name).where(people.c.id == person)).scalar()
    if known is None:
        raise not_found("person")
    reported = {"reporter": reporter, "person": person, "name": name or str(known)}
    same = [reports.c[column] == value for column, value in reported.items()]
    if connection.execute(sql.select(reports.c.at).where(*same)).first() is None:
        connection.execute(sql.insert(reports).values(**reported, at=moment(), dismissed=False, stored=stored))


def list_reports(connection: Connection, person: str | None = None) -> Sequence[JsonObject]:
    """Reports that were not dismissed, together for each person and name, the most frequent first."""
    count, last = sql.func.count(), sql.func.max(reports.c.at)
    query = (
        sql.select(
            reports.c.person, reports.c.name, people.c.name.label("now"), count.label("count"), last.label("last")
        )
        .join(people, people.c.id == reports.c.person)
        .where(reports.c.dismissed.is_(False))
        .group_by(reports.c.person, reports.c.name, people.c.name)
        .order_by(count.desc(), last.desc())
    )
    if person is not None:
        query = query.where(reports.c.person == person)
    return [dict(row) for row in connection.execute(query).mappings()]


def dismiss_reports(connection: Connection, person: str) -> int:
    """Put a person's reports aside; returns how many. NotFound if there are none."""
    some = sql.update(reports).where(reports.c.person == person, reports.c.dismissed.is_(False)).values(dismissed=True)
    count = connection.execute(some).rowcount
    if not count:
        raise not_found("report")
    return count


# What holds for the whole site


def set_site(connection: Connection, name: str, value: JsonObject | None) -> None:
    """Store something that holds for the whole site, or no longer."""
    connection.execute(sql.delete(site).where(site.c.name == name))
    if value is not None:
        connection.execute(sql.insert(site).values(name=name, value=text_of(value)))


def read_site(connection: Connection) -> Mapping[str, JsonObject]:
    """Everything that holds for the whole site."""
    return {row.name: orjson.loads(row.value) for row in connection.execute(sql.select(site))}


def sweep_operation(connection: Connection, now: int) -> None:
    """Delete what has been kept for as long as docs/operating.md says. `now` is in the site's time, which no wrong date changes."""
    date = moment()
    lasted = bans.c.until - bans.c.at
    connection.execute(sql.delete(orders).where(orders.c.at < date - DAY))
    connection.execute(sql.delete(bans).where(bans.c.until < date, bans.c.stored + lasted < now - ENDED_BAN_DAYS * DAY))
    connection.execute(sql.delete(reports).where(reports.c.stored < now - REPORT_DAYS * DAY))
    old = audit.c.stored < now - AUDIT_DAYS * DAY
    connection.execute(sql.delete(audit).where(old, audit.c.at < date - AUDIT_DAYS * DAY))  # as the trigger insists
