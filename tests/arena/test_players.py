"""What may sit in the arena: Python objects, programs that stay for many games, bots with other weights; and what is noted of them."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from typer.testing import CliRunner

from ludotheque.arena import Results, Series, Standing, play_series, play_task, run_id, scores
from ludotheque.arena.distributed import worker_resources
from ludotheque.bots import Forfeit, PythonPlayer, identify, player_named
from ludotheque.cli.app import app
from ludotheque.core import BadOption, Dice, Match, find_game, parse, read_record
from ludotheque.core.record import verify

SHORT = {"max_turns": 2}
PYTHON = f"'{sys.executable}'"
Write = Callable[[str, str], str]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a module into the current folder, which is not among those that Python searches."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(name: str, source: str) -> str:
        (tmp_path / f"{name}.py").write_text(source, "utf-8")
        return name

    yield write
    for name in [name for name, one in sys.modules.items() if str(tmp_path) in str(getattr(one, "__file__", ""))]:
        del sys.modules[name]


def program(tmp_path: Path, source: str) -> str:
    file = tmp_path / "bot.py"
    file.write_text("import sys, json, os\n" + source, "utf-8")
    return f"cmd:{PYTHON} '{file}'"


def arena(*arguments: str) -> dict[str, Any]:
    command = ["arena", "yam-master", "--option", "max_turns=2", "--jobs", "1", "--seed", "1", "--json", *arguments]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def refused(*arguments: str) -> str:
    command = ["--language", "en", "arena", "yam-master", "--option", "max_turns=2", "--jobs", "1", *arguments]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert done.exit_code == 2, done.output
    return done.stderr


# Python objects.

LAST = """
__version__ = "7.1"
class Last:
    made = 0
    def __init__(self):
        Last.made += 1
    def choose(self, position, *, seconds, seed):
        return position.legal().actions[-1]
"""


def test_a_python_object_plays_also_in_other_processes(module: Write) -> None:
    name = f"py:{module('my_last_bot', LAST)}:Last"
    told = arena("--seat", name, "--seat", "random", "--games", "4")
    assert told["players"][0]["player"] == name
    assert "forfeits" not in told["players"][0]
    assert told["versions"]["players"] == {name: "7.1"}
    series = Series("yam-master", (name, "random"), 4, "1", SHORT)
    here, there = (
        sorted((one.number, one.rotation, one.points) for some in play_series(series, jobs) for one in some)
        for jobs in (1, 2)
    )
    assert here == there


def test_one_object_plays_all_games_of_a_worker_and_is_told_of_each(module: Write) -> None:
    source = """
log = []
class Teller:
    def __init__(self): log.append("made")
    def new_game(self, position, seat, seed): log.append(("game", seat, seed))
    def choose(self, position, *, seconds, seed):
        assert position.to_move == log[-1][1]
        return position.legal().actions[0]
    def close(self): log.append("closed")
"""
    name = f"py:{module('my_teller_bot', source)}:Teller"
    series = Series("yam-master", (name, "random"), 4, "1", SHORT)
    played = [one for some in play_series(series) for one in some]
    assert not any(one.forfeit for one in played)
    log = sys.modules["my_teller_bot"].log
    assert (log[0], log[-1], len(log)) == ("made", "closed", 6)
    assert [one[1] for one in log[1:-1]] == [0, 1, 0, 1]
    seeds = [one[2] for one in log[1:-1]]
    assert seeds[0] != seeds[2]
    assert all(0 <= seed < 1 << 53 for seed in seeds)
    assert worker_resources() is None


def test_an_object_that_cannot_be_closed_keeps_its_points(module: Write, caplog: pytest.LogCaptureFixture) -> None:
    name = f"py:{module('my_stuck_bot', LAST + '    def close(self): raise OSError(5)')}:Last"
    assert len(play_task(Series("yam-master", (name, "random"), 2, "1", SHORT), 0, 2)) == 2
    assert "could not be closed: it raised OSError: 5" in caplog.text


def test_an_object_that_raises_loses_and_its_trace_is_shown(module: Write) -> None:
    source = """
class Bad:
    def choose(self, position, *, seconds, seed):
        raise KeyError("no such plan")
"""
    name = f"py:{module('my_bad_bot', source)}:Bad"
    series = Series("yam-master", (name, "random"), 4, "1", SHORT)
    bad, _ = scores(series, [one for some in play_series(series) for one in some])
    told: Any = bad.json()
    assert (bad.losses, bad.restarts) == (4, 3)
    assert told["forfeits"][0]["why"] == "it raised KeyError: 'no such plan'"
    assert "my_bad_bot.py" in " ".join(told["forfeits"][0]["stderr"])
    assert json.loads(told["forfeits"][0]["asked"])["phase"] == "decide"
    assert told["restarts"] == 3


@pytest.mark.parametrize(
    ("answer", "why"),
    [("7", "it answered 7, which is neither"), ("'keep 99'", "not possible now"), ("None", "it answered None")],
)
def test_an_object_that_answers_nonsense_loses(module: Write, answer: str, why: str) -> None:
    source = f"class Odd:\n    def choose(self, position, *, seconds, seed): return {answer}\n"
    player = PythonPlayer(f"{module('my_odd_bot', source)}:Odd")
    match = Match(find_game("yam-master"), dice=Dice("1"))
    match.draw()
    with pytest.raises(Forfeit, match=why):
        player.choose(match.position)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("py:", "a module and a class are needed"),
        ("py:json", "a module and a class are needed"),
        ("py:nowhere_to_be_found:Bot", "cannot be imported"),
        ("py:json:Nobody", 'has no class "Nobody"'),
        ("py:json:JSONDecoder", "has no method choose"),
    ],
)
def test_a_class_that_cannot_play_gets_a_sentence(name: str, words: str) -> None:
    assert words in refused("--seat", name, "--seat", "random")


# Programs that stay.

STAYS = """
print(json.dumps({"id": "stayer 3", "newgame": True}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    with open(NOTE, "a") as note: note.write(f"{os.getpid()} {asked['do']} {asked.get('seed', '')}\\n")
    if asked["do"] == "newgame":
        assert sorted(asked) == ["do", "game", "options", "players", "seat", "seed"]
        print(json.dumps({"ok": True}), flush=True)
    else:
        print(json.dumps({"action": asked["legal"][-1]}), flush=True)
"""


def test_a_program_that_knows_of_new_games_stays_for_all_of_them(tmp_path: Path) -> None:
    note = tmp_path / "note"
    stays = program(tmp_path, f"NOTE = {str(note)!r}\n{STAYS}")
    told = arena("--seat", f"rex={stays}", "--seat", "random", "--games", "6")
    assert told["versions"]["players"] == {"rex": "stayer 3"}
    assert "restarts" not in told["players"][0]
    lines = [line.split() for line in note.read_text().splitlines()]
    assert len({line[0] for line in lines}) == 1
    seeds = [line[2] for line in lines if line[1] == "newgame"]
    assert len(seeds) == 6
    assert len(set(seeds)) > 3
    plain = arena("--seat", "random", "--seat", "bot:1", "--games", "2")
    assert "players" not in plain["versions"]


def test_a_program_that_dies_is_started_again_and_it_is_counted(tmp_path: Path) -> None:
    note = tmp_path / "note"
    second = 'if asked["do"] == "newgame":\n        games = globals().get("games", 0) + 1\n        if games == 2: sys.exit("old")'
    mortal = f"NOTE = {str(note)!r}\n" + STAYS.replace('if asked["do"] == "newgame":', second)
    told = arena("--seat", f"rex={program(tmp_path, mortal)}", "--seat", "random", "--games", "4")
    rex = told["players"][0]
    assert "forfeits" not in rex, "between two games nothing is lost"
    assert rex["restarts"] == 3
    lost = "else:\n        if asked['state']['turns'] != [0, 0]: sys.exit('lost my way')\n"
    failing = f"NOTE = {str(note)!r}\n" + STAYS.replace("else:\n", lost)
    told = arena("--seat", f"rex={program(tmp_path, failing)}", "--seat", "random", "--games", "4")
    rex = told["players"][0]
    assert (rex["lost_by_default"], rex["restarts"]) == (4, 3)


@pytest.mark.slow
@pytest.mark.parametrize("how", [None, signal.SIGTERM, signal.SIGKILL])
def test_programs_that_stay_end_with_the_arena_however_it_ends(how: signal.Signals | None, tmp_path: Path) -> None:
    """Even those that do not care about the end of their input, or have started others."""
    note = tmp_path / "note"
    child = "import subprocess; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    source = f"NOTE = {str(note)!r}\n{child}\n{STAYS}\nimport time; time.sleep(600)"
    stays = f"rex={program(tmp_path, source)}"
    games = "8" if how is None else "1000000"
    command = [sys.executable, "-m", "ludotheque", "arena", "yam-master", "--option", "max_turns=2", "--jobs", "2"]
    command += ["--seat", stays, "--seat", "random", "--games", games, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        try:
            started: list[psutil.Process] = []
            while len({int(line.split()[0]) for line in read(note).splitlines()}) < 2 and process.poll() is None:
                time.sleep(0.05)
            if process.poll() is None:
                started = psutil.Process(process.pid).children(recursive=True)
            if how is not None:
                assert len(started) >= 6, "two workers, two programs and what they have started"
                process.send_signal(how)
            process.communicate(timeout=120)
        finally:
            process.kill()
    started += [
        psutil.Process(pid)
        for pid in {int(line.split()[0]) for line in read(note).splitlines()}
        if psutil.pid_exists(pid)
    ]
    assert psutil.wait_procs(started, timeout=60)[1] == []


def read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def test_only_the_first_line_of_a_program_introduces_it(tmp_path: Path) -> None:
    assert identify(program(tmp_path, "pass")[4:]) is None
    assert identify(program(tmp_path, "print('hello'); print('{\"id\":\"x\"}')")[4:]) is None
    assert identify(program(tmp_path, 'print(\'{"id":"x","action":"pass"}\')')[4:]) is None
    assert identify(program(tmp_path, "print('{\"id\":7}')")[4:]) is None
    assert identify(program(tmp_path, "import time; time.sleep(100)")[4:], seconds=0.2) is None
    told = identify(program(tmp_path, 'print(\'{"id":"x 1"}\')')[4:])
    assert told is not None
    assert (told.id, told.newgame) == ("x 1", False)
    ours = identify(f"{PYTHON} -m ludotheque.bots bot:1")
    assert ours is not None
    assert ours.newgame


def test_a_program_with_an_id_but_no_new_games_is_started_for_each_seed(tmp_path: Path) -> None:
    note = tmp_path / "note"
    source = f"NOTE = {str(note)!r}\n{STAYS}".replace(', "newgame": True', "")
    told = arena("--seat", f"rex={program(tmp_path, source)}", "--seat", "random", "--games", "4")
    assert "forfeits" not in told["players"][0]
    lines = [line.split() for line in note.read_text().splitlines()]
    assert {line[1] for line in lines} == {"choose"}
    assert len({line[0] for line in lines}) == 2


# What a program did wrong.


def test_what_a_failing_program_was_asked_answered_and_wrote_is_shown(tmp_path: Path) -> None:
    source = """
for number in range(100): print("thought", number, file=sys.stderr)
sys.stdin.readline()
print(json.dumps({"action": "keep 99"}), flush=True)
sys.stdin.read()
"""
    seats = ("--seat", f"rex={program(tmp_path, source)}", "--seat", "random", "--games", "2")
    results = tmp_path / "results"
    told = arena(*seats, "--results", str(results))
    why, *_ = told["players"][0]["forfeits"]
    assert json.loads(why["asked"])["do"] == "choose"
    assert why["answered"] == '{"action": "keep 99"}'
    assert why["stderr"] == [f"thought {number}" for number in range(80, 100)]
    again = arena(*seats, "--results", str(results))  # read from the file
    assert again["players"][0]["forfeits"] == told["players"][0]["forfeits"]
    command = ["--language", "en", "arena", "yam-master", "--option", "max_turns=2", "--jobs", "1", *seats]
    shown = CliRunner().invoke(app, command).stdout
    assert '      asked: {"do":"choose","game":"yam-master"' in shown
    assert '      answered: {"action": "keep 99"}' in shown
    assert "        thought 99\n" in shown


# Weights.


def weights_of(game: str) -> Path:
    return Path(str(files(f"ludotheque.games.{game}") / "weights.npz"))


def test_bots_play_by_other_weights(tmp_path: Path) -> None:
    same = tmp_path / "same.npz"
    same.write_bytes(weights_of("yam_master").read_bytes())
    blank = tmp_path / "blank.npz"
    with np.load(weights_of("yam_master")) as parts:
        np.savez(blank, **{name: np.zeros_like(parts[name]) for name in parts.files if name != "about"})
    plain = Series("yam-master", ("bot:3", "bot:1"), 4, "w", SHORT)
    told = {
        file: [one.points for number in (0, 1) for one in play_task(plain_with(plain, file), number, 2)]
        for file in (None, same, blank)
    }
    assert told[same] == told[None]
    position = Match(find_game("yam-master"), dice=Dice("3"))
    position.draw()
    values = [player_named(name, position.game).choose(position.position).value for name in ("bot:3", f"bot:3@{blank}")]
    assert values[0] != values[1]
    told_by_command = arena("--seat", "bot:3", "--seat", f"new=bot:3@{blank}", "--games", "2", "--weights", str(same))
    hashes = told_by_command["versions"]["weights"]
    assert set(hashes) == {"bot:3", "new"}
    assert (
        hashes["bot:3"] == arena("--seat", "bot:3", "--seat", "random", "--games", "2")["versions"]["weights"]["bot:3"]
    )
    assert hashes["new"] != hashes["bot:3"]


def plain_with(series: Series, file: Path | None) -> Series:
    names = () if file is None else (("bot:3", f"bot:3@{file}"),)
    return Series(series.game, series.players, series.games, series.seed, series.options, None, names)


def test_weights_that_are_none_get_a_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"not weights")
    other = ("--seat", "random", "--games", "2")
    assert "is damaged, or holds no weights" in refused("--seat", f"bot:5@{bad}", *other)
    assert "cannot be read" in refused("--seat", f"bot:5@{tmp_path / 'none.npz'}", *other)
    assert "of another game or version" in refused("--seat", "bot:5", *other, "--weights", str(weights_of("wykersham")))
    assert "Level 2 uses no weights" in refused("--seat", f"bot:2@{bad}", *other)
    assert "Nobody here plays by" in refused("--seat", "bot:2", *other, "--weights", str(weights_of("yam_master")))
    with pytest.raises(BadOption, match="use no weights"):
        player_named(f"bot:5@{bad}", find_game("twisty"))
    with pytest.raises(BadOption, match="no player"):
        player_named("bot:5@", find_game("yam-master"))


# Records.


def test_every_match_has_its_record_also_when_it_goes_on(tmp_path: Path) -> None:
    results, records = tmp_path / "results", tmp_path / "games.jsonl"
    command = ["--seat", "random", "--seat", "bot:1", "--results", str(results), "--records", str(records)]
    arena(*command, "--games", "3")
    whole = records.read_bytes()
    lines = whole.splitlines(keepends=True)
    records.write_bytes(b"".join(lines) + lines[0] + b'{"ludotheque":1,"ga')  # twice, and killed in the middle
    told = arena(*command, "--games", "6")
    read: list[Any] = [parse(line) for line in records.read_bytes().splitlines()]
    places = [(one["arena"]["number"], one["arena"]["rotation"]) for one in read]
    assert places == [(number, rotation) for number in range(3) for rotation in range(2)]
    share = 0.0
    for source, (number, rotation) in zip(read, places, strict=True):
        record = read_record(source)
        assert record.match.over
        assert verify(record).fair
        assert record.seed == f"1.{number}"
        assert [one.name for one in record.seated] == ([["random", "bot:1"], ["bot:1", "random"]][rotation])
        share += record.match.position.returns()[rotation] / 6
    assert share == pytest.approx(told["players"][0]["share"], abs=1e-6)


def test_records_of_an_earlier_run_are_not_overwritten(tmp_path: Path) -> None:
    records, results = tmp_path / "games.jsonl", tmp_path / "results"
    seats = ["--seat", "random", "--seat", "bot:1", "--games", "2"]
    arena(*seats, "--records", str(records))
    before = records.read_bytes()
    assert "has records already" in refused(*seats, "--records", str(records))
    assert records.read_bytes() == before
    arena(*seats, "--results", str(results))
    command = ["--language", "en", "arena", "yam-master", "--option", "max_turns=2", "--jobs", "1", *seats]
    done = CliRunner().invoke(app, [*command, "--results", str(results), "--records", str(tmp_path / "new")])
    assert "2 matches of the earlier run were played without --records" in done.stderr


def test_the_record_of_a_lost_program_says_so_and_keeps_its_command(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    arena(
        "--seat",
        f"rex={program(tmp_path, 'sys.exit(3)')}",
        "--seat",
        "random",
        "--games",
        "2",
        "--records",
        str(records),
    )
    for line in records.read_text("utf-8").splitlines():
        record = json.loads(line)
        assert record["arena"]["forfeit"] == {"player": 0, "why": "it ended with exit status 3"}
        assert {one["name"]: one["kind"] for one in record["players"]} == {"rex": "cmd", "random": "random"}
        assert read_record(record).match.over is False


# Versions and earlier files.


def test_results_name_the_versions_of_everything(tmp_path: Path) -> None:
    results = tmp_path / "results"
    arena("--seat", "bot:1", "--seat", "random", "--games", "2", "--results", str(results))
    versions = json.loads(results.read_text().splitlines()[0])["versions"]
    assert {"ludotheque", "rules", "python", "numba"} <= set(versions)
    assert versions["python"] == ".".join(map(str, sys.version_info[:3]))


def test_a_run_that_goes_on_with_other_versions_notes_them_and_refuses_another_player(tmp_path: Path) -> None:
    results = tmp_path / "results"
    answer = "\nfor line in sys.stdin: print(json.dumps({'action': json.loads(line)['legal'][0]}), flush=True)"
    rex = f"rex={program(tmp_path, 'print(json.dumps(dict(id=sys.argv[1])), flush=True)' + answer)}"
    arena("--seat", rex + " v1", "--seat", "random", "--games", "2", "--results", str(results))
    heading, *lines = results.read_text().splitlines()
    told = json.loads(heading)
    told["versions"]["numba"] = "0.1"
    results.write_text("\n".join([json.dumps(told, separators=(",", ":")), *lines]) + "\n")
    arena("--seat", rex + " v1", "--seat", "random", "--games", "4", "--results", str(results))
    noted = [json.loads(line) for line in results.read_text().splitlines()]
    assert ["versions" in one for one in noted] == [True, False, False, True, False, False]
    told["versions"]["players"]["rex"] = "v0"
    noted[0], noted[3]["versions"] = told, told["versions"]
    results.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in noted))
    words = refused("--seat", rex + " v1", "--seat", "random", "--games", "6", "--seed", "1", "--results", str(results))
    assert "another version of rex" in words


def test_results_from_before_an_option_existed_go_on(tmp_path: Path) -> None:
    """Yam Master's option `first` is younger than the arena: what a file does not name had its default."""
    results = tmp_path / "results"
    series = Series("yam-master", ("random", "bot:1"), 4, "1", {"first": "lot", "max_turns": 2})
    old = {"arena": 1, "game": "yam-master", "rules": 1, "options": {"max_turns": 2}, "seed": "1", "seconds": None}
    played = {"line_up": 0, "number": 0, "points": [1.0, 0.0], "decisions": [5, 5], "seconds": [0.1, 0.1]}
    lines = [{**old, "line_ups": [["random", "bot:1"]]}, *({**played, "rotation": rotation} for rotation in (0, 1))]
    results.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    before = run_id([Series("yam-master", ("random", "bot:1"), 4, "1", {"max_turns": 2})])
    standing = Standing(series)
    noted = Results(results, [standing])
    noted.close()
    assert len(standing.played) == 2
    assert run_id([series], results) == before, "a ratings file knows that it has counted them"
    other = Standing(Series("yam-master", ("random", "bot:1"), 4, "1", {"first": 0, "max_turns": 2}))
    with pytest.raises(BadOption, match='"options" was'):
        Results(results, [other])
