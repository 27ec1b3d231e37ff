"""What goes on by itself at a table: bots act, their dice roll, clocks run out.

How bots think is bots.py's business, what a clock shows clocks.py's.
"""

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING, Final

from ludotheque.bots import Forfeit
from ludotheque.core import Position, Problem
from ludotheque.server.bots import fallback
from ludotheque.server.log import Seat
from ludotheque.server.session.additions import lose, rolled, step_line
from ludotheque.server.writer import LeaseLost

if TYPE_CHECKING:
    from ludotheque.server.session.session import Session

LOG: Final = logging.getLogger("ludotheque.server")


class Attendant:
    """Keeps one table going; a session's helper."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self._robot: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None

    def attend(self) -> None:
        """Set going whatever goes by itself: bots, their dice, clocks."""
        self.stop()
        table = self.session.table
        if self.session.dropped or table.status != "playing":
            return
        loop = asyncio.get_running_loop()
        self.run_clock()
        left = table.clocks.remaining(loop.time())
        if left is not None:
            self._flag = loop.call_later(max(0.0, left) + 0.01, self._out_of_time)
        acting = table.acting
        automatic = all(seat.automatic for seat in table.seats) if acting is None else table.seats[acting].automatic
        if automatic or (table.rolling and table.settings.dice == "auto"):
            self._robot = loop.create_task(self._go_on(table.position_number, acting))

    def run_clock(self) -> None:
        """Let the clock of whoever is to act run, where the table has clocks."""
        table = self.session.table
        if table.match is not None and table.clocks.used:
            table.clocks.run(table.acting, asyncio.get_running_loop().time())

    def stop(self) -> None:
        """Let nothing go on by itself any more."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self._robot is not None:
            if self._robot is not asyncio.current_task():
                self._robot.cancel()
            self._robot = None

    async def _go_on(self, number: int, acting: int | None) -> None:
        """A bot's next step, not faster than people can follow."""
        loop = asyncio.get_running_loop()
        began, table = loop.time(), self.session.table
        try:
            decided: str | None = None
            forfeit: Forfeit | None = None
            position = table.position
            assert position is not None
            if not table.rolling and acting is not None:
                try:
                    decided = await self._decide(table.seats[acting], position)
                except Forfeit as problem:
                    forfeit = problem
            await asyncio.sleep(max(0.0, table.settings.pace - (loop.time() - began)))
            async with self.session.lock:
                if self.session.dropped or table.position_number != number or table.status != "playing":
                    return
                self.session.must_hold()
                if forfeit is not None and acting is not None:
                    LOG.warning("a program forfeits", extra={"problem": forfeit.english})
                    await lose(self.session, acting, "resigned", {})
                elif table.rolling:
                    await self.session.add([await rolled(self.session)])
                elif decided is not None and acting is not None:
                    step = await self.session.hall.referee.play(position, decided)
                    await self.session.add([step_line(self.session, acting, decided, step)])
        except asyncio.CancelledError:
            raise
        except LeaseLost:
            self.session.drop()
        except Exception:
            LOG.exception("a bot's step failed")

    async def _decide(self, seat: Seat, position: Position) -> str | None:
        if seat.kind == "program":
            command = self.session.hall.operator.programs.get(seat.program or "")
            if command is None:
                raise Forfeit("it is no longer configured", "il n'est plus configuré")
            return (await self.session.hall.bots.choose_program(position, command)).action
        legal = position.legal()
        if len(legal.actions) == 1 and not legal.open:
            return legal.actions[0]
        try:
            return (await self.session.hall.bots.choose(position, seat.level or 3, seed=secrets.randbits(31))).action
        except Problem:
            LOG.exception("a bot could not decide")
            return fallback(position)

    def _out_of_time(self) -> None:
        self.session.hall.keep(asyncio.ensure_future(self._time_is_up(self.session.table.position_number)))

    async def _time_is_up(self, number: int) -> None:
        async with self.session.lock:
            table = self.session.table
            seat = table.clocks.running
            left = table.clocks.remaining(asyncio.get_running_loop().time())
            if self.session.dropped or table.position_number != number or seat is None or left is None:
                return
            if left > 0:
                self.attend()
                return
            try:
                self.session.must_hold()
                await lose(self.session, seat, "time", {})
            except LeaseLost:
                self.session.drop()
            except Problem:
                LOG.exception("a clock ran out, and nothing could be done")

    @property
    def rolls_at_once(self) -> bool:
        """Whether the dice roll at once: the table wants it so, and no bot is to be watched doing it."""
        table = self.session.table
        if not table.rolling or table.settings.dice != "auto":
            return False
        acting = table.acting
        return acting is None or not table.seats[acting].automatic
