"""The bots: they play every mode to its end, and the better ones place more before something collapses."""

import os

import pytest

from ludotheque.core import CHANCE, Dice, Json, Match
from ludotheque.players import bot
from yikerz.play import GAME, position

SERIES = int(os.environ.get("LUDOTHEQUE_SCENES", "0"))


def play_out(levels: list[int], seed: int, **options: Json) -> Match:
    match = Match(GAME, len(levels), options, dice=Dice(f"bots {seed}"))
    players = [bot(GAME, level) for level in levels]
    while not match.over:
        if match.to_move == CHANCE:
            match.draw()
        else:
            assert isinstance(match.to_move, int)
            match.play(players[match.to_move].choose(match.position, seed=1000 * seed + len(match.log)).action)
    return match


def before_first_collapse(level: int, seed: int) -> int:
    """How many pieces one bot alone places before something collapses or falls."""
    match = Match(GAME, 1, dice=Dice(f"alone {seed}"))
    player = bot(GAME, level)
    while not match.over:
        if match.to_move == CHANCE:
            match.draw()
            continue
        step = match.play(player.choose(match.position, seed=1000 * seed + len(match.log)).action)
        if any(event.what == "taken" for event in step.events):
            return position(match).table.turns[0] - 1
    return 20


@pytest.mark.clause("Y16", "Y18")
@pytest.mark.parametrize(
    ("levels", "options"),
    [
        ([2, 3], {"magnets": 6, "match": "best-of-3"}),
        ([1, 2, 2], {"magnets": 6, "match": "best-of-3"}),
        ([2, 1, 2, 1], {"magnets": 8, "match": "best-of-3"}),
        ([3, 1], {"magnets": 8, "match": "points", "max_turns": 8}),
        ([3], {"magnets": 8}),
    ],
)
def test_bots_play_every_mode_to_its_end(levels: list[int], options: dict[str, Json]) -> None:
    match = play_out(levels, 1, **options)
    assert sum(match.position.returns()) == pytest.approx(1)
    again = match.branch(0)
    for entry in match.log:
        again.play(entry.action, entry.outcome)
    assert again.position.view() == match.position.view()


def test_the_same_seed_gives_the_same_choice_and_it_is_legal() -> None:
    match = Match(GAME, 2, dice=Dice("choice"))
    for _ in range(40):
        if match.to_move == CHANCE:
            match.draw()
            continue
        for level in (1, 3):
            first, second = (bot(GAME, level).choose(match.position, seed=5) for _ in range(2))
            assert first == second
            assert first.value is None or 0 <= first.value <= 1
        match.play(first.action)
        if len(position(match).table.board) == 3:
            break
    assert len(position(match).table.board) == 3


def test_a_better_bot_places_more_before_the_first_collapse() -> None:
    gentle = [before_first_collapse(1, seed) for seed in range(3)]
    careful = [before_first_collapse(4, seed) for seed in range(2)]
    assert sum(careful) / 2 > sum(gentle) / 3 + 2


@pytest.mark.skipif(SERIES < 100, reason="only in the campaign")
def test_tell_how_many_each_level_places() -> None:
    means = []
    for level in (1, 2, 3, 4, 5):
        placed = [before_first_collapse(level, seed) for seed in range(20)]
        means.append(sum(placed) / len(placed))
        print(f"level {level}: {means[-1]:.1f} pieces before the first collapse, {min(placed)} to {max(placed)}")
    assert means == sorted(means)
