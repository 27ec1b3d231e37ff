"""The plain Wykersham on small positions whose answer follows from the clauses by hand."""

from fractions import Fraction
from typing import Any

import pytest

from reference.wykersham import Reference, first_view

Marbles = dict[tuple[int, int], tuple[int, int]]  # (rail, cup): (red, green)


def after_roll(dice: str, marbles: Marbles, offsets: dict[int, int] | None = None, **options: bool) -> Reference:
    """Red's turn with these dice and marbles. The turns already played are no matter here."""
    view = first_view(2, options, first=0)
    for (rail, cup), content in marbles.items():
        view["cups"][rail - 1][cup] = list(content)
    for rail, offset in (offsets or {}).items():
        view["offsets"][rail - 1] = offset
    game = Reference(view, options, 2)
    game.play(dice)
    return game


def show(game: Reference, *keys: str) -> tuple[Any, ...]:
    """Some fields of the view."""
    view = game.view()
    return tuple(view[key] for key in keys)


def test_who_starts() -> None:
    game = Reference(first_view(2, {}), {}, 2)
    assert show(game, "phase", "player") == ("start", 0)
    assert len(game.legal()) == 30
    assert set(game.odds()) == {Fraction(1, 30)}
    game.play("3-5")
    assert show(game, "phase", "player") == ("roll", 1)
    odds = dict(zip(game.legal(), game.odds(), strict=True))
    assert len(odds) == 21
    assert (odds["35"], odds["44"]) == (Fraction(2, 36), Fraction(1, 36))


def test_placements_follow_the_offsets() -> None:
    # Line 3 is column -1: cup 4 of a rail at rest, cup 5 of rail 2 slid one notch to the left, cup 3 of rail 4 to the
    # right. Green holds those cups of rails 1, 2 and 4, and the middle's.
    marbles: Marbles = {(1, 4): (0, 1), (2, 5): (0, 1), (3, 4): (0, 1), (4, 3): (0, 1), (5, 4): (1, 0)}
    game = after_roll("35", marbles, {2: -1, 4: 1})
    assert show(game, "phase", "left") == ("place", ["3", "5"])
    assert sorted(game.legal()) == ["3@3", "3@5", "5@1", "5@2", "5@3", "5@4", "5@5"]
    game = after_roll("35", marbles, {2: -1, 4: 1}, shared_middle=False)
    assert sorted(game.legal()) == ["3@5", "5@1", "5@2", "5@3", "5@4", "5@5"]


def test_double_and_split() -> None:
    game = after_roll("44", {})
    assert show(game, "left") == (["n", "n|4"],)
    assert sorted(game.legal()) == sorted(f"{line}@{rail}" for line in "n4" for rail in range(1, 6))
    split = after_roll("44", {})
    split.play("4@3")
    assert show(split, "phase", "left") == ("place", ["n"])
    game.play("n@3")
    assert show(game, "phase", "left") == ("place", ["n|4"])
    game.play("n@3")  # both into n, both into the middle rail's cup 5: the turn is over
    assert show(game, "phase", "player", "turns", "dice") == ("roll", 1, [1, 0], "")
    assert game.view()["cups"][2][5] == [2, 0]


def test_slide_locks_and_directs() -> None:
    game = after_roll("25", {})
    game.play("2@1")
    assert show(game, "phase", "rail", "left") == ("slide", 1, ["5"])
    assert sorted(game.legal()) == ["left", "right", "stay"]
    game.play("left")
    assert show(game, "offsets", "slid", "direction", "rail") == ([-1, 0, 0, 0, 0], [1], -1, None)
    assert sorted(game.legal()) == ["5@2", "5@3", "5@4", "5@5"]
    game.play("5@4")
    assert sorted(game.legal()) == ["left", "stay"]


def test_no_slide_step_where_none_is_legal() -> None:
    # After a slide to the left, rail 4 is already two notches to the left: the turn ends with the marble.
    game = after_roll("25", {}, {4: -2})
    game.play("2@1")
    game.play("left")
    game.play("5@4")
    assert show(game, "phase", "player", "slid", "direction") == ("roll", 1, [], 0)
    game = after_roll("25", {}, {4: -2}, same_direction=False)
    game.play("2@1")
    game.play("left")
    game.play("5@4")
    assert sorted(game.legal()) == ["right", "stay"]


def test_only_a_slide_makes_a_goal() -> None:
    # The fifth marble goes into line 3 on rail 1 and the line is complete: no goal without a slide of that rail.
    marbles: Marbles = {(rail, 4): (1, 0) for rail in (2, 3, 4, 5)}
    game = after_roll("35", marbles)
    game.play("3@1")
    game.play("stay")
    assert show(game, "phase", "winnings") == ("place", [0, 0])


def test_goal_after_a_slide() -> None:
    # The example of W2: a marble in line 2, its rail slides to the right, it counts in line 3.
    marbles: Marbles = {(rail, 4): (1, 0) for rail in (2, 3, 4, 5)}
    marbles[3, 4] = (3, 2)
    game = after_roll("26", marbles)
    game.play("2@1")
    game.play("right")
    assert show(game, "phase", "goals") == ("goal", [{"line": "vertical", "column": -1, "taken": None}])
    assert show(game, "left", "slid") == (["6"], [1])
    game.play("take")
    # Rails 1 and 2 gave their single marbles unasked; the middle rail asks about three; rails 4 and 5 wait.
    assert show(game, "phase", "cup", "winnings") == ("cup", [3, 4], [2, 0])
    assert game.legal() == ["1", "2", "3"]
    assert game.view()["goals"][0]["taken"] is True
    game.play("2")
    assert show(game, "phase", "cup", "goals", "winnings") == ("place", None, [], [6, 0])
    assert game.view()["cups"][2][4] == [1, 2]


def test_two_goals_share_a_cup() -> None:
    # A slide of rail 1 to the right brings its cup 4 to column 0 (vertical at 0) and its cup 2 to column -2 (falling at
    # 0: columns -2, -1, 0, 1, 2). The marble just played goes from column -2 to -1, where it completes nothing.
    marbles: Marbles = {(rail, 5): (1, 0) for rail in (2, 3, 4, 5)}
    marbles |= {(1, 2): (1, 0), (1, 4): (1, 0), (2, 4): (1, 0), (4, 6): (1, 0), (5, 7): (1, 0)}
    game = after_roll("26", marbles, combined_goals=False)
    game.play("2@1")
    game.play("right")
    assert [(goal["line"], goal["column"]) for goal in game.view()["goals"]] == [("vertical", 0), ("falling", 0)]
    game.play("leave")
    game.play("take")
    assert show(game, "phase", "winnings") == ("place", [5, 0])
    assert game.view()["cups"][2][5] == [0, 0]  # the shared cup
    assert game.view()["cups"][0][4] == [1, 0]  # left with the vertical line


def test_two_goals_are_one_combination() -> None:
    # The same board: taken or left as a whole, nine cups; the shared one holds two and asks.
    marbles: Marbles = {(rail, 5): (1, 0) for rail in (2, 4, 5)} | {(3, 5): (2, 1)}
    marbles |= {(1, 2): (1, 0), (1, 4): (1, 0), (2, 4): (1, 0), (4, 6): (1, 0), (5, 7): (1, 0)}
    for decision in ("take", "leave"):
        game = after_roll("26", marbles)
        game.play("2@1")
        game.play("right")
        assert [goal["taken"] for goal in game.view()["goals"]] == [None, None]
        game.play(decision)
        if decision == "leave":
            assert show(game, "phase", "goals", "winnings") == ("place", [], [0, 0])
            continue
        assert show(game, "phase", "cup", "winnings") == ("cup", [3, 5], [4, 0])
        assert [goal["taken"] for goal in game.view()["goals"]] == [True, True]
        game.play("1")
        assert show(game, "phase", "goals", "winnings") == ("place", [], [9, 0])
        assert game.view()["cups"][2][5] == [1, 1]


def test_a_goal_partly_outside_the_labelled_lines() -> None:
    # Rising at column 3: columns 5, 4, 3, 2, 1. Rail 1 slides from +1 to +2: its cup 8 comes to column 5.
    marbles: Marbles = {(1, 8): (1, 0), (2, 9): (1, 0), (3, 8): (1, 0), (4, 7): (1, 0), (5, 6): (1, 0)}
    game = after_roll("13", marbles, {1: 1})
    game.play("1@1")
    game.play("right")
    assert show(game, "goals") == ([{"line": "rising", "column": 3, "taken": None}],)


def test_giving_marbles() -> None:
    # Green holds all of lines 3 and 5 and the middle is not shared: both marbles are given, one by one.
    marbles: Marbles = {(rail, cup): (0, 1) for rail in range(1, 6) for cup in (4, 7)}
    game = after_roll("35", marbles, shared_middle=False)
    assert game.legal() == ["give 3"]
    game.play("give 3")
    assert (game.legal(), show(game, "winnings")) == (["give 5"], ([0, 1],))
    game.play("give 5")
    assert show(game, "phase", "player", "winnings") == ("roll", 1, [0, 2])
    # Only line 3 is taken: the marble for line 5 is played first, then the other is given.
    game = after_roll("35", {(rail, 4): (0, 1) for rail in range(1, 6)}, shared_middle=False)
    assert sorted(game.legal()) == [f"5@{rail}" for rail in range(1, 6)]
    game.play("5@3")
    assert game.legal() == ["give 3"]


def test_forced_goals() -> None:
    marbles: Marbles = {(rail, 4): (1, 0) for rail in (2, 3, 4, 5)}
    game = after_roll("26", marbles, forced_goals=True)
    game.play("2@1")
    assert game.legal() == ["right"]
    game.play("right")
    assert sorted(game.legal()) == ["leave", "take"]


@pytest.mark.parametrize(("winnings", "winner"), [([4, 3], 0), ([3, 4], 1), ([3, 3], "draw")])
def test_end(winnings: list[int], winner: int | str) -> None:
    view = {**first_view(2, {}, first=1), "turns": [15, 14], "winnings": winnings}
    game = Reference(view, {}, 2)
    game.play("35")
    game.play("3@3")
    game.play("5@3")
    assert show(game, "phase", "player", "dice", "winner", "turns") == ("over", 1, "", winner, [15, 15])
