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

from ludotheque.core import (
    Json,
    JsonObject,
    Live,
    LiveTurn,
    Position,
    Problem,
    find_game,
    game_names,
    merged_hands,
)
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import busy
from ludotheque.server.remote_rules import pickled
from ludotheque.server.workers import CONTEXT, STARTING

SHOWN_RATE: Final = 30  # frames a second that are published, at least
SILENCE: Final = 5.0  # seconds without news of the hand after which it is released
STILL: Final = 600.0  # seconds after which a hand that keeps still is released
RELEASE: Final[JsonObject] = {"release": True}
LONGEST: Final = 86_400.0  # seconds after which any hand is released
ENDING: Final = 300.0  # seconds after its release after which a turn is aborted
LATE: Final = 0.25  # seconds behind schedule after which the schedule restarts
CLOSING: Final = 5.0  # seconds for a process that was killed, and for its threads
HUNG: Final = 20.0  # seconds without a frame of any turn after which a process is killed
LOG: Final = logging.getLogger("ludotheque.server")

Message = tuple[Any, ...]
OnFrame = Callable[["LiveTurnHandle", int, JsonObject], None]
OnOver = Callable[["LiveTurnHandle", tuple[str, Json] | None], None]


class LiveTurnHandle:
    """A live turn that runs in a worker, as the session sees it."""

    def __init__(self, worker: "LiveWorker", key: int, live: Live | None, on_frame: OnFrame, on_over: OnOver) -> None:
        self._worker = worker
        self.key = key
        self._live = live
        self.on_frame = on_frame
        self.on_over = on_over
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._unsent: JsonObject | None = None
        self._lock = threading.Lock()

    def move(self, hand: JsonObject) -> None:
        """What the hand does now. While the process is busy, moves are merged: none is lost, and none queues up."""
        with self._lock:
            waits = self._unsent is not None
            self._unsent = merged_hands(self._live, self._unsent or {}, hand)
        if not waits:
            self._worker.send(self)

    def next_move(self) -> Message:
        """The message for the process: what the hand has done since the last one."""
        with self._lock:
            hand, self._unsent = self._unsent, None
        return "hand", self.key, hand

    def stop(self) -> None:
        """Abort the turn."""
        self._worker.send(("stop", self.key))
        self._worker.turns.pop(self.key, None)


class LiveWorker:
    """A process in which live turns run, and the threads that send to it and receive from it. It cannot block the server."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self.turns: dict[int, LiveTurnHandle] = {}
        self._killed = False
        self._lost = False
        self._outbox: SimpleQueue[Message | LiveTurnHandle | None] = SimpleQueue()
        self._pipe, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_work, args=(theirs,), daemon=True, name="ludotheque live worker")
        with _blocking_sigterm():
            self.process.start()
        theirs.close()
        self._threads = [
            threading.Thread(target=talk, name="live", daemon=True) for talk in (self._receive_all, self._send_all)
        ]
        for thread in self._threads:
            thread.start()

    def send(self, message: Message | LiveTurnHandle) -> None:
        """Queue a message, or what a hand has done. If the process has died, its turns end anyway."""
        self._outbox.put(message)

    def _send_all(self) -> None:
        with contextlib.suppress(OSError):  # it has died: the receiving thread notices
            while (message := self._outbox.get()) is not None:
                self._pipe.send(message.next_move() if isinstance(message, LiveTurnHandle) else message)

    def _receive_all(self) -> None:
        try:
            while True:
                if self._pipe.poll(HUNG):
                    self._loop.call_soon_threadsafe(self._on_message, self._pipe.recv())
                elif self._hangs():
                    self.process.kill()
        except (EOFError, OSError):
            self._outbox.put(None)
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._died)

    def _hangs(self) -> bool:
        """Whether a frame is overdue. While a turn begins, rules may have to be compiled."""
        turns = list(self.turns.values())
        return bool(turns) and all(turn.begun.done() for turn in turns)

    def _on_message(self, message: Message) -> None:
        what, key, *rest = message
        turn = self.turns.get(key)
        if turn is None:
            return
        if what == "begun":
            if not turn.begun.done():
                turn.begun.set_result(None)
        elif what == "frame":
            turn.on_frame(turn, *rest)
        elif what == "late":
            self._metrics.live_late.inc()
        else:
            del self.turns[key]
            if not turn.begun.done():
                turn.begun.set_exception(rest[0] if isinstance(rest[0], Problem) else busy())
            else:
                turn.on_over(turn, rest[0] if what == "over" else None)
        self._metrics.live_turns.set(len(self.turns))

    @property
    def well(self) -> bool:
        """Whether it can take a turn. A process that dies closes its pipe first."""
        return not self._lost and self.process.is_alive()

    def _died(self) -> None:
        self._lost = True
        turns, self.turns = list(self.turns.values()), {}
        if not self._killed:
            self._metrics.workers_lost.inc()
            LOG.warning("a live worker was lost", extra={"turns": len(turns), "exit_code": self.process.exitcode})
        for turn in turns:
            if not turn.begun.done():
                turn.begun.set_exception(busy())
            else:
                turn.on_over(turn, None)

    def kill(self) -> None:
        """Kill the process; its turns end when the pipe does."""
        self._killed = True
        self.process.kill()

    def close(self) -> None:
        """Kill the process and wait for it and for the threads."""
        self.kill()
        self.join()

    def join(self) -> None:
        """Wait for the process, which has been killed or has died, and for the threads."""
        self.process.join(CLOSING)
        for thread in self._threads:
            thread.join(CLOSING)
        self._pipe.close()


@contextlib.contextmanager
def _blocking_sigterm() -> Iterator[None]:
    """Blocks SIGTERM; a process started within inherits that until it unblocks the signal itself."""
    if sys.platform == "win32":  # it has no such signal
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock SIGTERM
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class LiveTurns:
    """The live turns of this process and the workers in which they run."""

    def __init__(self, count: int, metrics: Metrics) -> None:
        self._count = count
        self._metrics = metrics
        self._workers: list[LiveWorker] = []
        self._next_key = 0
        atexit.register(self.close)  # no process is left behind by a server that is not closed

    def warm_up(self) -> None:
        """Start a process and let it load what live turns need, so that the first turn begins at once."""
        if not self._workers:
            self._workers.append(LiveWorker(self._metrics))
            self._workers[0].send(("warm", 0))

    async def begin(self, position: Position, hand: JsonObject, on_frame: OnFrame, on_over: OnOver) -> LiveTurnHandle:
        """Begin a turn; IllegalAction if the game refuses it."""
        worker = self._worker()
        self._next_key += 1
        turn = LiveTurnHandle(worker, self._next_key, position.game.capabilities.live, on_frame, on_over)
        worker.turns[turn.key] = turn
        worker.send(("begin", turn.key, pickled(position), hand))
        try:
            await asyncio.wait_for(turn.begun, STARTING)
        except TimeoutError as error:
            worker.kill()
            raise busy() from error
        return turn

    def _worker(self) -> LiveWorker:
        """The process with the fewest turns."""
        for lost in [worker for worker in self._workers if not worker.well]:
            self._workers.remove(lost)
            lost.process.kill()
            lost.join()
        busiest = min((len(worker.turns) for worker in self._workers), default=1)
        if busiest and len(self._workers) < self._count:
            self._workers.append(LiveWorker(self._metrics))
        return min(self._workers, key=lambda worker: len(worker.turns))

    @property
    def process_ids(self) -> list[int]:
        """The ids of the processes, for tests and benchmarks."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def close(self) -> None:
        """Kill all of them and wait for their threads."""
        atexit.unregister(self.close)
        for worker in self._workers:
            worker.close()
        self._workers = []


# In the worker process


@dataclass
class _Turn:
    turn: LiveTurn
    rate: int
    began: float
    due: float
    heard: float
    moved: float
    """When the hand last asked for something else than before."""
    asked: JsonObject | None = None
    released: float | None = None
    samples: int = 0
    hand: JsonObject | None = None
    events: tuple[Json, ...] = ()
    """Events of frames that were not shown, for the next one that is."""
    live: Live | None = None
    """Says how hands are merged."""


def _work(pipe: Connection) -> None:
    """The main loop of a live worker."""
    # The server stops this process. A signal to the whole process group reaches the server too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _ignore)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    turns: dict[int, _Turn] = {}
    with contextlib.suppress(EOFError, OSError):  # the server is gone
        while True:
            due = min((one.due for one in turns.values()), default=None)
            if pipe.poll(None if due is None else max(0.0, due - time.perf_counter())):
                _handle(pipe, turns, pipe.recv())
                continue
            for key in [key for key, one in turns.items() if one.due <= time.perf_counter()]:
                try:
                    _sample(pipe, key, turns)
                except (EOFError, OSError):
                    raise
                except Exception as error:
                    del turns[key]
                    pipe.send(("failed", key, _safe_error(error)))


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Not SIG_IGN: a program that a game starts would inherit that."""


def _handle(pipe: Connection, turns: dict[int, _Turn], message: Message) -> None:
    what, key, *rest = message
    now = time.perf_counter()
    if what == "begin":
        try:
            position: Position = pickle.loads(rest[0])  # noqa: S301 - our own, from a moment ago
            live = position.game.capabilities.live
            assert live is not None
            turn = live.begin(position, rest[1])
            now = time.perf_counter()
            turns[key] = _Turn(turn, live.rate, now, now, now, now, live=live)
            pipe.send(("begun", key))
        except Exception as error:
            pipe.send(("failed", key, _safe_error(error)))
    elif what == "warm":
        for name in game_names():
            game = find_game(name)
            if game.capabilities.live is not None and game.capabilities.warm_up is not None:
                game.capabilities.warm_up()
    elif what == "hand" and key in turns:
        one = turns[key]
        one.hand, one.heard = merged_hands(one.live, one.hand or {}, rest[0]), now  # no release is lost
    elif what == "stop":
        turns.pop(key, None)


def _sample(pipe: Connection, key: int, turns: dict[int, _Turn]) -> None:
    one = turns[key]
    now = time.perf_counter()
    hand, one.hand = one.hand, None
    if hand is not None and hand != one.asked:
        one.asked, one.moved = hand, now
    if now - one.heard > SILENCE or now - one.moved > STILL or now - one.began > LONGEST:
        hand = RELEASE
    if hand is not None and hand.get("release") is True and one.released is None:
        one.released = now
    if one.released is not None and now - one.released > ENDING:
        raise TimeoutError("the turn does not end")
    frame = one.turn.sample(hand)
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


def _safe_error(error: Exception) -> Exception:
    """An error that can be pickled and reveals no internals."""
    return error if isinstance(error, Problem) else RuntimeError(type(error).__name__)
