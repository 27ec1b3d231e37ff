"""A database of PostgreSQL whose date can be moved, for tests of clock jumps.

The server asks for `clock_timestamp()`. In this database a function of that name is found before PostgreSQL's own.
"""

import psycopg
from sqlalchemy.engine import make_url

MOVED = """
CREATE SCHEMA moved;
CREATE TABLE moved.date (seconds double precision);
INSERT INTO moved.date VALUES (0);
CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
'SELECT pg_catalog.clock_timestamp() + (SELECT seconds FROM moved.date) * interval ''1 second''';
"""


class DatedDatabase:
    """A database of its own on a server."""

    def __init__(self, server: str, name: str) -> None:
        url = make_url(server).set(drivername="postgresql")
        with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name}")
            connection.execute(f"ALTER DATABASE {name} SET search_path = public, moved, pg_catalog")
        self.address = url.set(database=name).render_as_string(hide_password=False)
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(MOVED)

    def move_date(self, seconds: float) -> None:
        """Let the database's date be so far from the true one."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("UPDATE moved.date SET seconds = %s", (seconds,))
