"""The database: its tables, how it is opened, and its migration at the start. Queries are in `store`."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from ludotheque.core import BadRequest
from ludotheque.core.problems import shortened
from ludotheque.file_lock import lock

WAL_PAGES: Final = 8000  # of 4 KiB in the journal before SQLite copies them into the file
CACHE_KIB: Final = 32_000  # enough for the ends of some thousand logs
DATA: Final = sql.MetaData()

people = sql.Table(
    "people",
    DATA,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("name", sql.String(40), nullable=False),
    sql.Column("created", sql.BigInteger, nullable=False),
)
devices = sql.Table(
    "devices",
    DATA,
    sql.Column("hash", sql.String(64), primary_key=True),
    sql.Column("person", sql.String(32), sql.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sql.Column("created", sql.BigInteger, nullable=False),
)
links = sql.Table(
    "links",
    DATA,
    sql.Column("hash", sql.String(64), primary_key=True),
    sql.Column("person", sql.String(32), sql.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    sql.Column("expires", sql.BigInteger, nullable=False),
)
tables = sql.Table(
    "tables",
    DATA,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("game", sql.String(100), nullable=False),
    sql.Column("private", sql.Boolean, nullable=False),
    sql.Column("status", sql.String(10), nullable=False),
    sql.Column("attended", sql.Boolean, nullable=False),  # a bot or a clock is at work: some process must own it
    sql.Column("card", sql.Text, nullable=False),
    sql.Column("created", sql.BigInteger, nullable=False),
    sql.Column("touched", sql.BigInteger, nullable=False),
    sql.Index("tables_listed", "private", "status", "touched"),
)
leases = sql.Table(
    "leases",
    DATA,
    sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("owner", sql.String(32), nullable=True, index=True),
    sql.Column("epoch", sql.BigInteger, nullable=False),
)
processes = sql.Table(
    "processes",
    DATA,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("address", sql.String(200), nullable=False),
    sql.Column("expires", sql.Float, nullable=False),
)
entries = sql.Table(
    "entries",
    DATA,
    sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("number", sql.BigInteger, primary_key=True),
    sql.Column("kind", sql.String(20), nullable=False),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.Column("epoch", sql.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
attendance = sql.Table(
    "attendance",
    DATA,
    sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("person", sql.String(32), primary_key=True, index=True),
)
records = sql.Table(
    "records",
    DATA,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("game", sql.String(100), nullable=False),
    sql.Column("private", sql.Boolean, nullable=False),
    sql.Column("uploader", sql.String(32), nullable=True),
    sql.Column("ended", sql.BigInteger, nullable=False),
    sql.Column("card", sql.Text, nullable=False),
    sql.Column("body", sql.Text, nullable=False),
    sql.Index("records_listed", "private", "ended"),
)
played = sql.Table(
    "played",
    DATA,
    sql.Column("record", sql.String(32), sql.ForeignKey("records.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("person", sql.String(32), primary_key=True, index=True),
    sql.Column("seat", sql.Integer, primary_key=True),
)
reviews = sql.Table(
    "reviews",
    DATA,
    sql.Column("record", sql.String(32), sql.ForeignKey("records.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("person", sql.String(32), nullable=False, index=True),  # who asked for it
    sql.Column("owner", sql.String(32), nullable=False),  # the process that works at it
    sql.Column("state", sql.String(10), nullable=False),
    sql.Column("asked", sql.BigInteger, nullable=False),
    sql.Column("done", sql.Integer, nullable=False),
    sql.Column("total", sql.Integer, nullable=False),
    sql.Column("body", sql.Text, nullable=True),
)
keys = sql.Table(
    "keys",
    DATA,
    sql.Column("name", sql.String(40), primary_key=True),
    sql.Column("value", sql.String(200), nullable=False),
)


def open_database(address: str) -> Engine:
    """Open a database by its address, durable against power cuts, and migrate it. BadRequest if that fails."""
    try:
        url = make_url(address)
    except sql.exc.ArgumentError as error:
        raise BadRequest("server.database.unreadable", address=shortened(address)) from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    backend = url.get_backend_name()
    if backend == "sqlite":
        if not url.database or url.database == ":memory:":
            raise BadRequest("server.database.in-memory")
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = sql.create_engine(url, connect_args={"timeout": 30}, pool_size=8, max_overflow=8)
        sql.event.listen(engine, "connect", _durable_sqlite)
    elif backend == "postgresql":
        engine = sql.create_engine(
            url, pool_pre_ping=True, pool_size=8, max_overflow=8, connect_args={"options": "-c synchronous_commit=on"}
        )
    else:
        raise BadRequest("server.database.other-kind", kind=backend)
    try:
        _upgrade(engine)
    except CommandError as error:  # a revision that this version does not have
        engine.dispose()
        raise BadRequest("server.database.newer", address=url.render_as_string()) from error
    except sql.exc.DBAPIError as error:
        engine.dispose()
        why = " ".join(str(error.orig).split())
        raise BadRequest("server.database.not-opened", address=url.render_as_string(), why=why) from error
    return engine


def check_database(address: str) -> None:
    """BadRequest if the database cannot be used or is in use, so that a mistake is reported before a server starts."""
    engine = open_database(address)
    try:
        with exclusive(engine):
            pass
    finally:
        engine.dispose()


def _durable_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # a commit survives a power cut
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA wal_autocheckpoint={WAL_PAGES}")
    cursor.close()


def autocommit_connection(engine: Engine) -> Connection:
    """A connection on which every statement is a transaction of its own, for appending to many logs."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    if engine.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA cache_size=-{CACHE_KIB}")
    return connection


def _upgrade(engine: Engine) -> None:
    """Bring the tables up to date, all or nothing; on PostgreSQL one process at a time."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection, _whole_transaction(connection):
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextlib.contextmanager
def _whole_transaction(connection: Connection) -> Iterator[None]:
    """Makes DDL part of the transaction: Python's SQLite module would commit before each such statement."""
    if connection.dialect.name == "postgresql":
        connection.execute(sql.text("SELECT pg_advisory_xact_lock(7231902)"))
        yield
        return
    driver: Any = connection.connection.dbapi_connection
    driver.isolation_level = None
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        yield
        driver.commit()
    except BaseException:
        driver.rollback()
        raise
    finally:
        driver.isolation_level = ""


@contextlib.contextmanager
def exclusive(engine: Engine) -> Iterator[None]:
    """Lock a SQLite file for this process; the system releases the lock when the process dies, however it dies."""
    if engine.dialect.name != "sqlite":
        yield
        return
    path = Path(f"{engine.url.database}.lock")
    with path.open("a+b") as file:
        try:
            lock(file)
        except OSError as error:
            raise BadRequest("server.database.in-use", file=str(engine.url.database)) from error
        yield
