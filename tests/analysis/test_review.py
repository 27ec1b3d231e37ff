"""Reviews: a planted blunder is found, luck and skill add up, any game can be reviewed."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue
from typer.testing import CliRunner

from ludotheque.analysis import Moment, review
from ludotheque.analysis.review import sparkline
from ludotheque.bots import RandomPlayer, bot
from ludotheque.bots.search_player import Effort, SearchPlayer
from ludotheque.cli.app import app
from ludotheque.core import CHANCE, Dice, JsonObject, Match, find_game, parse, write_json, write_record
from table import fields, shaped

YAM = find_game("yam-master")


def played(levels: tuple[int, int], seed: str) -> Match:
    match = Match(YAM, dice=Dice(seed))
    players = [bot(YAM, level) for level in levels]
    while not match.over:
        if match.to_move == CHANCE:
            match.draw()
        else:
            assert isinstance(match.to_move, int)
            match.play(players[match.to_move].choose(match.position).action)
    return match


def blundered() -> Match:
    """Red could have made five in line with the 1 and passed."""
    setup: JsonObject = {
        "phase": "roll", "player": 0, "rolls": 0, "dice": "", "kept": "", "defi": False,
        "board": [".0000", "1.1.1", ".....", ".1...", "....."], "turns": [9, 9], "winner": None,
    }  # fmt: skip
    match = Match(YAM, setup=setup, dice=Dice("blunder"))
    for action in ("11134", "pass", "12346", "keep 1234"):
        match.play(action)
    return match


def test_the_planted_blunder_is_the_worst_with_the_better_choice() -> None:
    judged = review(blundered(), bot(YAM, 5))
    worst = judged.worst()[0]
    assert (worst.place, worst.by, worst.action, worst.best, worst.size) == (1, 0, "pass", "place r1c1", "blunder")
    assert worst.before == (1.0, 0.0)
    assert worst.after is not None
    assert worst.lost == pytest.approx(1 - worst.after[0], abs=0.05)
    assert judged.sum(0).mistakes["blunder"] == 1
    assert judged.sum(0).lost >= worst.lost


def test_the_best_player_makes_no_mistakes_in_its_own_eyes_and_luck_decides() -> None:
    match = played((5, 5), "clean")
    judged = review(match, bot(YAM, 5))
    for seat in (0, 1):
        assert judged.sum(seat).lost == pytest.approx(0, abs=1e-9)
        assert judged.worst() == []
    first = judged.moments[0].before
    assert first is not None
    lucky = judged.sum(0).luck
    assert lucky is not None
    # What the dice gave is the whole way from the first chance to the result; the judge's own drift is small.
    assert first[0] + lucky == pytest.approx(match.position.returns()[0], abs=0.05)


def test_luck_is_zero_sum_and_skill_explains_the_rest() -> None:
    match = played((1, 3), "mixed")
    judged = review(match, bot(YAM, 5))
    red, blue = judged.sum(0), judged.sum(1)
    assert red.luck is not None
    assert blue.luck is not None
    assert red.luck == pytest.approx(-blue.luck)
    first = judged.moments[0].before
    assert first is not None
    end = first[0] + red.luck - red.lost + blue.lost + judged.drift(0)
    assert end == pytest.approx(match.position.returns()[0], abs=1e-9)
    assert abs(judged.drift(0)) < 0.15
    for seat in (0, 1):
        account = judged.balance(seat)
        assert account is not None
        parts = account.start + account.luck + account.own + account.other + account.unforeseen
        assert parts == pytest.approx(account.end, abs=1e-9)
        assert account.end == match.position.returns()[seat]
    assert red.decisions == sum(entry.by == 0 for entry in match.log)


def test_any_game_can_be_reviewed_by_the_generic_search() -> None:
    for name in ("wykersham", "twisty"):
        match = Match(find_game(name), dice=Dice("any"))
        for turn in range(12):
            if match.to_move == CHANCE:
                match.draw()
            else:
                match.play(RandomPlayer().choose(match.position, seed=turn).action)
        judged = review(match, SearchPlayer(3, Effort(200)))
        assert len(judged.moments) == 12
        assert all(0 <= moment.lost <= 1 for moment in judged.moments)
        for _, chance in judged.curve(0):
            assert 0 <= chance <= 1


def test_the_account_adds_up_also_where_every_decision_is_judged_anew() -> None:
    match = Match(find_game("twisty"), dice=Dice("account"))
    for turn in range(14):
        match.play(RandomPlayer().choose(match.position, seed=turn).action)
    judged = review(match, bot(match.game, 4))
    told = fields(parse(write_json(judged.json())))
    for seat in (0, 1):
        account = judged.balance(seat)
        assert account is not None
        parts = account.start + account.luck + account.own + account.other + account.unforeseen
        assert parts == pytest.approx(account.end, abs=1e-9)
        assert (account.own, account.other) == (-judged.sum(seat).lost, judged.sum(1 - seat).lost)
        seats = shaped(list[dict[str, JsonValue]], told["players"])
        in_json = shaped(dict[str, float], seats[seat]["balance"])
        assert sum(in_json.values()) - 2 * in_json["end"] == pytest.approx(0, abs=4e-4)  # each rounded to four digits


def test_sizes_have_names() -> None:
    def of(lost: float) -> str | None:
        return Moment(0, 0, "pass", None, None, lost, "keep").size

    assert [of(0.2), of(0.07), of(0.03), of(0.01)] == ["blunder", "mistake", "inaccuracy", None]


def test_a_curve_fits_into_a_line() -> None:
    assert sparkline([0.0, 0.5, 1.0]) == "▁▅█"


def test_the_command_tells_the_blunder_in_both_languages_and_as_json(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(write_json(write_record(blundered())))
    english = CliRunner().invoke(app, ["--language", "en", "review", str(file)])
    assert english.exit_code == 0
    assert "Red: pass; better: place r1c1. Blunder" in english.stdout
    assert "by their own decisions" in english.stdout
    french = CliRunner().invoke(app, ["--language", "fr", "review", str(file)])
    assert "Rouge : passer ; mieux : poser r1c1. Gaffe" in french.stdout
    told = json.loads(CliRunner().invoke(app, ["review", str(file), "--json"]).stdout)
    assert told["moments"][1]["best"] == "place r1c1"
    assert told["players"][0]["mistakes"]["blunder"] == 1


@pytest.mark.parametrize(
    ("language", "now", "number"),
    [("en", "% so far", "0.0 % of a win"), ("fr", "% pour l’instant", "0,0 % d’une victoire")],
)
def test_the_command_says_so_where_a_match_is_not_over_and_where_there_are_no_dice(
    tmp_path: Path, language: str, now: str, number: str
) -> None:
    file = tmp_path / "match.json"
    match = Match(find_game("twisty"), dice=Dice("unfinished"))
    file.write_text(write_json(write_record(match)))
    nothing = CliRunner().invoke(app, ["--language", language, "review", str(file)])
    assert nothing.exit_code == 0
    assert nothing.stdout.startswith(("Nothing has been played", "Rien n’a encore été joué"))
    match.play(bot(match.game, 5).choose(match.position).action)
    file.write_text(write_json(write_record(match)))
    told = CliRunner().invoke(app, ["--language", language, "review", str(file)]).stdout
    assert now in told
    assert number in told
    assert "by the dice" not in told
    assert "par les dés" not in told
    assert "-0" not in told
