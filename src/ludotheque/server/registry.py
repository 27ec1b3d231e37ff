"""Registry of the tables owned by this process: opens, loads and looks them up.

Game flow is in `session` and `ludotheque.table`.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.answers.problems import not_found
from ludotheque.bots import bot
from ludotheque.core import BadOption, Dice, Game, JsonObject, Problem, find_game, fresh_seed
from ludotheque.server import store
from ludotheque.server.admin.state import OperatorState
from ludotheque.server.bots import Bots
from ludotheque.server.clock import SiteClock
from ludotheque.server.costs import Costs
from ludotheque.server.housekeeping import Housekeeping
from ludotheque.server.leases import Elsewhere, Held, Leases
from ludotheque.server.limit_hits import LimitHits
from ludotheque.server.live import LiveTurns
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import busy, draining, read_only
from ludotheque.server.relay import Links
from ludotheque.server.remote_rules import RulesRunner, runs_here
from ludotheque.server.reviews import Reviews
from ludotheque.server.schemas.tables import BotSeat, MySeat, NewTable, OpenSeat, ProgramSeat
from ludotheque.server.security import AddressLimits
from ludotheque.server.session.services import Services
from ludotheque.server.session.session import Session
from ludotheque.server.settings import ServerSettings
from ludotheque.server.slices import in_slices
from ludotheque.server.workers import Workers
from ludotheque.server.writer import Writer
from ludotheque.table import LogEntry, Now, Opened, Seat, Start, Table, TableState

LOG: Final = logging.getLogger("ludotheque.server")
CACHED_PEOPLE: Final = 20_000
CACHE_SECONDS: Final = 60.0
USUAL_LEVEL: Final = 3
LONGEST_HERE: Final = 16  # actions that a table replays in the event loop
SPEECH: Final = (8, 0.5)  # things that a person may say at once, and a second
UNKNOWN_SECRET: Final = 4401
MOST_SOCKETS_OF_A_PERSON: Final = 30  # open at the same time, at all tables

Result = TypeVar("Result")


class Socket(Protocol):
    """An open socket of somebody; `device` is the hash of the secret that it was opened with."""

    person: JsonObject | None
    device: str | None
    address: str

    def leave(self, code: int, reason: str) -> None:
        """Close the socket."""

    def show_out(self, ban: store.Ban) -> None:
        """Close the socket of somebody who is banned."""


class TableRegistry:
    """The tables owned by this process, and what they share."""

    def __init__(self, engine: Engine, settings: ServerSettings, address: str) -> None:
        self.engine = engine
        self.settings = settings
        self.metrics = Metrics()
        self.clock = SiteClock(engine)
        self.leases = Leases(engine, address, settings.lease_seconds)
        self.writer = Writer(engine, self.metrics)
        self.workers = Workers(settings.workers, self.metrics)  # for the tables
        self.questions = Workers(max(1, settings.workers // 2), self.metrics)  # for whatever else anybody asks
        self.hits = LimitHits()  # of people, and of what costs too much; others of addresses are in `security`
        self.costs = Costs(settings.rate_limits, self.hits)
        self.bots = Bots(self.workers, self.questions, self.costs, self.metrics)
        self.live = LiveTurns(settings.workers, self.metrics)
        self.reviews = Reviews(self)
        self.sessions: dict[str, Session] = {}
        self.links = Links()
        self.gone = 0  # connections and tables that are no longer here
        self.closing = False
        self.operation = OperatorState()
        self.orders = asyncio.Event()  # set when the operator has given some
        self.sockets: set[Socket] = set()  # all that are open, also of people without a name
        self.loop = asyncio.get_running_loop()
        self.key = ""  # the secret shared by the processes of this site
        self._rules = RulesRunner(self.workers, self.questions, self.costs)
        self._loading: dict[str, asyncio.Future[Session | Elsewhere]] = {}
        self._people: dict[str, tuple[float, JsonObject]] = {}  # by the hash of their secret, and until when
        self._speech = AddressLimits(*SPEECH)
        self._sockets: dict[str, set[Socket]] = {}  # open ones, by person
        self._revocations = 0  # that this process has noticed
        self._kept: set[asyncio.Future[Any]] = set()
        self.housekeeping = Housekeeping(self)
        self._services = Services(
            self.loop,
            self.writer,
            self.leases,
            self.metrics,
            self._rules,
            self.bots,
            self.live,
            settings.programs,
            self.keep,
            self.housekeeping.touched,
            self.clock,
            self.operation,
        )

    # The database

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Read something, in a thread."""

        def inside() -> Result:
            with self.engine.connect() as connection:
                return work(connection)

        try:
            return await asyncio.to_thread(inside)
        except SQLAlchemyError as error:
            LOG.warning("the database failed", extra={"error": type(error).__name__})
            raise busy() from error

    async def authenticate(self, secret: str) -> JsonObject | None:
        """Whose secret that is; cached for a minute, or until some secret is revoked."""
        key = store.hashed(secret)
        known = self._people.get(key)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        while True:
            revocations = self._revocations
            person = await self.read(lambda connection: store.person_of(connection, secret))
            if revocations == self._revocations:  # otherwise it may have been this one
                break
        if person is not None:
            if len(self._people) >= CACHED_PEOPLE:
                self._people.clear()
            self._people[key] = (time.monotonic() + CACHE_SECONDS, person)
        return person

    def forget_person(self, person: str) -> None:
        """A person's name has changed."""
        self._people = {key: known for key, known in self._people.items() if known[1]["id"] != person}

    async def close_revoked(self) -> None:
        """Some secrets are no longer valid: forget what is known of people, and close the sockets of those secrets."""
        self._revocations += 1
        self._people.clear()
        sockets = [socket for of_person in self._sockets.values() for socket in of_person]
        hashes = {socket.device for socket in sockets if socket.device is not None}
        valid = await self.read(lambda connection: store.valid_devices(connection, hashes))
        async for socket in in_slices(sockets):
            if socket.device not in valid:
                socket.leave(UNKNOWN_SECRET, "unknown secret")

    async def delete_person(self, person: str) -> None:
        """Forget everything about a person, everywhere."""
        async for session in in_slices(self.sessions.values()):
            await session.forget(person)

        def forget(connection: Connection) -> Sequence[str]:
            concerned = store.forget_person(connection, person)
            self.leases.revoke(connection, self.sessions, concerned)
            return concerned

        concerned = await self.writer.do(forget)
        await self.close_revoked()
        for table in concerned:  # those that were not in memory: loading one takes the person out
            try:
                await self.find(table)
            except Problem:  # whoever loads it later takes the person out
                continue

    def may_speak(self, person: JsonObject | None) -> bool:
        """Whether a person may say something now, at whichever table and device."""
        if not self.settings.rate_limits or person is None or self._speech.take(str(person["id"])):
            return True
        self.hits.add("speech", str(person["id"]))
        return False

    def count_socket(self, connection: Socket, *, limited: bool) -> bool:
        """Count an open socket of a person; returns False if they have too many."""
        of_person = self._sockets.setdefault(str((connection.person or {})["id"]), set())
        if limited and self.settings.rate_limits and len(of_person) >= MOST_SOCKETS_OF_A_PERSON:
            self.hits.add("sockets", str((connection.person or {})["id"]))
            return False
        of_person.add(connection)
        return True

    def discount_socket(self, connection: Socket) -> None:
        """A socket has ended."""
        if connection.person is None:
            return
        person = str(connection.person["id"])
        of_person = self._sockets.get(person, set())
        of_person.discard(connection)
        if not of_person:
            self._sockets.pop(person, None)

    # Tables

    def check_player(self, game: Game, level: int, program: str | None) -> None:
        """Whether there is such a bot or program; BadOption otherwise."""
        if program is not None:
            if program not in self.settings.programs:
                raise BadOption("table.no-such-program")
            return
        if runs_here(game):
            return  # the generic search plays every one of these
        bot(game, level).close()

    async def open(self, wanted: NewTable, host: JsonObject) -> Session:
        """Open a table, whose commitment is made with it; its match begins when all seats are taken and all numbers are there."""
        if self.operation.read_only:
            raise read_only()
        if self.operation.draining:
            raise draining()
        game = find_game(wanted.game)
        seats = self._seats(game, wanted, host)
        players = game.read_players(len(seats))
        options = game.read_options(wanted.options, players)
        if wanted.setup is not None:  # refuse now what could not begin later
            await self._rules.start(Start(game, players, options, Dice(fresh_seed()), wanted.setup))
        opened = Opened(
            game=game.name,
            rules=game.rules_version,
            options=dict(options),
            private=wanted.private,
            host=str(host["id"]),
            host_name=str(host["name"]),
            settings=wanted.settings.for_the_table(),
            seats=tuple(seats),
            series=wanted.series,
            seed=fresh_seed(),
            setup=wanted.setup,
        )
        table = self._restore(store.new_id(), [LogEntry(1, opened, store.moment())])
        state, person = table.state, str(host["id"])

        def job(connection: Connection) -> Held:
            store.add_table(connection, state.card(), False, self.clock.moment())
            held = self.leases.add(connection, state.id)
            store.add_entries(connection, state.id, 1, [LogEntry(1, opened, state.created)])
            store.attend(connection, state.id, person)
            return held

        session = self._hold(table, await self.writer.do(job))
        self.metrics.opened.labels(game.name).inc()
        await session.wake()
        return session

    def _seats(self, game: Game, wanted: NewTable, host: JsonObject) -> list[Seat]:
        asked = wanted.seats
        if asked is None:
            asked = [MySeat(kind="me"), *[OpenSeat(kind="open")] * (game.seats[0] - 1)]
        seats: list[Seat] = []
        for seat in asked:
            if isinstance(seat, MySeat):
                seats.append(Seat("person", str(host["id"]), str(host["name"]), seat.name))
            elif isinstance(seat, BotSeat):
                self.check_player(game, seat.level, None)
                seats.append(Seat("bot", level=seat.level))
            elif isinstance(seat, ProgramSeat):
                self.check_player(game, USUAL_LEVEL, seat.program)
                seats.append(Seat("program", program=seat.program))
            else:
                seats.append(Seat())
        return seats

    async def find(self, table: str) -> Session | Elsewhere:
        """The session of a table: owned already, taken over now, or owned by another process."""
        session = self.sessions.get(table)
        if session is not None and self.leases.valid:
            return session
        if self.closing or not self.leases.valid:
            raise busy()
        if self.operation.draining:
            raise draining()
        loading = self._loading.get(table)
        if loading is None:
            loading = asyncio.ensure_future(self._load(table))
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def _load(self, table: str) -> Session | Elsewhere:
        def job(connection: Connection) -> tuple[Held | Elsewhere | None, list[LogEntry]]:
            lease = self.leases.acquire(connection, table)
            return lease, store.read_entries(connection, table) if isinstance(lease, Held) else []

        lease, entries = await self.writer.do(job)
        if lease is None:
            raise not_found("table")
        if isinstance(lease, Elsewhere):
            return lease
        session: Session | None = None
        try:
            session = self._hold(await asyncio.to_thread(self._restore, table, entries), lease)
            if session.state.attended and not session.frozen:
                await self.writer.do(lambda connection: store.set_attended(connection, table, attended=True))
            await session.wake()
            for person in () if session.frozen else await self._ghosts(session.state):
                await session.forget(person)
        except BaseException:
            if session is not None:
                session.drop()
            await self.writer.do(lambda connection: self.leases.release(connection, table, lease.epoch))
            raise
        return session

    async def _ghosts(self, state: TableState) -> Collection[str]:
        """People of a table who were deleted while it was in no process's memory."""
        some = {seat.person for seat in state.seats if seat.person is not None and seat.person_name == store.FORGOTTEN}
        if state.host is not None and state.host_name == store.FORGOTTEN:
            some.add(state.host)
        if not some:
            return ()
        return await self.read(lambda connection: store.deleted_people(connection, some))

    def _restore(self, table: str, entries: list[LogEntry]) -> Table:
        now = Now(self.loop.time(), store.moment())
        return Table.restore(
            table, entries, now, runs_here=runs_here, check_player=self.check_player, longest_here=LONGEST_HERE
        )

    async def read_state(self, table: str) -> TableState:
        """The state of a table that another process owns, as its log has it so far."""
        entries = await self.read(lambda connection: store.read_entries(connection, table))
        found = await asyncio.to_thread(self._restore, table, entries)
        state, match = found.state, found.state.match
        if match is not None and not found.local and state.closed is None:
            played = [(entry.action, entry.outcome) for entry in match.log]
            start = Start(state.game, match.players, match.options, match.dice, state.setup, played)
            state.replace_positions(await self._rules.start(start))
        return state

    def _hold(self, table: Table, lease: Held) -> Session:
        if not self.leases.holds(lease):  # it lapsed while the table was read or written
            raise busy()
        session = Session(self._services, table, lease.epoch, self._forget_session)
        self.sessions[table.state.id] = session
        self.metrics.tables.set(len(self.sessions))
        return session

    def _forget_session(self, session: Session) -> None:
        """A session has given its table up."""
        if self.sessions.get(session.state.id) is session:
            del self.sessions[session.state.id]
            self.gone += 1
            self.metrics.tables.set(len(self.sessions))

    def keep(self, task: "asyncio.Future[Any]") -> None:
        """Hold on to a task until it is done."""
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)

    async def close(self) -> None:
        """Stop: finish what is being written, disconnect everyone, give the leases back."""
        self.closing = True
        self.housekeeping.stop()
        for session in list(self.sessions.values()):
            async with session.lock:
                session.drop()
        await self.housekeeping.write_touched()
        for kept in list(self._kept):
            kept.cancel()
        self.workers.close()
        self.questions.close()
        self.live.close()
        await self.writer.close()
        await asyncio.to_thread(self.leases.close)
        await asyncio.to_thread(self.engine.dispose)
