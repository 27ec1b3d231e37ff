"""Series of matches: every seed with each rotation, results that can be repeated, honest intervals."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from typer.testing import CliRunner

from ludotheque.arena import Played, Series, interval, play_series, play_task, scores
from ludotheque.cli.app import app
from ludotheque.core import literal

SHORT = {"max_turns": 2}


def results(series: Series, jobs: int = 1) -> list[dict[str, Any]]:
    told = [dict(one.json()) for one in scores(series, [one for some in play_series(series, jobs) for one in some])]
    for one in told:
        del one["seconds_per_decision"]  # the only thing that the machine decides
    return told


def test_each_seed_is_played_with_every_rotation_of_the_seats() -> None:
    assert Series("yam-master", ("random", "bot:1"), 6).tasks() == [(0, 2), (1, 2), (2, 2)]
    assert Series("x", ("a", "b", "c"), 7).tasks() == [(0, 3), (1, 3), (2, 1)]


def test_the_same_player_on_both_sides_gets_exactly_half_when_dice_and_whims_are_the_same() -> None:
    """Both rotations of a seed of two equal players are the same match, seen from either side."""
    series = Series("yam-master", ("bot:1", "bot:1"), 12, "s", SHORT)
    assert [one["share"] for one in results(series)] == [0.5, 0.5]


def test_a_series_can_be_repeated_with_any_number_of_processes() -> None:
    series = Series("yam-master", ("random", "bot:1"), 7, "again", SHORT)
    once = results(series)
    assert results(series) == once
    assert results(series, jobs=2) == once
    assert sum(one["share"] for one in once) == pytest.approx(1)
    assert all(one["wins"] + one["draws"] + one["losses"] == 7 for one in once)


def program(tmp_path: Path, source: str) -> str:
    file = tmp_path / "bot.py"
    file.write_text("import sys, json, random\n" + source, "utf-8")
    return f"cmd:'{sys.executable}' '{file}'"


GOOD = "for line in sys.stdin: print(json.dumps({'action': json.loads(line)['legal'][-1]}), flush=True)"


def test_a_program_plays_a_series(tmp_path: Path) -> None:
    series = Series("yam-master", (program(tmp_path, GOOD), "random"), 4, "p", SHORT)
    first, second = scores(series, [one for some in play_series(series) for one in some])
    assert not first.forfeits
    assert first.wins + first.draws + first.losses == 4
    assert first.share + second.share == pytest.approx(1)


def test_a_program_that_fails_loses_the_game_and_the_report_says_why(tmp_path: Path) -> None:
    series = Series("yam-master", ("random", program(tmp_path, "sys.exit('no ideas')")), 4, "p", SHORT)
    winner, loser = scores(series, [one for some in play_series(series) for one in some])
    assert (loser.wins, loser.draws, loser.losses) == (0, 0, 4)
    assert (winner.wins, winner.share) == (4, 1.0)
    told: Any = loser.json()
    [why] = told["forfeits"]
    assert (why["why"], why["games"]) == ("it ended with exit status 1: no ideas", 4)
    assert "forfeits" not in winner.json()


def test_all_games_lost_by_default_are_counted_however_many_reasons_there_were(tmp_path: Path) -> None:
    moody = program(tmp_path, "import os; sys.exit('mood ' + str(os.getpid()))")  # another one each time
    command = ["arena", "yam-master", "--seat", "random", "--seat", f"moody={moody}"]
    command += ["--games", "7", "--jobs", "1", "--seed", "1"]
    told = CliRunner().invoke(app, ["--language", "en", *command]).stdout
    assert "moody lost 7 games by default:" in told
    assert "2 × for other reasons" in told
    for_programs = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)["players"][1]
    assert for_programs["lost_by_default"] == for_programs["losses"] == 7


def test_why_a_program_lost_is_told_in_french_also_when_a_series_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    seats = ("--seat", "random", "--seat", program(tmp_path, "sys.exit('rien')"))
    command = ["arena", "yam-master", *seats, "--results", str(file), "--jobs", "1", "--language", "fr"]
    for games in ("2", "4"):  # the second half after reading the first
        done = CliRunner().invoke(app, [*command, "--games", games])
        assert f"  {games} × il s’est terminé avec le code 1 : rien" in done.stdout, done.output
    earlier = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for line in earlier[1:]:
        who, why = line["forfeit"]
        line["forfeit"] = [who, why["en"]]  # as files were written before
    file.write_text("".join(json.dumps(line) + "\n" for line in earlier), "utf-8")
    done = CliRunner().invoke(app, [*command, "--games", "4"])
    assert "  4 × it ended with exit status 1: rien" in done.stdout, done.output


def test_points_go_to_the_player_and_not_to_the_seat() -> None:
    played = play_task(Series("yam-master", ("bot:1", "random"), 2, "x", SHORT), 0, 2)
    assert [one.rotation for one in played] == [0, 1]
    assert all(sum(one.points) == pytest.approx(1) for one in played)
    assert all(min(one.decisions) >= 2 for one in played)


def test_a_default_among_three_gives_the_others_an_equal_share() -> None:
    played = [Played(0, 0, (0.5, 0.0, 0.5), (1, 1, 1), (0.1, 0.1, 0.1), (1, literal("it died")))]
    first, second, third = scores(Series("x", ("a", "b", "c"), 1), played)
    assert (first.wins, second.losses, third.share) == (1, 1, 0.5)


def test_the_interval_holds_the_true_share_about_95_times_in_100() -> None:
    dice = random.Random(1)
    for true_share, pair in ((0.5, False), (0.8, False), (0.5, True)):
        held = 0
        for _ in range(400):
            seeds = []
            for _ in range(60):
                first = float(dice.random() < true_share)
                # Paired: the luck of the seat cancels in most pairs, so that they spread less.
                second = 1 - first if pair and dice.random() < 0.6 else float(dice.random() < true_share)
                seeds.append([first, second])
            low, high = interval(seeds)
            held += low <= true_share <= high
        assert 0.92 * 400 <= held <= 0.99 * 400, (true_share, pair)


def test_pairs_that_cancel_out_give_a_narrower_interval_and_doubled_ones_a_wider() -> None:
    dice = random.Random(2)
    luck = [float(dice.random() < 0.5) for _ in range(100)]
    free = [[a, b] for a, b in zip(luck[::2] * 2, luck[1::2] * 2, strict=True)]

    def width(seeds: list[list[float]]) -> float:
        low, high = interval(seeds)
        return high - low

    assert width([[a, 1 - a] for a in luck]) < width(free) < width([[a, a] for a in luck])


def test_winning_everything_does_not_make_certain() -> None:
    low, high = interval([[1.0, 1.0]] * 50)
    assert 0.9 < low < 1
    assert high == 1
    assert interval([]) == (0.0, 1.0)


ARENA = [sys.executable, "-m", "ludotheque", "arena", "yam-master", "--option", "max_turns=2"]


def test_the_command_prints_what_the_protocol_promises() -> None:
    command = [*ARENA, "--seat", "bot:1", "--seat", "random", "--games", "4", "--seed", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert set(told) == {"game", "games", "players", "versions"}
    assert (told["game"], told["games"]) == ("yam-master", 4)
    assert [one["player"] for one in told["players"]] == ["bot:1", "random"]
    for one in told["players"]:
        assert set(one) == {"player", "wins", "draws", "losses", "share", "interval", "seconds_per_decision"}
        assert one["interval"][0] <= one["share"] <= one["interval"][1]
        assert one["wins"] + one["draws"] + one["losses"] == 4
        assert one["seconds_per_decision"] > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seat", "bot:1"], "2 players"),
        (["--seat", "bot:1", "--seat", "bot:9"], 'no player "bot:9"'),
        (["--seat", "bot:1", "--seat", "cmd:nowhere-to-be-found"], "no program"),
        (["--seat", "random", "--seat", "random=cmd:true"], "Two different players"),
        (["--seat", "bot:1", "--seat", "random", "--option", "max_turns=0"], "from 1 to 1000"),
        (["--seat", "bot:1", "--seat", "random", "--option", "maxturns=3"], "no option"),
        (["--seat", "bot:1", "--seat", "random", "--option", "fast"], "NAME=VALUE"),
        (["--seat", "bot:1", "--seat", "random", "--games", "0"], "games"),
    ],
)
def test_bad_arguments_get_a_sentence(arguments: list[str], words: str) -> None:
    environment = {"LANG": "C", "PATH": "/usr/bin:/bin", "COLUMNS": "200"}
    done = subprocess.run(
        [*ARENA, *arguments], capture_output=True, text=True, timeout=300, env=environment, check=False
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("how", ["closed", "killed"])
def test_workers_end_in_the_middle_of_long_tasks(how: str) -> None:
    """Whatever waits in the queue: a long match of strong bots does not keep anybody busy for a parent that is gone."""
    script = """
import sys, time
from ludotheque.arena.distributed import distribute
results = distribute(time.sleep, [(0,)] + [(600,)] * 7, 2)
next(results)
print("busy", flush=True)
sys.stdin.readline()
results.close()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            assert process.stdout.readline() == "busy\n"
            workers = psutil.Process(process.pid).children(recursive=True)
            assert len(workers) >= 2
            if how == "closed":
                process.stdin.close()
            else:
                process.kill()
            process.wait(timeout=60)
        finally:
            process.kill()
    assert psutil.wait_procs(workers, timeout=60)[1] == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_arena_that_is_stopped_leaves_nobody_behind_and_loses_nothing(how: signal.Signals, tmp_path: Path) -> None:
    results, ratings = tmp_path / "results", tmp_path / "ratings"
    command = [*ARENA[:5], "--seat", "random", "--seat", "bot:1", "--seed", "1", "--json", "--jobs", "2"]
    command += ["--option", "max_turns=2", "--results", str(results), "--ratings", str(ratings)]
    with subprocess.Popen(  # tests that run in the background of a shell ignore Ctrl-C, and what they start would too
        [*command, "--games", "1000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - nothing else runs here
    ) as process:
        try:
            until(lambda: ratings.exists() and results.read_bytes().count(b"\n") > 20)
            workers = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(how)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert psutil.wait_procs(workers, timeout=20)[1] == []
    assert b"Traceback" not in err
    played = [json.loads(line)["number"] for line in results.read_text().splitlines()[1:]]
    if how != signal.SIGKILL:
        assert process.returncode == 128 + how
        assert json.loads(out)["games"] == len(played)
        return
    seeds = [number for number in set(played) if played.count(number) == 2]
    again = [*command, "--games", str(2 * len(seeds))]
    done = subprocess.run(again, capture_output=True, timeout=60, check=True)
    told = json.loads(done.stdout)
    assert told["games"] == 2 * len(seeds)
    assert [one["games"] for one in told["ratings"].values()] == [2 * len(seeds)] * 2


def until(it_is_so: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not it_is_so():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)
