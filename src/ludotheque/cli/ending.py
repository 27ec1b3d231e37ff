"""A command that is told to end (SIGTERM, as by `kill` or a machine that shuts down) stops as by Ctrl-C: nothing is lost or left over.

What a command then still says and writes is its own business.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130  # exit statuses, as shells have them: 128 and the signal's number
TOLD_TO_END: Final = 143


class ToldToEnd(KeyboardInterrupt):
    """SIGTERM."""


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """Within, SIGTERM raises what Ctrl-C raises."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise ToldToEnd

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exit_status(error: KeyboardInterrupt) -> int:
    """What a shell expects of a command that was stopped so."""
    return TOLD_TO_END if isinstance(error, ToldToEnd) else INTERRUPTED
