"""The plain Yam Master on small positions whose answer follows from the clauses by hand."""

from fractions import Fraction
from typing import Any

import pytest

from reference.yam_master import Reference, combinations_of, first_view


def decide(**changes: Any) -> Reference:
    """A position after the first roll, with changes to its view."""
    view = {**first_view(2, {}), "phase": "decide", "rolls": 1, "dice": "11345", **changes}
    pawns = "".join(view["board"])
    view["stock"] = [12 - pawns.count("0"), 12 - pawns.count("1")]
    return Reference(view, {}, 2)


def words(game: Reference, word: str) -> set[str]:
    """What follows a word in the legal actions."""
    return {action.partition(" ")[2] for action in game.legal() if action.split()[0] == word}


@pytest.mark.parametrize(
    ("dice", "names"),
    [
        ("11345", set()),
        ("12345", {"Suite"}),
        ("23456", {"Suite"}),
        ("11123", {"1", "≤8"}),  # adds up to 8
        ("11124", {"1"}),  # 9
        ("11222", {"2", "Full", "≤8"}),  # 8 as well
        ("44455", {"4", "Full"}),
        ("33336", {"3", "Carré"}),
        ("66666", {"6", "Full", "Carré", "Yam"}),
        ("11111", {"1", "Full", "Carré", "Yam", "≤8"}),
        ("11223", set()),  # 9, two pairs
    ],
)
def test_combinations(dice: str, names: set[str]) -> None:
    assert combinations_of(dice) == names


def test_first_roll_of_all_dice() -> None:
    game = Reference(first_view(2, {}, first=1), {}, 2)
    assert game.to_move() == "chance"
    odds = dict(zip(game.legal(), game.odds(), strict=True))
    assert len(odds) == 252  # five dice, six faces: ten over five
    assert odds["11111"] == Fraction(1, 7776)
    assert odds["12345"] == Fraction(120, 7776)
    game.play("12345")
    assert game.to_move() == 1


def test_keep_then_roll() -> None:
    game = decide(dice="11345")
    # Sub-multisets of 1, 1, 3, 4, 5: three choices of ones times eight of the others, less the whole.
    assert len(words(game, "keep")) == 23
    game.play("keep 113")
    assert (game.view()["kept"], game.view()["dice"], game.view()["rolls"]) == ("113", "11345", 1)
    odds = dict(zip(game.legal(), game.odds(), strict=True))
    assert len(odds) == 21
    assert odds["11136"] == Fraction(2, 36)
    assert odds["11366"] == Fraction(1, 36)
    game.play("11136")
    assert (game.view()["kept"], game.view()["rolls"], game.view()["defi"]) == ("", 2, False)
    assert words(game, "place") == {"r1c1", "r4c5"}
    assert not words(game, "defi")


def test_third_roll_ends_rolling() -> None:
    assert decide(dice="11346", rolls=3).legal() == ["pass"]


def test_sec_on_first_roll_only() -> None:
    assert words(decide(dice="23456"), "place") == {"r3c5", "r4c3", "r2c3", "r4c2"}
    assert words(decide(dice="23456", rolls=2), "place") == {"r3c5", "r4c3"}
    assert words(decide(dice="22256"), "place") == {"r2c1", "r5c2"}  # a Brelan is no Sec


def test_challenge() -> None:
    game = decide(dice="22256", defi=True, rolls=2)
    assert not words(game, "place")  # not fulfilled, not even the Brelan
    game = decide(dice="22255", defi=True, rolls=2)
    assert words(game, "place") == {"r2c1", "r5c2", "r2c4", "r3c2", "r1c3", "r3c4"}
    game.play("keep 222")
    assert game.view()["defi"] is True


def test_predator() -> None:
    game = decide(dice="66666", board=["1....", ".....", "..0..", ".....", "....1"], player=0)
    assert words(game, "take") == {"r1c1", "r5c5"}
    game.play("take r1c1")
    view = game.view()
    assert (view["board"][0], view["stock"], view["turns"], view["player"]) == (".....", [11, 11], [1, 0], 1)


def test_points_are_maximal_runs() -> None:
    # A row of four (2 points), the column r1c3-r2c3-r3c3 (1) and the short diagonal r1c3-r2c4-r3c5 (1). The diagonals
    # r1c2-r2c3, r1c4-r2c3 and r2c4-r3c3 are two pawns long.
    board = ["0000.", "..00.", "..0.0", ".....", "....."]
    assert decide(board=board).view()["points"] == [4, 0]


def test_five_in_line_wins_before_the_stock_is_looked_at() -> None:
    # Seat 0 has eleven pawns and 0 points but for the line; seat 1 has three in row 1. The Suite at r3c5 makes five.
    board = ["111.0", "0..0.", "0000.", ".0..0", "0...."]
    game = decide(board=board, dice="12345", rolls=2, player=0)
    game.play("place r3c5")
    view = game.view()
    assert (view["winner"], view["phase"], view["player"], view["turns"]) == (0, "over", 0, [1, 0])
    assert (view["rolls"], view["dice"], view["kept"], view["defi"]) == (0, "", "", False)
    assert game.returns() == [Fraction(1), Fraction(0)]


def test_last_pawn_ends_the_game() -> None:
    # Seat 0 puts its twelfth pawn on r1c5 with a Brelan of sixes and makes no line; seat 1 has three in row 1.
    board = ["111..", "00..0", ".....", "00.00", "00.00"]
    game = decide(board=board, dice="23666", rolls=2, player=0)
    assert game.view()["stock"] == [1, 9]
    game.play("place r1c5")
    view = game.view()
    assert (view["phase"], view["winner"], view["stock"], view["points"]) == ("over", 1, [0, 9], [0, 1])
    assert game.returns() == [Fraction(0), Fraction(1)]


def test_turn_limit() -> None:
    game = Reference({**first_view(2, {}, 1), "turns": [3, 2]}, {"max_turns": 3}, 2)
    game.play("11345")
    game.play("pass")
    assert game.view()["winner"] == "draw"
    assert game.returns() == [Fraction(1, 2), Fraction(1, 2)]
