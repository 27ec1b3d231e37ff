"""Yam Master's bots: what each level does, never does, and can tell."""

import json
from importlib.resources import files
from itertools import product

import numpy as np
import pytest

from ludotheque.bots import bot
from ludotheque.core import Json, JsonObject
from ludotheque.games.yam_master import GAME
from ludotheque.games.yam_master.evaluation import search_ends, turns_left_of
from ludotheque.games.yam_master.facts import ENDS
from ludotheque.games.yam_master.features import handmade_network
from ludotheque.games.yam_master.player import SKILLS, YamPlayer, learned, odds
from ludotheque.games.yam_master.self_play import SELF_PLAY
from ludotheque.games.yam_master.skill import new_plan, plan_from_ends, policy_value
from ludotheque.games.yam_master.turn import turn_policy
from ludotheque.kernels import DiscretePosition
from ludotheque.kernels.network import as_network
from reference.yam_master import BIG, combinations_of
from table import decisions_of_bots

LEVELS = tuple(SKILLS)


def position(board: list[str], dice: str = "", rolls: int = 0, *, most: int = 100, **more: Json) -> DiscretePosition:
    view: JsonObject = {
        "phase": "decide" if dice else "roll", "player": 0, "rolls": rolls, "dice": dice, "kept": "", "defi": False,
        "board": board, "turns": [9, 9], "winner": None,
    }  # fmt: skip
    return GAME.from_view({**view, **more}, 2, GAME.read_options({"max_turns": most}))


@pytest.fixture(scope="module")
def decisions() -> list[DiscretePosition]:
    return decisions_of_bots(GAME, (3, 1), "a") + decisions_of_bots(GAME, (2, 4), "b")


@pytest.mark.parametrize("level", LEVELS[1:])
def test_every_level_but_the_first_wins_at_once_when_it_can(level: int) -> None:
    four = position([".0000", "1.1.1", ".....", ".1...", "....."], "11134", 3)
    decision = bot(GAME, level).choose(four)
    assert decision.action == "place r1c1"
    assert decision.value == 1.0


@pytest.mark.parametrize("level", [3, 4, 5])
def test_from_level_3_on_no_decision_gives_away_more_than_the_level_may(
    level: int, decisions: list[DiscretePosition]
) -> None:
    player = YamPlayer(level)
    for one in decisions:
        decision = player.choose(one)
        assert decision.value is not None
        best = decision.considered[0].value
        assert best - decision.value <= (SKILLS[level].max_loss if level < 5 else 1e-12) + 1e-12


def test_gentle_levels_do_make_mistakes(decisions: list[DiscretePosition]) -> None:
    lost = {}
    for level in LEVELS:
        judge, player = YamPlayer(5), YamPlayer(level)
        values = [{one.action: one.value for one in judge.choose(there).considered} for there in decisions]
        lost[level] = sum(
            max(each.values()) - each[player.choose(there).action]
            for each, there in zip(values, decisions, strict=True)
        )
    assert lost[1] > lost[4] > lost[5] == pytest.approx(0, abs=1e-9)


def test_a_bot_sticks_to_its_plan_and_to_its_word(decisions: list[DiscretePosition]) -> None:
    for level in (1, 3, 5):
        for one in decisions[:10]:
            first, again = YamPlayer(level).choose(one, seed=1), YamPlayer(level).choose(one, seed=1)
            assert first == again
            assert {thought.action for thought in first.considered} == set(one.legal().actions)
            values = [thought.value for thought in first.considered]
            assert values == sorted(values, reverse=True)


def test_the_strongest_looks_further_with_more_time_and_keeps_to_it() -> None:
    late = position(["0.1.0", "101.1", "01.10", "1.011", "0.0.."], "11345", 1)
    hasty, patient = YamPlayer(5), YamPlayer(5)
    hasty.choose(late)
    patient.choose(late, seconds=0.5)
    ((_, shallow, _),) = hasty._evaluated.values()
    ((_, deep, took),) = patient._evaluated.values()
    assert deep > shallow == 1
    assert took < 10  # half a second was asked for; a busy machine may take longer


def test_what_was_found_with_more_time_does_not_change_a_choice_without_a_clock() -> None:
    late = position(["0.1.0", "101.1", "01.10", "1.011", "0.0.."], "11345", 1)
    player = YamPlayer(5)
    deeper = player.choose(late, seconds=0.5)
    assert player.choose(late) == YamPlayer(5).choose(late) != deeper
    assert player.standing(late) == YamPlayer(5).standing(late)


def test_the_last_turns_are_looked_through_to_the_end() -> None:
    """With one turn each and one more to come nothing is judged, so what judges does not matter."""
    last = position(["0.1.0", "1...1", "0..1.", ".....", "....."], "11345", 1, most=11, turns=[9, 10])
    by_learning = YamPlayer(5).choose(last)
    by_hand = YamPlayer(5, network=handmade_network()).choose(last)
    assert by_learning.value == pytest.approx(by_hand.value, abs=1e-9)


def test_chances_of_both_seats_add_up_and_continue_from_roll_to_roll() -> None:
    judge = YamPlayer(5)
    before = position(["....."] * 5, "11345", 1)
    kept = before.play("keep 11").position
    value = {one.action: one.value for one in judge.choose(before).considered}["keep 11"]
    assert judge.standing(kept) == pytest.approx((value, 1 - value), abs=1e-9)
    odds_of_rolls = kept.legal().odds
    after = [judge.standing(kept.play(roll).position)[0] for roll in kept.legal().actions]
    assert float(np.dot(odds_of_rolls, after)) == pytest.approx(value, abs=1e-9)


def test_odds_of_combinations_are_those_of_the_dice() -> None:
    found = odds(position(["....."] * 5))
    assert found["Yam"] == pytest.approx(347897 / 7558272)
    rolls = ["".join(map(str, dice)) for dice in product(range(1, 7), repeat=5)]
    assert found["Sec"] == pytest.approx(sum(bool(combinations_of(roll) & BIG) for roll in rolls) / 6**5)
    assert found["1"] == pytest.approx(found["6"])
    # Two dice for the fourth 3; one die for the 5, whether 1234 or 2346 is kept.
    assert odds(position(["....."] * 5, "33345", 2))["Carré"] == pytest.approx(1 - (5 / 6) ** 2)
    assert odds(position(["....."] * 5, "12346", 2))["Suite"] == pytest.approx(1 / 6)
    assert "Yam" not in odds(position(["....."] * 2 + ["..1.."] + ["....."] * 2))


def test_a_plan_that_sees_clearly_brings_what_the_exact_turn_promises(decisions: list[DiscretePosition]) -> None:
    for one in decisions[::6]:
        truth = np.empty(ENDS)
        left = turns_left_of(one.state)
        search_ends(as_network(learned()), one.state.board.copy(), int(one.state.player), left, 0, truth)
        best = turn_policy(truth).value
        for level in LEVELS:
            skill = SKILLS[level]._replace(max_loss=1.0, depth=0)
            plan = new_plan()
            plan.end_values[:] = truth
            plan_from_ends(skill, one.state.board, left, level, plan)
            brought = policy_value(skill, truth, plan)
            assert brought == pytest.approx(best, abs=1e-9) if level == 5 else brought <= best + 1e-12


def test_the_strongest_beats_the_gentlest() -> None:
    won, drawn, _ = SELF_PLAY.match(as_network(learned()), 1, 100, 1)
    assert won + drawn / 2 > 80  # 96 % on average: docs/results.md


def test_the_weights_say_where_they_come_from() -> None:
    with (files("ludotheque.games.yam_master") / "weights.npz").open("rb") as stream, np.load(stream) as parts:
        about = json.loads(str(parts["about"]))
    assert about["game"] == "yam-master"
    assert GAME.at_version(about["rules"]) is GAME
    assert about["plan"]["seed"] >= 0
    assert about["progress"]["curve"][-1]["share"] > 0.6
