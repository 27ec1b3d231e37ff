"""Why one cell is better than another, in the words of the plan: what a pawn blocks."""

from typing import Any

import pytest

from ludotheque.games.yam_master import GAME
from ludotheque.games.yam_master.reasons import why_better
from ludotheque.kernels import JIT
from table import discrete

pytestmark = pytest.mark.skipif(not JIT, reason="reasons play out turns with compiled rules")


def told(board: str, dice: str, better: str, chosen: str, language: str = "en") -> list[str]:
    """What is said to Red, after the last roll."""
    view: dict[str, Any] = {
        "phase": "decide",
        "player": 0,
        "rolls": 3,
        "kept": "",
        "defi": False,
        "turns": [5, 5],
        "winner": None,
        "dice": dice,
        "board": board.split(),
    }
    position = discrete(GAME.from_view(view, 2, GAME.read_options({}, 2)))
    assert {better, chosen} <= set(position.legal().actions)
    return [GAME.tell(event, language) for event in why_better(position, better, chosen)]


def test_a_pawn_that_ends_a_column_blocks_it() -> None:
    board = "...1. ...1. ...1. ..... ....."
    found = told(board, "11112", "place r4c4", "place r5c3")
    assert "It blocks Blue’s column of 3" in found
    assert "Cela bloque 3 pions de Bleu alignés en colonne" in told(board, "11112", "place r4c4", "place r5c3", "fr")


def test_a_row_and_a_diagonal_are_called_so() -> None:
    row = told("..... ..... ..... .11.. .....", "11112", "place r4c4", "place r5c3")
    assert "It blocks Blue’s row of 2" in row
    diagonal = told("..... .1... ..1.. ..... .....", "11112", "place r4c4", "place r5c3")
    assert "It blocks Blue’s diagonal of 2" in diagonal


def test_a_single_pawn_is_not_worth_a_word_nor_one_that_the_other_choice_blocks_too() -> None:
    alone = told("..... ..... ...1. ..... .....", "11112", "place r4c4", "place r5c3")
    assert not [sentence for sentence in alone if sentence.startswith("It blocks")]
    own = told("...0. ...0. ...0. ..... .....", "11112", "place r4c4", "place r5c3")
    assert not [sentence for sentence in own if sentence.startswith("It blocks")]
