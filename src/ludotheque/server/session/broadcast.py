"""Sends a table's messages to its connections, each written once, and keeps the latest numbered ones for reconnections."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from ludotheque.server.session.connection import Connection, write
from ludotheque.table import Actor, Message

KEPT_MESSAGES: Final = 32  # older ones are answered with the whole state


class Broadcast:
    """The connections of one table."""

    def __init__(self) -> None:
        self.connections: dict[Actor, Connection] = {}
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=KEPT_MESSAGES)

    def since(self, last: int | None, number: int) -> list[bytes] | None:
        """The numbered messages after `last`, up to the table's `number`; None if they are no longer all there."""
        if last is None or last > number:
            return None
        missed = [text for one, text in self._recent if one > last]
        return missed if len(missed) == number - last else None

    def publish(self, messages: Sequence[Message], texts: Sequence[bytes]) -> None:
        """Send messages that are written already."""
        connections = self.connections
        for (_, to, number), text in zip(messages, texts, strict=True):
            if number is not None:
                self._recent.append((number, text))
            if to is None:
                for connection in tuple(connections.values()):  # one that reads too slowly leaves meanwhile
                    connection.send(text)
                continue
            for actor in to:
                if (one := connections.get(actor)) is not None:
                    one.send(text)

    def stream(self, frame: Message) -> None:
        """Send a live frame. A slow reader misses some, but never one in which something happened."""
        text, content = write(frame.content), frame.content["frame"]
        happened = isinstance(content, dict) and bool(content.get("events"))
        for connection in tuple(self.connections.values()):
            if happened:
                connection.send(text)
            else:
                connection.send_frame(text)
