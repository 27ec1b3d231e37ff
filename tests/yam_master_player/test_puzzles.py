"""The shipped puzzles: positions of the game, with an answer that the strongest bot finds and that clearly beats the next, graded
by how often the levels miss it.
"""

from ludotheque.analysis import read_puzzles
from ludotheque.games.yam_master import GAME
from ludotheque.games.yam_master.player import YamPlayer
from tools.puzzles.grading import gap, graded
from tools.puzzles.yam_master import CLEAR, missed


def test_every_puzzle_has_one_clearly_best_answer() -> None:
    puzzles = read_puzzles(GAME)  # of other rules than today's they would be refused
    assert len(puzzles) >= 200
    assert len({str(puzzle.view) for puzzle in puzzles}) == len(puzzles)
    player = YamPlayer(5)
    for number, puzzle in enumerate(puzzles):
        position = GAME.from_view(puzzle.view, 2, GAME.read_options())
        decision = player.choose(position)
        assert decision.action == puzzle.answer
        assert gap(decision) >= CLEAR
        if number % 20 == 0:  # asking the levels takes longer
            found = graded(missed(position, puzzle.answer))
            assert found == {"missed": puzzle.missed, "grade": puzzle.grade}
