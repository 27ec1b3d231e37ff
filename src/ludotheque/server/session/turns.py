"""Whose turn it is to change a table: one wish after the other, in the order in which they came.

asyncio's own lock can only be waited for; an ordinary step must not wait, and takes this one on the spot or not at all.
"""

import asyncio
from collections import deque


class Turns:
    """A lock with a queue; as a context it is waited for."""

    def __init__(self) -> None:
        self._taken = False
        self._queue: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        """Whether somebody has it."""
        return self._taken

    def take(self) -> bool:
        """Take it here and now, if nobody has it."""
        if self._taken:
            return False
        self._taken = True
        return True

    def release(self) -> None:
        """Give it to whoever has waited longest, or to nobody: it is never free in between."""
        while self._queue:
            first = self._queue.popleft()
            if not first.done():  # cancelled while it waited
                first.set_result(None)
                return
        self._taken = False

    async def __aenter__(self) -> None:
        if self.take():
            return
        mine = asyncio.get_running_loop().create_future()
        self._queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # it was given to us just before
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()
