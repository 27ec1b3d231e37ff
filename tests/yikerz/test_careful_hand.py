"""The bots' hands look like people's: quick where nothing is near, slow where it is tight, and back if they came the wrong way."""

import pytest

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.careful_hand import backing_off, careful, looked_at
from ludotheque.games.yikerz.magnets.path import Path, put_down
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.magnets.stability import StabilityEstimator
from ludotheque.games.yikerz.text import read_action
from yikerz.boards import flat, lying
from yikerz.play import position

SHAPES = [shape_of(magnet) for magnet in range(20)]


def estimator(*board: Pose) -> StabilityEstimator:
    return StabilityEstimator(dict(enumerate(board)), SHAPES)


def hand(board: StabilityEstimator, x: float, care: float = 1.0, seconds: float | None = None) -> Path:
    return careful(board, 7, put_down(SHAPES[7], x, -40), care=care, hand_seconds=seconds)


def test_a_hand_is_slower_the_nearer_it_comes_to_another_piece() -> None:
    board = estimator(flat(SHAPES[0], 0, -40))
    straight = put_down(SHAPES[7], 0, -40).release
    far, near, nearest = (hand(board, x).release for x in (120.0, 40.0, 34.0))
    assert far == pytest.approx(straight)
    assert straight < near < nearest
    assert hand(board, 34.0, care=0.5).release < nearest


def test_it_hesitates_just_before_it_lets_go_and_not_on_the_way_down() -> None:
    path = hand(estimator(flat(SHAPES[0], 0, -40)), 34.0)
    straight = put_down(SHAPES[7], 34, -40)
    high = [time for time, pose in zip(path.times, path.poses, strict=True) if pose[2] > 60]
    before = [time for time in straight.times if straight.at(time)[2] > 60]
    assert high[-1] < 0.3 > before[-1]
    assert path.release - high[-1] > 1.5 * (straight.release - before[-1])
    assert path.poses[-1] == straight.poses[-1]  # it lets go where it was told to


@pytest.mark.clause("Y6")
def test_it_never_takes_longer_than_the_table_allows() -> None:
    board = estimator(flat(SHAPES[0], 0, -40), flat(SHAPES[1], 68, -40))
    assert hand(board, 34.0).release > 1.5
    assert hand(board, 34.0, seconds=1.5).release <= 1.5


def test_a_hand_that_strains_a_piece_goes_back_and_comes_from_the_other_side() -> None:
    board = estimator(lying(SHAPES[0], 0, -40, "end"))
    above = looked_at(board, 7, put_down(SHAPES[7], 24, -40, "end"))
    assert above.largest_load > 0.7
    aside = put_down(SHAPES[7], 24, -40, "end", start=(114, -40))
    path = backing_off(above, aside)
    assert path.release > above.tight_from + aside.release
    turned_back = path.at(above.tight_from)
    assert path.at(above.tight_from + 0.2)[:3] == pytest.approx(turned_back[:3], abs=0.01)  # it stops for a moment
    assert max(pose[2] for time, pose in zip(path.times, path.poses, strict=True) if time > above.tight_from) == 90
    assert path.poses[-1] == aside.poses[-1]
    calm = looked_at(estimator(flat(SHAPES[0], 0, -40)), 7, put_down(SHAPES[7], 140, -40))
    assert backing_off(calm, aside) == aside


def test_a_beginners_hand_is_always_quick_and_a_good_ones_takes_time_where_it_is_tight() -> None:
    match = Match(GAME, 1, dice=Dice("hands"))
    seen: list[tuple[float, float]] = []
    while len(seen) < 14:
        if match.to_move == CHANCE:
            match.draw()
            continue
        actions = {level: bot(GAME, level).choose(match.position, seed=len(match.log)).action for level in (1, 4)}
        if position(match).table.phase == "turn":
            board = StabilityEstimator(position(match).table.board, SHAPES)
            (_, quick), (other, careful_one) = (
                position(match).read_turn(read_action(action)) for action in actions.values()
            )
            assert quick.release < 0.85
            way = looked_at(board, other, careful_one)
            seen.append((way.largest_load, careful_one.release))
        match.play(actions[4])
    calm, tight = ([release for load, release in seen if (load > 0.4) == strained] for strained in (False, True))
    assert calm
    assert tight
    assert min(tight) > max(min(calm), 1.3)
