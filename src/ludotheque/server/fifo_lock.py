"""A lock that is granted in the order in which it was asked for, and can be tried without waiting.

asyncio.Lock can only be awaited; an ordinary step at a table is handled without an await.
"""

import asyncio
from collections import deque


class FifoLock:
    """A first-in, first-out lock. `async with` waits for it."""

    def __init__(self) -> None:
        self._held = False
        self._queue: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        """Whether the lock is held."""
        return self._held

    def try_acquire(self) -> bool:
        """Acquire without waiting; returns False if the lock is held."""
        if self._held:
            return False
        self._held = True
        return True

    def release(self) -> None:
        """Release the lock, or hand it over to whoever has waited longest: it is not free in between."""
        while self._queue:
            first = self._queue.popleft()
            if not first.done():  # cancelled while it waited
                first.set_result(None)
                return
        self._held = False

    async def __aenter__(self) -> None:
        if self.try_acquire():
            return
        mine = asyncio.get_running_loop().create_future()
        self._queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # handed over to us just before
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()
