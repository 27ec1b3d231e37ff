"""A table in this process's hands: takes wishes one after the other, adds lines to the log, has them stored, then tells everyone.

Nothing is shown before it is on disk. What a wish does is in the module of its subject.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.live import LiveHand
from ludotheque.server.problems import NotAllowed, WhoAreYou
from ludotheque.server.schemas import wishes
from ludotheque.server.schemas.base import VERSION, Model
from ludotheque.server.session import moves, questions, seating, speech, streaming
from ludotheque.server.session.additions import Addition, begin_if_full, rolled
from ludotheque.server.session.automatic import Attendant
from ludotheque.server.session.keeping import card_job, record_job
from ludotheque.server.session.telling import rendered, send_state, tell_here
from ludotheque.server.session.visitors import COME_AGAIN, Visitor, person_id, write
from ludotheque.server.table import Line, Table
from ludotheque.server.writer import Job, LeaseLost

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


class Session:
    """A table in this process's hands."""

    def __init__(self, hall: "Hall", table: Table, epoch: int) -> None:
        self.hall = hall
        self.table = table
        self.epoch = epoch
        self.visitors: set[Visitor] = set()
        self.lock = asyncio.Lock()
        self.dropped = False
        self.used = asyncio.get_running_loop().time()
        self.recent: deque[tuple[int, bytes]] = deque(maxlen=KEPT_MESSAGES)
        self.said: deque[JsonObject] = deque(maxlen=KEPT_WORDS)
        self.muted: dict[str, set[str]] = {}
        self.away: dict[str, float] = dict.fromkeys(table.people, self.used)
        self.live: LiveHand | None = None
        self.attendant = Attendant(self)

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
            if kind in CHANGES:
                assert isinstance(wish, wishes.Wish)
                person = person_id(visitor)
                if person is None:
                    raise WhoAreYou(
                        "Watching needs no name, playing does: say hello with your secret.",
                        "Regarder ne demande pas de nom, jouer si : dites bonjour avec votre secret.",
                    )
                if (person, wish.id) in self.table.wishes:
                    send_state(self, visitor, "again", wish.id)
                    return
                if not self.table.position_number <= wish.at <= self.table.number:
                    self.hall.metrics.stale.inc()
                    send_state(self, visitor, "stale", wish.id)
                    return
            await WISHES[kind](self, visitor, wish)

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
        table = self.table
        lines: list[Line] = []
        texts: list[bytes] = []
        work: list[Job] = list(jobs)
        changed = False
        waiting = list(additions)
        while waiting:
            kind, body, ready = waiting.pop(0)
            line = Line(table.number + 1, kind, body, store.moment())
            step = table.apply(line, ready)
            lines.append(line)
            changed = changed or kind != "step" or "end" in body
            if "record" in body or "end" in body:
                work.append(record_job(table))
            self.attendant.run_clock()
            texts.append(rendered(self, line, step))
            if not waiting and self.attendant.rolls_at_once:
                waiting.append(await rolled(self))
        if changed:
            work.append(card_job(table))
        try:
            await self.hall.writer.lines(table.id, self.epoch, lines, work)
        except BaseException:  # what is in memory is not what is stored: let go, and whoever comes reads the log
            self.drop()
            raise
        for line, text in zip(lines, texts, strict=True):
            self.recent.append((line.number, text))
            if line.kind == "step":
                self.hall.count_action(table.game.name)
            for visitor in self.visitors:
                visitor.send(text)
        self.hall.touched(table.id, table.touched)
        self.attendant.attend()
