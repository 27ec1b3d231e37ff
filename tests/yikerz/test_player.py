"""The bots: what they choose is legal and repeatable, and the better ones place more before something collapses.

How strong each level is, bench/yikerz_strength.py measures.
"""

import pytest

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match
from ludotheque.games.yikerz import GAME
from yikerz.play import CALL, WAIT, begin, position, told


def before_first_collapse(level: int, seed: int, most: int) -> int:
    """How many pieces one bot alone places before something collapses or falls; nobody looks on beyond `most`."""
    match = Match(GAME, 1, dice=Dice(f"alone {seed}"))
    player = bot(GAME, level)
    while position(match).table.turns[0] < most:
        if match.to_move == CHANCE:
            match.draw()
            continue
        step = match.play(player.choose(match.position, seed=1000 * seed + len(match.log)).action)
        if any(event.what == "taken" for event in step.events):
            return position(match).table.turns[0] - 1
    return most


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


@pytest.mark.clause("Y14")
@pytest.mark.parametrize(("level", "share"), [(1, 0.3), (2, 0.1), (3, 0.0), (4, 0.0), (5, 0.0)])
def test_a_low_level_forgets_the_last_call_as_often_as_is_said_and_the_seed_decides_when(
    level: int, share: float
) -> None:
    match = begin(2, magnets=4)
    told(match)
    assert position(match).table.phase == "call"
    choices = [bot(GAME, level).choose(match.position, seed=seed).action for seed in range(1000)]
    assert choices[:50] == [bot(GAME, level).choose(match.position, seed=seed).action for seed in range(50)]
    assert set(choices) <= {CALL, WAIT}
    assert choices.count(WAIT) / 1000 == pytest.approx(share, abs=0.05 if share else 0)


def test_a_better_bot_places_more_before_the_first_collapse() -> None:
    gentle = [before_first_collapse(1, seed, 11) for seed in range(4)]
    careful = [before_first_collapse(4, seed, 11) for seed in range(2)]
    assert sum(careful) / 2 > sum(gentle) / 4 + 2
