"""One WebSocket a person and table: hello first, then wishes in and messages out, in order and within limits.

What wishes do is the session's business.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from pydantic import ValidationError

from ludotheque.core import BadJson, JsonObject, Problem
from ludotheque.server.hall import Hall
from ludotheque.server.leases import Elsewhere
from ludotheque.server.problems import Later, NotAllowed, NotFound, slow_down
from ludotheque.server.schemas import wishes
from ludotheque.server.schemas.base import VERSION, Model
from ludotheque.server.security import Bucket, Receive, Scope
from ludotheque.server.session.session import Session
from ludotheque.server.session.visitors import COME_AGAIN, REMOVED, write
from ludotheque.server.wires import EXTENSION, Wire
from ludotheque.server.writer import LeaseLost

LOG: Final = logging.getLogger("ludotheque.server")
HELLO_SECONDS: Final = 10.0
MOST_UNSENT: Final = 1 << 20  # bytes that somebody may leave unread
MOST_EXCESS: Final = 300  # wishes over the limit after which a flood ends
COSTS: Final[dict[type, float]] = {
    wishes.Peek: 2,
    wishes.AskStory: 10,
    wishes.AskHint: 10,
    wishes.Begin: 5,
}  # in ordinary wishes
STEPS: Final = (wishes.Act, wishes.Roll)
READ: Final[Callable[[str], wishes.AnyWish]] = (
    wishes.WISHES.validator.validate_json
)  # validate_json looks for it each time
BAD_HELLO, TOO_SLOW, UNKNOWN_SECRET, NO_TABLE = 1008, 1013, 4401, 4404


class SocketVisitor:
    """Somebody at the other end of a wire; a slow reader holds up nobody."""

    def __init__(self, wire: Wire) -> None:
        self.person: JsonObject | None = None
        self.language = "en"
        self.left = False
        self._wire = wire

    def send(self, text: bytes) -> None:
        """Send a message, in order; whoever does not read for too long has to come again."""
        if self.left:
            return
        if self._wire.choked and self._wire.unsent > MOST_UNSENT:
            self.leave(TOO_SLOW, "too slow")
            return
        self._wire.send(text)

    def send_frame(self, text: bytes) -> None:
        """Send a frame, unless something still waits: the next frame will do."""
        if not self.left and not self._wire.unsent:
            self._wire.send(text)

    def leave(self, code: int, reason: str) -> None:
        """End the connection after what waits has been sent."""
        if not self.left:
            self.left = True
            self._wire.close(code, reason)


class Flood:
    """How much one connection may ask: wishes, and a hand's poses apart from them."""

    def __init__(self, gentle: bool) -> None:
        now = time.monotonic()
        self._gentle = gentle
        self._wishes = Bucket(200, 60, 200, now)
        self._poses = Bucket(120, 90, 120, now)
        self._excess = 0

    def lets(self, wish: Model | None) -> bool:
        """Whether a wish may be carried out; a pose too many is just forgotten."""
        if type(wish) is wishes.Hand:
            return self._poses.take(1, time.monotonic())
        if not self._gentle:
            return True
        if self._wishes.take(COSTS.get(type(wish), 1), time.monotonic()):
            return True
        self._excess += 1
        return False

    @property
    def over(self) -> bool:
        """Whether this is no longer a person."""
        return self._excess > MOST_EXCESS


def read(text: str | bytes) -> wishes.AnyWish:
    """A wish from its text; BadJson says what is wrong with it."""
    if isinstance(text, bytes):
        raise BadJson("Messages are text, not binary.", "Les messages sont du texte, pas du binaire.")
    try:
        return READ(text)
    except (ValidationError, RecursionError) as error:
        raise bad_json(error) from error


def bad_json(error: ValidationError | RecursionError) -> BadJson:
    """What is wrong with a message, short."""
    if isinstance(error, RecursionError):
        return BadJson("This is nested too deeply.", "C'est trop imbriqué.")
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part)[:40] for part in first["loc"][:6])
    what = first["msg"][:200]
    return BadJson(
        f"The message is not of the schema: {place + ': ' if place else ''}{what}",
        f"Le message ne suit pas le schéma ({place or '?'}) : {what}",
    )


async def talk(hall: Hall, wire: Wire, table: str, *, linked: bool = False) -> None:
    """Serve one connection from hello to goodbye. `linked`: it comes through another process of this site."""
    visitor = SocketVisitor(wire)
    hall.metrics.sockets.inc()
    try:
        await _talk(hall, wire, table, visitor, linked)
    except LeaseLost:
        visitor.leave(COME_AGAIN, "come again")
    except Exception:
        LOG.exception("a connection failed")
        visitor.leave(1011, "something went wrong here")
    finally:
        hall.metrics.sockets.dec()
        visitor.leave(1000, "")


async def _talk(hall: Hall, wire: Wire, table: str, visitor: SocketVisitor, linked: bool) -> None:
    try:
        opening = await asyncio.wait_for(wire.receive(), HELLO_SECONDS)
        if opening is None:
            return
        hello = read(opening)
        if not isinstance(hello, wishes.Hello) or hello.version != VERSION:
            raise BadJson(
                f"The first message is hello, with version {VERSION}.",
                f"Le premier message est hello, version {VERSION}.",
            )
    except TimeoutError:
        visitor.leave(BAD_HELLO, "no hello")
        return
    except BadJson as problem:
        _refuse(hall, visitor, None, problem)
        visitor.leave(BAD_HELLO, "bad hello")
        return
    visitor.language = "fr" if hello.language.lower().startswith("fr") else "en"
    try:
        if hello.secret is not None:
            visitor.person = await hall.recognise(hello.secret)
            if visitor.person is None:
                visitor.leave(UNKNOWN_SECRET, "unknown secret")
                return
        found = await hall.find(table)
        if isinstance(found, Elsewhere):
            if linked:  # the table has moved on while we were asked: let them ask again
                raise LeaseLost
            from ludotheque.server.relay import pass_on  # noqa: PLC0415 - it needs this module

            assert isinstance(opening, str)
            await pass_on(hall, wire, visitor, found.address, table, opening)
            return
        await found.enter(visitor, hello.last)
    except NotFound:
        visitor.leave(NO_TABLE, "no such table")
        return
    except NotAllowed:
        visitor.leave(REMOVED, "removed")
        return
    except Later:
        visitor.leave(TOO_SLOW, "later")
        return
    try:
        await Conversation(hall, wire, found, visitor).listen()
    finally:
        found.exit(visitor)


class Conversation:
    """What a visitor says after hello, in order; an ordinary step is taken as it comes, everything else in the listening task."""

    def __init__(self, hall: Hall, wire: Wire, session: Session, visitor: SocketVisitor) -> None:
        self._hall, self._wire, self._session, self._visitor = hall, wire, session, visitor
        self._flood = Flood(hall.operator.gentle)
        self._read: wishes.AnyWish | None = None  # of the message that is received next

    async def listen(self) -> None:
        """Carry out wishes until the connection ends."""
        self._wire.shortcut = self._at_once
        try:
            while (text := await self._wire.receive()) is not None and not self._visitor.left:
                wish, self._read = self._read, None
                try:
                    if wish is None:
                        wish = read(text)
                    if not self._flood.lets(wish):
                        if isinstance(wish, wishes.Hand):
                            continue
                        raise slow_down()
                    if type(wish) is wishes.Hello:
                        raise BadJson("Hello was said already.", "Le bonjour est déjà dit.")
                    await self._session.wish(self._visitor, wish)
                except Problem as problem:
                    self._trouble(wish, problem)
        finally:
            self._wire.shortcut = None

    def _at_once(self, text: str | bytes) -> bool:
        """Whether it was an ordinary step, and has been taken."""
        if self._visitor.left:
            return False
        try:
            wish = self._read = read(text)
        except BadJson:
            return False  # which the listening task will find, too, and answer
        if not isinstance(wish, STEPS) or not self._session.take_turn():
            return False
        self._read = None
        try:
            if not self._flood.lets(wish):
                self._session.lock.release()
                raise slow_down()
            self._session.step_now(self._visitor, wish)
        except Problem as problem:
            self._trouble(wish, problem)
        except LeaseLost:
            self._visitor.leave(COME_AGAIN, "come again")
        except Exception:
            LOG.exception("a connection failed")
            self._visitor.leave(1011, "something went wrong here")
        return True

    def _trouble(self, wish: wishes.AnyWish | None, problem: Problem) -> None:
        """Say what is wrong; who floods has to go."""
        if wish is None:
            self._flood.lets(None)  # nonsense counts as well
        _refuse(self._hall, self._visitor, getattr(wish, "id", None), problem)
        if self._flood.over:
            self._visitor.leave(BAD_HELLO, "flooding")


def _refuse(hall: Hall, visitor: SocketVisitor, wish: str | None, problem: Problem) -> None:
    hall.metrics.refused.labels(problem.code).inc()
    visitor.send(
        write({"what": "refused", "id": wish, "code": problem.code, "sentence": problem.sentence(visitor.language)})
    )


async def serve_socket(hall: Hall, scope: Scope, receive: Receive, table: str) -> None:
    """A WebSocket that the web server hands us, already checked for its origin."""
    await receive()
    await talk(hall, scope["extensions"][EXTENSION](), table)
