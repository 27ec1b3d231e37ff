"""A table owned by this process: hands it requests one at a time, commits its entries, then publishes its messages.

Nothing is published before it is on disk. What a request does is in `ludotheque.table`.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

import orjson

from ludotheque.bots import Forfeit
from ludotheque.core import Json, JsonObject, Match, Problem, languages
from ludotheque.server.fifo_lock import FifoLock
from ludotheque.server.live import LiveTurnHandle
from ludotheque.server.problems import read_only
from ludotheque.server.session.broadcast import Broadcast
from ludotheque.server.session.connection import COME_AGAIN, REMOVED, Connection, write
from ludotheque.server.session.jobs import jobs_for
from ludotheque.server.session.services import Services
from ludotheque.server.writer import LeaseLost, PendingWrite
from ludotheque.table import (
    Advise,
    Cancel,
    Choose,
    Effects,
    Forfeited,
    Live,
    Message,
    Now,
    PlayAll,
    Request,
    Steer,
    Table,
    TableState,
    Work,
    requests,
)
from ludotheque.table.effects import RulesTask
from ludotheque.table.entries import Stepped
from ludotheque.table.messages import here_message

LOG: Final = logging.getLogger("ludotheque.server")
HINT_SECONDS: Final = 1.0
CHANGES: Final = (requests.Change, requests.Remove)  # what read-only mode refuses
CROWD: Final = 16  # connections; with more, who is here is told once in a while
HERE_SECONDS: Final = 0.5
AT_ONCE: Final = (requests.MoveHand, requests.Ping, requests.AskHint)  # they need not wait for other requests

Finished: TypeAlias = Callable[[BaseException | None], None]
"""Called when effects are carried out, with the exception that prevented it."""


class Session:
    """The host of one table. Whatever changes the table is done while its lock is held."""

    def __init__(self, services: Services, table: Table, epoch: int, on_drop: "Callable[[Session], None]") -> None:
        self.table = table
        self.epoch = epoch
        self.lock = FifoLock()
        self.dropped = False
        self.used = services.loop.time()
        self.frozen = services.operation.read_only  # only to be looked at
        self.requests = 0  # handled since the table was loaded
        self.seconds = 0.0  # of the event loop that they took
        self.bot_seconds = 0.0  # that bots and programs took, waiting included
        self._services = services
        self._on_drop = on_drop
        self._broadcast = Broadcast()
        self._thinking: dict[int, asyncio.Task[None]] = {}  # bots, by work
        self._hands: dict[int, LiveTurnHandle] = {}  # live turns, by work
        self._timer: asyncio.TimerHandle | None = None
        self._armed: float | None = None
        self._here_timer: asyncio.TimerHandle | None = None
        self._network: str | None = None  # of whoever's request is being carried out, while the lock is held

    @property
    def state(self) -> TableState:
        """The table's state."""
        return self.table.state

    @property
    def present(self) -> frozenset[str]:
        """The ids of those who are connected."""
        return self.table.room.present

    @property
    def connected(self) -> bool:
        """Whether anybody is connected."""
        return bool(self._broadcast.connections)

    @property
    def at_work(self) -> bool:
        """Whether something goes on by itself: a bot decides, a step is due, a clock or a live turn runs."""
        return self.table.deadline is not None or bool(self._thinking or self._hands)

    @property
    def resting(self) -> bool:
        """Whether nobody minds a change of owner now: no bot thinks, no live turn goes on, and no request is handled."""
        return not (self._thinking or self._hands or self.lock.locked())

    @property
    def connections(self) -> int:
        """How many are connected."""
        return len(self._broadcast.connections)

    def tell(self, text: bytes) -> None:
        """Send everybody something that is not about the table."""
        self._broadcast.publish((Message({}),), (text,))

    def now(self) -> Now:
        """The present, for the table."""
        return Now(self._services.loop.time(), time.time_ns() // 1_000_000)

    # Coming and going

    async def enter(self, connection: Connection, last: int | None) -> None:
        """Somebody comes, and hears what they have missed since number `last`."""
        async with self.lock:
            self.must_own()
            missed = self._broadcast.since(last, self.state.number)
            effects = self.table.enter(connection, self.now(), caught_up=missed is not None)
            self._broadcast.connections[connection] = connection
            welcome, *others = effects.messages
            connection.send(write(welcome.content))
            for text in missed or ():
                connection.send(text)
            others = self._presence(others, connection)
            self._broadcast.publish(others, [write(one.content) for one in others])
            if (notice := self._services.operation.notice_now()) is not None:
                connection.send(write({"what": "notice", **notice}))
            self._arm_if_changed()

    def exit(self, connection: Connection) -> None:
        """Somebody's connection has ended."""
        self._broadcast.connections.pop(connection, None)
        now = self.now()
        self.used = now.seconds
        messages = self._presence(self.table.leave(connection, now).messages, None)
        self._broadcast.publish(messages, [write(one.content) for one in messages])
        self._arm_if_changed()

    def _presence(self, messages: list[Message], newcomer: Connection | None) -> list[Message]:
        """In a crowd, everybody hears once in a while who is here, and a newcomer at once; n who come tell n others n times."""
        if len(self._broadcast.connections) <= CROWD:
            return messages
        if self._here_timer is None:
            self._here_timer = self._services.loop.call_later(HERE_SECONDS, self._tell_here)
        to_all = () if newcomer is None else (newcomer,)
        return [one._replace(to=to_all) if one.to is None else one for one in messages]

    def _tell_here(self) -> None:
        self._here_timer = None
        if not self.dropped:
            here = Message(here_message(self.state, self.table.room))
            self._broadcast.publish((here,), (write(here.content),))

    def drop(self, code: int = COME_AGAIN, reason: str = "come again") -> None:
        """Give the table up: nothing more is published from here; everyone reconnects, perhaps elsewhere."""
        if self.dropped:
            return
        self.dropped = True
        self._arm(None)
        if self._here_timer is not None:
            self._here_timer.cancel()
        current = asyncio.current_task()
        for task in self._thinking.values():
            if task is not current:
                task.cancel()
        for hand in self._hands.values():
            hand.stop()
        self._thinking, self._hands = {}, {}
        self._broadcast.close(code, reason)
        self._on_drop(self)

    def must_own(self) -> None:
        """LeaseLost where another process may own the table by now."""
        if self.dropped or not self._services.leases.valid:
            self.drop()
            raise LeaseLost

    # Requests

    async def handle(self, connection: Connection, request: Request) -> None:
        """Carry out a request when its turn comes; a Problem refuses it."""
        if isinstance(request, AT_ONCE):
            self.must_own()
            await self._answer(self._begin(connection, request), connection.network)
            return
        if isinstance(request, requests.Peek):
            async with self.lock:  # nobody sees what is not stored yet
                self.must_own()
                if connection.left:
                    return
                effects = self._begin(connection, request)
            await self._answer(effects, connection.network)
            return
        if isinstance(request, requests.AskStory) and self.state.match is not None:
            self.must_own()
            await self._tell_story(connection, request, self.state.match)
            return
        async with self.lock:
            self.must_own()
            if connection.left:  # while it waited
                return
            self._network = connection.network
            try:
                await self._complete(self._begin(connection, request))
            finally:
                self._network = None

    async def _tell_story(self, connection: Connection, request: requests.AskStory, match: Match) -> None:
        """Answer with the match so far in words. A worker tells it: a long match would hold up everybody's table."""
        state = self.state
        number, names = state.number, {language: state.names(language) for language in languages()}
        steps = await self._services.rules.tell_story(
            match.first, tuple(match.log), names, request.start, connection.network
        )
        message = {
            "what": "story",
            "id": request.id,
            "number": number,
            "from": request.start,
            "steps": orjson.Fragment(steps),
        }
        connection.send(write(message))

    def try_acquire(self) -> bool:
        """Acquire the lock for `handle_now`; returns False where a request would have to wait for another or for a worker."""
        return self.table.local and self.lock.try_acquire()

    def handle_now(self, connection: Connection, request: Request) -> None:
        """Carry out a request without a task, the ordinary case. The lock is released when everything is done."""
        try:
            self.must_own()
            effects = self._begin(connection, request)
        except BaseException:
            self.lock.release()
            raise
        self._execute(effects, self._release)

    def _release(self, _error: BaseException | None) -> None:
        self.lock.release()

    def _begin(self, connection: Connection, request: Request) -> Effects:
        """Let the table check a request and say what follows."""
        now = self.now()
        self.used = now.seconds
        if self.frozen and isinstance(request, CHANGES):
            raise read_only()
        try:
            effects = self.table.handle(request, connection, now)
        except BaseException:
            self._drop_if_broken()
            raise
        self.requests += 1
        self.seconds += self._services.loop.time() - now.seconds
        if not effects.entries and effects.messages and effects.messages[0].content.get("why") == "stale":
            self._services.metrics.stale.inc()
        return effects

    def _drop_if_broken(self) -> None:
        if self.table.broken:  # what is in memory is not what is stored: whoever comes reads the log
            self.drop()

    async def wake(self) -> None:
        """Set a new or restored table going."""
        async with self.lock:
            await self._complete(self.table.wake(self.now(), frozen=self.frozen))

    async def forget(self, person: str) -> None:
        """Take a person out of the table."""
        async with self.lock:
            await self._complete(self.table.forget(person, self.now()))

    async def close(self, reason: str | None) -> None:
        """Close the table for good, by the operator's order."""
        async with self.lock:
            self.must_own()
            await self._complete(self.table.close(reason, self.now()))

    # Carrying out: commit, publish, run. One way for all effects, whether somebody awaits its end or not.

    async def _complete(self, effects: Effects) -> None:
        """Carry out effects to their end."""
        done: asyncio.Future[None] = self._services.loop.create_future()

        def finished(error: BaseException | None) -> None:
            if done.done():
                return
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

        self._execute(effects, finished)
        try:
            await done
        except asyncio.CancelledError:  # nobody knows what becomes of it: whoever comes reads the log
            self.drop()
            raise

    def _execute(self, effects: Effects, finished: Finished) -> None:
        """Write the messages, commit the entries, then publish and run what is to be run."""
        state, entries = self.table.state, effects.entries
        try:
            texts = [write(message.content) for message in effects.messages]
            if entries:
                done = partial(self._committed, effects, texts, finished)
                writing = PendingWrite(
                    done, state.id, self.epoch, entries, jobs_for(state, entries, self._services.clock)
                )
        except Exception as error:
            LOG.exception("what follows from a request could not be written")
            self.drop()
            finished(error)
            return
        if entries:
            self._services.writer.add(writing)
        else:
            self._published(effects, texts, finished)

    def _committed(self, effects: Effects, texts: list[bytes], finished: Finished, result: object) -> None:
        """Entries have been committed, or could not be. After a lapse nothing is told: whoever comes again reads the log."""
        if not isinstance(result, BaseException) and not self._services.leases.valid:
            result = LeaseLost()
        if isinstance(result, BaseException):
            self.drop()
            finished(result)
            return
        services, state = self._services, self.table.state
        for line in effects.entries:
            if isinstance(line.entry, Stepped):
                services.metrics.played[state.game.name] += 1
        services.touched(state.id)
        self._published(effects, texts, finished)

    def _published(self, effects: Effects, texts: list[bytes], finished: Finished) -> None:
        """Publish, run what does not hold the table up, and go on with what does."""
        try:
            self._broadcast.publish(effects.messages, texts)
            for work in effects.work:
                self._run(work)
            for actor in effects.dismissed:
                if (connection := self._broadcast.connections.get(actor)) is not None:
                    connection.leave(REMOVED, "removed")
            self._arm_if_changed()
        except Exception as error:
            LOG.exception("what was committed could not be published")
            self.drop()
            finished(error)
            return
        awaited = effects.awaited if effects.work else None
        if awaited is None:
            finished(None)
        else:
            self._services.keep(self._services.loop.create_task(self._go_on(awaited, finished)))

    async def _go_on(self, work: Work, finished: Finished) -> None:
        """Do the work that the table waits for, and carry out what follows."""
        try:
            result = await self._result(work)
        except Problem as problem:
            result = problem
        except BaseException as error:
            self.drop()
            finished(error)
            raise
        try:
            effects = self.table.resume(work.id, result, self.now())
        except BaseException as error:
            self._drop_if_broken()
            finished(error)
            return
        self._execute(effects, finished)

    async def _result(self, work: Work) -> Any:
        if isinstance(work, RulesTask):
            return await self._services.rules.run(work, self._network)
        assert isinstance(work, Live)
        hand = await self._services.live.begin(
            work.position, work.hand, partial(self._frame, work.id), partial(self._live_over, work.id)
        )
        if self.dropped:
            hand.stop()
        else:
            self._hands[work.id] = hand
        return None

    def _run(self, work: Work) -> None:
        """Start, steer or stop what the table does not wait for."""
        if self.dropped:
            return
        if isinstance(work, Choose):
            self._thinking[work.id] = self._services.loop.create_task(self._choose(work))
        elif isinstance(work, Steer):
            if (hand := self._hands.get(work.id)) is not None:
                hand.move(work.hand)
        elif isinstance(work, Cancel):
            if (task := self._thinking.pop(work.id, None)) is not None:
                task.cancel()
            if (hand := self._hands.pop(work.id, None)) is not None:
                hand.stop()

    async def _answer(self, effects: Effects, network: str) -> None:
        """Carry out what changes nothing and waits for nothing at the table; a network pays for it."""
        self._broadcast.publish(effects.messages, [write(one.content) for one in effects.messages])
        for work in effects.work:
            if isinstance(work, Advise | PlayAll):
                result: Any
                try:
                    result = await self._question(work, network)
                except Problem as problem:
                    result = problem
                await self._answer(self.table.resume(work.id, result, self.now()), network)
            else:
                self._run(work)

    async def _question(self, work: Advise | PlayAll, network: str) -> Any:
        if isinstance(work, PlayAll):
            return await self._services.rules.preview(work, network)
        return await self._services.bots.advise(work.position, work.level, network, seconds=HINT_SECONDS)

    # What goes on by itself

    async def _choose(self, work: Choose) -> None:
        """A bot's next step, at the table's pace."""
        loop = self._services.loop
        try:
            began = loop.time()
            result = await self._decide(work)
            self.bot_seconds += loop.time() - began
            await asyncio.sleep(max(0.0, work.not_before - loop.time()))
            async with self.lock:
                if self._thinking.pop(work.id, None) is None:
                    return
                self.must_own()
                await self._complete(self.table.resume(work.id, result, self.now()))
        except asyncio.CancelledError:
            raise
        except LeaseLost:
            self.drop()
        except Exception:
            LOG.exception("a bot's step failed")
            self._drop_if_broken()

    async def _decide(self, work: Choose) -> str | Forfeited | Problem:
        bots = self._services.bots
        try:
            if work.program is None:
                return (await bots.choose(work.position, work.level, seed=work.seed)).action
            command = self._services.programs.get(work.program)
            if command is None:
                raise Forfeit("table.program-not-configured")
            return (await bots.choose_program(work.position, command)).action
        except Forfeit as problem:
            LOG.warning("a program forfeits", extra={"problem": str(problem)})
            return Forfeited(str(problem))
        except Problem as problem:
            LOG.exception("a bot could not decide")
            return problem

    def _arm_if_changed(self) -> None:
        deadline = self.table.deadline
        if deadline != self._armed:
            self._arm(deadline)

    def _arm(self, deadline: float | None) -> None:
        """Set the timer for the table's deadline."""
        if self.dropped or self.frozen:
            deadline = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._armed = deadline
        if deadline is not None:
            self._timer = self._services.loop.call_at(deadline, self._due)

    def _due(self) -> None:
        self._timer = self._armed = None
        self._services.keep(self._services.loop.create_task(self._tick()))

    async def _tick(self) -> None:
        try:
            async with self.lock:
                deadline, now = self.table.deadline, self.now()
                if self.dropped or deadline is None:
                    return
                if deadline > now.seconds:
                    self._arm(deadline)
                    return
                self.must_own()
                await self._complete(self.table.tick(now))
        except LeaseLost:
            self.drop()
        except Exception:
            LOG.exception("something was due at a table, and could not be done")
            self._drop_if_broken()

    # Live turns

    def _frame(self, work: int, _hand: LiveTurnHandle, sample: int, frame: JsonObject) -> None:
        message = self.table.frame(work, sample, frame)
        if message is not None:
            self._broadcast.stream(message)

    def _live_over(self, work: int, _hand: LiveTurnHandle, result: tuple[str, Json] | None) -> None:
        self._services.keep(self._services.loop.create_task(self._end_live(work, result)))

    async def _end_live(self, work: int, result: tuple[str, Json] | None) -> None:
        try:
            async with self.lock:
                self._hands.pop(work, None)
                if self.dropped:
                    return
                self.must_own()
                await self._complete(self.table.live_ended(work, result, self.now()))
        except LeaseLost:
            self.drop()
        except Exception:
            LOG.exception("a live turn could not be ended")
            self._drop_if_broken()
