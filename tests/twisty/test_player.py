"""Twisty's bots: they win when they can, stop who is about to win, and choose the same for the same position and seed."""

import time
from random import Random
from typing import Any

import pytest

from ludotheque.core import Dice, Match, find_game
from ludotheque.games.twisty.player import EFFORTS, TwistyPlayer, winning_action
from ludotheque.kernels import JIT
from twisty.table import Table

pytestmark = pytest.mark.skipif(not JIT, reason="a search needs the compiler")


@pytest.mark.parametrize("level", [3, 4, 5])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_wins_when_it_can(level: int, players: int) -> None:
    table = Table(["b3", "g7", "a7", "g1"][:players], collected=[7, 0, 0, 0][:players])
    assert TwistyPlayer(level).choose(table.position).action == "d4"


def test_a_bot_robs_who_would_win_next() -> None:
    # Seat 1 has all seven and reaches the centre from c2 next turn; seat 0 needs A, which seat 1 holds.
    table = Table(["a1", "c2"], collected=[0, 7])
    decision = TwistyPlayer(4).choose(table.position)
    assert decision.action == "c2"
    assert decision.considered[0].action == "c2"


def test_a_bot_finishes_the_chain_that_wins() -> None:
    table = Table(["c3", "g7"], {"b5": "x", "c4": "+"}, collected=[7, 0])
    for action in ("b5", "c4", "d4"):
        assert TwistyPlayer(4).choose(table.position, seed=3).action == action
        table.play(action)


def test_looking_for_a_win_is_quick_among_many_tokens() -> None:
    """Sixteen L tokens make millions of chains."""
    table = Table(
        ["a1", "d4"],
        {"b3": "L", "c5": "L", "e6": "L", "f4": "L", "g2": "L", "d2": "L", "c1": "L", "a5": "L", "c4": "L", "e3": "L"},
        specials={"+": 0, "x": 0, "L": 16, "o": 0, "s": 0},
        collected=[7, 0],
    )
    assert winning_action(table.position) is None  # the other pawn stands on the centre


def test_the_same_position_and_seed_give_the_same_choice_however_it_came_about() -> None:
    game = find_game("twisty")
    match = Match(game, 3, dice=Dice("same"))
    rng = Random(1)
    for _ in range(40):
        match.play(rng.choice(match.position.legal().actions))
    again: Any = game.from_view(match.position.view(), 3, match.options)
    for level in EFFORTS:
        one, other = (TwistyPlayer(level).choose(position, seed=8) for position in (match.position, again))
        assert one.considered
        assert one == other
    # Values are shares of one point.
    assert all(0 <= thought.value <= 1 for thought in one.considered)


def test_a_bot_keeps_to_its_time() -> None:
    table = Table(["a1", "g7"])
    TwistyPlayer(5).choose(table.position, seconds=0.01)
    began = time.process_time()
    TwistyPlayer(5).choose(table.position, seconds=0.2)
    assert time.process_time() - began < 1.0


def test_the_game_offers_its_bots() -> None:
    assert isinstance(find_game("twisty").player(2), TwistyPlayer)
