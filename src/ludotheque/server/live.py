"""Live turns: what a hand asks for goes to a worker process that samples the turn at its rate; its frames come back.

The game defines the samples (`core.Live`); the session publishes the frames and stores the finished turn.
"""

import asyncio
import atexit
import contextlib
import logging
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from types import FrameType
from typing import Any, Final

from ludotheque.core import Json, JsonObject, LiveTurn, Position, Problem, find_game, game_names
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import come_later
from ludotheque.server.remote_rules import pickled
from ludotheque.server.workers import CONTEXT, STARTING

SHOWN_RATE: Final = 30  # frames a second that everybody sees, at least
SILENCE: Final = 5.0  # seconds without a wish after which the hand lets go
LET_GO: Final[JsonObject] = {"release": True}
LONGEST: Final = 300.0  # seconds: no turn takes longer
LATE: Final = 0.25  # seconds behind after which a turn's schedule starts afresh
CLOSING: Final = 5.0  # seconds for a process that was killed, and for its threads
HUNG: Final = 20.0  # seconds without a frame of any turn after which a process is given up
LOG: Final = logging.getLogger("ludotheque.server")

Message = tuple[Any, ...]
OnFrame = Callable[["LiveHand", int, JsonObject], None]
OnOver = Callable[["LiveHand", tuple[str, Json] | None], None]


class LiveHand:
    """A live turn as the session holds it."""

    def __init__(self, worker: "LiveWorker", key: int, on_frame: OnFrame, on_over: OnOver) -> None:
        self._worker = worker
        self.key = key
        self.on_frame = on_frame
        self.on_over = on_over
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seat = 0
        self.wish: str | None = None
        self.person: str | None = None
        self.number = 0
        self._asked: JsonObject | None = None
        self._lock = threading.Lock()

    def ask(self, wish: JsonObject) -> None:
        """What the hand asks for now. While the process is busy, wishes become one: none is lost, and none piles up."""
        with self._lock:
            waits = self._asked is not None
            self._asked = {**(self._asked or {}), **wish}
        if not waits:
            self._worker.send(self)

    def asked(self) -> Message:
        """What has been asked for and not been told yet."""
        with self._lock:
            asked, self._asked = self._asked, None
        return "hand", self.key, asked

    def stop(self) -> None:
        """Break the turn off."""
        self._worker.send(("stop", self.key))
        self._worker.hands.pop(self.key, None)


class LiveWorker:
    """A process in which live turns run, and the threads that talk to it: nothing that it does or leaves undone stops the server."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self.hands: dict[int, LiveHand] = {}
        self._killed = False
        self._lost = False
        self._to_say: SimpleQueue[Message | LiveHand | None] = SimpleQueue()
        self._pipe, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_work, args=(theirs,), daemon=True, name="ludotheque live worker")
        with _undisturbed():
            self.process.start()
        theirs.close()
        self._threads = [threading.Thread(target=talk, name="live", daemon=True) for talk in (self._hear, self._say)]
        for thread in self._threads:
            thread.start()

    def send(self, message: Message | LiveHand) -> None:
        """Tell the process something, or what a hand asks for; if it has died, its turns end anyway."""
        self._to_say.put(message)

    def _say(self) -> None:
        with contextlib.suppress(OSError):  # it has died, and is heard to
            while (message := self._to_say.get()) is not None:
                self._pipe.send(message.asked() if isinstance(message, LiveHand) else message)

    def _hear(self) -> None:
        try:
            while True:
                if self._pipe.poll(HUNG):
                    self._loop.call_soon_threadsafe(self._heard, self._pipe.recv())
                elif self._hangs():
                    self.process.kill()
        except (EOFError, OSError):
            self._to_say.put(None)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody minds
                self._loop.call_soon_threadsafe(self._died)

    def _hangs(self) -> bool:
        """Whether it should have shown something by now. While a turn begins, rules may have to be compiled."""
        hands = list(self.hands.values())
        return bool(hands) and all(hand.begun.done() for hand in hands)

    def _heard(self, message: Message) -> None:
        what, key, *rest = message
        hand = self.hands.get(key)
        if hand is None:
            return
        if what == "begun":
            if not hand.begun.done():
                hand.begun.set_result(None)
        elif what == "frame":
            hand.on_frame(hand, *rest)
        elif what == "late":
            self._metrics.live_late.inc()
        else:
            del self.hands[key]
            if not hand.begun.done():
                hand.begun.set_exception(rest[0] if isinstance(rest[0], Problem) else come_later())
            else:
                hand.on_over(hand, rest[0] if what == "over" else None)
        self._metrics.live_turns.set(len(self.hands))

    @property
    def well(self) -> bool:
        """Whether it can take a turn. A process that dies closes its pipe first, and lingers a moment."""
        return not self._lost and self.process.is_alive()

    def _died(self) -> None:
        self._lost = True
        hands, self.hands = list(self.hands.values()), {}
        if not self._killed:
            self._metrics.workers_lost.inc()
            LOG.warning("a live worker was lost", extra={"turns": len(hands), "exit_code": self.process.exitcode})
        for hand in hands:
            if not hand.begun.done():
                hand.begun.set_exception(come_later())
            else:
                hand.on_over(hand, None)

    def kill(self) -> None:
        """Kill the process; its turns end when the pipe does."""
        self._killed = True
        self.process.kill()

    def close(self) -> None:
        """Kill the process and wait for it and for the threads."""
        self.kill()
        self.process.join(CLOSING)
        for thread in self._threads:
            thread.join(CLOSING)
        self._pipe.close()


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Who is started within does not hear SIGTERM until it says that it wants to; nor do we, for this moment."""
    if sys.platform == "win32":  # nobody sends it there
        yield
        return
    resource_tracker.ensure_running()  # to start that would let SIGTERM in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class LiveTurns:
    """All live turns of this server."""

    def __init__(self, count: int, metrics: Metrics) -> None:
        self._count = count
        self._metrics = metrics
        self._workers: list[LiveWorker] = []
        self._next_key = 0
        atexit.register(self.close)  # also a server that ends without a word leaves none behind, nor waits for one

    def warm_up(self) -> None:
        """Start a process and let it load what live turns need, so that the first hand moves at once."""
        if not self._workers:
            self._workers.append(LiveWorker(self._metrics))
            self._workers[0].send(("warm", 0))

    async def begin(self, position: Position, wish: JsonObject, on_frame: OnFrame, on_over: OnOver) -> LiveHand:
        """Begin a turn; IllegalAction if it cannot begin so."""
        worker = self._worker()
        self._next_key += 1
        hand = LiveHand(worker, self._next_key, on_frame, on_over)
        worker.hands[hand.key] = hand
        worker.send(("begin", hand.key, pickled(position), wish))
        try:
            await asyncio.wait_for(hand.begun, STARTING)
        except TimeoutError as error:
            worker.kill()
            raise come_later() from error
        return hand

    def _worker(self) -> LiveWorker:
        """The process with the fewest turns."""
        self._workers = [worker for worker in self._workers if worker.well]
        busiest = min((len(worker.hands) for worker in self._workers), default=1)
        if busiest and len(self._workers) < self._count:
            self._workers.append(LiveWorker(self._metrics))
        return min(self._workers, key=lambda worker: len(worker.hands))

    @property
    def process_ids(self) -> list[int]:
        """The processes, for tests and for whoever measures memory."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def close(self) -> None:
        """Kill all of them and wait for their threads."""
        atexit.unregister(self.close)
        for worker in self._workers:
            worker.close()
        self._workers = []


# In the process


@dataclass
class _Turn:
    turn: LiveTurn
    rate: int
    began: float
    due: float
    heard: float
    samples: int = 0
    wish: JsonObject | None = None
    events: tuple[Json, ...] = ()
    """Events of frames that were not shown, for the next one that is."""


def _work(pipe: Connection) -> None:
    """A live worker's life."""
    # The server decides when we stop. Who stops a whole group of processes tells it, too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stay)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    turns: dict[int, _Turn] = {}
    with contextlib.suppress(EOFError, OSError):  # the server is gone
        while True:
            due = min((one.due for one in turns.values()), default=None)
            if pipe.poll(None if due is None else max(0.0, due - time.perf_counter())):
                _obey(pipe, turns, pipe.recv())
                continue
            for key in [key for key, one in turns.items() if one.due <= time.perf_counter()]:
                try:
                    _sample(pipe, key, turns)
                except (EOFError, OSError):
                    raise
                except Exception as error:
                    del turns[key]
                    pipe.send(("failed", key, _plain(error)))


def _stay(_number: int, _frame: FrameType | None) -> None:
    """Not SIG_IGN: a program that somebody's rules start would inherit that."""


def _obey(pipe: Connection, turns: dict[int, _Turn], message: Message) -> None:
    what, key, *rest = message
    now = time.perf_counter()
    if what == "begin":
        try:
            position: Position = pickle.loads(rest[0])  # noqa: S301 - our own, from a moment ago
            live = position.game.capabilities.live
            assert live is not None
            turn = live.begin(position, rest[1])
            now = time.perf_counter()
            turns[key] = _Turn(turn, live.rate, now, now, now)
            pipe.send(("begun", key))
        except Exception as error:
            pipe.send(("failed", key, _plain(error)))
    elif what == "warm":
        for name in game_names():
            game = find_game(name)
            if game.capabilities.live is not None and game.capabilities.warm_up is not None:
                game.capabilities.warm_up()
    elif what == "hand" and key in turns:
        turns[key].wish, turns[key].heard = {**(turns[key].wish or {}), **rest[0]}, now  # a release is not overtaken
    elif what == "stop":
        turns.pop(key, None)


def _sample(pipe: Connection, key: int, turns: dict[int, _Turn]) -> None:
    one = turns[key]
    now = time.perf_counter()
    wish, one.wish = one.wish, None
    if wish is None and now - one.heard > SILENCE:
        wish, one.heard = LET_GO, now
    if now - one.began > LONGEST:
        raise TimeoutError("the turn does not end")
    frame = one.turn.sample(wish)
    one.samples += 1
    over = one.turn.over
    happened = frame.get("events")
    if isinstance(happened, list | tuple):
        one.events += tuple(happened)
    if over or one.samples % max(1, one.rate // SHOWN_RATE) == 0:
        pipe.send(("frame", key, one.samples, {**frame, "events": one.events} if happened is not None else frame))
        one.events = ()
    if over:
        del turns[key]
        pipe.send(("over", key, one.turn.action()))
        return
    one.due += 1 / one.rate
    if time.perf_counter() - one.due > LATE:
        one.due = time.perf_counter()
        pipe.send(("late", key))


def _plain(error: Exception) -> Exception:
    """An error that can be sent and tells nothing of our insides."""
    return error if isinstance(error, Problem) else RuntimeError(type(error).__name__)
