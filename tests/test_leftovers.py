"""The tests' own watch: whoever leaves a thread or a process behind is told, and only they."""

import subprocess
import sys
from pathlib import Path

import pytest

TIDY = """
import subprocess, sys, threading
import pytest

@pytest.fixture(scope="module")
def shared():
    ends = threading.Event()
    thread = threading.Thread(target=ends.wait, name="of the module")
    thread.start()
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.communicate()
    ends.set()
    thread.join()

def test_one(shared):
    threading.Thread(target=lambda: None).start()

def test_two(shared):
    subprocess.run([sys.executable, "-c", ""], check=True)
"""

THREAD = """
import threading
def plant():
    threading.Thread(target=threading.Event().wait, name="forgotten", daemon=True).start()
"""

PROCESS = """
import subprocess, sys
def plant():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(8)"])
"""

SPAWNED = """
import multiprocessing, time
def plant():
    multiprocessing.get_context("spawn").Process(target=time.sleep, args=(8,), daemon=True).start()
"""

ORPHAN = """
import subprocess, sys
def plant():
    inner = "import time; time.sleep(8)"
    outer = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {inner!r}])"
    subprocess.run([sys.executable, "-c", outer], check=True)
"""

TWO_TESTS = """
def test_plants():
    plant()

def test_innocent():
    pass
"""


def run(folder: Path, source: str) -> "subprocess.CompletedProcess[str]":
    (folder / "test_planted.py").write_text(source, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nleftover_seconds = 0.5\n", "utf-8")
    plugins = ["-p", "leftovers", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "no:hypothesispytest"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "-W", "ignore", str(folder)]
    environment = {"PYTHONPATH": str(Path(__file__).parent), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)


def test_what_a_wider_fixture_starts_may_stay_until_it_ends(tmp_path: Path) -> None:
    done = run(tmp_path, TIDY)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        (THREAD, ["thread 'forgotten'", "in plant"]),
        (PROCESS, ["process", "time.sleep(8)", "in plant"]),
        (SPAWNED, ["process", "spawn", "in plant"]),
    ],
    ids=["thread", "process", "spawned process"],
)
def test_whoever_leaves_something_behind_fails_and_nobody_else(tmp_path: Path, planted: str, told: list[str]) -> None:
    done = run(tmp_path, planted + TWO_TESTS)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 passed, 1 error" in done.stdout
    assert "ERROR test_planted.py::test_plants" in done.stdout
    for part in told:
        assert part in done.stdout


def test_a_process_whose_parent_has_died_is_found_at_the_end_of_the_file(tmp_path: Path) -> None:
    done = run(tmp_path, ORPHAN + TWO_TESTS)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "whose parent has died" in done.stdout
