"""Handlers that log whatever ends this process or one of its threads: a crash, an uncaught exception, a closed terminal.

A SIGKILL cannot be logged; the next start finds the process's lease.
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


def install_crash_handlers() -> None:
    """For this process: crashes of compiled code, uncaught exceptions in any thread, and a closed terminal."""
    faulthandler.enable()
    sys.excepthook = _uncaught
    threading.excepthook = _thread_ended
    if (
        hasattr(signal, "SIGHUP")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN  # nohup
    ):
        signal.signal(signal.SIGHUP, _hung_up)


def install_loop_handler(loop: asyncio.AbstractEventLoop) -> None:
    """For this event loop: exceptions of tasks and callbacks that nobody awaited."""
    loop.set_exception_handler(_in_loop)


def terminate_process(why: str) -> None:
    """Shut down in order after a fatal failure, so that a supervisor or another process can take over."""
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
    terminate_process("the terminal was closed")


def _in_loop(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    LOG.error(
        "something in the loop failed",
        exc_info=error if isinstance(error, BaseException) else None,
        extra={"said": str(context.get("message")).partition("(")[0]},
    )
