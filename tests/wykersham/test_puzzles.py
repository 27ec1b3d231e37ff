"""The shipped puzzles: positions of the game, with an answer that the strongest bot finds and that clearly beats the next, graded
by how often the levels miss it.
"""

import pytest

from ludotheque.analysis import read_puzzles
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.player import WykershamPlayer
from ludotheque.kernels import JIT
from tools.puzzles.grading import gap, graded
from tools.puzzles.wykersham import AHEAD, CLEAR, KINDS, asked_levels, missed


@pytest.mark.skipif(not JIT, reason="bots think with compiled rules")
def test_every_puzzle_has_one_clearly_best_answer() -> None:
    puzzles = read_puzzles(GAME)  # of other rules than today's they would be refused
    assert len(puzzles) >= 200
    assert len({str(puzzle.view) for puzzle in puzzles}) == len(puzzles)
    assert {puzzle.kind for puzzle in puzzles} <= set(KINDS.values())
    player, levels = WykershamPlayer(5, AHEAD), asked_levels()
    for number, puzzle in enumerate(puzzles):
        position = GAME.from_view(puzzle.view, 2, puzzle.options)
        assert puzzle.answer in position.legal().actions
        assert puzzle.value - puzzle.next_value >= CLEAR
        if number % 8 == 0:  # some of them once more: all would take a minute
            decision = player.choose(position)
            assert decision.action == puzzle.answer
            assert gap(decision) >= CLEAR
        if number % 32 == 0:
            found = graded(missed(levels, position, puzzle.answer))
            assert found == {"missed": puzzle.missed, "grade": puzzle.grade}
