"""Wykersham's bots: legal, repeatable, quick enough, and perfect where the end is near."""

import random
import time

import pytest

from ludotheque.core import Match
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.player import WykershamPlayer, exact_values
from ludotheque.kernels import JIT
from wykersham.board import EMPTY, from_view, table, turn_view

FOUR_IN_3 = ". . . . . . .\n" + ". . r . . . .\n" * 4

pytestmark = pytest.mark.skipif(not JIT, reason="bots think with compiled rules")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_bot_plays_whole_games_legally(level: int) -> None:
    match = Match(GAME, options={"shared_middle": level == 2})
    bot = WykershamPlayer(level)
    dice = random.Random(level)
    while not match.over:
        if match.to_move == "chance":
            match.play(dice.choice(match.position.legal().actions))
        else:
            decision = bot.choose(match.position, seconds=0.002, seed=len(match.log))
            assert decision.value is not None
            assert 0 <= decision.value <= 1
            match.play(decision.action)


def test_the_same_seed_gives_the_same_choice() -> None:
    position = table(EMPTY, "25").position
    for level in (1, 3):
        bot = WykershamPlayer(level)
        assert bot.choose(position, seed=5) == bot.choose(position, seed=5)


def test_every_action_is_considered_once_the_best_first() -> None:
    position = table(FOUR_IN_3, "26").position
    decision = WykershamPlayer(3).choose(position, seed=1)
    assert sorted(one.action for one in decision.considered) == sorted(position.legal().actions)
    assert decision.action == decision.considered[0].action


def test_a_goal_at_hand_is_seen() -> None:
    assert WykershamPlayer(3).choose(table(FOUR_IN_3, "26", "6@3", "2@1").position, seed=2).action == "right"


def test_the_last_turns_are_played_perfectly() -> None:
    view = turn_view(FOUR_IN_3, turns=14)
    total = sum(view["winnings"])
    view["winnings"] = [(total - 4) // 2, total - (total - 4) // 2]
    position = from_view(view, shared_middle=False).play("26").position
    values = exact_values(position)
    assert values is not None
    decision = WykershamPlayer(3).choose(position, seed=3)
    assert decision.value == values[decision.action] == max(values.values())


def test_thinking_ends_in_time() -> None:
    position = table(EMPTY, "25").position
    for level in (3, 5):
        bot = WykershamPlayer(level)
        bot.choose(position, seconds=0.01)
        began = time.perf_counter()
        bot.choose(position, seconds=0.3)
        assert time.perf_counter() - began < 2  # other work may share the machine
