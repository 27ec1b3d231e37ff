"""The waiting list of people who look for an opponent. Tables for pairs are opened by `server.opponents`.

All moments are in the site's time. Processes that share a database pair people of each other: a pair is taken by one
transaction that must find both rows free.
"""

from dataclasses import dataclass
from typing import Final

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.server.database import seekers

PATIENCE: Final = 20_000
"""Milliseconds after which somebody who no longer asks has left. Pages ask every 3 seconds."""
OPENING: Final = 10_000
"""Milliseconds that opening a table for a pair may take; after that its process is taken for dead, and both wait again."""


@dataclass(frozen=True)
class Seeking:
    """How a search stands."""

    table: str | None = None
    """Where the opponent is met, once there is one."""
    other: str | None = None
    """Whom the asker has just been paired with: a table for both is to be opened now."""
    others: int = 0
    """How many others wait for this game."""


def is_seeking(connection: Connection, person: str, now: int) -> bool:
    """Whether a person is on the list."""
    seen = connection.execute(sql.select(seekers.c.seen).where(seekers.c.person == person)).scalar()
    return seen is not None and seen >= now - PATIENCE


def seek(connection: Connection, person: str, game: str, now: int) -> Seeking:
    """Wait for an opponent, or go on waiting; pairs the asker with whoever has waited longest."""
    connection.execute(sql.delete(seekers).where(seekers.c.seen < now - PATIENCE))
    dead = (seekers.c.taken < now - OPENING, seekers.c.table_id.is_(None))
    connection.execute(sql.update(seekers).where(*dead).values(taker=None, taken=None))
    mine = connection.execute(sql.select(seekers).where(seekers.c.person == person)).first()
    if mine is not None and mine.game == game and mine.table_id is not None:
        return Seeking(table=mine.table_id)
    if mine is not None and mine.game != game:
        leave(connection, person)
        mine = None
    if mine is None:
        connection.execute(sql.insert(seekers).values(person=person, game=game, since=now, seen=now))
    else:
        connection.execute(sql.update(seekers).where(seekers.c.person == person).values(seen=now))
    waiting = (seekers.c.game == game, seekers.c.person != person, seekers.c.taker.is_(None))
    others = list(connection.execute(sql.select(seekers.c.person).where(*waiting).order_by(seekers.c.since)).scalars())
    if mine is not None and mine.taker is not None:  # somebody is opening a table for us
        return Seeking(others=len(others))
    if others and _take(connection, person, others[0], now):
        return Seeking(other=others[0])
    return Seeking(others=len(others))


def _take(connection: Connection, person: str, other: str, now: int) -> bool:
    """Take both off the list for each other; returns False if another process was faster with one of them."""
    both = seekers.c.person.in_((person, other))
    # In one order, so that two processes do not wait for each other.
    free = sql.select(seekers.c.person).where(both, seekers.c.taker.is_(None)).order_by(seekers.c.person)
    if len(connection.execute(free.with_for_update()).all()) != 2:
        return False
    connection.execute(sql.update(seekers).where(both).values(taker=person, taken=now))
    return True


def meet(connection: Connection, person: str, other: str, table: str) -> bool:
    """Tell a pair where its table is; returns False if the other has left meanwhile, and the asker waits again."""
    taken = seekers.c.taker == person
    told = connection.execute(
        sql.update(seekers).where(seekers.c.person == other, taken).values(table_id=table)
    ).rowcount
    if told != 1:
        release(connection, person)
        return False
    connection.execute(sql.update(seekers).where(seekers.c.person == person, taken).values(table_id=table))
    return True


def release(connection: Connection, person: str) -> None:
    """No table could be opened for a pair: both wait again, in their places."""
    mine = (seekers.c.taker == person, seekers.c.table_id.is_(None))
    connection.execute(sql.update(seekers).where(*mine).values(taker=None, taken=None))


def leave(connection: Connection, person: str) -> None:
    """Leave the list."""
    connection.execute(sql.delete(seekers).where(seekers.c.person == person))
