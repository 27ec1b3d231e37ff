"""SIGTERM (from `kill`, or a machine that shuts down) stops a long command like Ctrl-C, and neither interrupts a critical section."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Final, TypeAlias

INTERRUPTED: Final = 130  # exit statuses, as shells have them: 128 and the signal's number
TERMINATED: Final = 143


class Terminated(KeyboardInterrupt):
    """SIGTERM."""


Uninterrupted: TypeAlias = Callable[[], AbstractContextManager[None]]
"""A critical section: signals wait until it is left."""


@contextmanager
def interruptible() -> Iterator[Uninterrupted]:
    """Within, SIGTERM raises what Ctrl-C raises; yields the context manager for critical sections."""
    busy, told = False, list[KeyboardInterrupt]()

    def end(number: int, _frame: FrameType | None) -> None:
        why = Terminated() if number == signal.SIGTERM else KeyboardInterrupt()
        if not busy:
            raise why
        told.append(why)

    @contextmanager
    def uninterrupted() -> Iterator[None]:
        nonlocal busy
        busy = True
        try:
            yield
        finally:
            busy = False
            if told:
                raise told.pop()

    # In the background of a shell Ctrl-C is ignored; leave it so.
    heard = [one for one in (signal.SIGTERM, signal.SIGINT) if signal.getsignal(one) != signal.SIG_IGN]
    before = [(one, signal.signal(one, end)) for one in heard]
    try:
        yield uninterrupted
    finally:
        for one, handler in before:
            signal.signal(one, handler)


def exit_status(error: KeyboardInterrupt) -> int:
    """The exit status that a shell expects of a command stopped by this signal."""
    return TERMINATED if isinstance(error, Terminated) else INTERRUPTED
