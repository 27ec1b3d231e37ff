"""A turn's exact solution against a plain search through every roll and every decision of the reference rules."""

from functools import cache

import numpy as np
import pytest

from ludotheque.games.yam_master.facts import ENDS, IMPOSSIBLE, KEPT_NUMBERS
from ludotheque.games.yam_master.game import ACTION_NUMBERS, ACTION_TEXTS, ROLL_NUMBERS
from ludotheque.games.yam_master.turn import Numbers, turn_policy
from reference.yam_master import CELLS, Reference, first_view, roll_outcomes

BOARDS = {
    "empty": ["....."] * 5,
    "few pawns": [".0...", "..1..", "10...", "...0.", "....1"],
    "no free Défi, Sec or Yam": ["..0..", "..1..", "..01.", ".0...", "....."],
}


def reference_at(board: list[str], dice: str, rolls: int, challenge: bool) -> Reference:
    view = first_view(2, {}) | {"board": board, "phase": "decide", "rolls": rolls, "dice": dice, "defi": challenge}
    stock = [12 - sum(row.count(seat) for row in board) for seat in "01"]
    return Reference(view | {"stock": stock}, {}, 2)


def random_ends(board: list[str], seed: int) -> Numbers:
    """Some worth for everything that can end a turn on this board, for player 0; passing is worth little."""
    random = np.random.default_rng(seed)
    ends = np.full(ENDS, IMPOSSIBLE)
    ends[ACTION_NUMBERS["pass"]] = 0.2 * random.random()
    for cell, (row, column) in CELLS.items():
        mark = board[row - 1][column - 1]
        if mark == ".":
            ends[ACTION_NUMBERS[f"place {cell}"]] = random.random()
        elif mark == "1":
            ends[ACTION_NUMBERS[f"take {cell}"]] = random.random()
    return ends


class PlainTurn:
    """What the decisions of a turn are worth, by looking at all of them."""

    def __init__(self, board: list[str], ends: Numbers) -> None:
        @cache
        def rolled(kept: str, rolls: int, challenge: bool) -> float:
            return sum(float(odds) * best(dice, rolls, challenge) for dice, odds in roll_outcomes(kept).items())

        @cache
        def best(dice: str, rolls: int, challenge: bool) -> float:
            return max(self.decisions(dice, rolls, challenge).values())

        def decisions(dice: str, rolls: int, challenge: bool) -> dict[str, float]:
            values = {}
            for action in reference_at(board, dice, rolls, challenge).legal():
                word, _, kept = action.partition(" ")
                if word in ("keep", "defi"):
                    values[action] = rolled(kept, rolls + 1, challenge or word == "defi")
                else:
                    values[action] = float(ends[ACTION_NUMBERS[action]])
            return values

        self.decisions = decisions
        self.rolled = rolled


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_solved_turn_is_worth_what_a_search_through_everything_finds(board: list[str]) -> None:
    ends = random_ends(board, 7)
    plain = PlainTurn(board, ends)
    turn = turn_policy(ends)
    assert turn.value == pytest.approx(plain.rolled("", 1, False), abs=1e-12)


@pytest.mark.parametrize(("rolls", "challenge"), [(1, False), (2, False), (2, True), (3, False), (3, True)])
def test_every_decision_of_a_turn_has_its_exact_value_and_the_best_is_chosen(rolls: int, challenge: bool) -> None:
    board = BOARDS["few pawns"]
    ends = random_ends(board, 3)
    plain, turn = PlainTurn(board, ends), turn_policy(ends)
    for dice in ("11111", "11123", "22333", "12345", "44466", "13456", "55556", "23345"):
        expected = plain.decisions(dice, rolls, challenge)
        number = ROLL_NUMBERS[dice]
        found = {
            action: turn.value_of(which, rolls, number, challenge)
            for which, action in enumerate(ACTION_TEXTS)
            if action in expected
        }
        assert found == pytest.approx(expected, abs=1e-12)
        assert expected[ACTION_TEXTS[turn.best(rolls, number, challenge)]] == pytest.approx(max(expected.values()))


def test_what_the_dice_do_not_allow_is_never_worth_anything() -> None:
    turn = turn_policy(random_ends(BOARDS["few pawns"], 5))
    dice = ROLL_NUMBERS["11123"]  # a Brelan of 1, and ≤8
    assert turn.value_of(ACTION_NUMBERS["place r1c2"], 1, dice, False) == IMPOSSIBLE  # the 3
    assert turn.value_of(ACTION_NUMBERS["take r2c3"], 1, dice, False) == IMPOSSIBLE  # no Yam
    assert turn.value_of(ACTION_NUMBERS["keep 111"], 3, dice, False) == IMPOSSIBLE  # no fourth roll
    assert turn.value_of(ACTION_NUMBERS["defi 111"], 2, dice, False) == IMPOSSIBLE  # too late to announce
    assert turn.value_of(ACTION_NUMBERS["place r1c1"], 1, dice, False) >= 0


def test_only_the_yam_matters_when_only_its_cell_is_worth_anything() -> None:
    """The known chance of a Yam in three rolls, keeping the most frequent face, is 347897/7558272."""
    ends = np.full(ENDS, IMPOSSIBLE)
    ends[0], ends[ACTION_NUMBERS["place r3c3"]] = 0.0, 1.0
    turn = turn_policy(ends)
    assert turn.value == pytest.approx(347897 / 7558272, abs=1e-12)
    assert ACTION_TEXTS[turn.best(1, ROLL_NUMBERS["11234"], False)] in ("keep 11", "defi 11")


def test_dice_in_the_air_are_worth_the_mean_of_what_they_can_show() -> None:
    board = BOARDS["few pawns"]
    ends = random_ends(board, 11)
    plain, turn = PlainTurn(board, ends), turn_policy(ends)
    assert turn.before_roll(0, 0, False) == turn.value
    for kept in ("", "1", "556", "1234"):
        for rolls, challenge in ((1, False), (1, True), (2, False), (2, True)):
            expected = plain.rolled(kept, rolls + 1, challenge)
            assert turn.before_roll(rolls, KEPT_NUMBERS[kept], challenge) == pytest.approx(expected, abs=1e-12)
