"""How a server is run: what the operator chose, with sensible defaults.

How a single table is played is chosen by the people who open it (schemas.Settings).
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs


def default_database() -> str:
    """One file in the user's data folder."""
    folder = Path(platformdirs.user_data_dir("ludotheque", appauthor=False))
    return f"sqlite:///{folder / 'tables.sqlite'}"


@dataclass(frozen=True)
class Operator:
    """The operator's choices."""

    database: str = field(default_factory=default_database)
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    """Worker processes for bots, physics and analysis; the server itself is one more."""
    link_host: str = "127.0.0.1"
    """The address on which other server processes reach this one (PostgreSQL only); its port is its own."""
    address: str | None = None
    """The site's public address behind a reverse proxy, such as https://play.example.org/."""
    origins: tuple[str, ...] = ()
    """Further origins whose pages may connect."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Players that are programs: a name that people see, and the command."""
    table_days: int = 30
    """After so many days an untouched table goes."""
    lease_seconds: float = 8.0
    """A process that has not been heard of for so long is taken for dead."""
    idle_seconds: float = 300.0
    """After so long without anybody connected, a table leaves memory (not the store)."""
    warm: bool = True
    """Load rules and let workers think once before anybody asks; tests that start many servers leave it out."""
    gentle: bool = True
    """Rate limits for each address; tests and benchmarks from one address switch them off."""
