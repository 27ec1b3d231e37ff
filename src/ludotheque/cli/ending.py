"""A command that is told to end (SIGTERM, as by `kill` or a machine that shuts down) stops as by Ctrl-C: nothing is lost or left over.

What a command then still says and writes is its own business.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Final, TypeAlias

INTERRUPTED: Final = 130  # exit statuses, as shells have them: 128 and the signal's number
TOLD_TO_END: Final = 143


class ToldToEnd(KeyboardInterrupt):
    """SIGTERM."""


Undisturbed: TypeAlias = Callable[[], AbstractContextManager[None]]
"""What is done within is done whole: being told to end waits for it."""


@contextmanager
def ended_like_ctrl_c() -> Iterator[Undisturbed]:
    """Within, SIGTERM raises what Ctrl-C raises, and neither disturbs what is `undisturbed`."""
    busy, told = False, list[KeyboardInterrupt]()

    def end(number: int, _frame: FrameType | None) -> None:
        why = ToldToEnd() if number == signal.SIGTERM else KeyboardInterrupt()
        if not busy:
            raise why
        told.append(why)

    @contextmanager
    def undisturbed() -> Iterator[None]:
        nonlocal busy
        busy = True
        try:
            yield
        finally:
            busy = False
            if told:
                raise told.pop()

    # Whoever runs us in the background of a shell has Ctrl-C ignored, and so it stays.
    heard = [one for one in (signal.SIGTERM, signal.SIGINT) if signal.getsignal(one) != signal.SIG_IGN]
    before = [(one, signal.signal(one, end)) for one in heard]
    try:
        yield undisturbed
    finally:
        for one, handler in before:
            signal.signal(one, handler)


def exit_status(error: KeyboardInterrupt) -> int:
    """What a shell expects of a command that was stopped so."""
    return TOLD_TO_END if isinstance(error, ToldToEnd) else INTERRUPTED
