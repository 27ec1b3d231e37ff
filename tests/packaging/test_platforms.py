"""Code paths of other systems and Pythons, by simulation: docs/installing.md lists them. What needs the system itself is not here."""

import ast
import builtins
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import platformdirs.macos
import platformdirs.windows
import pytest

from ludotheque import file_lock, paths
from ludotheque.arena import distributed
from ludotheque.bots import program
from ludotheque.core import BadOption
from ludotheque.kernels import cold_start
from ludotheque.server import admission, clock, crash_reports, live, run
from ludotheque.server.settings import ServerSettings

SOURCES = Path(paths.__file__).parent


def block(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """As if these modules did not exist."""
    real = builtins.__import__

    def importing(name: str, *rest: Any, **more: Any) -> ModuleType:
        if name in names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest, **more)

    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(builtins, "__import__", importing)


def loaded_as_on(system: str, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A second copy of a module, as another system loads it: the first stays as it is, with its classes."""
    spec = importlib.util.spec_from_file_location(f"{module.__name__}_again", str(module.__file__))
    assert spec is not None
    assert spec.loader is not None
    again = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as as_if:
        as_if.setattr(sys, "platform", system)
        spec.loader.exec_module(again)
    return again


@pytest.mark.parametrize(
    ("system", "data", "cache"),
    [
        (platformdirs.windows.Windows, "ludotheque", "ludotheque/Cache/rules"),
        (platformdirs.macos.MacOS, "Library/Application Support/ludotheque", "Library/Caches/ludotheque/rules"),
    ],
)
def test_data_and_cache_are_where_the_system_wants_them(
    monkeypatch: pytest.MonkeyPatch, system: Any, data: str, cache: str
) -> None:
    for name in ("LUDOTHEQUE_DATA", "LUDOTHEQUE_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", "/home/a")
    monkeypatch.setattr("platformdirs.windows.get_win_folder", lambda _name: "/home/a", raising=False)
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *a, **k: system(*a, **k).user_data_path)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *a, **k: system(*a, **k).user_cache_path)
    assert paths.data_folder().as_posix().replace("\\", "/").endswith(data)
    assert paths.cache_root().as_posix().replace("\\", "/").endswith(cache)
    assert paths.cache_root() != paths.data_folder()


def test_without_a_limit_of_open_files_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    block(monkeypatch, "resource")  # Windows
    assert admission.raise_file_limit() == admission.MOST_FILES


def test_without_fcntl_files_are_locked_by_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    windows = SimpleNamespace(LK_NBLCK=2, locking=lambda _file, how, size: calls.append((how, size)))
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    again = loaded_as_on("win32", file_lock, monkeypatch)
    with again.file_lock(tmp_path / "results"):
        assert calls == [(2, 1)]


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_steady_clock_of_other_systems_runs(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    again = loaded_as_on(system, clock, monkeypatch)
    assert again.steady() <= again.steady()


def test_every_system_has_pythons_own_loop_even_where_there_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", SimpleNamespace(new_event_loop=lambda: None))
    factory = run._configured(ServerSettings(port=0), None, 1).get_loop_factory()
    assert factory is None or factory.__module__.startswith("asyncio.")


def test_without_sighup_nothing_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "SIGHUP")  # Windows
    for module in (sys, threading):  # put back what the handlers replace
        monkeypatch.setattr(module, "excepthook", module.excepthook)
    crash_reports.install_crash_handlers()


def test_windows_blocks_no_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(signal, "pthread_sigmask")
    with live._blocking_sigterm():
        pass


def test_a_worker_whose_parent_is_gone_ends_on_windows_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_kill")
    monkeypatch.setattr(distributed, "parent_process", lambda: SimpleNamespace(join=lambda: None))

    def ended(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(os, "_exit", ended)
    with pytest.raises(SystemExit):
        distributed._exit_with_parent()


@pytest.mark.parametrize(
    ("system", "settings"), [("linux", {"start_new_session": True}), ("win32", {"creationflags": 0x200 | 0x4000})]
)
def test_the_compiler_of_a_first_start_disturbs_nobody(
    monkeypatch: pytest.MonkeyPatch, system: str, settings: dict[str, object]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    for name, number in (("CREATE_NEW_PROCESS_GROUP", 0x200), ("BELOW_NORMAL_PRIORITY_CLASS", 0x4000)):
        monkeypatch.setattr(subprocess, name, number, raising=False)  # as Windows has them
    started: list[dict[str, object]] = []

    def popen(command: list[str], **given: object) -> object:
        assert command[-2:] == ["ludotheque.kernels.compile_ahead", "twisty"]
        started.append(given)
        return nullcontext(SimpleNamespace(wait=lambda: 0))

    monkeypatch.setattr(subprocess, "Popen", popen)
    cold_start._compile("twisty")
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    assert started == [{**streams, **settings}]


def test_programs_as_players_are_refused_on_windows_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "os", SimpleNamespace(name="nt"))
    with pytest.raises(BadOption, match="Windows Subsystem for Linux"):
        program._popen(["anything"], -1, -1)


@pytest.mark.parametrize(("system", "reused"), [("linux", True), ("darwin", True), ("win32", False)])
def test_a_port_is_taken_alone(monkeypatch: pytest.MonkeyPatch, system: str, reused: bool) -> None:
    monkeypatch.setattr(sys, "platform", system)
    with run._bind(ServerSettings(port=0)) as bound:
        assert bool(bound.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)) is reused


def test_no_process_is_forked() -> None:
    """Windows cannot, macOS must not, and Python 3.14 no longer does by default."""
    asked = []
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).rpartition(".")[2]
                if called in ("get_context", "set_start_method"):
                    asked.append([ast.unparse(one) for one in node.args])
                if called == "ProcessPoolExecutor":
                    assert len(node.args) > 1 or any(one.arg == "mp_context" for one in node.keywords), file
                assert called not in ("fork", "forkpty"), file
    assert asked
    assert all(one == ["'spawn'"] for one in asked)
