"""Worker processes for whatever takes long or may fail: bots, physics, analysis, third parties' rules.

A worker that dies or hangs is replaced; the caller gets WorkLost.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, ParamSpec, TypeVar

from ludotheque.core import Problem
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import busy

LOG: Final = logging.getLogger("ludotheque.server")
CONTEXT: Final = multiprocessing.get_context("spawn")  # a fork would copy the server's threads and locks
STARTING: Final = 300.0  # seconds more for the first call of a worker: rules and search may have to be compiled
RESTARTING: Final = 20.0  # seconds more for a worker that replaces another: what it needs is compiled

MOST_WAITING: Final = 16  # questions that wait for a worker

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
            answer: tuple[str, Any]
            try:
                answer = ("done", function(*arguments))
            except Problem as problem:
                answer = ("problem", (type(problem), problem.text))
            except Exception as error:
                answer = ("failed", f"{type(error).__name__}: {error}")
            try:
                pipe.send(answer)
            except (TypeError, AttributeError, ValueError) as error:  # the result cannot be pickled
                pipe.send(("failed", f"the result cannot be sent: {error}"))


class Worker:
    """One worker process and the thread that waits for it."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closing = False
        self._started = False  # whether it has done something before
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="worker")

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
        """Call a function in the process; WorkLost if the process fails. Runs in the worker's thread."""
        fresh = self._process is None or not self._process.is_alive()
        if fresh:
            self._start()
        assert self._pipe is not None
        try:
            self._pipe.send((function, arguments))
            extra = 0.0 if not fresh else RESTARTING if self._started else STARTING
            if not self._pipe.poll(seconds + extra):
                raise WorkLost("it took too long")
            what, answer = self._pipe.recv()
            self._started = True
        except (EOFError, OSError, WorkLost) as error:
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
        self._process = CONTEXT.Process(target=_work, args=(theirs,), daemon=True, name="ludotheque worker")
        self._process.start()
        theirs.close()
        self._pipe = ours
        if self._closing:
            self._process.kill()  # `close` may have looked before it was there

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
    """A pool of workers. Callers are served in order, so that no table gets more than its share."""

    def __init__(self, count: int, metrics: Metrics, most_waiting: int = MOST_WAITING) -> None:
        self._metrics = metrics
        self._most_waiting = most_waiting
        self._waiting = 0
        self.all = [Worker() for _ in range(count)]
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        for worker in self.all:
            self._free.put_nowait(worker)
        self._closed = False

    async def ask(
        self, seconds: float, function: Callable[Given, Result], *arguments: Given.args, **_none: Given.kwargs
    ) -> Result:
        """Like `run`, for people's questions: Later if too many wait already."""
        if self._waiting >= self._most_waiting:
            raise busy()
        return await self.run(seconds, function, *arguments, **_none)

    async def run(
        self, seconds: float, function: Callable[Given, Result], *arguments: Given.args, **_none: Given.kwargs
    ) -> Result:
        """Call a function in a worker, for at most so long; WorkLost if the worker fails."""
        self._waiting += 1
        try:
            worker = await self._free.get()
        finally:
            self._waiting -= 1
        try:
            if self._closed:
                raise WorkLost("closing")
            call = asyncio.get_running_loop().run_in_executor(worker.thread, worker.call, function, arguments, seconds)
            try:
                result: Result = await asyncio.shield(call)
            except asyncio.CancelledError:
                call.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody waits any more
                raise
            except WorkLost:
                self._metrics.workers_lost.inc()
                raise
            return result
        finally:
            self._free.put_nowait(worker)

    def close(self) -> None:
        """Kill all of them and wait for their threads."""
        self._closed = True
        for worker in self.all:
            worker.close()
