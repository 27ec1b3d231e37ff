"""The shipped puzzles: positions of the game with an answer that the strongest bot finds and that clearly beats the next."""

import os
from random import Random

import pytest

from ludotheque.analysis import read_puzzles
from ludotheque.analysis.puzzles import Puzzle
from ludotheque.games.twisty import GAME
from ludotheque.games.twisty.levels import SKILLS, Skill
from ludotheque.games.twisty.player import TwistyPlayer
from ludotheque.kernels import JIT, DiscretePosition
from table import shaped
from tools.puzzles.grading import graded
from tools.puzzles.twisty import CLEAR, kind_of, missed

CHECKED = int(os.environ.get("LUDOTHEQUE_PUZZLES", "40"))  # a thousand: all of them
SHIPPED = read_puzzles(GAME)  # of other rules than today's they would be refused


def players_of(puzzle: Puzzle) -> int:
    return len(shaped(list[str], puzzle.view["pawns"]))


def position_of(puzzle: Puzzle) -> DiscretePosition:
    return GAME.from_view(puzzle.view, players_of(puzzle), GAME.read_options())


def test_there_are_enough_for_two_three_and_four_players_and_of_every_grade() -> None:
    assert len(SHIPPED) >= 200
    assert len({str(puzzle.view) for puzzle in SHIPPED}) == len(SHIPPED)
    assert {players_of(puzzle) for puzzle in SHIPPED} == {2, 3, 4}
    assert {puzzle.grade for puzzle in SHIPPED} == {1, 2, 3, 4, 5}


def test_every_puzzle_is_a_position_with_its_answer() -> None:
    for puzzle in SHIPPED:
        position = position_of(puzzle)
        assert position.view() == puzzle.view
        assert {puzzle.answer, puzzle.next} <= set(position.legal().actions)
        assert puzzle.kind == kind_of(position, puzzle.answer)
        assert puzzle.value - puzzle.next_value >= CLEAR - 0.001
        assert sum(puzzle.missed.values()) / 3 >= 0.25


@pytest.mark.skipif(not JIT, reason="a search needs the compiler")
def test_the_strongest_bot_finds_the_answer() -> None:
    for puzzle in Random(1).sample(SHIPPED, min(CHECKED, len(SHIPPED))):
        assert TwistyPlayer(5, Skill(20_000)).choose(position_of(puzzle)).action == puzzle.answer, puzzle


@pytest.mark.skipif(not JIT, reason="a search needs the compiler")
def test_in_the_last_rounds_no_other_answer_is_as_good() -> None:
    """There the truth is known (exact.py), whatever a search thought of it."""
    last = [one for one in SHIPPED if players_of(one) == 2 and int(str(one.view["round"])) > 100 - SKILLS[5].exact]
    assert last
    for puzzle in last:
        values = {one.action: one.value for one in TwistyPlayer(5).choose(position_of(puzzle)).considered}
        best = values.pop(puzzle.answer)
        assert best - max(values.values()) >= CLEAR, puzzle


@pytest.mark.skipif(not JIT, reason="a search needs the compiler")
def test_grades_tell_how_often_the_levels_miss_the_answer() -> None:
    for puzzle in SHIPPED[::30]:
        found = graded(missed(position_of(puzzle), puzzle.answer))
        assert found == {"missed": puzzle.missed, "grade": puzzle.grade}
