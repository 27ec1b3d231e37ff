"""Wykersham's bots: what each level does, never does, and can tell; perfect where the end is near."""

import json
import random
import time
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from ludotheque.analysis import review
from ludotheque.bots import bot
from ludotheque.core import Dice, Match, find_game
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.features import handmade_network
from ludotheque.games.wykersham.levels import SKILLS, Skill
from ludotheque.games.wykersham.player import WykershamPlayer, exact_values
from ludotheque.games.wykersham.search import SearchBuffers, choose_end, search_in
from ludotheque.games.wykersham.self_play import SELF_PLAY
from ludotheque.kernels import JIT, DiscretePosition
from ludotheque.kernels.cache_keys import source_hash
from ludotheque.kernels.entries import LocalRoom
from ludotheque.kernels.network import as_network
from table import decisions_of_bots, discrete
from wykersham.board import EMPTY, from_view, table, turn_view
from wykersham.test_endgame import FOUR_IN_3, last_turn

LEVELS = tuple(SKILLS)

pytestmark = pytest.mark.skipif(not JIT, reason="bots think with compiled rules")


@pytest.fixture(scope="module")
def decisions() -> list[DiscretePosition]:
    varied = {"shared_middle": False, "forced_goals": True, "combined_goals": False}
    return decisions_of_bots(GAME, (3, 1), "a") + decisions_of_bots(GAME, (2, 4), "b", varied)


def test_every_action_is_considered_once_the_best_first_and_the_same_again(decisions: list[DiscretePosition]) -> None:
    for level in (1, 3, 5):
        for one in decisions[::40]:
            first, again = (WykershamPlayer(level).choose(one, seed=seed) for seed in (1, 1))
            assert first == again
            assert sorted(thought.action for thought in first.considered) == sorted(one.legal().actions)
            values = [thought.value for thought in first.considered]
            assert values == sorted(values, reverse=True)


def search_of(player: WykershamPlayer) -> SearchBuffers:
    room = player.search_room(GAME.kernels)
    assert isinstance(room, LocalRoom)
    return search_in(room.view("uint8"), player.network.width, player.network.inner)


def test_a_bot_keeps_to_its_plan_through_a_turn(decisions: list[DiscretePosition]) -> None:
    """The board that it plays for at the turn's first decision it still plays for at the others: no second thoughts."""
    for level in (2, 4):
        player = WykershamPlayer(level, SKILLS[level]._replace(max_loss=1.0))
        for first in decisions[::20]:
            wanted = set()
            position = first
            while position.state.turns.tolist() == first.state.turns.tolist() and not position.over:
                action = player.choose(position).action
                search = search_of(player)
                turn = search.turn
                noise_seed = GAME.kernels.call("noise_seed", position.state_bytes)
                end = choose_end(player.skill, search, int(turn.found[0]), noise_seed)
                wanted.add(int(turn.keys[end]))
                position = discrete(position.play(action).position)
            assert len(wanted) == 1, first.picture()


@pytest.mark.parametrize("level", [3, 4, 5])
def test_from_level_3_on_no_decision_gives_away_more_than_the_level_may(
    level: int, decisions: list[DiscretePosition]
) -> None:
    player = WykershamPlayer(level)
    for one in decisions[:: 1 if level < 5 else 25]:
        decision = player.choose(one)
        assert decision.value is not None
        lost = decision.considered[0].value - decision.value
        assert lost <= (SKILLS[level].max_loss if level < 5 else 0) + 1e-9


@pytest.mark.parametrize("level", LEVELS[1:])
def test_late_in_the_game_a_goal_that_turns_the_lead_is_taken(level: int) -> None:
    assert WykershamPlayer(level).choose(table(FOUR_IN_3, "26", "6@3", "2@1", turns=13).position).action == "right"


@pytest.mark.parametrize("level", LEVELS)
def test_the_last_turn_is_played_perfectly_by_everybody(level: int) -> None:
    position = from_view(last_turn(FOUR_IN_3, -4), shared_middle=False).play("26").position
    decision = WykershamPlayer(level).choose(position)
    assert decision.value == 1
    assert {one.action: one.value for one in decision.considered} == exact_values(position)


def test_the_last_turn_but_one_is_exact_at_level_5() -> None:
    """Then what judges does not matter."""
    view = turn_view(FOUR_IN_3, turns=14)
    total = sum(view["winnings"])
    view["winnings"] = [(total - 4) // 2, total - (total - 4) // 2]
    position = from_view(view, shared_middle=False).play("26").position
    by_learning, by_hand = (
        WykershamPlayer(5).choose(position),
        WykershamPlayer(5, network=handmade_network()).choose(position),
    )
    assert {one.action: one.value for one in by_learning.considered} == {
        one.action: one.value for one in by_hand.considered
    }


def test_thinking_ends_in_time_and_more_time_is_used() -> None:
    position = table(EMPTY, "25").position
    for level in (3, 5):
        player = WykershamPlayer(level)
        player.choose(position, seconds=0.01)
        began = time.perf_counter()
        player.choose(position, seconds=0.3)
        assert time.perf_counter() - began < 3  # other work may share the machine


def test_level_5_answers_at_once_with_tall_stacks_that_nobody_took() -> None:
    """Three turns before the end, when stacks can be taken in thousands of ways."""
    stacks = """
        . . . . . r . . . . . . . . .
        . . . r2 g . g2 g2 r3 r3 g3 r g . .
        . . . . g2 r5 r3 . g3 g2 . . . . .
        . . . g r2 g2 r g4 . r . . . . .
        . . . . . g5 . . . r3 r . . . .
    """
    view = turn_view(stacks, offsets=(0, 1, 0, 0, 0)) | {"turns": [13, 14], "winnings": [0, 0]}
    position = from_view(view, same_direction=False, shared_middle=False).play("35").position
    player = WykershamPlayer(5)
    player.choose(table(FOUR_IN_3, "26", turns=13).position)  # what is compiled is loaded
    began = time.process_time()
    player.choose(position)
    assert time.process_time() - began < 2  # 0.4 s where this was written, and 4 s when every way was played out


def test_chances_of_both_seats_add_up_and_a_roll_is_worth_its_mean() -> None:
    judge = WykershamPlayer(5)
    before = table(FOUR_IN_3).position
    chances = judge.standing(before)
    assert sum(chances) == pytest.approx(1)
    after = [judge.standing(before.play(roll).position)[0] for roll in before.legal().actions]
    assert float(np.dot(before.legal().odds, after)) == pytest.approx(chances[0], abs=1e-5)


def test_a_review_tells_luck_from_skill_and_finds_the_goal_that_was_missed() -> None:
    dice = random.Random(7)
    match = Match(GAME, setup=turn_view(FOUR_IN_3, turns=11), dice=Dice("missed"))
    for action in ("26", "6@3", "2@1", "stay"):
        match.play(action)
    while not match.over and len(match.log) < 12:
        match.play(dice.choice(match.position.legal().actions))
    judged = review(match, bot(GAME, 5))
    blunder = judged.moments[3]
    assert (blunder.by, blunder.action, blunder.best, blunder.size) == (0, "stay", "right", "blunder")
    red, green = judged.sum(0), judged.sum(1)
    assert red.luck is not None
    assert green.luck is not None
    assert red.luck == pytest.approx(-green.luck)
    first, last = judged.moments[0].before, judged.moments[-1].after
    assert first is not None
    assert last is not None
    assert first[0] + red.luck - red.lost + green.lost + judged.drift(0) == pytest.approx(last[0], abs=1e-9)


def test_each_level_beats_the_one_below_and_the_shipped_judge_the_one_made_by_hand() -> None:
    from ludotheque.games.wykersham.player import learned, network_of  # noqa: PLC0415 - read when needed

    results = SELF_PLAY.versus(as_network(learned()), Skill(), as_network(handmade_network()), Skill(), 60, 3)
    assert results[0] > results[2]
    for high in (2, 3, 4):
        one, two = as_network(network_of(high)), as_network(network_of(high - 1))
        results = SELF_PLAY.versus(one, SKILLS[high], two, SKILLS[high - 1], 60, high)
        assert results[0] > results[2]


def test_the_shipped_weights_say_what_made_them() -> None:
    with (files("ludotheque.games.wykersham") / "weights.npz").open("rb") as file, np.load(file) as parts:
        about = json.loads(str(parts["about"]))
    assert about["game"] == "wykersham"
    assert find_game("wykersham").at_version(about["rules"]) is find_game("wykersham")
    assert about["plan"]["seed"] == 1
    assert len(about["sources"]) == len(source_hash(Path(str(files("ludotheque.games.wykersham")))))
    assert about["progress"]["curve"][-1]["share"] > about["progress"]["curve"][0]["share"]
