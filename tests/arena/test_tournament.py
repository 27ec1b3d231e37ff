"""Round robins and ladders: who meets whom, when it is clear who is better, results that go on, ratings that can be trusted."""

import json
import math
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from typer.testing import CliRunner

from ludotheque.arena import (
    Played,
    Results,
    Series,
    Sprt,
    Standing,
    elo_of,
    expected_share,
    ladder,
    play_task,
    play_tournament,
    round_robin,
    stored_seed,
    tournament,
)
from ludotheque.arena.plots import draw_tournament
from ludotheque.arena.ratings import Rating, RatingsFile, check_rateable, rate
from ludotheque.arena.sprt import log_ratio
from ludotheque.bots import split_label
from ludotheque.cli.app import app
from ludotheque.cli.signals import interruptible
from ludotheque.core import BadOption, Problem
from ludotheque.file_lock import file_lock

SHORT = {"max_turns": 2}


def test_in_a_round_robin_everybody_meets_everybody() -> None:
    assert round_robin(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert round_robin(["a", "b", "c", "d"], 3) == list(combinations("abcd", 3))
    with pytest.raises(BadOption, match="At least 3"):
        round_robin(["a", "b"], 3)


def test_on_a_ladder_each_meets_the_one_below_who_takes_the_other_seats() -> None:
    assert ladder(["bot:1", "bot:2", "bot:3"], 2) == [("bot:2", "bot:1"), ("bot:3", "bot:2")]
    assert ladder(["bot:1", "bot:2"], 4) == [("bot:2", "bot:1", "bot:1", "bot:1")]
    with pytest.raises(BadOption, match="named twice"):
        ladder(["bot:1", "bot:1"], 2)


def pair(number: int, *points: float) -> list[Played]:
    """The matches of one seed with these points for the first of two players."""
    return [Played(number, place, (one, 1 - one), (9, 9), (0.1, 0.1)) for place, one in enumerate(points)]


# The sequential test.


def test_shares_and_elo_say_the_same() -> None:
    assert expected_share(0, 2) == 0.5
    assert expected_share(0, 4) == 0.25
    assert expected_share(400, 2) == pytest.approx(10 / 11)
    for elo, seats in ((0, 2), (35, 3), (-120, 4)):
        assert elo_of(expected_share(elo, seats), seats) == pytest.approx(elo)


def test_the_ratio_is_the_textbooks_where_it_is_known() -> None:
    """All won: n log(s1 / s0). Small differences: the normal approximation that fishtest gives for its test."""
    s0, s1 = expected_share(0, 2), expected_share(30, 2)
    assert log_ratio(Counter({1.0: 40}), s0, s1) == pytest.approx(40 * math.log(s1 / s0), rel=1e-3)
    seen = Counter({0.0: 50, 0.25: 200, 0.5: 480, 0.75: 215, 1.0: 55})
    count = seen.total()
    middle = sum(share * times for share, times in seen.items()) / count
    spread = sum((share - middle) ** 2 * times for share, times in seen.items()) / count
    assert log_ratio(seen, s0, s1) == pytest.approx(count * (s1 - s0) * (2 * middle - s0 - s1) / (2 * spread), rel=0.05)
    assert log_ratio(Counter(), s0, s1) == 0


def verdict_of(test: Sprt, true_elo: float, seats: int, dice: random.Random) -> tuple[bool | None, int]:
    """What the test says of a player who is so much stronger, and after how many seeds."""
    share = expected_share(true_elo, seats)
    by_seed: list[list[float]] = []
    while len(by_seed) < 3000:
        by_seed.append([float(dice.random() < share) for _ in range(seats)])
        if len(by_seed) % 10 == 0 and (said := test.verdict(by_seed, seats).stronger) is not None:
            return said, len(by_seed)
    return None, len(by_seed)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_test_errs_no_more_often_than_it_says(seats: int) -> None:
    dice, test, times = random.Random(3), Sprt(0, 150, 0.05, 0.05), 120
    weak = [verdict_of(test, 0, seats, dice)[0] for _ in range(times)]
    strong = [verdict_of(test, 150, seats, dice)[0] for _ in range(times)]
    assert weak.count(True) <= 0.1 * times
    assert strong.count(False) <= 0.1 * times
    assert None not in weak + strong


def test_a_clear_difference_is_seen_soon() -> None:
    dice = random.Random(4)
    clear = mean(verdict_of(Sprt(0, 100), 400, 2, dice)[1] for _ in range(20))
    close = mean(verdict_of(Sprt(0, 100), 60, 2, dice)[1] for _ in range(20))
    assert clear < close / 2


def test_a_question_the_wrong_way_round_is_refused() -> None:
    with pytest.raises(BadOption, match="less than"):
        Sprt(30, 0)


@pytest.mark.parametrize("elo", [1e5, math.inf, math.nan])
def test_a_question_that_nobody_can_answer_is_refused(elo: float) -> None:
    with pytest.raises(BadOption, match="lie between -2000 and 2000"):
        Sprt(0, elo)
    with pytest.raises(BadOption, match="lie between -2000 and 2000"):
        Sprt(-elo, 0)


# A tournament.


def fake(monkeypatch: pytest.MonkeyPatch, order: Any = None, after: int = 10**9) -> list[tuple[int, int]]:
    """Instead of real matches: the first of every line-up wins nine of ten; returns what was played. `order` mixes what arrives."""
    asked: list[tuple[int, int]] = []

    def play(series: Any, number: int, rotations: int) -> list[Played]:
        dice = random.Random(f"{series.players} {number}")
        return pair(number, *[float(dice.random() < 0.9) for _ in range(rotations)])

    def distribute(work: Any, tasks: Iterable[tuple[int, ...]], _where: Any) -> Any:
        waiting: list[Any] = []
        for task in tasks:
            asked.append((task[0], task[1]))
            if len(asked) > after:
                raise KeyboardInterrupt
            waiting.append(work(*task))
            if order is not None and len(waiting) >= 5:
                yield waiting.pop(order.randrange(len(waiting)))
            elif order is None:
                yield waiting.pop()
        yield from waiting

    monkeypatch.setattr(tournament, "play_task", play)
    monkeypatch.setattr(tournament, "distribute", distribute)
    return asked


def standings(games: int, test: Sprt | None = None) -> list[Standing]:
    line_ups = round_robin(["a", "b", "c"], 2)
    return [Standing(Series("yam-master", names, games, "t", SHORT), test) for names in line_ups]


def test_a_line_up_stops_when_its_answer_is_clear_and_the_others_play_on(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    some = standings(400, Sprt(0, 100))
    list(play_tournament(some))
    assert all(one.clear for one in some)
    assert all(10 <= len(one.played) < 200 for one in some)
    assert all(one.verdict is not None and one.verdict.stronger for one in some)


def test_results_are_the_same_in_whatever_order_they_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    in_order, mixed = standings(300, Sprt(0, 50)), standings(300, Sprt(0, 50))
    list(play_tournament(in_order))
    fake(monkeypatch, random.Random(1))
    list(play_tournament(mixed))
    assert [one.played for one in mixed] == [one.played for one in in_order]
    assert [one.verdict for one in mixed] == [one.verdict for one in in_order]


def play_and_note(file: Path, some: list[Standing]) -> None:
    noted = Results(file, some)
    try:
        for which, played in play_tournament(some):
            noted.add(which, played)
    except KeyboardInterrupt:
        pass
    finally:
        noted.close()


def test_a_tournament_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake(monkeypatch)
    play_and_note(tmp_path / "all", whole := standings(20))
    fake(monkeypatch, after=11)
    play_and_note(tmp_path / "parts", first := standings(20))
    assert sum(len(one.played) for one in first) == 22
    with (tmp_path / "parts").open("ab") as stream:
        stream.write(b'{"line_up":0,"number":')  # the machine went down while it was written
    asked = fake(monkeypatch)
    play_and_note(tmp_path / "parts", then := standings(20))
    assert [one.played for one in then] == [one.played for one in whole]
    assert len(asked) == 30 - 11
    lines = [(tmp_path / name).read_text().splitlines() for name in ("all", "parts")]
    assert sorted(lines[0]) == sorted(lines[1])
    assert stored_seed(tmp_path / "parts") == "t"


def test_results_of_something_else_are_not_mixed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake(monkeypatch)
    play_and_note(tmp_path / "results", standings(4))
    other = [Standing(Series("yam-master", ("a", "b"), 4, "t", SHORT))]
    with pytest.raises(BadOption, match='"line_ups" was'):
        Results(tmp_path / "results", other)


@pytest.mark.skipif(sys.platform == "win32", reason="a limit on files stands for a full disk")
def test_a_full_disk_is_said_so_and_what_was_noted_wholly_is_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import resource  # noqa: PLC0415 - not everywhere

    fake(monkeypatch)
    file, some = tmp_path / "results", standings(20)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(BadOption, match="results cannot be written"):
            play_and_note(file, some)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.stat().st_size == 1000  # and a part of a line at its end
    play_and_note(file, again := standings(20))
    play_and_note(tmp_path / "all", whole := standings(20))
    assert [one.played for one in again] == [one.played for one in whole]


DAMAGED = [b"", b"what is this", b'{"ratings":1,"game":"yam', b"\xff\xfe"]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_is_named_with_what_to_do(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(content)
    with pytest.raises(Problem, match=r"kept.json is damaged, or is another kind of file: .*move it away"):
        RatingsFile(file, "yam-master", 2)
    for end in (b"\n", b"") if content else ():
        file.write_bytes(content + end)
        with pytest.raises(Problem, match=r"kept.json is damaged, or is another kind of file: .*move it away"):
            Results(file, standings(4))
        assert file.read_bytes() == content + end  # whatever it is, it may be dear to somebody


@pytest.mark.parametrize("letters", [0, 1, 30, 10_000])
def test_results_that_were_only_begun_begin_anew(letters: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake(monkeypatch)
    file = tmp_path / "results"
    play_and_note(file, standings(4))
    heading, *matches = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(heading[:letters].rstrip() or b"\n")
    play_and_note(file, standings(4))
    assert file.read_bytes() == heading + b"".join(matches)


# Ratings.


def winner_takes_all(true: dict[str, float], seats: int, games: int, seed: int) -> list[tuple[list[str], Played]]:
    """Matches of players whose strength is known: each wins in proportion to the odds of its Elo."""
    dice, found = random.Random(seed), []
    for number in range(games):
        names = dice.sample(sorted(true), seats)
        won = dice.choices(range(seats), [10 ** (true[name] / 400) for name in names])[0]
        points = tuple(float(seat == won) for seat in range(seats))
        found.append((names, Played(number, 0, points, (1,) * seats, (0.0,) * seats)))
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ratings_are_elo_and_their_intervals_hold_the_truth(seats: int) -> None:
    true = {"a": 0.0, "b": 100.0, "c": 200.0, "d": 400.0}
    held, widest = [], []
    for seed in range(5):
        ratings = rate({}, winner_takes_all(true, seats, 3000, seed))
        middle = mean(one.value for one in ratings.values()) - mean(true.values())
        for name, one in ratings.items():
            low, high = one.interval
            held.append(low - middle <= true[name] <= high - middle)
        widest.append(ratings["d"].value - ratings["a"].value)
    assert sum(held) >= 0.9 * len(held)
    assert 370 < mean(widest) < 440


def test_a_draw_between_equals_changes_nothing_but_how_sure_we_are() -> None:
    drawn = [(["a", "b"], Played(0, 0, (0.5, 0.5), (1, 1), (0.0, 0.0)))]
    ratings = rate({}, drawn)
    assert ratings["a"].value == pytest.approx(1500)
    assert ratings["a"].deviation < 200


def test_ratings_grow_in_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    file = tmp_path / "ratings.json"
    for games in (4, 4):
        list(play_tournament(some := standings(games)))
        RatingsFile(file, "twisty", 2).count(some, final=True)
    kept = RatingsFile(file, "twisty", 2).ratings
    assert {name: one.games for name, one in kept.items()} == {"a": 16, "b": 16, "c": 16}
    by_seed = [(one.series.players, one.played[2 * seed + k]) for seed in (0, 1) for one in some for k in (0, 1)]
    for name, one in rate(rate({}, by_seed), by_seed).items():
        assert kept[name].value == pytest.approx(one.value, abs=0.1)
    with pytest.raises(BadOption, match="say nothing about yam-master"):
        RatingsFile(file, "yam-master", 2)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_waits_until_a_match_is_both_counted_and_noted(
    how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(monkeypatch)
    monkeypatch.setattr(signal, "getsignal", lambda _one: signal.SIG_DFL)  # whatever the shell of these tests ignores
    noted: list[Played] = []
    first = standings(20)

    def play() -> None:
        with interruptible() as uninterrupted:
            for _, some in play_tournament(first, 1, uninterrupted):
                signal.raise_signal(how)
                noted.extend(some)

    with pytest.raises(KeyboardInterrupt):
        play()
    assert noted == [played for one in first for played in one.played]
    assert noted


def test_a_run_that_goes_on_counts_every_match_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    file = tmp_path / "ratings.json"
    list(play_tournament(at_once := standings(20)))
    RatingsFile(tmp_path / "at once", "twisty", 2).count(at_once, final=True)
    fake(monkeypatch, random.Random(1), after=11)
    ratings = RatingsFile(file, "twisty", 2, "this run")
    with suppress(KeyboardInterrupt):
        for _ in play_tournament(first := standings(20)):
            ratings.count(first)  # and then it is killed: what was written in its first second is there, no more
    known = RatingsFile(file, "twisty", 2, "this run")
    assert sum(one.games for one in known.ratings.values()) < 2 * sum(len(one.played) for one in first)
    known.count(first)
    fake(monkeypatch)
    list(play_tournament(first))
    known.count(first, final=True)
    for name, one in RatingsFile(tmp_path / "at once", "twisty", 2).ratings.items():
        assert known.ratings[name].games == one.games
        assert known.ratings[name].value == pytest.approx(one.value, abs=0.1)
    RatingsFile(file, "twisty", 2, "this run").count(first, final=True)
    assert RatingsFile(file, "twisty", 2).ratings["a"].games == 40


def test_a_rating_that_nobody_can_have_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ratings.json"
    sure = {"ratings": 1, "game": "twisty", "seats": 2, "players": {"a": {"rating": 1500, "deviation": 0, "games": 9}}}
    file.write_text(json.dumps(sure))
    with pytest.raises(Problem, match=r"deviation: expected a number from 0\.001"):
        RatingsFile(file, "twisty", 2)


def test_a_player_on_several_seats_is_not_rated() -> None:
    check_rateable([("a", "b", "c")])
    with pytest.raises(BadOption, match="several seats"):
        check_rateable(ladder(["a", "b"], 3))


def test_the_picture_names_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    list(play_tournament(some := standings(8)))
    draw_tournament(some, {"a": Rating(1600, 50, 9), "b": Rating()}, tmp_path / "plot.svg", "T", lambda name: name)
    drawn = (tmp_path / "plot.svg").read_text("utf-8")
    assert all(f"<!-- {words} -->" in drawn for words in ("T", "a – b", "a – c", "arena.plot-ratings"))
    with pytest.raises(BadOption, match=r"\.png or \.svg"):
        draw_tournament(some, {}, tmp_path / "plot.doc", "T", lambda name: name)


# Versions.


@pytest.mark.parametrize("seats", [2, 3])
def test_a_bot_of_another_checkout_plays_as_a_program(seats: int) -> None:
    """Here the other checkout is this one: the program does what the bot does."""
    label, program = split_label(f"the other one=cmd:'{sys.executable}' -m ludotheque.bots bot:1")
    names = (label, *["random"] * (seats - 1))
    series = Series("twisty", names, seats, "v", {"max_rounds": 4}, 100, ((label, program),))
    bot = Series("twisty", ("bot:1", *["random"] * (seats - 1)), seats, "v", {"max_rounds": 4}, 100)
    as_bot, as_program = (play_task(one, 0, seats) for one in (bot, series))
    assert not any(one.forfeit for one in as_program)
    assert [one.points for one in as_program] == [one.points for one in as_bot]


# The command.


@pytest.mark.parametrize("option", ["--ratings", "--results"])
def test_two_arenas_do_not_write_one_file_at_once(option: str, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    command = ["arena", "yam-master", "--seat", "random", "--seat", "bot:1", "--games", "2", "--jobs", "1"]
    command += [option, str(file)]
    with file_lock(file):
        refused = CliRunner().invoke(app, ["--language", "en", *command])
    assert refused.exit_code == 2
    assert "kept just now. Wait until it has ended" in refused.stderr
    assert not file.exists()  # nothing was played
    assert CliRunner().invoke(app, command).exit_code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]


def test_winning_everything_is_no_number_of_elo() -> None:
    command = ["arena", "yam-master", "--seat", "random", "--seat", "bot:5", "--ladder", "--games", "2", "--jobs", "1"]
    told = CliRunner().invoke(app, ["--language", "en", *command]).stdout
    assert "bot:5 – random: 100.0 % of 2 games, +∞ Elo (" in told
    assert "to +∞)" in told


def test_the_command_climbs_a_ladder_and_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludotheque", "arena", "yam-master", "--option", "max_turns=2", "--jobs", "1"]
    command += ["--seat", "random", "--seat", "bot:1", "--seat", "bot:2", "--ladder", "--sprt", "--json"]
    command += ["--results", str(tmp_path / "results"), "--ratings", str(tmp_path / "ratings")]
    told: list[dict[str, Any]] = []
    for games in ("2", "4"):
        done = subprocess.run([*command, "--games", games], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout))
    assert [one["games"] for one in told] == [4, 8]
    assert [line["games"] for line in told[1]["line_ups"]] == [4, 4]
    assert told[1]["line_ups"][0]["sprt"]["verdict"] == "not clear"
    assert [one["player"] for one in told[1]["players"]] == ["bot:1", "random", "bot:2"]
    assert {name: one["games"] for name, one in told[1]["ratings"].items()} == {"bot:1": 8, "random": 4, "bot:2": 4}
