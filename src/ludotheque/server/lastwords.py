"""Whatever ends this process or a part of it leaves a line in the log: a crash, a thread's end, a signal.

What cannot be told (a kill, the system out of memory) is told by the next start, which finds the process's lease.
"""

import asyncio
import faulthandler
import logging
import os
import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any, Final

LOG: Final = logging.getLogger("ludotheque.server")


def promise_last_words() -> None:
    """For this process: crashes of compiled code, exceptions that nobody caught in any thread, and a closed terminal."""
    faulthandler.enable()
    sys.excepthook = _uncaught
    threading.excepthook = _thread_ended
    if (
        hasattr(signal, "SIGHUP")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN  # nohup: it is to go on
    ):
        signal.signal(signal.SIGHUP, _hung_up)


def promise_for_loop(loop: asyncio.AbstractEventLoop) -> None:
    """For this loop: exceptions of tasks and callbacks that nobody awaited."""
    loop.set_exception_handler(_in_loop)


def stop_this_process(why: str) -> None:
    """Something is gone without which nothing can be served: stop in order, so that a supervisor or another process goes on."""
    LOG.critical(why)
    os.kill(os.getpid(), signal.SIGTERM)


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    LOG.critical("the server ends by an error", exc_info=(kind, error, trace))


def _thread_ended(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value is not None:
        name = ended.thread.name if ended.thread is not None else "?"
        LOG.critical(
            "a thread ended by an error",
            exc_info=(ended.exc_type, ended.exc_value, ended.exc_traceback),
            extra={"thread_name": name},
        )


def _hung_up(_number: int, _frame: FrameType | None) -> None:
    stop_this_process("the terminal was closed")


def _in_loop(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    LOG.error(
        "something in the loop failed",
        exc_info=error if isinstance(error, BaseException) else None,
        extra={"said": str(context.get("message"))},
    )
