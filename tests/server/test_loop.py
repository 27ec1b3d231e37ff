"""Nothing holds up the event loop: whatever takes long is done in a worker. Measured is the loop's own thread, not the clock."""

import asyncio
import gc
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from ludotheque.core import CHANCE, Problem, find_game
from ludotheque.server.database import open_database
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.tables import NewTable
from ludotheque.server.session.session import Session
from ludotheque.server.settings import ServerSettings
from ludotheque.table import read_request
from server.test_session import Somebody

LONGEST = 0.005  # seconds of processor time in one callback
STEPS = 1500


@pytest.fixture
def callbacks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[float, str]]]:
    """The processor time of every callback in this thread's event loop; without the garbage collector, which is no callback."""
    taken: list[tuple[float, str]] = []
    run: Any = asyncio.events.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        before = time.thread_time()
        run(handle)
        taken.append((time.thread_time() - before, repr(handle)))

    monkeypatch.setattr(asyncio.events.Handle, "_run", measured)
    gc.collect()
    gc.disable()
    yield taken
    gc.enable()


def play(session: Session, anna: Somebody, steps: int) -> None:
    """A long match, in memory alone."""
    for number in range(steps):
        position = session.state.position
        assert position is not None
        request: dict[str, Any] = {"do": "roll", "id": str(number), "at": session.state.number}
        if position.to_move != CHANCE:
            request.update(
                do="act", action="pass" if "pass" in position.legal().actions else position.legal().actions[0]
            )
        session.table.handle(read_request(request), anna, session.now())


def test_the_story_of_a_long_match_is_told_by_a_worker(tmp_path: Path, callbacks: list[tuple[float, str]]) -> None:
    find_game("yam-master")

    async def evening() -> None:
        database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
        settings = ServerSettings(database=database, workers=1, warm_up=False)
        registry = TableRegistry(open_database(database), settings, "")
        try:
            anna = Somebody("Anna")
            assert anna.person is not None
            seats = [{"kind": "me"}, {"kind": "me", "name": "Zoé"}]
            wanted = {"game": "yam-master", "options": {"max_turns": 1000}, "seats": seats}
            session = await registry.open(NewTable.model_validate(wanted), anna.person)
            await session.enter(anna, None)
            play(session, anna, STEPS)
            match = session.state.match
            assert match is not None
            await session.handle(anna, read_request({"do": "story", "id": "warm"}))  # the worker has started
            await asyncio.sleep(0)
            anna.send = keep = Kept()  # type: ignore[method-assign] # reading it would count
            callbacks.clear()
            await session.handle(anna, read_request({"do": "story", "id": "s", "from": 10}))
            await asyncio.sleep(0)
            taken = max(callbacks)
            (story,) = [orjson.loads(text) for text in keep.texts]
            assert (story["what"], story["id"], story["from"]) == ("story", "s", 10)
            assert story["number"] == session.state.number
            assert [one["action"] for one in story["steps"]] == [entry.action for entry in match.log[10:]]
            assert "Zoé" in orjson.dumps(story["steps"]).decode()
            assert taken[0] < LONGEST, taken
            registry.questions.close()
            with pytest.raises(Problem):
                await session.handle(anna, read_request({"do": "story", "id": "t"}))
        finally:
            await registry.close()

    asyncio.run(evening())


class Kept:
    """What was sent, unread."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []

    def __call__(self, text: bytes) -> None:
        self.texts.append(text)
