"""A server that closes leaves no thread and no process behind, whatever it was doing."""

import asyncio
import multiprocessing
import os
import threading
import time
from pathlib import Path

import pytest

from ludotheque.server.database import open_database
from ludotheque.server.registry import TableRegistry
from ludotheque.server.settings import ServerSettings
from ludotheque.server.workers import WorkLost

SLEEP = 120.0


def sleep_long(begun: str) -> None:
    """In a worker: say that it has begun, and go on for long."""
    Path(begun).touch()
    time.sleep(SLEEP)


def test_closing_ends_workers_live_workers_writer_and_leases(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    before = set(threading.enumerate())

    async def evening() -> None:
        registry = TableRegistry(open_database(address), ServerSettings(database=address, workers=2), "")
        assert await registry.workers.run(SLEEP, os.getpid) != os.getpid()
        registry.live.warm_up()
        begun = tmp_path / "begun"
        busy = asyncio.ensure_future(registry.workers.run(SLEEP, sleep_long, str(begun)))
        while not begun.exists():
            await asyncio.sleep(0.01)
        await registry.close()
        with pytest.raises(WorkLost):  # nobody waits for what a worker does
            await busy

    asyncio.run(evening())
    assert set(threading.enumerate()) <= before
    assert multiprocessing.active_children() == []
