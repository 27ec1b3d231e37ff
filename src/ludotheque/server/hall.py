"""The hall: all tables that this process holds; it opens, loads and finds them.

What happens at a table is its session's business, who may come in the sockets', what is done again and again rounds.py's.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.bots import bot
from ludotheque.core import (
    BadOption,
    Dice,
    Game,
    JsonObject,
    Legal,
    Match,
    Step,
    find_game,
    fresh_seed,
)
from ludotheque.server import store
from ludotheque.server.bots import Bots
from ludotheque.server.housekeeping import Housekeeping
from ludotheque.server.leases import Elsewhere, Held, Leases
from ludotheque.server.live import LiveTurns
from ludotheque.server.log import Line
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import come_later, not_found
from ludotheque.server.referee import Distant, Referee, Shown, runs_here
from ludotheque.server.reviews import Reviews
from ludotheque.server.schemas.tables import BotSeat, MySeat, NewTable, OpenSeat, ProgramSeat
from ludotheque.server.session.session import Session
from ludotheque.server.settings import Operator
from ludotheque.server.table import Table
from ludotheque.server.workers import Workers
from ludotheque.server.writer import Writer

LOG: Final = logging.getLogger("ludotheque.server")
KNOWN_FACES: Final = 20_000
FACE_SECONDS: Final = 60.0

Result = TypeVar("Result")


class Hall:
    """The tables in this process's hands, and what they share."""

    def __init__(self, engine: Engine, operator: Operator, address: str) -> None:
        self.engine = engine
        self.operator = operator
        self.metrics = Metrics()
        self.leases = Leases(engine, address, operator.lease_seconds)
        self.writer = Writer(engine, self.metrics)
        self.workers = Workers(operator.workers, self.metrics)
        self.referee = Referee(self.workers)
        self.bots = Bots(self.workers, self.metrics)
        self.live = LiveTurns(operator.workers, self.metrics)
        self.reviews = Reviews(self, self.leases.process)
        self.sessions: dict[str, Session] = {}
        self.closing = False
        self.loop = asyncio.get_running_loop()
        self.key = ""  # by which processes of this site know each other
        self._loading: dict[str, asyncio.Future[Session | Elsewhere]] = {}
        self._faces: dict[str, tuple[float, JsonObject]] = {}
        self._kept: set[asyncio.Future[Any]] = set()
        self.housekeeping = Housekeeping(self)

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
            raise come_later() from error

    async def recognise(self, secret: str) -> JsonObject | None:
        """Whose secret that is; faces are remembered for a minute."""
        face = store.hashed(secret)
        known = self._faces.get(face)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        person = await self.read(lambda connection: store.person_of(connection, secret))
        if person is not None:
            if len(self._faces) >= KNOWN_FACES:
                self._faces.clear()
            self._faces[face] = (time.monotonic() + FACE_SECONDS, person)
        return person

    def forget_faces(self, person: str) -> None:
        """A person's name, devices or existence have changed."""
        self._faces = {face: known for face, known in self._faces.items() if known[1]["id"] != person}

    # Tables

    def check_player(self, game: Game, level: int, program: str | None) -> None:
        """Whether there is such a bot or program; BadOption otherwise."""
        if program is not None:
            if program not in self.operator.programs:
                raise BadOption("There is no such program here.", "Ce programme n'existe pas ici.")
            return
        if runs_here(game):
            return  # the generic search plays every one of these
        bot(game, level).close()

    async def open(self, wanted: NewTable, host: JsonObject) -> Session:
        """Open a table; if every seat is taken, its match begins."""
        game = find_game(wanted.game)
        options = game.read_options(wanted.options)
        seats = self._seats(game, wanted, host)
        players = game.read_players(len(seats))
        if wanted.setup is not None:  # refuse now what could not begin later
            await self.referee.begin(game, players, options, Dice(fresh_seed()), wanted.setup)
        table = Table(store.new_id())
        body: dict[str, Any] = {
            "game": game.name,
            "options": dict(options),
            "private": wanted.private,
            "host": host["id"],
            "host_name": host["name"],
            "settings": wanted.settings.model_dump(),
            "seats": seats,
            "series": wanted.series,
            "seed": fresh_seed(),
            "setup": wanted.setup,
        }
        line = Line(1, "opened", body, store.moment())
        table.apply(line)
        person = str(host["id"])

        def job(connection: Connection) -> None:
            store.add_table(connection, table.card(), False)
            self.leases.new(connection, table.id)
            store.add_entries(connection, table.id, 1, [line])
            store.attend(connection, table.id, person)

        await self.writer.do(job)
        session = Session(self, table, 1)
        self._hold(session)
        self.metrics.opened.labels(game.name).inc()
        await session.begin_if_full()
        return session

    def _seats(self, game: Game, wanted: NewTable, host: JsonObject) -> list[dict[str, Any]]:
        asked = wanted.seats
        if asked is None:
            asked = [MySeat(kind="me"), *[OpenSeat(kind="open")] * (game.seats[0] - 1)]
        seats: list[dict[str, Any]] = []
        for seat in asked:
            share = secrets.token_hex(8)
            if isinstance(seat, MySeat):
                seats.append(
                    {
                        "kind": "person",
                        "person": host["id"],
                        "person_name": host["name"],
                        "name": seat.name,
                        "share": wanted.number or share,
                    }
                )
            elif isinstance(seat, BotSeat):
                self.check_player(game, seat.level, None)
                seats.append({"kind": "bot", "level": seat.level, "share": share})
            elif isinstance(seat, ProgramSeat):
                self.check_player(game, 3, seat.program)
                seats.append({"kind": "program", "program": seat.program, "share": share})
            else:
                seats.append({"kind": "open"})
        return seats

    async def find(self, table: str) -> Session | Elsewhere:
        """The session of a table: here already, taken over now, or in another process's hands."""
        session = self.sessions.get(table)
        if session is not None:
            return session
        if self.closing or not self.leases.heard:
            raise come_later()
        loading = self._loading.get(table)
        if loading is None:
            loading = asyncio.ensure_future(self._load(table))
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def _load(self, table: str) -> Session | Elsewhere:
        def job(connection: Connection) -> tuple[Held | Elsewhere | None, list[Line]]:
            lease = self.leases.take(connection, table)
            return lease, store.read_lines(connection, table) if isinstance(lease, Held) else []

        lease, lines = await self.writer.do(job)
        if lease is None:
            raise not_found("table")
        if isinstance(lease, Elsewhere):
            return lease
        try:
            session = Session(self, await self.rebuild(table, lines), lease.epoch)
        except BaseException:
            await self.writer.do(lambda connection: self.leases.give_back(connection, table, lease.epoch))
            raise
        self._hold(session)
        await session.begin_if_full()
        session.attendant.attend()
        return session

    async def rebuild(self, table_id: str, lines: list[Line]) -> Table:
        """The table that a log describes; positions that live in workers are made there, at the end."""
        table = Table(table_id)
        for line in lines:
            distant = line.kind != "opened" and not runs_here(table.game)
            if not distant:
                table.apply(line)
            elif line.kind == "began":
                table.apply(line, _unknown_match(table))
            elif line.kind == "step":
                table.apply(line, Step(_nowhere(table), (), line.body.get("outcome")))
            else:
                table.apply(line, _nowhere(table))
        match = table.match
        if match is not None and not runs_here(table.game):
            played = [(entry.action, entry.outcome) for entry in match.log]
            known = await self.referee.begin(table.game, match.players, match.options, match.dice, table.setup, played)
            table.match = Match.restore(
                known.first, dice=match.dice, setup_draws=known.setup_draws, log=match.log, position=known.position
            )
        return table

    def _hold(self, session: Session) -> None:
        self.sessions[session.table.id] = session
        self.metrics.tables.set(len(self.sessions))

    def forget_session(self, session: Session) -> None:
        """A session has let go of its table."""
        if self.sessions.get(session.table.id) is session:
            del self.sessions[session.table.id]
            self.metrics.tables.set(len(self.sessions))

    # Small services to sessions

    def keep(self, task: "asyncio.Future[Any]") -> None:
        """Hold on to a task until it is done."""
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)

    async def close(self) -> None:
        """Stop: finish what is being written, send everyone on, give the leases back."""
        self.closing = True
        self.housekeeping.stop()
        for session in list(self.sessions.values()):
            async with session.lock:
                session.drop()
        await self.housekeeping.write_touched()
        for kept in list(self._kept):
            kept.cancel()
        self.workers.close()
        self.live.close()
        await self.writer.close()
        await asyncio.to_thread(self.leases.close)
        await asyncio.to_thread(self.engine.dispose)


def _nowhere(table: Table) -> Distant:
    """A position that stands for one in a worker until that is known."""
    shown = Shown(table.game.name, len(table.seats), table.options, None, Legal(()), {}, (), b"")
    return Distant(table.game, shown)


def _unknown_match(table: Table) -> Match:
    nowhere = _nowhere(table)
    return Match.restore(nowhere, dice=table.next_dice(), position=nowhere)
