"""Sends a table's messages to its connections, each written once, and keeps the latest numbered ones for reconnections."""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from ludotheque.server.session.connection import Connection, write
from ludotheque.table import Actor, Message

KEPT_MESSAGES: Final = 32  # older ones are answered with the whole state
AT_ONCE: Final = 64  # connections that are sent to in one callback


class Broadcast:
    """The connections of one table."""

    def __init__(self) -> None:
        self.connections: dict[Actor, Connection] = {}
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=KEPT_MESSAGES)
        self._unsent: deque[tuple[bytes, deque[Connection]]] = deque()  # to a crowd, in order

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
            receivers = connections.values() if to is None else [one for actor in to if (one := connections.get(actor))]
            if self._unsent or len(receivers) > AT_ONCE:
                self._queue(text, receivers)
                continue
            for connection in tuple(receivers):  # one that reads too slowly leaves meanwhile
                connection.send(text)

    def _queue(self, text: bytes, receivers: Iterable[Connection]) -> None:
        """Send something to many, a slice in each callback: a crowd of spectators does not hold up other tables."""
        self._unsent.append((text, deque(receivers)))
        if len(self._unsent) == 1:
            self._send_slice()

    def _send_slice(self) -> None:
        left = AT_ONCE
        while self._unsent and left:
            text, receivers = self._unsent[0]
            while receivers and left:
                receivers.popleft().send(text)
                left -= 1
            if not receivers:
                self._unsent.popleft()
        if self._unsent:
            asyncio.get_running_loop().call_soon(self._send_slice)

    def close(self, code: int, reason: str) -> None:
        """Close all connections, those of a crowd in slices; none of them is told anything more."""
        connections, self.connections = deque(self.connections.values()), {}
        self._unsent.clear()
        self._close_slice(connections, code, reason)

    def _close_slice(self, connections: deque[Connection], code: int, reason: str) -> None:
        for _ in range(min(AT_ONCE, len(connections))):
            connections.popleft().leave(code, reason)
        if connections:
            asyncio.get_running_loop().call_soon(self._close_slice, connections, code, reason)

    def stream(self, frame: Message) -> None:
        """Send a live frame. A slow reader misses some, but never one in which something happened."""
        text, content = write(frame.content), frame.content["frame"]
        happened = isinstance(content, dict) and bool(content.get("events"))
        for connection in tuple(self.connections.values()):
            if happened:
                connection.send(text)
            else:
                connection.send_frame(text)
