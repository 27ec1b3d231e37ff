"""Somebody connected to a table, as everything about tables sees them.

Sockets are sockets.py's business, links between processes relay.py's.
"""

from typing import Final, Protocol

import orjson

from ludotheque.core import JsonObject

COME_AGAIN: Final = 1012
REMOVED: Final = 4403


class Visitor(Protocol):
    """Somebody connected to the table, as the session sees them."""

    person: JsonObject | None
    language: str

    def send(self, text: bytes) -> None:
        """Send a message, in order."""

    def send_frame(self, text: bytes) -> None:
        """Send a frame of a live turn, or nothing if the one before is still waiting."""

    def leave(self, code: int, reason: str) -> None:
        """End the connection."""


def person_id(visitor: Visitor) -> str | None:
    """The visitor's id, if they said who they are."""
    return None if visitor.person is None else str(visitor.person["id"])


def write(message: JsonObject) -> bytes:
    """A message as text."""
    return orjson.dumps(message)
