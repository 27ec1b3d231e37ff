"""Many tasks at once: here, in processes of this machine, or on a Ray cluster. What a task does is the caller's business.

For matches, studies and self-play alike: `spread(work, tasks, where)`. Results are the same wherever they are made, if `work` is a
function of its arguments alone; only their order differs.
"""

import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final, TypeAlias, TypeVar

from ludotheque.core import BadRequest

Result = TypeVar("Result")
Task: TypeAlias = tuple[int, ...]

LOCAL: Final = "local"


@dataclass(frozen=True)
class Where:
    """Where work is done: by `jobs` processes of this machine or, given an address, on Ray.

    The address is `local` for a cluster of `jobs` processes that is started for this work and ended after it, `auto` for the one that
    runs on this machine, or that of a cluster's head, such as ray://10.0.0.7:10001.
    """

    jobs: int = 1
    ray: str | None = None


def spread(work: Callable[..., Result], tasks: Iterable[Task], where: Where | int = 1) -> Generator[Result, None, None]:
    """Do every task, several at once; results come in any order. Tasks are asked for only when there is room for them."""
    place = Where(where) if isinstance(where, int) else where
    if place.ray is not None:
        yield from _on_ray(work, iter(tasks), place)
    elif place.jobs == 1:
        for task in tasks:
            yield work(*task)
    else:
        yield from _in_processes(work, iter(tasks), place.jobs)


def _in_processes(work: Callable[..., Result], tasks: Iterator[Task], jobs: int) -> Generator[Result, None, None]:
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_end_when_told) as pool:
        running: set[Future[Result]] = set()
        finished = False
        try:
            while True:
                running |= {pool.submit(work, *task) for task in islice(tasks, 2 * jobs - len(running))}
                if not running:
                    finished = True
                    return
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
        finally:
            if not finished:  # stopped in the middle: nobody waits for what is still being played
                workers = list(pool._processes.values())  # the public way comes with Python 3.14
                pool.shutdown(wait=False, cancel_futures=True)
                for worker in workers:
                    worker.terminate()


def _end_when_told() -> None:
    """Ctrl-C reaches all processes of a terminal, but the parent decides what it means; told to end, we end our programs too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))


def _on_ray(work: Callable[..., Result], tasks: Iterator[Task], where: Where) -> Generator[Result, None, None]:
    ray = check_ray()
    here = where.ray == LOCAL
    settings: dict[str, Any] = {"num_cpus": where.jobs, "include_dashboard": False} if here else {}
    try:
        ray.init(address=where.ray, log_to_driver=False, logging_level="error", ignore_reinit_error=True, **settings)
    except Exception as error:  # Ray says with plain ones that nothing answers, or that it could not start
        raise BadRequest(
            f"No Ray cluster answers at {where.ray!r}: {error}. `ray start --head` starts one; `--ray local` needs none.",
            f"Aucun groupe Ray ne répond à {where.ray!r} : {error}. « ray start --head » en lance un ; "
            "« --ray local » s'en passe.",
        ) from error
    try:
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
    finally:  # ends what is still running, and the cluster if it was only for this
        ray.shutdown()


def _do(work: Callable[..., Result], task: Task) -> Result:
    return work(*task)


def check_ray() -> Any:
    """Ray, or a problem that says how to get it."""
    try:
        import ray  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise BadRequest(
            "Playing on several machines needs Ray, which is not installed. Install it with: pip install 'ludotheque[ray]'",
            "Jouer sur plusieurs machines demande Ray, qui n'est pas installé. Installez-le avec : pip install 'ludotheque[ray]'",
        ) from error
    return ray
