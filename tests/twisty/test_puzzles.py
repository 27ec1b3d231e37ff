"""The shipped puzzles: positions of the game with an answer that the strongest bot finds and that clearly beats the next."""

import os
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from ludotheque.analysis.grading import graded
from ludotheque.core import find_game, parse
from ludotheque.games.twisty.player import Effort, TwistyPlayer
from ludotheque.games.twisty.puzzles import CLEAR, kind_of, missed
from ludotheque.kernels import JIT

GAME = find_game("twisty")
CHECKED = int(os.environ.get("LUDOTHEQUE_PUZZLES", "40"))  # a thousand: all of them
SHIPPED: Any = parse((files("ludotheque.games.twisty") / "puzzles.json").read_text("utf-8"))


def position_of(puzzle: Any) -> Any:
    return GAME.from_view(puzzle["position"], len(puzzle["position"]["pawns"]), GAME.read_options())


def test_there_are_enough_for_two_three_and_four_players_and_of_every_grade() -> None:
    puzzles = SHIPPED["puzzles"]
    assert SHIPPED["rules"] == GAME.rules_version
    assert len(puzzles) >= 200
    assert len({str(puzzle["position"]) for puzzle in puzzles}) == len(puzzles)
    assert {len(puzzle["position"]["pawns"]) for puzzle in puzzles} == {2, 3, 4}
    assert {puzzle["grade"] for puzzle in puzzles} == {1, 2, 3, 4, 5}


def test_every_puzzle_is_a_position_with_its_answer() -> None:
    for puzzle in SHIPPED["puzzles"]:
        position = position_of(puzzle)
        assert position.view() == puzzle["position"]
        assert {puzzle["answer"], puzzle["next"]} <= set(position.legal().actions)
        assert puzzle["kind"] == kind_of(position, puzzle["answer"])
        assert puzzle["value"] - puzzle["next_value"] >= CLEAR - 0.001
        assert sum(puzzle["missed"].values()) / 3 >= 0.25


@pytest.mark.skipif(not JIT, reason="a search needs the compiler")
def test_the_strongest_bot_finds_the_answer() -> None:
    puzzles = SHIPPED["puzzles"]
    for puzzle in Random(1).sample(puzzles, min(CHECKED, len(puzzles))):
        assert TwistyPlayer(5, Effort(20_000)).choose(position_of(puzzle)).action == puzzle["answer"], puzzle


@pytest.mark.skipif(not JIT, reason="a search needs the compiler")
def test_grades_tell_how_often_the_levels_miss_the_answer() -> None:
    for puzzle in SHIPPED["puzzles"][::30]:
        assert graded(missed(position_of(puzzle), puzzle["answer"])).items() <= puzzle.items()
