"""The bots that any game has: random and the generic search, from gentle to strong."""

import time
from itertools import pairwise

import pytest

from ludotheque.bots import LEVELS, ProgramPlayer, RandomPlayer, bot, check_player, player_named
from ludotheque.bots.search_player import EFFORTS, SearchPlayer
from ludotheque.core import CHANCE, BadOption, BadRequest, Dice, JsonObject, Match, Position, find_game

GAME = find_game("yam-master")


def after(*actions: str, seed: str = "1") -> Position:
    match = Match(GAME, dice=Dice(seed))
    for action in actions:
        match.play(action)
    return match.position


def test_the_random_player_does_anything_legal_and_the_same_for_the_same_seed() -> None:
    position = after("11345")
    chosen = [RandomPlayer().choose(position, seed=seed).action for seed in range(200)]
    assert set(chosen) <= set(position.legal().actions)
    assert len(set(chosen)) > 20
    assert chosen == [RandomPlayer().choose(position, seed=seed).action for seed in range(200)]


def test_a_searching_bot_wins_at_once_when_it_can() -> None:
    """Four in line and the dice for the fifth: every level from 3 on places it."""
    view: JsonObject = {
        "phase": "decide", "player": 0, "rolls": 3, "dice": "11134", "kept": "", "defi": False,
        "board": [".0000", "1.1.1", ".....", ".1...", "....."], "turns": [9, 9],
    }  # fmt: skip
    position = GAME.from_view(view, 2, GAME.read_options())
    for level in (3, 4, 5):
        decision = SearchPlayer(level).choose(position, seed=level)
        assert decision.action == "place r1c1"
        assert decision.value == 1.0


def test_a_bot_says_its_chance_to_win_and_the_same_for_the_same_seed() -> None:
    position = after("11345")
    decision = SearchPlayer(2).choose(position, seed=9)
    assert decision.value is not None
    assert 0 < decision.value < 1
    assert decision == SearchPlayer(2).choose(position, seed=9)
    assert {one.action for one in decision.considered} <= set(position.legal().actions)


def test_every_level_thinks_harder_than_the_one_before_and_errs_less() -> None:
    efforts = [EFFORTS[level] for level in LEVELS]
    for gentler, stronger in pairwise(efforts):
        assert gentler.simulations < stronger.simulations
        assert gentler.random_moves >= stronger.random_moves


def test_seconds_bound_the_thinking_and_gentle_levels_do_not_use_them_up() -> None:
    position = after("11345")
    SearchPlayer(1).choose(position, seconds=10)  # whatever has to be loaded is
    began = time.perf_counter()
    SearchPlayer(1).choose(position, seconds=10)
    assert time.perf_counter() - began < 5
    began = time.perf_counter()
    SearchPlayer(5).choose(position, seconds=0.3)
    assert 0.2 < time.perf_counter() - began < 2


@pytest.mark.parametrize(
    "name", ["bot", "bot:", "bot:0", "bot:6", "bot:3 ", "bot:03", "Random", "human", "", "cmd:", "cmd: ", "cmd:'"]
)
def test_a_name_that_is_no_player_is_refused(name: str) -> None:
    with pytest.raises(BadOption):
        check_player(name)


def test_a_program_that_does_not_exist_is_refused_before_the_match() -> None:
    with pytest.raises(BadOption, match="no program"):
        check_player("cmd:no-such-program-anywhere --fast")


def test_names_mean_players() -> None:
    assert player_named("random", GAME).name == "random"
    assert player_named("bot:2", GAME) is not None


def test_the_levels_are_in_order_of_strength() -> None:
    """Over a few short matches, level 2 beats random clearly."""
    points = 0.0
    for seed in range(12):
        match = Match(GAME, options={"max_turns": 8}, dice=Dice(f"order {seed}"))
        seats = [SearchPlayer(2), RandomPlayer()] if seed % 2 else [RandomPlayer(), SearchPlayer(2)]
        while not match.over:
            if match.to_move == CHANCE:
                match.draw()
            else:
                assert isinstance(match.to_move, int)
                match.play(seats[match.to_move].choose(match.position, seed=seed).action)
        points += match.position.returns()[0 if seed % 2 else 1]
    assert points >= 7


@pytest.mark.parametrize(
    ("name", "options"), [("yam-master", {"max_turns": 1}), ("wykersham", {}), ("twisty", {"max_rounds": 1})]
)
def test_a_bot_asked_on_chances_turn_or_after_the_end_says_so(name: str, options: JsonObject) -> None:
    match = Match(find_game(name), options=options, dice=Dice("1"))
    players = [RandomPlayer(), ProgramPlayer("true"), SearchPlayer(3), *(bot(match.game, level) for level in LEVELS)]
    if match.to_move == CHANCE:
        for player in players:
            with pytest.raises(BadRequest, match="chance's turn, which no player decides"):
                player.choose(match.position)
    while not match.over:
        if match.to_move == CHANCE:
            match.draw()
        else:
            match.play(RandomPlayer().choose(match.position, seed=match.bot_seed()).action)
    for player in players:
        with pytest.raises(BadRequest, match="The game is over: there is nothing left"):
            player.choose(match.position)


def test_a_bot_of_yikerz_does_not_shuffle() -> None:
    match = Match(find_game("yikerz"), dice=Dice("1"))
    match.play('{"layout":"pyramid"}')
    assert match.to_move == CHANCE
    with pytest.raises(BadRequest, match="chance's turn"):
        bot(match.game, 5).choose(match.position)
