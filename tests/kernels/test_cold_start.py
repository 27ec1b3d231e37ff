"""A first start: WebAssembly while nothing is compiled, native code as soon as it is, and a compiler that disturbs nobody."""

import json
import os
import shutil
import subprocess
import sys
import threading
from array import array
from pathlib import Path
from typing import Any

import pytest

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match, find_game
from ludotheque.file_lock import file_lock
from ludotheque.kernels import DiscreteGame, cold_start
from ludotheque.kernels.cache_keys import is_compiled
from ludotheque.kernels.cold_start import MODULE, MovingKernels, compile_elsewhere
from ludotheque.kernels.entries import LocalKernels
from ludotheque.kernels.jit import JIT
from tools.wasm.link import build

SOURCES = Path(__file__).parents[2] / "src" / "ludotheque"
FIRST_MOVE = """
import json, sys
from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match, find_game

match = Match(find_game("wykersham"), dice=Dice("first start"))
while match.to_move == CHANCE:
    match.draw()
action = bot(match.game, 3).choose(match.position).action
print(json.dumps({"action": action, "imported": sorted({"numba", "numpy", "wasmtime"} & set(sys.modules))}))
"""

LOOK = """
import json, logging
from ludotheque.core import find_game
logging.basicConfig()
print(json.dumps({"start": find_game("wykersham").cold_start}))
"""


def game_of(name: str) -> DiscreteGame:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    return game


def installed(folder: Path, module: bytes) -> Path:
    """The package as a wheel installs it: with Wykersham's module."""
    package = folder / "ludotheque"
    shutil.copytree(SOURCES, package, ignore=shutil.ignore_patterns("__pycache__", "page"))
    (package / "games" / "wykersham" / MODULE).write_bytes(module)
    return folder


def run(package: Path, script: str) -> dict[str, Any]:
    """Run a script with an empty cache; what it printed, and what it said beside."""
    settings = {**os.environ, "LUDOTHEQUE_CACHE": str(package / "cache"), "PYTHONPATH": str(package)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return {**told, "said": done.stderr}


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled here")
def test_a_first_bot_answers_without_a_compiler_and_as_it_always_does(tmp_path: Path) -> None:
    package = installed(tmp_path, build(game_of("wykersham")).read_bytes())
    match = Match(game_of("wykersham"), dice=Dice("first start"))
    while match.to_move == CHANCE:
        match.draw()
    expected = bot(match.game, 3).choose(match.position).action
    assert run(package, FIRST_MOVE) == {"action": expected, "imported": ["wasmtime"], "said": ""}
    # Sources that were changed since: the module is of other rules.
    rules = package / "ludotheque" / "games" / "wykersham" / "rules.py"
    rules.write_text(rules.read_text("utf-8") + "\n# changed\n", "utf-8")
    told = run(package, LOOK)
    assert told["start"] is None
    assert "built from other sources" in told["said"]


def test_rooms_follow_their_kernels() -> None:
    game = game_of("wykersham")
    first, second = LocalKernels(game.rules), LocalKernels(game.rules)
    moving = MovingKernels(first)
    room, empty = moving.keep(array("i", [1, 2, 3])), moving.room(12)
    moving.call("copy_bytes", room, empty, 8)
    moving.move(second)
    seen = array("i", [9, 9, 9])
    moving.call("copy_bytes", empty, seen, 12)
    assert seen.tolist() == [1, 2, 0]
    assert (room.nbytes, empty.nbytes) == (12, 12)
    later = moving.room(12)
    moving.call("copy_bytes", room, later, 12)  # one of before, one of after
    moving.call("copy_bytes", later, seen, 12)
    assert seen.tolist() == [1, 2, 3]


@pytest.mark.slow
def test_a_compiler_ends_with_whoever_started_it(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "ludotheque.kernels.compile_ahead", "wykersham"]
    settings = {**os.environ, "LUDOTHEQUE_CACHE": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=settings) as compiler:
        assert compiler.stdin is not None
        compiler.stdin.close()
        assert compiler.wait(60) == 1
    assert not is_ready(tmp_path)


def is_ready(cache: Path) -> bool:
    return any(cache.glob("*/entries.ready"))


def test_one_compiler_runs_at_a_time_and_the_others_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path))
    monkeypatch.setattr(cold_start, "_compile", lambda name: pytest.fail("a second compiler"))
    looked: list[float] = []
    with file_lock(tmp_path / "compiling"):
        compile_elsewhere("wykersham", lambda: len(looked) >= 3, looked.append)
    assert looked == [cold_start.BETWEEN_LOOKS] * 3


def test_a_compiler_is_started_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path / "new"))
    started: list[str] = []
    monkeypatch.setattr(cold_start, "_compile", started.append)
    compile_elsewhere("wykersham", lambda: False, lambda seconds: pytest.fail("it waits for nobody"))
    assert started == ["wykersham"]
    compile_elsewhere("wykersham", lambda: True, lambda seconds: None)
    assert started == ["wykersham"]


def test_where_nothing_can_be_stored_no_compiler_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path / "file"))  # no folder, whoever asks
    monkeypatch.setattr(cold_start, "_compile", lambda name: pytest.fail("it could store nothing"))
    compile_elsewhere("wykersham", lambda: False, lambda seconds: None)


class Fixed:
    """Rules or kernels that are told apart by their name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def call(self, name: str, *arguments: object) -> str:
        return self.name


@pytest.mark.skipif(not JIT, reason="nothing is compiled here")
def test_native_code_takes_over_once_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("wykersham")
    may_compile = threading.Event()
    monkeypatch.setattr(cold_start, "BEFORE_COMPILING", 0.0)
    monkeypatch.setattr(cold_start, "compile_elsewhere", lambda *about: may_compile.wait())
    start: Any = cold_start.ColdStart(game, Fixed("module"), Fixed("module"))  # type: ignore[arg-type] # stand-ins
    monkeypatch.setattr(game, "cold_start", start)
    monkeypatch.setattr(game, "_target", None)
    monkeypatch.setattr(game, "_kernels", None)
    kernels = game.kernels
    assert game.target is start.target
    assert kernels.call("anything") == "module"
    (thread,) = (one for one in threading.enumerate() if one.name == "compile wykersham")
    may_compile.set()
    thread.join()
    assert game.target is game.rules.compiled.target
    assert game.kernels is kernels  # who holds them calls native entries from now on
    assert kernels.call("turn_size") == LocalKernels(game.rules).call("turn_size")


def test_a_checkout_has_no_modules_and_goes_on_as_before() -> None:
    game = game_of("wykersham")
    assert not (game.folder / MODULE).exists()
    assert cold_start.cold_start_of(game) is None


def test_compiled_means_rules_and_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path))
    folder = game_of("wykersham").folder
    from ludotheque.kernels.cache_keys import cache_folder  # noqa: PLC0415 - after the variable

    cached = cache_folder(folder)
    cached.mkdir(parents=True)
    (cached / "rules.ready").touch()
    assert not is_compiled(folder)
    (cached / "entries.ready").touch()
    assert is_compiled(folder)
