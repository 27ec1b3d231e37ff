"""Garbage collection: young collections stay small whatever the server holds, and cycles are found in the end."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from ludotheque.server import garbage


class Link:
    """Part of a cycle."""

    other: "Link"


def cycle() -> "weakref.ref[Link]":
    one, two = Link(), Link()
    one.other, two.other = two, one
    return weakref.ref(one)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()


def test_what_survives_is_looked_at_no_more() -> None:
    kept = [[number] for number in range(10_000)]
    garbage.set_aside()
    assert gc.get_freeze_count() >= len(kept)
    assert len(gc.get_objects(1)) + len(gc.get_objects(2)) < 1000


def test_young_cycles_are_found_at_once_and_old_ones_in_a_full_collection() -> None:
    young = cycle()
    garbage.set_aside()
    assert young() is None
    one, two = Link(), Link()
    one.other, two.other = two, one
    old = weakref.ref(one)
    garbage.set_aside()
    del one, two
    garbage.set_aside()
    assert old() is not None
    garbage.collect_all()
    assert old() is None


def test_a_full_collection_waits_for_its_time_and_for_something_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "PERIOD", 0.0)
    done: list[str] = []
    monkeypatch.setattr(garbage, "set_aside", lambda: done.append("young"))
    monkeypatch.setattr(garbage, "collect_all", lambda: done.append("full"))
    gone = 0

    async def evening() -> None:
        nonlocal gone
        tending = asyncio.ensure_future(garbage.tend(lambda: gone))
        while len(done) < 10:
            await asyncio.sleep(0)
        assert "full" not in done
        monkeypatch.setattr(garbage, "FULL_SECONDS", 0.0)
        while len(done) < 20:
            await asyncio.sleep(0)
        assert "full" not in done, "nobody has gone"
        gone = garbage.GONE
        while len(done) < 30:
            await asyncio.sleep(0)
        assert done.count("full") == 1
        tending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await tending

    asyncio.run(asyncio.wait_for(evening(), 60))
