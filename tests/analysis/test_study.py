"""A study counts what was played: summaries of matches made by hand, facts of matches played by hand, and the command."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue
from typer.testing import CliRunner, Result

from ludotheque.analysis import Observed, Study, observe, play_study, summarise
from ludotheque.cli.app import app
from ludotheque.core import Dice, Match, parse
from ludotheque.extras import line_that_adds
from ludotheque.games import twisty, yam_master
from table import player_to_move, shaped

THREE = Study("twisty", 3, 4)


def seen(number: int, starter: int, actions: int, points: tuple[float, ...], **facts: float) -> Observed:
    return Observed(number, starter, actions, points, facts)


FOUR = [
    seen(0, 0, 10, (1.0, 0.0, 0.0), robberies=3.0),
    seen(1, 1, 20, (0.0, 1.0, 0.0), robberies=0.0, rare=1.0),
    seen(2, 2, 30, (1.0, 0.0, 0.0), robberies=1.0),
    seen(3, 0, 60, (0.5, 0.0, 0.5), robberies=0.0),
]


def test_points_go_by_playing_order_whoever_started() -> None:
    summary = summarise(THREE, FOUR)
    assert [one.share for one in summary.order] == pytest.approx([2.5 / 4, 1 / 4, 0.5 / 4])
    assert summary.advantage == pytest.approx(2.5 / 4 - 1 / 3)
    low, high = summary.advantage_interval
    assert low < summary.advantage < high
    assert all(one.interval[0] <= one.share <= one.interval[1] for one in summary.order)


def test_lengths_draws_and_facts() -> None:
    summary = summarise(THREE, FOUR)
    assert (summary.length.mean, summary.length.median) == (30.0, 25.0)
    assert (summary.length.shortest, summary.length.longest) == (10, 60)
    assert summary.draws == 0.25
    robberies, rare = summary.facts
    assert (robberies.name, robberies.matches, robberies.mean, robberies.occurs) == ("robberies", 4, 1.0, 0.5)
    assert (rare.name, rare.matches, rare.mean) == ("rare", 1, 1.0)  # not counted where it was not told


def test_a_fact_that_never_varies_has_an_interval_all_the_same() -> None:
    (fact,) = summarise(THREE, [seen(number, 0, 5, (1.0, 0.0, 0.0), always=1.0) for number in range(20)]).facts
    assert fact.interval is not None
    assert fact.interval[0] < fact.mean == 1.0


def test_one_match_alone_says_nothing_of_how_a_number_varies() -> None:
    (fact,) = summarise(THREE, FOUR[:1]).facts
    assert (fact.mean, fact.interval) == (3.0, None)


@pytest.mark.parametrize(("name", "players"), [("twisty", 2), ("twisty", 4), ("yam-master", 2), ("wykersham", 2)])
def test_every_discrete_game_can_be_studied_and_gives_the_same_again(name: str, players: int) -> None:
    study = Study(name, players, 1, level=1, seed="again")
    one = observe(study, 0)
    assert one == observe(study, 0)
    assert sum(one.points) == pytest.approx(1)
    assert 0 <= one.starter < players
    assert one.facts


def test_several_processes_play_the_same_study() -> None:
    study = Study("yam-master", 2, 3, level=1, seed="spread")
    alone = list(play_study(study, jobs=1))
    together = sorted(play_study(study, jobs=2), key=lambda one: one.number)
    assert together == alone


def test_facts_of_twisty_are_those_of_the_match() -> None:
    match = Match(twisty.GAME, 2, {"max_rounds": 1}, dice=Dice("facts"))
    first = player_to_move(match)
    match.play("corner a1")
    match.play("corner g7")
    while not match.over:
        match.play(match.position.legal().actions[0])
    facts = twisty.study.count_facts(match)
    assert facts["rounds"] == 1
    assert facts["robberies"] == 0
    assert facts["won on the centre"] == 0
    assert facts["second begins opposite"] == 1
    assert facts["points from a1"] == match.position.returns()[first]
    steps = sum(event.what == "step" for event in match.events())
    assert facts["extra steps"] == steps


def test_facts_of_twisty_count_robberies() -> None:
    from twisty.table import Table  # noqa: PLC0415

    table = Table(["b3", "c5"], series=["ABCDEFG", "BACDEFG"], collected=[0, 7], round=1, max_rounds=1)
    options = {"max_rounds": 1}
    match = Match(twisty.GAME, 2, options, dice=Dice("x"), setup=table.position.view())
    match.play("c5")
    match.play("corner a1")
    while not match.over:
        match.play(match.position.legal().actions[-1])
    facts = twisty.study.count_facts(match)
    assert facts["robberies"] == 1
    assert facts["robberies of a complete series"] == 1
    assert "points from a1" not in facts  # the corners were chosen before this match began


def test_facts_of_yam_master_add_up() -> None:
    match = Match(yam_master.GAME, 2, {"max_turns": 3}, dice=Dice("facts"))
    challenged = False
    while not match.over:
        if match.to_move == "chance":
            match.draw()
            continue
        actions = match.position.legal().actions
        announce = next((one for one in actions if one.startswith("defi")), None)
        place = next((one for one in actions if one.startswith("place")), None)
        if announce and not challenged:
            challenged = True
            match.play(announce)
        else:
            match.play(place or "pass")
    facts = yam_master.study.count_facts(match)
    placed = sum(value for name, value in facts.items() if name.startswith("placed on"))
    assert facts["challenges announced"] == 1
    assert placed + facts["Predators"] + facts["passes"] == 6
    assert facts["rounds"] == 3
    assert sum(value for name, value in facts.items() if name.startswith("ends")) == 1


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["study", *arguments, "--jobs", "1"])


def test_the_command_tells_a_study_in_words_in_both_languages() -> None:
    told = run("twisty", "--players", "2", "--games", "2", "--level", "1", "--seed", "1", "--language", "en")
    assert told.exit_code == 0, told.output
    assert "Twisty, 2 players: 2 games between bots of level 1" in told.output
    assert "robberies" in told.output
    told = run("twisty", "--players", "2", "--games", "1", "--level", "1", "--seed", "1", "--language", "fr")
    assert "vols" in told.output


def test_the_command_draws_and_writes_numbers(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "a study"
    told = run("twisty", "--games", "1", "--level", "1", "--seed", "1", "--json", "--out", str(folder))
    assert told.exit_code == 0, told.output
    names = {"twisty-2", "twisty-3", "twisty-4", "twisty-players"}
    assert {file.name for file in folder.iterdir()} == {
        f"{name}.{kind}" for name in names for kind in ("png", "svg")
    } | {"twisty.json"}
    assert (folder / "twisty-2.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / "twisty-2.svg").read_text("utf-8")
    numbers = shaped(list[dict[str, JsonValue]], parse((folder / "twisty.json").read_text("utf-8")))
    assert [one["players"] for one in numbers] == [2, 3, 4]


def test_without_matplotlib_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = run("twisty", "--games", "1", "--out", str(tmp_path))
    assert told.exit_code == 2
    assert line_that_adds("plot") in told.output


@pytest.mark.parametrize(
    "wrong", [("chess",), ("twisty", "--players", "5"), ("twisty", "--level", "9"), ("twisty", "--option", "x=1")]
)
def test_wrong_wishes_are_refused(wrong: tuple[str, ...]) -> None:
    told = run(*wrong)
    assert told.exit_code == 2
    assert told.output.strip()


@pytest.mark.parametrize(("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopped_in_the_middle_it_tells_what_is_there(
    how: signal.Signals, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def two_and_stop(study: Study, jobs: int) -> Iterator[Observed]:
        yield from FOUR[:2]
        signal.raise_signal(how)

    monkeypatch.setattr(signal, "getsignal", lambda _one: signal.SIG_DFL)  # whatever the shell of these tests ignores

    monkeypatch.setattr("ludotheque.analysis.play_study", two_and_stop)
    told = run("twisty", "--players", "3", "--games", "4", "--language", "en")
    assert told.exit_code == status
    assert "Stopped after 2 of 4 games" in told.output
    assert "Twisty, 3 players: 2 games" in told.output
