"""Distributes tasks over processes of this machine or a Ray cluster: `distribute(work, tasks, backend)`.

For matches, studies and self-play. If `work` depends on its arguments alone, results do not depend on the backend; their order does.
"""

import atexit
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any, Final, TypeAlias, TypeVar, cast

from ludotheque.core import BadRequest
from ludotheque.extras import line_that_adds

Result = TypeVar("Result")
Task: TypeAlias = tuple[int, ...]

LOCAL: Final = "local"
SECONDS_TO_END: Final = 5.0  # for the clean-up of a task


_ends_with_worker: ExitStack | None = None


def worker_resources() -> ExitStack | None:
    """What tasks may keep for later tasks of the same worker; it is closed when the worker ends. None outside of one."""
    return _ends_with_worker


def _become_worker() -> None:
    """Make this process a worker until it ends."""
    global _ends_with_worker  # noqa: PLW0603 - a process is a worker or is not
    if _ends_with_worker is None:
        _ends_with_worker = ExitStack()
        atexit.register(_ends_with_worker.close)


@contextmanager
def _worker_here() -> Iterator[None]:
    """Make this process a worker for a while, unless it is one already."""
    global _ends_with_worker  # noqa: PLW0603 - a process is a worker or is not
    if _ends_with_worker is not None:
        yield
        return
    with ExitStack() as stack:
        _ends_with_worker = stack
        try:
            yield
        finally:
            _ends_with_worker = None


@dataclass(frozen=True)
class Backend:
    """Where tasks run: in `jobs` processes of this machine or, given an address, on Ray.

    The address is `local` for a cluster of `jobs` processes that is started for this work and stopped after it, `auto` for the one
    running on this machine, or that of a cluster's head, such as ray://10.0.0.7:10001.
    """

    jobs: int = 1
    ray: str | None = None


def distribute(
    work: Callable[..., Result], tasks: Iterable[Task], backend: Backend | int = 1
) -> Generator[Result, None, None]:
    """Run every task, several at once; results come in any order. Tasks are taken only as workers become free."""
    with WorkerPool(backend) as workers:
        yield from workers.distribute(work, tasks)


class WorkerPool:
    """Processes of this machine, or a Ray cluster, kept for several calls of `distribute`: `with WorkerPool(backend) as workers:`."""

    def __init__(self, backend: Backend | int = 1) -> None:
        self._backend = Backend(backend) if isinstance(backend, int) else backend
        self._pool: ProcessPoolExecutor | None = None
        self._busy = False
        self._ray: Any = None

    def __enter__(self) -> "WorkerPool":
        """Connects to Ray at once, to fail early; processes are started on first use."""
        if self._backend.ray is not None:
            self._ray = _join_ray(self._backend, self._backend.ray)
        return self

    def __exit__(self, *_: object) -> None:
        """Stops everything without waiting for running tasks; on Ray also the cluster, if it was started for this."""
        if self._ray is not None:
            self._ray.shutdown()
        if self._pool is not None:
            workers = list(self._pool._processes.values())  # the public way comes with Python 3.14
            self._pool.shutdown(wait=not self._busy, cancel_futures=True)
            if self._busy:  # stopped in the middle: do not wait for running tasks
                for worker in workers:
                    worker.terminate()

    def distribute(self, work: Callable[..., Result], tasks: Iterable[Task]) -> Generator[Result, None, None]:
        """Run every task, several at once; results come in any order. Tasks are taken only as workers become free."""
        if self._ray is not None:
            yield from self._on_ray(work, iter(tasks))
        elif self._backend.jobs == 1:
            with _worker_here():
                for task in tasks:
                    yield work(*task)
        else:
            yield from self._in_processes(work, iter(tasks))

    def _in_processes(self, work: Callable[..., Result], tasks: Iterator[Task]) -> Generator[Result, None, None]:
        jobs = self._backend.jobs
        if self._pool is None:
            self._pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_initialize_worker)
        running: set[Future[Result]] = set()
        self._busy = True
        while True:
            running |= {self._pool.submit(_run_task, work, *task) for task in islice(tasks, 2 * jobs - len(running))}
            if not running:
                self._busy = False
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                yield future.result()

    def _on_ray(self, work: Callable[..., Result], tasks: Iterator[Task]) -> Generator[Result, None, None]:
        ray = self._ray
        room = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        do = ray.remote(_do)
        shared = ray.put(work)
        running: list[Any] = []
        while True:
            running += [do.remote(shared, task) for task in islice(tasks, room - len(running))]
            if not running:
                return
            ended, running = ray.wait(running)
            for one in ended:
                yield ray.get(one)


def _initialize_worker() -> None:
    """Set up a worker: the parent handles Ctrl-C; SIGTERM ends the worker and the programs it has started.

    A killed parent sends no signal, so a thread watches for its end.
    """
    _become_worker()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _on_sigterm)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


_asked_to_end = -math.inf


def _on_sigterm(_number: int, _frame: object) -> None:
    """End the worker. While it cleans up after a first signal, others are ignored: they would interrupt that."""
    global _asked_to_end  # noqa: PLW0603 - a signal has no other place to leave a note
    now = time.monotonic()
    if now >= _asked_to_end + SECONDS_TO_END:
        _asked_to_end = now
        sys.exit(1)


def _run_task(work: Callable[..., Result], *task: int) -> Result:
    """Run one task. On SIGTERM exit after its clean-up: the pool would take SystemExit for a result and go on."""
    try:
        return work(*task)
    except SystemExit:
        if _ends_with_worker is not None:
            _ends_with_worker.close()
        os._exit(1)


def _exit_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        while True:  # repeated: between two tasks the pool takes SystemExit for a result
            if not hasattr(
                signal, "pthread_kill"
            ):  # Windows: nothing interrupts a wait, and programs are not started there
                os._exit(1)
            signal.pthread_kill(
                cast(int, threading.main_thread().ident), signal.SIGTERM
            )  # interrupts whatever it waits for
            time.sleep(SECONDS_TO_END)


def _join_ray(backend: Backend, address: str) -> Any:
    """Connect to Ray, or start it."""
    ray = check_ray()
    settings: dict[str, Any] = {"num_cpus": backend.jobs, "include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error", ignore_reinit_error=True, **settings)
    except Exception as error:  # Ray raises plain exceptions if nothing answers or it cannot start
        raise BadRequest("arena.no-ray-cluster", address=repr(address), error=str(error)) from error
    return ray


def _do(work: Callable[..., Result], task: Task) -> Result:
    _become_worker()
    return work(*task)


def check_ray() -> Any:
    """The module ray; BadRequest says how to install it."""
    try:
        import ray  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise BadRequest("arena.ray-missing", line=line_that_adds("ray")) from error
    return ray
