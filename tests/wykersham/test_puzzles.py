"""The shipped puzzles: positions of the game, with an answer that the strongest bot finds and that clearly beats the next, graded
by how often the levels miss it.
"""

from importlib.resources import files

import pytest

from ludotheque.analysis.grading import gap, graded
from ludotheque.core import parse
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.player import WykershamPlayer
from ludotheque.games.wykersham.puzzles import AHEAD, CLEAR, KINDS, asked_levels, missed
from ludotheque.kernels import JIT


@pytest.mark.skipif(not JIT, reason="bots think with compiled rules")
def test_every_puzzle_has_one_clearly_best_answer() -> None:
    shipped = parse((files("ludotheque.games.wykersham") / "puzzles.json").read_text("utf-8"))
    assert shipped["rules"] == GAME.rules_version  # type: ignore[index, call-overload]
    puzzles = shipped["puzzles"]  # type: ignore[index, call-overload]
    assert len(puzzles) >= 200
    assert len({str(puzzle["position"]) for puzzle in puzzles}) == len(puzzles)
    assert {puzzle["kind"] for puzzle in puzzles} <= set(KINDS.values())
    player, levels = WykershamPlayer(5, AHEAD), asked_levels()
    for number, puzzle in enumerate(puzzles):
        position = GAME.from_view(puzzle["position"], 2, GAME.read_options())
        assert puzzle["answer"] in position.legal().actions
        assert puzzle["value"] - puzzle["next_value"] >= CLEAR
        if number % 8 == 0:  # some of them once more: all would take a minute
            decision = player.choose(position)
            assert decision.action == puzzle["answer"]
            assert gap(decision) >= CLEAR
        if number % 32 == 0:
            assert graded(missed(levels, position, puzzle["answer"])).items() <= puzzle.items()
