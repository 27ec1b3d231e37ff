"""A server that ends, or a part of it, says why in its log."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ludotheque.server import crash_reports, writer
from ludotheque.server.database import open_database
from ludotheque.server.metrics import Metrics


@pytest.fixture
def promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    before = signal.getsignal(signal.SIGHUP)
    crash_reports.install_crash_handlers()
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("promised")
def test_a_thread_that_ends_by_an_error_is_told_with_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    def breaks() -> None:
        raise ZeroDivisionError("who divides?")

    thread = threading.Thread(target=breaks, name="leases")
    thread.start()
    thread.join()
    (line,) = caplog.records
    assert (line.levelno, vars(line)["thread_name"]) == (logging.CRITICAL, "leases")
    assert "who divides?" in caplog.text


def test_a_task_that_fails_unawaited_is_told(caplog: pytest.LogCaptureFixture) -> None:
    async def evening() -> None:
        loop = asyncio.get_running_loop()
        crash_reports.install_loop_handler(loop)
        loop.call_soon(lambda: 1 // 0)
        await asyncio.sleep(0.01)

    asyncio.run(evening())
    assert "something in the loop failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.usefixtures("promised")
def test_without_its_writer_a_server_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[str] = []
    monkeypatch.setattr(writer, "terminate_process", stopped.append)

    async def evening() -> None:
        engine = open_database(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        one = writer.Writer(engine, Metrics())

        def out_of_memory(_connection: object) -> None:
            raise KeyboardInterrupt  # not an Exception: nothing that a job may raise

        wish = asyncio.ensure_future(one.do(out_of_memory))
        while not stopped:
            await asyncio.sleep(0.01)
        wish.cancel()
        engine.dispose()

    asyncio.run(evening())
    assert stopped == ["the writer ended: nothing more can be stored"]


@pytest.mark.parametrize("ignored", [False, True], ids=["a closed terminal", "nohup"])
def test_a_closed_terminal_ends_a_process_in_order_unless_it_was_told_to_go_on(ignored: bool) -> None:
    code = "import signal, sys, time, logging; logging.basicConfig(); from ludotheque.server import crash_reports; "
    # Said in both cases: these tests may themselves run under nohup, which processes inherit.
    code += f"signal.signal(signal.SIGHUP, signal.{'SIG_IGN' if ignored else 'SIG_DFL'}); "
    code += "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); crash_reports.install_crash_handlers(); "
    code += "signal.raise_signal(signal.SIGHUP); time.sleep(0.1); sys.exit(0)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=os.environ)
    assert ended.returncode == (0 if ignored else 7)
    assert ("the terminal was closed" in ended.stderr) is not ignored
