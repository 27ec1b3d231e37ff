"""Programs as players: good ones play, all others lose, and it is said why."""

import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ludotheque.bots import Forfeit, ProgramPlayer, split_label
from ludotheque.core import Dice, Match, Position, find_game

GAME = find_game("yam-master")
Make = Callable[..., ProgramPlayer]


@pytest.fixture
def program(tmp_path: Path) -> Make:
    """Makes a player of a few lines of Python; the folder has a space and a quote in its name."""
    folder = tmp_path / "my bots' folder"
    folder.mkdir()

    def make(source: str, seconds: float = 20, arguments: str = "") -> ProgramPlayer:
        file = folder / "bot.py"
        file.write_text("import sys, json, time, os\n" + source, "utf-8")
        quoted = str(file).replace("'", "'\"'\"'")
        return ProgramPlayer(f"'{sys.executable}' '{quoted}' {arguments}", seconds)

    return make


def position() -> Position:
    match = Match(GAME, dice=Dice("1"), options={"max_turns": 7})
    match.play("11345")
    return match.position


def test_a_program_is_told_everything_and_its_answer_is_played(program: Make) -> None:
    source = """
for line in sys.stdin:
    asked = json.loads(line)
    assert sorted(asked) == ["do", "game", "legal", "options", "seat", "state"], asked
    assert asked["do"] == "choose" and asked["game"] == "yam-master" and asked["options"] == {"first": "lot", "max_turns": 7}
    assert asked["seat"] == asked["state"]["player"] and asked["state"]["dice"] == "11345"
    assert "keep 11" in asked["legal"] and sys.argv[1:] == ["a b", "$HOME"]
    print(json.dumps({"action": "keep 11", "why": "twins"}), flush=True)
"""
    player = program(source, arguments="'a b' $HOME")
    try:
        assert player.choose(position()).action == "keep 11"
        assert player.choose(position()).action == "keep 11"
    finally:
        player.close()


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("sys.exit(3)", "exit status 3"),
        ("sys.exit('out of ideas')", "exit status 1: out of ideas"),
        ("sys.stdin.readline(); raise ValueError('boom')", "exit status 1: ValueError: boom"),
        ("os.kill(os.getpid(), 9)", "exit status -9"),
        ("sys.stdin.readline(); print('pass')", "nonsense"),
        ("sys.stdin.readline(); print()", "nonsense"),
        ("sys.stdin.readline(); print('{}')", '"action" is missing'),
        ("sys.stdin.readline(); print('[1]')", "expected an object"),
        ("sys.stdin.readline(); print(json.dumps({'action': 7}))", "expected a text"),
        ("sys.stdin.readline(); print(json.dumps({'action': 'keep 99'}))", "not possible now"),
        ("sys.stdin.readline(); print(json.dumps({'action': 'PASS'}))", "not possible now"),
        ("sys.stdin.readline(); sys.stdout.buffer.write(b'\\xff\\xfe\\n')", "UTF-8"),
        ("sys.stdin.readline(); print('[' * 100000)", "nested"),
        ("sys.stdin.readline(); sys.stdout.write('x' * 2000000)", "longer than 1 MiB"),
    ],
)
def test_a_program_that_dies_or_talks_nonsense_loses_and_it_is_said_why(program: Make, source: str, why: str) -> None:
    player = program(source)
    with pytest.raises(Forfeit) as lost:
        player.choose(position())
    assert why in lost.value.sentence("en")
    assert player._process is None


@pytest.mark.parametrize(
    "source",
    [
        "time.sleep(100)",
        "sys.stdin.readline(); sys.stdout.write('{'); sys.stdout.flush(); time.sleep(100)",
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(100)",
    ],
)
def test_a_program_that_hangs_loses_after_its_time_and_is_ended(program: Make, source: str) -> None:
    player = program(source, seconds=0.5)
    began = time.monotonic()
    with pytest.raises(Forfeit, match=r"longer than 0\.5 seconds"):
        player.choose(position())
    assert time.monotonic() - began < 5


def test_what_a_program_started_ends_with_it(program: Make, tmp_path: Path) -> None:
    note = tmp_path / "child"
    source = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
open({str(note)!r}, "w").write(str(child.pid))
time.sleep(100)
"""
    player = program(source, seconds=3)
    with pytest.raises(Forfeit):
        player.choose(position())
    child = int(note.read_text())
    for _ in range(100):
        status = Path(f"/proc/{child}/stat")
        if not status.exists() or status.read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    os.kill(child, 9)
    pytest.fail("the program's child lives on")


def test_a_program_that_says_two_lines_loses_at_its_next_decision(program: Make) -> None:
    answer = "json.dumps({'action': 'pass'})"
    player = program(f"for line in sys.stdin: print({answer} + chr(10) + {answer}, flush=True)")
    assert player.choose(position()).action == "pass"
    time.sleep(0.1)
    with pytest.raises(Forfeit, match="more than one line"):
        player.choose(position())


def test_a_program_may_write_as_much_as_it_likes_to_its_standard_error(program: Make) -> None:
    source = """
sys.stderr.write("thinking" * 1000000)
for line in sys.stdin: print(json.dumps({"action": "pass"}), flush=True)
"""
    player = program(source)
    try:
        assert player.choose(position()).action == "pass"
    finally:
        player.close()


def test_after_a_failure_the_program_is_started_anew(program: Make, tmp_path: Path) -> None:
    note = tmp_path / "been here"
    source = f"""
if not os.path.exists({str(note)!r}):
    open({str(note)!r}, "w").close()
    sys.exit(1)
for line in sys.stdin: print(json.dumps({{"action": "pass"}}), flush=True)
"""
    player = program(source)
    with pytest.raises(Forfeit):
        player.choose(position())
    assert player.choose(position()).action == "pass"
    player.close()


def test_a_program_may_be_called_something_else() -> None:
    assert split_label("rex=cmd:node rex.js --level=5") == ("rex", "cmd:node rex.js --level=5")
    for name in ("bot:5", "random", "cmd:node rex.js --level=5", "=cmd:node", "rex=bot:5"):
        assert split_label(name) == (name, name)


def test_our_own_bot_as_a_program_says_why_it_cannot_choose() -> None:
    view = Match(GAME, dice=Dice("1")).position.view()  # chance's turn
    request = {"do": "choose", "game": "yam-master", "seat": 0, "options": {}, "state": view, "legal": []}
    command = [sys.executable, "-m", "ludotheque.bots", "random"]
    done = subprocess.run(command, input=json.dumps(request) + "\n", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "It is chance's turn, which no player decides: draw an outcome first, then ask again.\n"
    assert done.stdout.splitlines()[1:] == [], "an introduction, and no answer"


def test_why_a_program_lost_is_told_to_other_processes_whole(program: Make) -> None:
    player = program("print('thinking', file=sys.stderr); sys.stdin.readline(); print('{}')")
    with pytest.raises(Forfeit) as lost:
        player.choose(position())
    there = pickle.loads(pickle.dumps(lost.value))
    assert there.sentence("fr") == lost.value.sentence("fr")
    assert there.evidence == lost.value.evidence
    assert (there.evidence.answered, there.evidence.stderr) == ("{}", ("thinking",))
