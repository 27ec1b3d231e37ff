"""The shipped puzzles: positions of the game, with an answer that the strongest bot finds and that clearly beats the next, graded
by how often the levels miss it.
"""

from importlib.resources import files

from ludotheque.analysis.grading import gap, graded
from ludotheque.core import find_game, parse
from ludotheque.games.yam_master.player import YamPlayer
from ludotheque.games.yam_master.puzzles import CLEAR, missed

GAME = find_game("yam-master")


def test_every_puzzle_has_one_clearly_best_answer() -> None:
    shipped = parse((files("ludotheque.games.yam_master") / "puzzles.json").read_text("utf-8"))
    assert shipped["rules"] == GAME.rules_version  # type: ignore[index, call-overload]
    puzzles = shipped["puzzles"]  # type: ignore[index, call-overload]
    assert len(puzzles) >= 200
    assert len({str(puzzle["position"]) for puzzle in puzzles}) == len(puzzles)
    player = YamPlayer(5)
    for number, puzzle in enumerate(puzzles):
        position = GAME.from_view(puzzle["position"], 2, GAME.read_options())
        decision = player.choose(position)
        assert decision.action == puzzle["answer"]
        assert gap(decision) >= CLEAR
        if number % 20 == 0:  # asking the levels takes longer
            assert graded(missed(position, puzzle["answer"])).items() <= puzzle.items()
