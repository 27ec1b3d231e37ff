"""Connections of clients to tables: hello first, then requests in and messages out, in order and within rate limits.

Frames are in `websocket`; what requests do is in `session`.
"""

import asyncio
import logging
import time
from typing import Final

from pydantic import ValidationError

from ludotheque.answers.language import DEFAULT, match_language
from ludotheque.answers.problems import NotFound
from ludotheque.core import BadJson, JsonObject, Problem
from ludotheque.server import store
from ludotheque.server.admin.state import refusal
from ludotheque.server.leases import Elsewhere
from ludotheque.server.problems import Later, slow_down
from ludotheque.server.registry import UNKNOWN_SECRET, TableRegistry
from ludotheque.server.relay import forward
from ludotheque.server.schemas.base import VERSION
from ludotheque.server.schemas.requests import Hello, read_message
from ludotheque.server.security import Receive, Scope, Send, TokenBucket, address_of, client_of
from ludotheque.server.session.connection import COME_AGAIN, REMOVED, write
from ludotheque.server.session.session import Session
from ludotheque.server.transport import AsgiTransport, Transport, accept
from ludotheque.server.writer import LeaseLost
from ludotheque.table import NotAllowed, Request, requests

LOG: Final = logging.getLogger("ludotheque.server")
HELLO_SECONDS: Final = 10.0
MOST_UNSENT: Final = 1 << 20  # bytes that a client may leave unread
MOST_EXCESS: Final = 300  # requests over the limit after which the connection is closed
COSTS: Final[dict[type, float]] = {
    requests.Peek: 2,
    requests.AskStory: 10,
    requests.AskHint: 10,
    requests.BeginLive: 5,
}  # in ordinary requests
SPEECH: Final = (requests.SayPhrase, requests.SayText)
STEPS: Final = (requests.Act, requests.Roll)
BAD_HELLO, TOO_SLOW, NO_TABLE = 1008, 1013, 4404


class WebSocketConnection:
    """A client's connection. A slow reader does not delay anybody else."""

    def __init__(self, transport: Transport, network: str = "") -> None:
        self.network = network
        self.person: JsonObject | None = None
        self.device: str | None = None  # the hash of its secret
        self.address = ""  # the client's; that of a relayed connection is known to the process that relays it
        self.language = "en"
        self.left = False
        self._transport = transport

    def send(self, text: bytes) -> None:
        """Send a message, in order; a client that leaves too much unread is disconnected."""
        if self.left:
            return
        if self._transport.congested and self._transport.unsent > MOST_UNSENT:
            self.leave(TOO_SLOW, "too slow")
            return
        self._transport.send(text)

    def send_frame(self, text: bytes) -> None:
        """Send a frame of a live turn, or drop it while earlier data is unsent."""
        if not self.left and not self._transport.unsent:
            self._transport.send(text)

    def show_out(self, ban: store.Ban) -> None:
        """Close the connection of somebody whom the operator has banned, with a sentence."""
        problem = refusal(ban)
        self.send(
            write({"what": "refused", "id": None, "code": problem.code, "sentence": problem.sentence(self.language)})
        )
        self.leave(REMOVED, "banned")

    def leave(self, code: int, reason: str) -> None:
        """Close the connection after what is queued."""
        if not self.left:
            self.left = True
            self._transport.close(code, reason)


class ConnectionLimits:
    """The rate limits of one connection: one for requests, one for a hand's poses."""

    def __init__(self, enabled: bool) -> None:
        now = time.monotonic()
        self._enabled = enabled
        self._requests = TokenBucket(200, 60, 200, now)
        self._poses = TokenBucket(120, 90, 120, now)
        self._excess = 0

    def allows(self, request: Request | Hello | None) -> bool:
        """Whether a request may be handled. A pose too many is dropped without an answer."""
        if type(request) is requests.MoveHand:
            return self._poses.take(1, time.monotonic())
        if not self._enabled:
            return True
        if self._requests.take(COSTS.get(type(request), 1), time.monotonic()):
            return True
        self._excess += 1
        return False

    @property
    def over(self) -> bool:
        """Whether the client is to be disconnected."""
        return self._excess > MOST_EXCESS


def read(text: str | bytes) -> Request | Hello:
    """A request from its JSON; BadJson says what is wrong with it."""
    if isinstance(text, bytes):
        raise BadJson("server.message.binary")
    try:
        return read_message(text)
    except (ValidationError, RecursionError) as error:
        raise bad_json(error) from error


def bad_json(error: ValidationError | RecursionError) -> BadJson:
    """The problem of a message that does not match the schema."""
    if isinstance(error, RecursionError):
        return BadJson("server.message.too-deep")
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part)[:40] for part in first["loc"][:6])
    what = first["msg"][:200]
    if not place:
        return BadJson("server.message.schema", what=what)
    return BadJson("server.message.schema-at", place=place, what=what)


async def serve_connection(
    registry: TableRegistry,
    transport: Transport,
    table: str,
    network: str,
    *,
    address: str = "",
    relayed: bool = False,
) -> None:
    """Serve one connection from hello to its end. `relayed`: another process of this site forwards it."""
    connection = WebSocketConnection(transport, network)
    connection.address = address
    registry.sockets.add(connection)
    registry.metrics.sockets.inc()
    try:
        await _serve(registry, transport, table, connection, relayed)
    except LeaseLost:
        connection.leave(COME_AGAIN, "come again")
    except Exception:
        LOG.exception("a connection failed")
        connection.leave(1011, "something went wrong here")
    finally:
        registry.sockets.discard(connection)
        registry.metrics.sockets.dec()
        registry.gone += 1
        registry.discount_socket(connection)
        connection.leave(1000, "")


async def _serve(
    registry: TableRegistry, transport: Transport, table: str, connection: WebSocketConnection, relayed: bool
) -> None:
    try:
        opening = await asyncio.wait_for(transport.receive(), HELLO_SECONDS)
        if opening is None:
            return
        hello = read(opening)
        if not isinstance(hello, Hello) or hello.version != VERSION:
            raise BadJson("server.message.hello-first", version=VERSION)
    except TimeoutError:
        connection.leave(BAD_HELLO, "no hello")
        return
    except BadJson as problem:
        _refuse(registry, connection, None, problem)
        connection.leave(BAD_HELLO, "bad hello")
        return
    connection.language = match_language(hello.language) or DEFAULT
    if (ban := registry.operation.bans.of_address(connection.address)) is not None:
        connection.show_out(ban)
        return
    try:
        if hello.secret is not None:
            connection.person = await registry.authenticate(hello.secret)
            if connection.person is None:
                connection.leave(UNKNOWN_SECRET, "unknown secret")
                return
            connection.device = store.hashed(hello.secret)
            if (ban := registry.operation.bans.of_person(str(connection.person["id"]))) is not None:
                connection.show_out(ban)
                return
            if not registry.count_socket(connection, limited=not relayed):
                connection.leave(TOO_SLOW, "too many connections")
                return
        found = await registry.find(table)
        if isinstance(found, Elsewhere):
            if relayed:  # the owner has changed meanwhile: the client connects again
                raise LeaseLost
            assert isinstance(opening, str)
            await forward(transport, connection, registry.links, found.address, registry.key, table, opening)
            return
        await found.enter(connection, hello.last)
    except NotFound:
        connection.leave(NO_TABLE, "no such table")
        return
    except NotAllowed as problem:
        _refuse(registry, connection, None, problem)
        connection.leave(REMOVED, "not here")
        return
    except Later:
        connection.leave(TOO_SLOW, "later")
        return
    try:
        await RequestLoop(registry, transport, found, connection).listen()
    finally:
        found.exit(connection)


class RequestLoop:
    """Handles the requests of a connection in order: an ordinary step in the callback that brings it, others in a task."""

    def __init__(
        self, registry: TableRegistry, transport: Transport, session: Session, connection: WebSocketConnection
    ) -> None:
        self._registry, self._transport, self._session, self._connection = registry, transport, session, connection
        self._limits = ConnectionLimits(registry.settings.rate_limits)
        self._read: Request | Hello | None = None  # the request that `receive` returns next, if it has been read

    async def listen(self) -> None:
        """Handle requests until the connection ends."""
        self._transport.on_message = self._handle_now
        try:
            while (text := await self._transport.receive()) is not None and not self._connection.left:
                request, self._read = self._read, None
                try:
                    if request is None:
                        request = read(text)
                    if not self._limits.allows(request):
                        if isinstance(request, requests.MoveHand):
                            continue
                        self._count_hit()
                        raise slow_down()
                    if isinstance(request, Hello):
                        raise BadJson("server.message.hello-again")
                    if isinstance(request, SPEECH) and not self._registry.may_speak(self._connection.person):
                        raise slow_down()
                    await self._session.handle(self._connection, request)
                except Problem as problem:
                    self._answer_problem(request, problem)
        finally:
            self._transport.on_message = None

    def _handle_now(self, text: str | bytes) -> bool:
        """Handle an ordinary step at once; returns False if the message is left to the task."""
        if self._connection.left:
            return False
        try:
            request = self._read = read(text)
        except BadJson:
            return False  # the task finds the same problem and answers it
        if not isinstance(request, STEPS) or not self._session.try_acquire():
            return False
        self._read = None
        try:
            if not self._limits.allows(request):
                self._session.lock.release()
                self._count_hit()
                raise slow_down()
            self._session.handle_now(self._connection, request)
        except Problem as problem:
            self._answer_problem(request, problem)
        except LeaseLost:
            self._connection.leave(COME_AGAIN, "come again")
        except Exception:
            LOG.exception("a connection failed")
            self._connection.leave(1011, "something went wrong here")
        return True

    def _count_hit(self) -> None:
        """Note for the operator that this client asks for too much."""
        person = self._connection.person
        self._registry.hits.add("requests", self._connection.address if person is None else str(person["id"]))

    def _answer_problem(self, request: Request | Hello | None, problem: Problem) -> None:
        """Answer with a refusal; disconnects a client that floods."""
        if request is None:
            self._limits.allows(None)  # malformed messages count as well
        _refuse(self._registry, self._connection, getattr(request, "id", None), problem)
        if self._limits.over:
            self._connection.leave(BAD_HELLO, "flooding")


def _refuse(registry: TableRegistry, connection: WebSocketConnection, request: str | None, problem: Problem) -> None:
    registry.metrics.refused.labels(problem.code).inc()
    connection.send(
        write(
            {"what": "refused", "id": request, "code": problem.code, "sentence": problem.sentence(connection.language)}
        )
    )


async def refuse_websocket(scope: Scope, receive: Receive, send: Send) -> None:
    """Close a WebSocket of an address that has too many."""
    transport = await accept(scope, receive, send)
    WebSocketConnection(transport).leave(TOO_SLOW, "too many connections")
    if isinstance(transport, AsgiTransport):
        await transport.finish()


async def serve_websocket(registry: TableRegistry, scope: Scope, receive: Receive, send: Send, table: str) -> None:
    """Serve a WebSocket whose origin has been checked."""
    transport = await accept(scope, receive, send)
    await serve_connection(registry, transport, table, address_of(scope), address=client_of(scope))
    if isinstance(transport, AsgiTransport):
        await transport.finish()
