"""Workers for tables and workers for questions: who asks too much waits, or is refused, and nobody's bot waits for them."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server import workers
from ludotheque.server.costs import Payer
from ludotheque.server.database import open_database
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import Later
from ludotheque.server.registry import TableRegistry
from ludotheque.server.routes.dependencies import in_worker
from ludotheque.server.schemas.tables import NewTable
from ludotheque.server.settings import ServerSettings
from ludotheque.server.workers import Worker, Workers, WorkLost
from server.test_session import Somebody, arrives


def wait_for(path: str) -> None:
    """In a worker: until that file is there."""
    while not Path(path).exists():
        time.sleep(0.02)


def test_questions_that_take_for_ever_hold_up_no_bot(tmp_path: Path) -> None:
    async def evening() -> None:
        database, end = f"sqlite:///{tmp_path / 'tables.sqlite'}", str(tmp_path / "end")
        settings = ServerSettings(database=database, workers=1, warm_up=False)
        registry = TableRegistry(open_database(database), settings, "")
        nobody = registry.costs.payer("question", "")
        asked = [asyncio.ensure_future(in_worker(registry, nobody, wait_for, end)) for _ in range(6)]
        try:
            anna = Somebody("Anna")
            assert anna.person is not None
            wanted: dict[str, Any] = {"game": "yam-master", "options": {"first": 0}, "settings": {"pace": 0}}
            wanted["seats"] = [{"kind": "bot", "level": 1}, {"kind": "me"}]
            session = await registry.open(NewTable.model_validate(wanted), anna.person)
            await arrives(session, anna)
            while not any(one["what"] == "step" and one["by"] == 0 for one in anna.heard):
                assert not any(question.done() for question in asked)
                await asyncio.sleep(0.05)
        finally:
            Path(end).touch()
            await asyncio.gather(*asked)
            await registry.close()

    asyncio.run(asyncio.wait_for(evening(), 180))


def test_a_queue_that_is_full_answers_later(tmp_path: Path) -> None:
    async def evening() -> None:
        end = str(tmp_path / "end")
        pool, nobody = Workers(1, Metrics(), most_waiting=3), Payer("", None)
        try:
            asked = [asyncio.ensure_future(pool.ask(nobody, 60, wait_for, end)) for _ in range(4)]  # one is at work
            await asyncio.sleep(0)
            for _ in range(2):
                with pytest.raises(Later):
                    await pool.ask(nobody, 60, wait_for, end)
            patient = asyncio.ensure_future(pool.run(60, os.getpid))  # the server's own work waits
            Path(end).touch()
            await asyncio.gather(*asked)
            assert await patient > 0
            assert await pool.ask(nobody, 60, os.getpid) > 0, "there is room again"
        finally:
            pool.close()

    asyncio.run(asyncio.wait_for(evening(), 180))


def test_a_worker_that_replaces_another_gets_no_extra_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "RESTARTING", 0.5)
    worker = Worker()
    try:
        assert worker.call(os.getpid, (), 30) > 0
        with pytest.raises(WorkLost):
            worker.call(os._exit, (1,), 30)
        began = time.monotonic()
        with pytest.raises(WorkLost):
            worker.call(time.sleep, (1000,), 0.1)
        assert time.monotonic() - began < 100, "not five minutes"
    finally:
        worker.close()
