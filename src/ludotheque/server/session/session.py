"""A table in this process's hands: takes wishes one after the other, adds lines to the log, has them stored, then tells everyone.

Nothing is shown before it is on disk. What a wish does is in the module of its subject.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.live import LiveHand
from ludotheque.server.log import Line
from ludotheque.server.problems import NotAllowed, WhoAreYou
from ludotheque.server.referee import runs_here
from ludotheque.server.schemas import wishes
from ludotheque.server.schemas.base import VERSION, Model
from ludotheque.server.session import moves, questions, seating, speech, streaming
from ludotheque.server.session.additions import Addition, begin_if_full, rolled
from ludotheque.server.session.automatic import Attendant
from ludotheque.server.session.keeping import card_job, record_job
from ludotheque.server.session.moves import step_here
from ludotheque.server.session.telling import rendered, send_state, tell_here
from ludotheque.server.session.turns import Turns
from ludotheque.server.session.visitors import COME_AGAIN, Visitor, person_id, write
from ludotheque.server.table import Table
from ludotheque.server.writer import Job, LeaseLost, Writing

if TYPE_CHECKING:
    from ludotheque.server.hall import Hall

KEPT_MESSAGES: Final = 32  # numbered messages that a client may have missed; older ones are answered with the state
KEPT_WORDS: Final = 50  # things said
Handler = Callable[["Session", Visitor, Any], Awaitable[None]]
AT_ONCE: Final[Mapping[type[Model], Handler]] = MappingProxyType(  # they wait for nothing that happens at the table
    {wishes.Hand: streaming.hand, wishes.Ping: questions.ping, wishes.AskHint: questions.hint}
)
WISHES: Final[Mapping[type[Model], Handler]] = MappingProxyType(
    {
        wishes.Act: moves.act,
        wishes.Roll: moves.roll,
        wishes.AskTakeback: moves.ask_takeback,
        wishes.AnswerTakeback: moves.answer_takeback,
        wishes.Resign: moves.resign,
        wishes.Claim: moves.claim,
        wishes.Rematch: moves.rematch,
        wishes.Sit: seating.sit,
        wishes.Stand: seating.stand,
        wishes.Bot: seating.bot,
        wishes.Remove: seating.remove,
        wishes.Begin: streaming.begin_live,
        wishes.Peek: questions.peek,
        wishes.AskStory: questions.story,
        wishes.SayPhrase: speech.say,
        wishes.SayText: speech.say,
        wishes.Mute: speech.mute,
    }
)
CHANGES: Final = frozenset(kind for kind in WISHES if issubclass(kind, wishes.Wish))


@dataclass(slots=True)
class Batch:
    """Lines that were added together, the messages that tell of them, and what is written beside them."""

    jobs: list[Job] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    changes_card: bool = False


class Session:
    """A table in this process's hands."""

    def __init__(self, hall: "Hall", table: Table, epoch: int) -> None:
        self.hall = hall
        self.table = table
        self.epoch = epoch
        self.visitors: set[Visitor] = set()
        self.lock = Turns()
        self.dropped = False
        self.used = asyncio.get_running_loop().time()
        self.recent: deque[tuple[int, bytes]] = deque(maxlen=KEPT_MESSAGES)
        self.said: deque[JsonObject] = deque(maxlen=KEPT_WORDS)
        self.muted: dict[str, set[str]] = {}
        self.away: dict[str, float] = dict.fromkeys(table.people, self.used)
        self.live: LiveHand | None = None
        self.attendant = Attendant(self)
        self._steps_here = runs_here(table.game) and table.settings.dice != "auto"

    # Coming and going

    async def enter(self, visitor: Visitor, last: int | None) -> None:
        """Somebody comes, and hears what they have missed."""
        async with self.lock:
            self.must_hold()
            person = person_id(visitor)
            if person in self.table.removed:
                raise NotAllowed("The host has shown you out of this table.", "L'hôte vous a fait quitter cette table.")
            self.visitors.add(visitor)
            if person is not None:
                self.away.pop(person, None)
            table = self.table
            visitor.send(
                write(
                    {
                        "what": "welcome",
                        "version": VERSION,
                        "person": visitor.person,
                        "number": table.number,
                        "now": store.moment(),
                    }
                )
            )
            missed = [text for number, text in self.recent if last is not None and number > last]
            if last is not None and last <= table.number and len(missed) == table.number - last:
                for text in missed:
                    visitor.send(text)
            else:
                send_state(self, visitor, "hello")
            tell_here(self)

    def exit(self, visitor: Visitor) -> None:
        """Somebody's connection has ended."""
        self.visitors.discard(visitor)
        now = asyncio.get_running_loop().time()
        self.used = now
        person = person_id(visitor)
        if person is not None and person not in self.present:
            self.away[person] = now
        if self.visitors:
            tell_here(self)

    @property
    def present(self) -> set[str]:
        """The ids of those who are connected."""
        return {person for visitor in self.visitors if (person := person_id(visitor)) is not None}

    def drop(self, code: int = COME_AGAIN, reason: str = "come again") -> None:
        """Let go of the table: nothing more is shown from here; everyone comes again, perhaps elsewhere."""
        if self.dropped:
            return
        self.dropped = True
        self.attendant.stop()
        self.break_off_live()
        for visitor in list(self.visitors):
            visitor.leave(code, reason)
        self.visitors.clear()
        self.hall.forget_session(self)

    def break_off_live(self) -> None:
        """End a live turn that no longer counts."""
        if self.live is not None:
            self.live.stop()
            self.live = None

    def must_hold(self) -> None:
        """LeaseLost where the table may be in other hands by now."""
        if self.dropped or not self.hall.leases.heard:
            self.drop()
            raise LeaseLost

    # Wishes

    async def wish(self, visitor: Visitor, wish: Model) -> None:
        """Carry out one wish, or answer why not."""
        self.used = asyncio.get_running_loop().time()
        kind = type(wish)
        at_once = AT_ONCE.get(kind)
        if at_once is not None:
            await at_once(self, visitor, wish)
            return
        async with self.lock:
            self.must_hold()
            if kind not in CHANGES or (isinstance(wish, wishes.Wish) and self._is_new(visitor, wish)):
                await WISHES[kind](self, visitor, wish)

    def _is_new(self, visitor: Visitor, wish: wishes.Wish) -> bool:
        """Whether a wish is neither carried out already nor out of date; otherwise it is answered with the state."""
        table, person = self.table, person_id(visitor)
        if person is None:
            raise WhoAreYou(
                "Watching needs no name, playing does: say hello with your secret.",
                "Regarder ne demande pas de nom, jouer si : dites bonjour avec votre secret.",
            )
        if (person, wish.id) in table.wishes:
            send_state(self, visitor, "again", wish.id)
            return False
        if not table.position_number <= wish.at <= table.number:
            self.hall.metrics.stale.inc()
            send_state(self, visitor, "stale", wish.id)
            return False
        return True

    def take_turn(self) -> bool:
        """Whether a step can be taken here and now, and the table's lock is ours for it: nothing has to be waited for, neither
        an earlier wish, nor a worker, nor dice that roll by themselves.
        """
        return self._steps_here and self.lock.take()

    def step_now(self, visitor: Visitor, wish: wishes.Act | wishes.Roll) -> None:
        """Act or roll with no task in between, the ordinary case. The lock that take_turn took is given back when it is stored."""
        batch = Batch()
        try:
            self.must_hold()
            self.used = self.hall.loop.time()
            if self._is_new(visitor, wish):
                self._apply(step_here(self, visitor, wish), batch)
        except BaseException:
            self.lock.release()
            raise
        if batch.lines:
            stored = partial(self._stored, batch)
            self.hall.writer.add(Writing(stored, self.table.id, self.epoch, batch.lines, self._jobs(batch)))
        else:
            self.lock.release()

    def _stored(self, batch: Batch, result: object) -> None:
        """A step has been written, or could not be."""
        try:
            if isinstance(result, BaseException):  # as in `add`; dropping has sent everyone away
                self.drop()
            else:
                self._tell(batch)
        finally:
            self.lock.release()

    async def forget(self, person: str) -> None:
        """A person wants to be forgotten: a bot takes their seats."""
        async with self.lock:
            if person in self.table.people or self.table.host == person:
                await self.add([("forgotten", {"person": person}, None)])

    async def begin_if_full(self) -> None:
        """Begin the first match of a table that was opened with every seat taken."""
        async with self.lock:
            await begin_if_full(self)

    async def add(self, additions: Sequence[Addition], jobs: Sequence[Job] = ()) -> None:
        """Apply lines, have them stored together with what follows by itself, then tell everyone."""
        batch = Batch(list(jobs))
        for addition in additions:
            self._apply(addition, batch)
        while self.attendant.rolls_at_once:
            self._apply(await rolled(self), batch)
        try:
            await self.hall.writer.append(self.table.id, self.epoch, batch.lines, self._jobs(batch))
        except BaseException:  # what is in memory is not what is stored: let go, and whoever comes reads the log
            self.drop()
            raise
        self._tell(batch)

    def _apply(self, addition: Addition, batch: Batch) -> None:
        """Apply a line; it is not shown yet."""
        kind, body, ready = addition
        table = self.table
        line = Line(table.number + 1, kind, body, store.moment())
        try:
            step = table.apply(line, ready)
            batch.lines.append(line)
            if kind != "step" or "end" in body:
                batch.changes_card = True
                if "record" in body or "end" in body:
                    batch.jobs.append(record_job(table))
            if table.clocks.used:
                self.attendant.run_clock()
            batch.texts.append(rendered(self, line, step))
        except BaseException:  # as where it cannot be stored
            self.drop()
            raise

    def _jobs(self, batch: Batch) -> Sequence[Job]:
        """What is written beside the lines of a batch."""
        return [*batch.jobs, card_job(self.table)] if batch.changes_card else batch.jobs

    def _tell(self, batch: Batch) -> None:
        """Tell everyone what is stored now, and set going what goes by itself."""
        table = self.table
        for line, text in zip(batch.lines, batch.texts, strict=True):
            self.recent.append((line.number, text))
            if line.kind == "step":
                self.hall.metrics.played[table.game.name] += 1
            for visitor in tuple(self.visitors):  # one who reads too slowly leaves meanwhile
                visitor.send(text)
        self.hall.housekeeping.touched(table.id, table.touched)
        if batch.changes_card or not table.by_hand:
            self.attendant.attend()
