"""Twisty's bots: they win when they can, stop who is about to win, and choose the same for the same position and seed."""

import time
from random import Random

import pytest

from ludotheque.core import Dice, JsonObject, Match, find_game
from ludotheque.games.twisty.facts import CENTRE, EXTRA
from ludotheque.games.twisty.levels import SKILLS, Skill
from ludotheque.games.twisty.player import TwistyPlayer, beginnings, prepared, turn_noise
from ludotheque.games.twisty.turn_search import solve
from ludotheque.kernels import JIT
from table import discrete
from twisty.table import Table

pytestmark = pytest.mark.skipif(not JIT, reason="a search needs the compiler")


@pytest.mark.parametrize("level", [3, 4, 5])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_wins_when_it_can(level: int, players: int) -> None:
    table = Table(["b3", "g7", "a7", "g1"][:players], collected=[7, 0, 0, 0][:players])
    assert TwistyPlayer(level).choose(table.position).action == "d4"


@pytest.mark.parametrize("level", [3, 4, 5])
def test_a_bot_robs_who_would_win_next(level: int) -> None:
    # Seat 1 has all seven and reaches the centre from c2 next turn; seat 0 needs A, which seat 1 holds.
    table = Table(["a1", "c2"], collected=[0, 7])
    decision = TwistyPlayer(level).choose(table.position)
    assert decision.action == "c2"
    assert decision.considered[0].action == "c2"


def test_a_bot_finishes_the_chain_that_wins() -> None:
    table = Table(["c3", "g7"], {"b5": "x", "c4": "+"}, collected=[7, 0])
    for action in ("b5", "c4", "d4"):
        assert TwistyPlayer(4).choose(table.position, seed=3).action == action
        table.play(action)


@pytest.mark.parametrize("level", [3, 4, 5])
def test_a_bot_takes_the_cube_that_lies_there_when_nobody_threatens(level: int) -> None:
    # The next colour is one move away, and the other player is far behind.
    table = Table(["c3", "g7"], {"e4": "F"}, collected=[5, 0])
    assert table.token_on(TwistyPlayer(level).choose(table.position).action) == "F"


def test_a_gentle_bot_overlooks_a_long_chain_and_a_strong_one_does_not() -> None:
    table = Table(["c3", "g7"], {"b5": "x", "c4": "+"}, collected=[7, 0])
    ends = {level: TwistyPlayer(level).plan(table.position)[0].turn for level in SKILLS}
    assert ends[1] != CENTRE
    assert all(ends[level] == CENTRE for level in (3, 4, 5))


def test_a_bot_keeps_to_its_plan_within_a_turn() -> None:
    """A level that errs has one opinion a turn: what it sets out for, it does."""
    game = find_game("twisty")
    for number in range(6):
        match = Match(game, 2, dice=Dice(f"plan {number}"))
        while not match.over and len(match.log) < 40:
            position = discrete(match.position)
            errors = turn_noise(position.fields, 0, 20)
            after = discrete(position.play(TwistyPlayer(2).choose(position).action).position)
            if not after.over and after.state.phase == EXTRA:
                assert turn_noise(after.fields, 0, 20) == errors
            match.play(TwistyPlayer(2).choose(position).action)


def test_the_last_rounds_between_two_are_played_perfectly() -> None:
    table = Table(["b3", "e3"], collected=[6, 6], max_rounds=2)
    exact = solve(table.position.game.kernels, prepared(table.position))
    assert exact is not None
    chosen, found = TwistyPlayer(5).plan(table.position)
    assert exact[chosen.turn] == max(exact.values()) > min(exact.values())
    assert {one.turn: one.value for one in found} == exact


def test_looking_for_a_win_is_quick_among_many_tokens() -> None:
    """Sixteen L tokens make millions of chains."""
    table = Table(
        ["a1", "d4"],
        {"b3": "L", "c5": "L", "e6": "L", "f4": "L", "g2": "L", "d2": "L", "c1": "L", "a5": "L", "c4": "L", "e3": "L"},
        specials={"+": 0, "x": 0, "L": 16, "o": 0, "s": 0},
        collected=[7, 0],
    )
    reached = set().union(*(ends for _, ends in beginnings(table.position)))
    assert len(reached) > 10
    assert CENTRE not in reached  # the other pawn stands there


def test_the_same_position_and_seed_give_the_same_choice_however_it_came_about() -> None:
    game = find_game("twisty")
    match = Match(game, 3, dice=Dice("same"))
    rng = Random(1)
    for _ in range(40):
        match.play(rng.choice(match.position.legal().actions))
    again = game.from_view(match.position.view(), 3, match.options)
    erred = 0
    for level in SKILLS:
        one, other = (TwistyPlayer(level).choose(position, seed=8) for position in (match.position, again))
        assert one == other
        assert {thought.action for thought in one.considered} == set(match.position.legal().actions)
        # Values are shares of one point, and the best comes first, also where a gentle level plays another.
        values = [thought.value for thought in one.considered]
        assert all(0 <= value <= 1 for value in values)
        assert values == sorted(values, reverse=True)
        erred += one.considered[0].action != one.action
    assert erred


def test_a_bot_keeps_to_its_time() -> None:
    table = Table(["a1", "g7"])
    TwistyPlayer(5).choose(table.position, seconds=0.01)
    began = time.process_time()
    TwistyPlayer(5).choose(table.position, seconds=0.2)
    assert time.process_time() - began < 1.0


def test_the_game_offers_its_bots() -> None:
    bots = find_game("twisty").capabilities.bots
    assert bots is not None
    assert isinstance(bots(2), TwistyPlayer)


def test_in_a_blockade_the_strongest_tries_other_turns_and_gives_little_away() -> None:
    # Seat 0 guards the centre and goes on guarding it; seat 1 has everything and waits at a knight's move from it.
    guarded: JsonObject = {
        "phase": "move", "player": 1, "first": 1, "winner": None, "used": [],
        "board": [".A.B.G.", "EFLo.+s", "..+C.F.", "E.x.E.D", "A.DLsBx", "xoL.C.+", "..oosG."],
        "pawns": ["d4", "c2"], "series": ["GCAFBDE", "ACEFGBD"], "collected": [6, 7], "protected": ["GCAF", "ACEFGBD"],
    }  # fmt: skip
    game = find_game("twisty")

    def chosen(at: int, patience: int) -> tuple[str, float]:
        position = game.from_view({**guarded, "round": at}, 2, game.read_options({}))
        decision = TwistyPlayer(5, Skill(1500, patience=patience)).choose(position)
        best = max(one.value for one in decision.considered)
        assert decision.value is not None
        return decision.action, best - decision.value

    patient = [chosen(at, 100) for at in range(20, 60, 2)]
    tried = [chosen(at, 25) for at in range(20, 60, 2)]
    assert tried[:3] == patient[:3]
    assert len({action for action, _ in tried}) > len({action for action, _ in patient})
    assert max(lost for _, lost in tried) <= 0.07
