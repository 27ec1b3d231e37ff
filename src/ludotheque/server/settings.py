"""Settings of a server, chosen by its operator. Those of a table are in `ludotheque.table.settings`."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from ludotheque.paths import database_file


def default_database() -> str:
    """One file in the data folder."""
    return f"sqlite:///{database_file()}"


@dataclass(frozen=True)
class ServerSettings:
    """What the operator chose."""

    database: str = field(default_factory=default_database)
    seed_key: str | None = None
    """The file of the key that seals seeds in the database; None: beside a SQLite file, or in the user's data folder."""
    forget_seeds: bool = False
    """Go on where that key is missing or another one: games that were running end."""
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    """Worker processes for bots and physics at tables, and half as many (at least one) for questions: hints, stories, analysis."""
    link_host: str = "127.0.0.1"
    """The address on which other server processes reach this one (PostgreSQL only); its port is its own."""
    address: str | None = None
    """The site's public address behind a reverse proxy, such as https://play.example.org/."""
    origins: tuple[str, ...] = ()
    """Further origins whose pages may connect."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Players that are programs: a name that people see, and the command."""
    table_days: int = 30
    """A table that nobody has touched is deleted after so many days."""
    lease_seconds: float = 8.0
    """A process that has not renewed its leases for so long counts as dead."""
    idle_seconds: float = 300.0
    """A table without connections is released from memory after so long."""
    warm_up: bool = True
    """Load rules and let workers think once at the start; tests that start many servers leave it out."""
    rate_limits: bool = True
    """Rate limits for each address; tests and benchmarks from one address switch them off."""
