"""Worker processes for whatever takes long or may fail: bots, physics, analysis, third parties' rules.

A worker that dies or hangs is replaced; the caller gets WorkLost. A worker tells its own processor time with each answer.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import signal
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, ParamSpec, TypeVar

from ludotheque.core import Problem
from ludotheque.server.costs import Payer
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import busy, slow_down

LOG: Final = logging.getLogger("ludotheque.server")
CONTEXT: Final = multiprocessing.get_context("spawn")  # a fork would copy the server's threads and locks
STARTING: Final = 300.0  # seconds more for the first call of a worker: rules and search may have to be compiled
RESTARTING: Final = 20.0  # seconds more for a worker that replaces another: what it needs is compiled

MOST_WAITING: Final = 16  # questions that wait for a worker
MOST_OF_A_NETWORK: Final = 8  # of these

Given = ParamSpec("Given")
Result = TypeVar("Result")


class WorkLost(Exception):
    """The worker died or took too long."""


class WorkFailed(Exception):
    """The function raised an exception; the worker is well."""


def _work(pipe: Connection) -> None:
    """The main loop of a worker, until the server closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server stops this process
    with contextlib.suppress(EOFError, OSError):  # the server is gone
        while True:
            function, arguments = pipe.recv()
            began = time.process_time()
            answer: tuple[str, Any]
            try:
                answer = ("done", function(*arguments))
            except Problem as problem:
                answer = ("problem", (type(problem), problem.text))
            except Exception as error:
                answer = ("failed", f"{type(error).__name__}: {error}")
            try:
                pipe.send((*answer, time.process_time() - began))
            except (TypeError, AttributeError, ValueError) as error:  # the result cannot be pickled
                pipe.send(("failed", f"the result cannot be sent: {error}", time.process_time() - began))


class Worker:
    """One worker process and the thread that waits for it."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closing = False
        self._started = False  # whether it has done something before
        self.cost = 0.0
        """Processor seconds of the last call, by the process's own account; of a call that was lost, the time it took."""
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="worker")

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
        """Call a function in the process; WorkLost if the process fails. Runs in the worker's thread."""
        fresh = self._process is None or not self._process.is_alive()
        if fresh:
            self._start()
        assert self._pipe is not None
        began, self.cost = time.monotonic(), 0.0
        try:
            self._pipe.send((function, arguments))
            extra = 0.0 if not fresh else RESTARTING if self._started else STARTING
            if not self._pipe.poll(seconds + extra):
                raise WorkLost("it took too long")
            what, answer, self.cost = self._pipe.recv()
            self._started = True
        except (EOFError, OSError, WorkLost) as error:
            self.cost = time.monotonic() - began
            code = None if self._process is None else self._process.exitcode
            self.kill()
            LOG.warning("a worker was lost", extra={"why": str(error) or "it died", "exit_code": code})
            raise WorkLost(str(error)) from error
        if what == "problem":
            problem, said = answer
            raise problem(said)
        if what == "failed":
            raise WorkFailed(answer)
        return answer

    def _start(self) -> None:
        self.kill()
        ours, theirs = CONTEXT.Pipe()
        process = CONTEXT.Process(target=_work, args=(theirs,), daemon=True, name="ludotheque worker")
        process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        if self._closing:
            process.kill()  # `close` may have looked before it was there

    def close(self) -> None:
        """Kill the process and wait for the thread, which notices that the pipe has ended."""
        self._closing = True
        process = self._process
        if process is not None:
            process.kill()
        self.thread.shutdown(wait=True, cancel_futures=True)
        self.kill()

    def kill(self) -> None:
        """Kill the process, if it runs."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        self._process = self._pipe = None

    @property
    def process_id(self) -> int | None:
        """Its process id, for tests and benchmarks."""
        return None if self._process is None else self._process.pid


class Workers:
    """A pool of workers. Networks are served in turn, the callers of each in order, so that nobody gets more than a share."""

    def __init__(
        self, count: int, metrics: Metrics, most_waiting: int = MOST_WAITING, most_each: int = MOST_OF_A_NETWORK
    ) -> None:
        self._metrics = metrics
        self._most_waiting, self._most_each = most_waiting, most_each
        self.all = [Worker() for _ in range(count)]
        self._free = deque(self.all)
        self._waiting: OrderedDict[str, deque[asyncio.Future[Worker]]] = OrderedDict()  # by network, the next one first
        self._closed = False

    async def ask(
        self,
        payer: Payer,
        seconds: float,
        function: Callable[Given, Result],
        *arguments: Given.args,
        **_none: Given.kwargs,
    ) -> Result:
        """Like `run`, for a question: TooMany if it costs the network too much, Later if too many wait already."""
        payer.must_afford()
        if len(self._waiting.get(payer.network, ())) >= self._most_each:
            raise slow_down()
        if sum(map(len, self._waiting.values())) >= self._most_waiting:
            raise busy()
        return await self.run_for(payer, seconds, function, *arguments, **_none)

    async def run(
        self, seconds: float, function: Callable[Given, Result], *arguments: Given.args, **_none: Given.kwargs
    ) -> Result:
        """Call a function in a worker, for at most so long; WorkLost if the worker fails."""
        return await self.run_for(None, seconds, function, *arguments, **_none)

    async def run_for(
        self,
        payer: Payer | None,
        seconds: float,
        function: Callable[Given, Result],
        *arguments: Given.args,
        **_none: Given.kwargs,
    ) -> Result:
        """Like `run`, at the cost of a network."""
        worker = await self._get("" if payer is None else payer.network)
        try:
            if self._closed:
                raise WorkLost("closing")
            call = asyncio.get_running_loop().run_in_executor(worker.thread, worker.call, function, arguments, seconds)
        except BaseException:
            self._put(worker)
            raise
        call.add_done_callback(lambda done: self._finish(worker, payer, done))
        return await asyncio.shield(call)

    def _finish(self, worker: Worker, payer: Payer | None, call: "asyncio.Future[Any]") -> None:
        """A call has ended, whether somebody still waits for it or not."""
        if payer is not None:
            payer.charge(worker.cost)
        if not call.cancelled() and isinstance(call.exception(), WorkLost):
            self._metrics.workers_lost.inc()
        self._put(worker)

    async def _get(self, network: str) -> Worker:
        """A free worker, when this network's turn comes."""
        if self._free:
            return self._free.popleft()
        waiter: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self._put(waiter.result())
            raise

    def _put(self, worker: Worker) -> None:
        """Give a worker to the next network that waits."""
        while self._waiting:
            network, waiters = self._waiting.popitem(last=False)
            waiter = waiters.popleft()
            if waiters:
                self._waiting[network] = waiters  # behind the others
            if not waiter.done():
                waiter.set_result(worker)
                return
        self._free.append(worker)

    @property
    def waiting(self) -> int:
        """How many calls wait for a worker."""
        return sum(map(len, self._waiting.values()))

    def close(self) -> None:
        """Kill all of them and wait for their threads."""
        self._closed = True
        for worker in self.all:
            worker.close()
