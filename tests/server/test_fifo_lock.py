"""A table's lock: one wish after the other, in order, and an ordinary step on the spot or not at all."""

import asyncio

from ludotheque.server.session.turns import Turns


def test_nobody_takes_a_turn_that_others_wait_for() -> None:
    async def table() -> None:
        turns, order = Turns(), []

        async def waits(name: str) -> None:
            async with turns:
                order.append(name)
                await asyncio.sleep(0)

        assert turns.take()
        assert not turns.take(), "somebody has it"
        waiting = [asyncio.create_task(waits(name)) for name in ("Anna", "Bruno")]
        await asyncio.sleep(0)
        turns.release()
        assert not turns.take(), "it is Anna's, who has waited, although she has not woken up yet"
        await asyncio.gather(*waiting)
        assert order == ["Anna", "Bruno"]
        assert turns.take()

    asyncio.run(table())


def test_who_gives_up_waiting_holds_up_nobody() -> None:
    async def table() -> None:
        turns = Turns()

        async def waits() -> None:
            async with turns:
                pass

        assert turns.take()
        asked_first, woken, last = (asyncio.create_task(waits()) for _ in range(3))
        await asyncio.sleep(0)
        asked_first.cancel()
        await asyncio.sleep(0)
        turns.release()
        woken.cancel()  # just after the turn became theirs
        await asyncio.wait_for(last, 5)
        assert not turns.locked()

    asyncio.run(table())
