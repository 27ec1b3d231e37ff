"""The slower ways of the physics, as if MuJoCo or numba lacked what is not documented: the same pieces, by calls and without sleep."""

import platform
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from ludotheque.games.yikerz.magnets import model, mujoco_library, world
from ludotheque.games.yikerz.magnets.problems import PhysicsMissing
from ludotheque.games.yikerz.magnets.shapes import shape_of
from yikerz.boards import flat, lying, run, scene


@pytest.fixture
def without_sleep(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """MuJoCo as if it could put nothing to sleep."""
    for module in (mujoco_library, model, world):
        monkeypatch.setattr(module, "SLEEP", False)
    model.compiled.cache_clear()
    yield
    model.compiled.cache_clear()


def drop(seconds: float) -> tuple[float, ...]:
    """Where a piece lies that was dropped from a millimetre, 40 mm beside another."""
    board = scene(3)
    board.put(0, flat(shape_of(0), -20, -30))
    board.put(1, lying(shape_of(1), 25, -30, "flat", 20, gap=1))
    run(board, seconds)
    return board.pose(0) + board.pose(1)


def test_steps_by_calls_do_what_compiled_steps_do(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = drop(0.5)
    monkeypatch.setattr(world, "COMPILED_STEPS", False)
    monkeypatch.setattr(world, "advance", None)  # must not be used
    assert drop(0.5) == pytest.approx(compiled, abs=1e-6)


@pytest.mark.usefixtures("without_sleep")
def test_without_sleep_pieces_lie_still_and_those_away_do_not_fall() -> None:
    board = scene(3)
    board.put(0, flat(shape_of(0), -20, -30))
    before = board.poses[2].copy()
    run(board, 0.5)
    assert board.pose(0)[:3] == pytest.approx(flat(shape_of(0), -20, -30)[:3], abs=0.05)
    assert np.abs(board.poses[2] - before).max() < 0.01
    saved = board.save()
    run(board, 0.1)
    after = board.pose(0)
    board.restore(saved)
    run(board, 0.1)
    assert board.pose(0) == pytest.approx(after, abs=1e-9)
    board.take([0])
    assert board.on_board == ()


def test_without_sleep_the_same_piece_comes_to_lie_in_the_same_place(request: pytest.FixtureRequest) -> None:
    asleep = drop(0.5)
    request.getfixturevalue("without_sleep")
    assert drop(0.5) == pytest.approx(asleep, abs=0.05)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mujoco_library.missing_internals() == ()
    bare = type("MjData", (), {"_address": 0}), type("MjModel", (), {"_address": 0})
    monkeypatch.setattr(mujoco_library, "mujoco", SimpleNamespace(MjData=bare[0], MjModel=bare[1]))
    monkeypatch.setattr(mujoco_library, "library", None)
    assert mujoco_library.missing_internals() == (
        "mujoco.mjtSleepPolicy",
        "MjModel.tree_sleep_policy",
        "MjData.tree_awake",
        "MjData.tree_asleep",
        "mj_step1",
        "mj_step2",
        "mj_updateSleep",
    )


@pytest.mark.parametrize(
    ("system", "processor", "words"),
    [("darwin", "x86_64", "Intel"), ("darwin", "arm64", "mujoco-core"), ("linux", "x86_64", "mujoco-core")],
)
def test_without_mujoco_a_sentence_says_what_still_works(
    monkeypatch: pytest.MonkeyPatch, system: str, processor: str, words: str
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: processor)
    with pytest.raises(PhysicsMissing, match=words):
        mujoco_library._import()
