"""The tables of one browser: opens, loads and finds them, and serves the page's connections to them.

The worker calls one method at a time and awaits its end. Questions over HTTP are answered in `routes`.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ludotheque.answers.language import DEFAULT, match_language
from ludotheque.answers.problems import NotFound, not_found
from ludotheque.browser.new_table import read_new_table
from ludotheque.browser.people import Person, person_of
from ludotheque.browser.reviews import Reviews
from ludotheque.browser.session import Session, now, read_log, refuse
from ludotheque.browser.storage import NotStored, Storage
from ludotheque.core import BadJson, Game, Json, JsonObject, Problem, Reader, UnknownGame, find_game, fresh_seed, parse
from ludotheque.table import LogEntry, NotAllowed, Opened, Table, read_request
from ludotheque.table.messages import VERSION

PREFIX: Final = "local-"
"""What the ids of tables in this browser begin with: the page knows by it whom to ask."""
BAD_HELLO, COME_AGAIN, UNKNOWN_SECRET, REMOVED, NO_TABLE = 1008, 1012, 4401, 4403, 4404
LARGEST_NUMBER: Final = 2**53
LONGEST_SECRET: Final = 200
LONGEST_TAG: Final = 35

Deliver = Callable[[int, str], None]
"""Hands a message to one of the page's connections."""
Close = Callable[[int, int, str], None]
"""Closes one of them, with a code and a reason, as a WebSocket is closed."""


class PageConnection:
    """A connection of the page to a table, with a number that the worker gives it."""

    def __init__(self, number: int, table: str, deliver: Deliver, close: Close) -> None:
        self.person: JsonObject | None = None
        self.language = DEFAULT
        self.table = table
        self.greeted = False
        self._number, self._deliver, self._close = number, deliver, close

    def send(self, text: str) -> None:
        """Send a message, in order."""
        self._deliver(self._number, text)

    def leave(self, code: int, reason: str) -> None:
        """Close the connection."""
        self._close(self._number, code, reason)


class Host:
    """Everything that a server would do for one person and their device."""

    def __init__(self, storage: Storage, deliver: Deliver, close: Close, games: Mapping[str, Game]) -> None:
        self.storage = storage
        self.games = games
        self.reviews = Reviews(storage)
        self.lacking: set[str] = set()
        """Games whose learned weights are still on their way: bots that play by them wait."""
        self._deliver, self._close = deliver, close
        self._sessions: dict[str, Session] = {}
        self._connections: dict[int, PageConnection] = {}

    # Tables

    def find_game(self, name: str) -> Game:
        """A game that is played here; UnknownGame otherwise."""
        return find_game(name, self.games)

    async def open(self, wanted: Json, person: Person) -> Session:
        """Open a table, whose commitment is made with it."""
        game, options, seats, settings, private, series, setup = read_new_table(wanted, self.games, person)
        opened = Opened(
            game=game.name,
            rules=game.rules_version,
            options=options,
            private=private,
            host=person.id,
            host_name=person.name,
            settings=settings,
            seats=tuple(seats),
            series=series,
            seed=fresh_seed(),
            setup=setup,
        )
        first = LogEntry(1, opened, now().moment)
        session = self._restore(PREFIX + secrets.token_urlsafe(12), [first])
        await session.open(first)
        self._sessions[session.state.id] = session
        return session

    async def find(self, table: str) -> Session:
        """The session of a table; NotFound if there is none."""
        session = self._sessions.get(table)
        if session is None:
            log = await read_log(self.storage, table)
            if not log:
                raise not_found("table")
            session = self._sessions[table] = self._restore(table, log)
            try:
                await session.wake()
            except Problem as problem:
                self._give_up(session, problem)
                raise
        return session

    def present(self, table: str) -> Session | None:
        """The session of a table that is in memory."""
        return self._sessions.get(table)

    def _restore(self, table: str, log: Sequence[LogEntry]) -> Session:
        return Session(Table.restore(table, log, now(), games=self.games), self.storage, self.lacking)

    def forget(self, table: str) -> None:
        """Give a table up: whoever comes reads its log."""
        session = self._sessions.pop(table, None)
        if session is not None:
            for connection in list(session.connections.values()):
                connection.leave(COME_AGAIN, "come again")

    # Connections

    def connect(self, number: int, table: str) -> None:
        """The page opens a connection to a table. Its first message is hello."""
        self._connections[number] = PageConnection(number, table, self._deliver, self._close)

    def disconnect(self, number: int) -> None:
        """A connection has ended. A table without any leaves the memory: another window may go on with it."""
        connection = self._connections.pop(number, None)
        session = None if connection is None else self._sessions.get(connection.table)
        if connection is None or session is None:
            return
        session.exit(connection)
        if not session.connections:
            del self._sessions[connection.table]

    async def receive(self, number: int, text: str) -> None:
        """A message of the page."""
        connection = self._connections.get(number)
        if connection is None:
            return
        if not connection.greeted:
            await self._greet(connection, text)
            return
        request_id: str | None = None
        session: Session | None = None
        try:
            message = parse(text)
            if isinstance(message, dict) and isinstance(message.get("id"), str):
                request_id = message["id"]
            if isinstance(message, dict) and message.get("do") == "hello":
                raise BadJson("server.message.hello-again")
            request = read_request(message)
            session = await self.find(connection.table)
            await session.handle(connection, request)
        except Problem as problem:
            refuse(connection, request_id, problem)
            if session is not None:
                self._give_up(session, problem)

    async def _greet(self, connection: PageConnection, text: str) -> None:
        try:
            hello = Reader(parse(text), BadJson)
            if hello.key("do").text() != "hello" or hello.key("version").value != VERSION:
                raise BadJson("server.message.hello-first", version=VERSION)
            tag = hello.key("language").text(LONGEST_TAG) if hello.has("language") else DEFAULT
            secret = _given(hello, "secret")
            last = None if _given(hello, "last") is None else hello.key("last").integer(0, LARGEST_NUMBER)
        except BadJson as problem:
            refuse(connection, None, problem)
            connection.leave(BAD_HELLO, "bad hello")
            return
        connection.language = match_language(tag) or DEFAULT
        if secret is not None:
            person = await person_of(self.storage, str(secret))
            if person is None:
                connection.leave(UNKNOWN_SECRET, "unknown secret")
                return
            connection.person = person.json()
        try:
            session = await self.find(connection.table)
            session.enter(connection, last)
            connection.greeted = True
        except NotFound:
            connection.leave(NO_TABLE, "no such table")
        except (NotAllowed, UnknownGame, NotStored) as problem:
            refuse(connection, None, problem)
            connection.leave(REMOVED, "not here")

    def _give_up(self, session: Session, problem: Problem) -> None:
        """Where something was not stored, or broke the table, what is in memory is given up.

        Whoever is told why is told before: a connection that is closed hears nothing more.
        """
        if isinstance(problem, NotStored) or session.table.broken:
            self.forget(session.state.id)

    # What goes on by itself

    @property
    def wait(self) -> float | None:
        """Seconds until `advance` is to be called; None: not before the next message."""
        times = [due for one in self._sessions.values() if (due := one.due) is not None]
        if self.reviews.due:
            times.append(0.0)
        return max(0.0, min(times) - now().seconds) if times else None

    async def advance(self) -> None:
        """Do one piece of what is due, at a table before reviews."""
        present = now().seconds
        due = [one for one in self._sessions.values() if one.due is not None and one.due <= present]
        if due:
            session = min(due, key=lambda one: one.due or 0.0)
            try:
                await session.advance()
            except NotStored as problem:
                for connection in session.connections.values():
                    refuse(connection, None, problem)
                self._give_up(session, problem)
            except Problem as problem:
                self._give_up(session, problem)
                raise
        elif self.reviews.due:
            await self.reviews.advance()


def _given(reader: Reader, name: str) -> Json:
    """A value that may be missing or null."""
    return reader.key(name).value if reader.has(name) else None
