"""The database: its tables, how it is opened, and its migration at the start. Queries are in `store`."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.types import TypeEngine

from ludotheque.core import BadRequest
from ludotheque.core.problems import shortened
from ludotheque.extras import is_installed, line_that_adds
from ludotheque.file_lock import lock
from ludotheque.server.seed_key import SeedCipher, key_file_of, make_key, read_key

WAL_PAGES: Final = 8000  # of 4 KiB in the journal before SQLite copies them into the file
CACHE_KIB: Final = 32_000  # enough for the ends of some thousand logs
NETWORK: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""So that a database that is cut off is noticed in some ten seconds; the system's own limits are hours. For libpq."""
SEEDS: Final = "ludotheque_seeds"  # the execution option of an engine, and what migrations get: the cipher for seeds
SEED_KEY: Final = "seed-key"  # the row of `keys` that names its key
DATA: Final = sql.MetaData()

ID: Final = sql.String(32)
HASH: Final = sql.String(64)
MOMENT: Final = sql.BigInteger()  # milliseconds since 1970


def _key(name: str, kind: TypeEngine[Any] = ID, *constraints: sql.ForeignKey, index: bool = False) -> sql.Column[Any]:
    """A column of the primary key."""
    return sql.Column(name, kind, *constraints, primary_key=True, index=index or None)


def _filled(name: str, kind: TypeEngine[Any], *constraints: sql.ForeignKey, index: bool = False) -> sql.Column[Any]:
    """A column that has a value in every row."""
    return sql.Column(name, kind, *constraints, nullable=False, index=index or None)


def _deleted_with(table: str) -> sql.ForeignKey:
    """The column names a row of that table, and this row goes when that one does."""
    return sql.ForeignKey(f"{table}.id", ondelete="CASCADE")


def _listed() -> tuple[sql.Column[Any], ...]:
    """What lists of tables and of records are made by."""
    return _key("id"), _filled("game", sql.String(100)), _filled("private", sql.Boolean())


people = sql.Table("people", DATA, _key("id"), _filled("name", sql.String(40)), _filled("created", MOMENT))
devices = sql.Table(
    "devices",
    DATA,
    _key("hash", HASH),
    _filled("person", ID, _deleted_with("people"), index=True),
    _filled("created", MOMENT),
)
links = sql.Table(
    "links", DATA, _key("hash", HASH), _filled("person", ID, _deleted_with("people")), _filled("expires", MOMENT)
)
tables = sql.Table(
    "tables",
    DATA,
    *_listed(),
    _filled("status", sql.String(10)),
    _filled("attended", sql.Boolean()),  # a bot or a clock is at work: some process must own it
    _filled("card", sql.Text()),
    _filled("created", MOMENT),
    _filled("touched", MOMENT),
    sql.Index("tables_listed", "private", "status", "touched"),
)
leases = sql.Table(
    "leases",
    DATA,
    _key("table_id", ID, _deleted_with("tables")),
    sql.Column("owner", ID, nullable=True, index=True),
    _filled("epoch", sql.BigInteger()),
)
processes = sql.Table(
    "processes", DATA, _key("id"), _filled("address", sql.String(200)), _filled("expires", sql.Float())
)
entries = sql.Table(
    "entries",
    DATA,
    _key("table_id", ID, _deleted_with("tables")),
    _key("number", sql.BigInteger()),
    _filled("kind", sql.String(20)),
    _filled("body", sql.Text()),
    _filled("at", MOMENT),
    _filled("epoch", sql.BigInteger()),
    sqlite_with_rowid=False,
)
attendance = sql.Table("attendance", DATA, _key("table_id", ID, _deleted_with("tables")), _key("person", index=True))
records = sql.Table(
    "records",
    DATA,
    *_listed(),
    sql.Column("uploader", ID, nullable=True),
    _filled("ended", MOMENT),
    _filled("card", sql.Text()),
    _filled("body", sql.Text()),
    sql.Index("records_listed", "private", "ended"),
)
played = sql.Table(
    "played",
    DATA,
    _key("record", ID, _deleted_with("records")),
    _key("person", index=True),
    _key("seat", sql.Integer()),
)
reviews = sql.Table(
    "reviews",
    DATA,
    _key("record", ID, _deleted_with("records")),
    _filled("person", ID, index=True),  # who asked for it
    _filled("owner", ID),  # the process that works at it
    _filled("state", sql.String(10)),
    _filled("asked", MOMENT),
    _filled("done", sql.Integer()),
    _filled("total", sql.Integer()),
    sql.Column("body", sql.Text, nullable=True),
)
keys = sql.Table("keys", DATA, _key("name", sql.String(40)), _filled("value", sql.String(200)))
orders = sql.Table(  # of the operator to the running processes, until they are answered
    "orders",
    DATA,
    _key("id"),
    _filled("at", MOMENT),
    _filled("operator", sql.String(100)),
    _filled("what", sql.String(20)),
    _filled("body", sql.Text()),
    sql.Column("owner", ID, nullable=True),  # the process that carries it out, where one does it for all
)
answers = sql.Table(
    "answers", DATA, _key("order_id", ID, _deleted_with("orders")), _key("process"), _filled("body", sql.Text())
)
audit = sql.Table(  # append-only: triggers refuse changes (migration 0005)
    "audit",
    DATA,
    _key("id"),
    _filled("at", MOMENT, index=True),
    _filled("operator", sql.String(100)),
    _filled("what", sql.String(20)),
    _filled("subject", sql.String(100)),
    sql.Column("reason", sql.String(500), nullable=True),
    _filled("stored", MOMENT),  # in the site's time, which ages are counted in
)
bans = sql.Table(
    "bans",
    DATA,
    _key("kind", sql.String(10)),
    _key("who", sql.String(64)),
    _filled("at", MOMENT),
    sql.Column("until", MOMENT, nullable=True),
    sql.Column("reason", sql.String(500), nullable=True),
    _filled("stored", MOMENT),
)
reports = sql.Table(
    "reports",
    DATA,
    _key("reporter", ID, _deleted_with("people")),
    _key("person", ID, _deleted_with("people"), index=True),
    _key("name", sql.String(40)),
    _filled("at", MOMENT),
    _filled("dismissed", sql.Boolean()),
    _filled("stored", MOMENT),
)
seekers = sql.Table(  # people who look for an opponent
    "seekers",
    DATA,
    _key("person", ID, _deleted_with("people")),
    _filled("game", sql.String(100)),
    _filled("since", MOMENT),  # these three in the site's time
    _filled("seen", MOMENT),
    sql.Column("taker", ID, nullable=True),  # who is opening a table for both
    sql.Column("taken", MOMENT, nullable=True),
    sql.Column("table_id", ID, _deleted_with("tables"), nullable=True),
    sql.Index("seekers_waiting", "game", "since"),
)
site = sql.Table("site", DATA, _key("name", sql.String(40)), _filled("value", sql.Text()))


def open_database(address: str, *, seed_key: str | None = None, forget_seeds: bool = False) -> Engine:
    """Open a database by its address, durable against power cuts, and migrate it. BadRequest if that fails.

    `seed_key` is the file of the key that seals seeds; with `forget_seeds` a missing or another key is no mistake. Whoever
    has a connection gets its cipher by `seeds_of`.
    """
    engine = _engine(address)
    if engine.dialect.name == "sqlite":
        Path(str(engine.url.database)).parent.mkdir(parents=True, exist_ok=True)
    with _told(engine):
        cipher = _upgrade(engine, key_file_of(engine.url, seed_key), forget_seeds=forget_seeds)
    engine.update_execution_options(**{SEEDS: cipher})
    return engine


def open_current_database(address: str) -> Engine:
    """Open the database of a running server as it is. BadRequest if there is none, or if it has another version's tables."""
    engine = _engine(address)
    if engine.dialect.name == "sqlite" and not Path(str(engine.url.database)).is_file():
        raise BadRequest("server.backup.missing", file=str(engine.url.database))
    with _told(engine):
        with engine.connect() as connection:
            found = MigrationContext.configure(connection).get_current_revision()
        if found != ScriptDirectory.from_config(_migrations()).get_current_head():
            raise BadRequest("server.database.other-version", address=engine.url.render_as_string())
    return engine


def _engine(address: str) -> Engine:
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
        engine = sql.create_engine(url, connect_args={"timeout": 30}, pool_size=8, max_overflow=8, hide_parameters=True)
        sql.event.listen(engine, "connect", _durable_sqlite)
        return engine
    if backend == "postgresql":
        if not is_installed("postgres"):
            raise BadRequest("server.database.postgres-missing", line=line_that_adds("postgres"))
        return sql.create_engine(
            url,
            pool_pre_ping=True,
            pool_size=8,
            max_overflow=8,
            hide_parameters=True,
            connect_args={"options": "-c synchronous_commit=on", **NETWORK},
        )
    raise BadRequest("server.database.other-kind", kind=backend)


@contextlib.contextmanager
def _told(engine: Engine) -> Iterator[None]:
    """Turn whatever prevents the opening of a database into a BadRequest."""
    address = engine.url.render_as_string()
    try:
        yield
    except BadRequest:
        engine.dispose()
        raise
    except CommandError as error:  # a revision that this version does not have
        engine.dispose()
        raise BadRequest("server.database.newer", address=address) from error
    except sql.exc.DBAPIError as error:
        engine.dispose()
        why = " ".join(str(error.orig).split())
        raise BadRequest("server.database.not-opened", address=address, why=why) from error


def seeds_of(opened: Engine | Connection) -> SeedCipher:
    """The cipher for the seeds in an opened database."""
    cipher = opened.get_execution_options()[SEEDS]
    assert isinstance(cipher, SeedCipher)
    return cipher


def check_database(address: str, *, seed_key: str | None = None, forget_seeds: bool = False) -> None:
    """BadRequest if the database cannot be used or is in use, so that a mistake is reported before a server starts."""
    engine = open_database(address, seed_key=seed_key, forget_seeds=forget_seeds)
    try:
        with exclusive(engine):
            pass
    finally:
        engine.dispose()


class FileWatch:
    """Notices when the SQLite file that is open is no longer the one under its name: what is written would be lost."""

    def __init__(self, engine: Engine) -> None:
        self._path = engine.url.database if engine.dialect.name == "sqlite" else None
        self._known = self._identity()

    def _identity(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        try:
            found = os.stat(self._path)  # noqa: PTH116 - for every commit: a Path would take several times as long
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @property
    def gone(self) -> bool:
        """Whether the file was deleted, moved or replaced since it was opened."""
        return self._path is not None and self._identity() != self._known


def _durable_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # a commit survives a power cut
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA wal_autocheckpoint={WAL_PAGES}")
    cursor.close()


def detached_connection(engine: Engine) -> Connection:
    """A connection beside the pool, for whoever must not wait for others."""
    connection = engine.connect()
    connection.detach()
    return connection


def autocommit_connection(engine: Engine) -> Connection:
    """A connection on which every statement is a transaction of its own, for appending to many logs."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    if engine.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA cache_size=-{CACHE_KIB}")
    return connection


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def _upgrade(engine: Engine, key_file: Path, *, forget_seeds: bool) -> SeedCipher:
    """Bring the tables up to date, all or nothing; on PostgreSQL one process at a time. Returns the cipher for seeds."""
    config = _migrations()
    with engine.begin() as connection, _whole_transaction(connection):
        known = _key_name(connection)
        cipher = read_key(key_file)
        if known is not None and not forget_seeds and (cipher is None or cipher.name != known):
            problem = "server.seed-key.missing" if cipher is None else "server.seed-key.different"
            raise BadRequest(problem, file=str(key_file))
        cipher = cipher or make_key(key_file)
        config.attributes["connection"] = connection
        config.attributes[SEEDS] = cipher
        command.upgrade(config, "head")
        if known is None:
            connection.execute(sql.insert(keys).values(name=SEED_KEY, value=cipher.name))
        elif known != cipher.name:
            connection.execute(sql.update(keys).where(keys.c.name == SEED_KEY).values(value=cipher.name))
    return cipher


def _key_name(connection: Connection) -> str | None:
    """The name of the key with which seeds are sealed in this database; None before the first start."""
    if not sql.inspect(connection).has_table(keys.name):
        return None
    return connection.execute(sql.select(keys.c.value).where(keys.c.name == SEED_KEY)).scalar()


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
