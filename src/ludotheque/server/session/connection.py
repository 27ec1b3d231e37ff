"""A connection to a table, as sessions see it. WebSockets and links between processes implement it."""

from collections.abc import Callable
from typing import Any, Final, Protocol

import orjson

from ludotheque.core import JsonObject

COME_AGAIN: Final = 1012
REMOVED: Final = 4403


class Connection(Protocol):
    """Somebody connected to a table; to the table it is an `Actor`."""

    person: JsonObject | None
    language: str
    network: str
    """Where it comes from: an address, or an IPv6 /64. What it asks for is charged to it."""
    left: bool
    """Whether this process has closed it: its secret was revoked, it was removed or banned. What it has asked for is void."""

    def send(self, text: bytes) -> None:
        """Send a message, in order."""

    def send_frame(self, text: bytes) -> None:
        """Send a frame of a live turn, or drop it while earlier data is unsent."""

    def leave(self, code: int, reason: str) -> None:
        """Close the connection."""


write: Final[Callable[[Any], bytes]] = orjson.dumps
"""Writes a message as JSON. A name, not a function around it: it is called for every message."""
