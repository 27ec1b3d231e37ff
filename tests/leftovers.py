"""A pytest plugin: a test that leaves a thread or a process behind fails, with its name and where it was started.

What a wider fixture starts (a module's browser, the session's server) may stay until that fixture is torn down.
"""

import os
import subprocess
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from functools import wraps
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any, Final
from weakref import WeakKeyDictionary

import psutil
import pytest

MARK: Final = "LUDOTHEQUE_TEST_RUN"
"""Inherited by every process that the tests start, so that one whose parent has died is still recognised."""
FRAMES: Final = 4  # of the caller, shown for each leftover


class Watch:
    """The threads and processes that this run has started, and who may keep them."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._places: WeakKeyDictionary[object, str] = WeakKeyDictionary()
        self._processes: dict[int, str] = {}
        self._accepted_threads: set[threading.Thread] = set(threading.enumerate())
        self._accepted_processes: set[int] = set()
        self.run = f"{os.getpid()}-{time.monotonic_ns()}"

    def note_thread(self, thread: threading.Thread) -> None:
        """Remember where a thread was started."""
        self._places[thread] = _caller()

    def note_process(self, process: int) -> None:
        """Remember where a process was started."""
        self._processes[process] = _caller()

    def threads(self) -> set[threading.Thread]:
        """Running threads that nobody has accepted."""
        return {thread for thread in threading.enumerate() if thread not in self._accepted_threads}

    def processes(self) -> set[int]:
        """Running processes that nobody has accepted."""
        for process in [one for one in self._processes if not _runs(one)]:
            del self._processes[process]
            self._accepted_processes.discard(process)
        # The standard library starts one tracker and keeps it for the life of the interpreter.
        tracker = getattr(resource_tracker._resource_tracker, "_pid", None)
        return {process for process in self._processes if process != tracker} - self._accepted_processes

    def orphans(self) -> set[int]:
        """Processes of this run whose parent has died."""
        kept = {os.getpid(), *self._processes, *self._accepted_processes}
        found: set[int] = set()
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) != self.run or process.status() == psutil.STATUS_ZOMBIE:
                    continue
                if not kept & {process.pid, *(parent.pid for parent in process.parents())}:
                    found.add(process.pid)
            except (psutil.Error, OSError):  # it ended just now, or belongs to somebody else
                continue
        return found

    def accept(self, threads: set[threading.Thread], processes: set[int]) -> None:
        """These may stay."""
        self._accepted_threads |= threads
        self._accepted_processes |= processes

    def expect_gone(self, threads: set[threading.Thread], processes: set[int]) -> None:
        """These may not stay any longer."""
        self._accepted_threads -= threads
        self._accepted_processes -= processes

    def leftovers(self, *, orphans: bool) -> list[str]:
        """What is still there after a moment, in words; each is told once."""
        deadline = time.monotonic() + self._seconds
        while True:
            threads, processes = self.threads(), self.processes()
            lost: set[int] = self.orphans() if orphans else set()
            if not (threads or processes or lost):
                return []
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        told = [f"thread {one.name!r}, started at\n{self._places.get(one, '  (unknown)')}" for one in threads]
        told += [f"process {_named(one)}, started at\n{self._processes[one]}" for one in processes]
        told += [f"process {_named(one)}, whose parent has died" for one in lost]
        self._accepted_threads |= threads
        self._accepted_processes |= processes | lost
        return told


def _caller() -> str:
    """The last frames outside the standard library and this file."""
    inside = (os.path.dirname(threading.__file__) + os.sep, __file__)  # noqa: PTH120 - frames have plain texts
    frames = [
        frame
        for frame in traceback.extract_stack()
        if not frame.filename.startswith(inside) or "site-packages" in frame.filename
    ]
    return "".join(traceback.format_list(frames[-FRAMES:])).rstrip()


def _runs(process: int) -> bool:
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _named(process: int) -> str:
    try:
        return f"{process} ({' '.join(psutil.Process(process).cmdline())[:120]})"
    except psutil.Error:
        return str(process)


def _patched(owner: type, name: str, after: Callable[[Any], None]) -> Callable[[], None]:
    """Call `after` with the object whenever that method of it has returned; the answer undoes it."""
    original = getattr(owner, name)

    @wraps(original)
    def called(self: Any, *given: Any, **named: Any) -> Any:
        result = original(self, *given, **named)
        after(self)
        return result

    setattr(owner, name, called)
    return lambda: setattr(owner, name, original)


WATCH: Final = pytest.StashKey[Watch]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("leftover_seconds", "how long a thread or process may take to end after its test", default="30")


def pytest_configure(config: pytest.Config) -> None:
    watch = config.stash[WATCH] = Watch(float(str(config.getini("leftover_seconds"))))
    os.environ[MARK] = watch.run

    def note_child(process: "subprocess.Popen[bytes] | BaseProcess") -> None:
        if process.pid is not None:
            watch.note_process(process.pid)

    config.add_cleanup(_patched(threading.Thread, "start", watch.note_thread))
    config.add_cleanup(_patched(subprocess.Popen, "__init__", note_child))
    config.add_cleanup(_patched(BaseProcess, "start", note_child))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: "pytest.FixtureDef[Any]", request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    if fixturedef.scope == "function":
        return (yield)
    watch = request.config.stash[WATCH]
    threads, processes = watch.threads(), watch.processes() | watch.orphans()
    result = yield
    threads, processes = watch.threads() - threads, (watch.processes() | watch.orphans()) - processes
    watch.accept(threads, processes)
    fixturedef.addfinalizer(lambda: watch.expect_gone(threads, processes))
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    last = nextitem is None or nextitem.path != item.path
    if left := item.config.stash[WATCH].leftovers(orphans=last):
        whose = f"{item.path.name}, or a test in it," if last else item.name
        pytest.fail(f"{whose} left behind:\n" + "\n".join(left), pytrace=False)
