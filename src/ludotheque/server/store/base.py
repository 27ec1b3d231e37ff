"""What the queries share: moments, random ids, hashes, JSON in columns, and keys that all processes know."""

import hashlib
import secrets
import time
from typing import Any

import orjson
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from ludotheque.core import JsonObject
from ludotheque.server.database import keys
from ludotheque.table import WhoAreYou

FORGOTTEN = "…"
REVOCATION = "revocation"
OPERATION = "operation"


def moment() -> int:
    """Now, in milliseconds."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """A random id of 128 bits, which nobody can guess. It does not begin like an option of a command."""
    while (made := secrets.token_urlsafe(16)).startswith("-"):
        continue
    return made


def hashed(secret: str) -> str:
    """What is stored of a secret. Secrets are 256 random bits, so a plain hash cannot be searched."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def text_of(value: Any) -> str:
    """JSON for a column."""
    return orjson.dumps(value).decode()


def key(connection: Connection, name: str) -> str:
    """A secret that all processes of this site share; made when first asked for, by whichever of them is first."""
    insert = sql.text("INSERT INTO keys (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING")
    connection.execute(insert, {"name": name, "value": secrets.token_urlsafe(32)})
    return str(connection.execute(sql.select(keys.c.value).where(keys.c.name == name)).scalar_one())


def write_health(connection: Connection) -> None:
    """Write something that is never the same, to see whether the database takes it."""
    _stamp(connection, "health")


def mark_revocation(connection: Connection) -> None:
    """Let all processes know that some secret is no longer valid."""
    _stamp(connection, REVOCATION)


def last_revocation(connection: Connection) -> str | None:
    """What changes with every revocation."""
    return connection.execute(sql.select(keys.c.value).where(keys.c.name == REVOCATION)).scalar()


def mark_operation(connection: Connection) -> None:
    """Let all processes know that the operator has changed something."""
    _stamp(connection, OPERATION)


def last_operation(connection: Connection) -> str | None:
    """What changes with everything that the operator changes."""
    return connection.execute(sql.select(keys.c.value).where(keys.c.name == OPERATION)).scalar()


def _stamp(connection: Connection, name: str) -> None:
    insert = sql.text(
        "INSERT INTO keys (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    connection.execute(insert, {"name": name, "value": f"{moment()}.{secrets.token_hex(4)}"})


def require_person(person: JsonObject | None) -> JsonObject:
    """The person; WhoAreYou if there is none."""
    if person is None:
        raise WhoAreYou("server.name-needed")
    return person
