"""A table's lock: one request after the other, in order, and an ordinary step at once or not at all."""

import asyncio

from ludotheque.server.fifo_lock import FifoLock


def test_nobody_takes_a_turn_that_others_wait_for() -> None:
    async def table() -> None:
        lock, order = FifoLock(), []

        async def waits(name: str) -> None:
            async with lock:
                order.append(name)
                await asyncio.sleep(0)

        assert lock.try_acquire()
        assert not lock.try_acquire(), "somebody has it"
        waiting = [asyncio.create_task(waits(name)) for name in ("Anna", "Bruno")]
        await asyncio.sleep(0)
        lock.release()
        assert not lock.try_acquire(), "it is Anna's, who has waited, although she has not woken up yet"
        await asyncio.gather(*waiting)
        assert order == ["Anna", "Bruno"]
        assert lock.try_acquire()

    asyncio.run(table())


def test_who_gives_up_waiting_holds_up_nobody() -> None:
    async def table() -> None:
        lock = FifoLock()

        async def waits() -> None:
            async with lock:
                pass

        assert lock.try_acquire()
        asked_first, woken, last = (asyncio.create_task(waits()) for _ in range(3))
        await asyncio.sleep(0)
        asked_first.cancel()
        await asyncio.sleep(0)
        lock.release()
        woken.cancel()  # just after the turn became theirs
        await asyncio.wait_for(last, 5)
        assert not lock.locked()

    asyncio.run(table())
