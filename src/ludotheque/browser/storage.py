"""Where the browser's host keeps things: JSON texts by kind and key. The worker implements it with IndexedDB."""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from ludotheque.core import Problem

PEOPLE: Final = "people"
TABLES: Final = "tables"
"""Cards, by the table's id."""
ENTRIES: Final = "entries"
"""The tables' logs: keys are `entry_key`, so that a log is listed in order."""
RECORDS: Final = "records"
"""Cards of finished and uploaded games, by id."""
BODIES: Final = "bodies"
"""Their records."""
REVIEWS: Final = "reviews"
"""What came out of reviews, by record."""
KINDS: Final = (PEOPLE, TABLES, ENTRIES, RECORDS, BODIES, REVIEWS)


class Change(NamedTuple):
    """A text that is stored under a key, or None: it is deleted."""

    kind: str
    key: str
    text: str | None


class NotStored(Problem):
    """The browser did not keep what it was given; nothing of it has been shown."""

    code = "not-stored"


class Storage(Protocol):
    """What the host needs of a store."""

    async def read(self, kind: str, key: str) -> str | None:
        """The text under a key."""

    async def list(self, kind: str, prefix: str = "") -> Sequence[str]:
        """The texts of all keys with a prefix, in the order of their keys."""

    async def write(self, changes: Sequence[Change]) -> None:
        """Store all changes or, with NotStored, none of them."""


class MemoryStorage:
    """Keeps everything as long as it exists: for tests, and for browsers that keep nothing."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, str]] = {kind: {} for kind in KINDS}

    async def read(self, kind: str, key: str) -> str | None:
        """The text under a key."""
        return self.kept[kind].get(key)

    async def list(self, kind: str, prefix: str = "") -> Sequence[str]:
        """The texts of all keys with a prefix, in the order of their keys."""
        return [text for key, text in sorted(self.kept[kind].items()) if key.startswith(prefix)]

    async def write(self, changes: Sequence[Change]) -> None:
        """Store all changes."""
        for kind, key, text in changes:
            if text is None:
                self.kept[kind].pop(key, None)
            else:
                self.kept[kind][key] = text


def entry_key(table: str, number: int) -> str:
    """The key of a log entry; its table's `entry_prefix` begins it."""
    return f"{entry_prefix(table)}{number:09d}"


def entry_prefix(table: str) -> str:
    """What the keys of a table's log begin with."""
    return f"{table}/"
