"""Wykersham set up from a view: what no game can reach is refused, and the message names the place."""

from collections.abc import Callable
from typing import Any

import pytest

from ludotheque.core import BadView
from wykersham.board import EMPTY, Table, from_view, table, turn_view

FOUR_IN_3 = ". . . . . . .\n" + ". . r2 . . . .\n" * 4
CROSSED = """
. . . r . r . . . . . . . . .
. . . . . . r r . . . . . . .
. . . . . . . r . . . . . . .
. . . . . . . r r . . . . . .
. . . . . . . r . r . . . . .
"""
"""Two goals once rail 1, one notch left, comes back: vertical and falling through n."""

Change = Callable[[dict[str, Any]], object]


def rolling() -> dict[str, Any]:
    return turn_view(FOUR_IN_3)


def placing() -> dict[str, Any]:
    return table(FOUR_IN_3, "26").view


def second() -> dict[str, Any]:
    return table(FOUR_IN_3, "26", "6@1", "left").view


def sliding() -> dict[str, Any]:
    return table(FOUR_IN_3, "26", "2@1").view


def double() -> dict[str, Any]:
    return table(FOUR_IN_3, "55", "n@1").view


def two_goals(*actions: str, marbles: str = "r", **options: bool) -> dict[str, Any]:
    rows = CROSSED.replace("r", marbles).strip().splitlines()
    rows[0] = f". . . . {marbles} . {marbles} . . . . . . . ."
    return table("\n".join(rows), "26", "6@1", "right", *actions, offsets=(-1, 0, 0, 0, 0), options=options).view


def goal() -> dict[str, Any]:
    """Goals are settled one by one; the first is taken, the second undecided."""
    return two_goals("take", combined_goals=False)


def combination() -> dict[str, Any]:
    return two_goals()


def combination_cup() -> dict[str, Any]:
    return two_goals("take", "1", "2", marbles="r2")


def one_of_two_cup() -> dict[str, Any]:
    """Goals are settled one by one; only the second is taken."""
    return two_goals("leave", "take", marbles="r2", combined_goals=False)


def cup() -> dict[str, Any]:
    return table(FOUR_IN_3, "26", "2@1", "right", "take", "1").view


def over() -> dict[str, Any]:
    view = turn_view(EMPTY, player=1, turns=14)
    view["turns"] = [15, 14]
    view["winnings"] = [30, 28]
    return from_view(view).play("12", "1@3", "2@3").view


def put(*path: Any, to: Any) -> Change:
    """Change one place of a view."""

    def change(view: dict[str, Any]) -> None:
        inside: Any = view
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = to

    return change


def without(name: str) -> Change:
    return lambda view: view.pop(name)


ONE_BY_ONE = (goal, one_of_two_cup)


def set_up(made: Callable[[], dict[str, Any]], view: dict[str, Any]) -> Table:
    """With the options under which that view was made."""
    return from_view(view, combined_goals=made not in ONE_BY_ONE)


@pytest.mark.parametrize(
    "made", [rolling, placing, second, sliding, double, goal, combination, combination_cup, one_of_two_cup, cup, over]
)
def test_these_views_are_good_as_they_are(made: Callable[[], dict[str, Any]]) -> None:
    assert set_up(made, made()).view == made()
    extra = {**made(), "remark": "unknown keys are ignored"}
    assert set_up(made, extra).view == made()


BAD: list[tuple[Callable[[], dict[str, Any]], Change, str]] = [
    (rolling, put("phase", to="dance"), "phase: expected one of"),
    (rolling, put("player", to=2), "player: expected a whole number from 0 to 1"),
    (rolling, put("player", to=True), "player: expected a whole number"),
    (rolling, put("player", to=0.0), "player: expected a whole number"),
    (rolling, without("cups"), '"cups" is missing'),
    (rolling, without("winnings"), '"winnings" is missing'),
    (rolling, without("goals"), '"goals" is missing'),
    (rolling, put("offsets", to=[0, 0, 0, 0]), "offsets: expected a list of 5"),
    (rolling, put("offsets", 0, to=3), r"offsets\[0\]: expected a whole number from -2 to 2"),
    (rolling, put("offsets", 2, to=1), r"offsets\[2\]: the middle rail never slides"),
    (rolling, put("cups", 1, to=[[0, 0]] * 10), r"cups\[1\]: expected a list of 11"),
    (rolling, put("cups", 1, 4, to=[2]), r"cups\[1\]\[4\]: expected a list of 2"),
    (rolling, put("cups", 1, 4, 0, to=-1), r"cups\[1\]\[4\]\[0\]: expected a whole number from 0 to 30"),
    (rolling, put("cups", 1, 4, 0, to=31), r"cups\[1\]\[4\]\[0\]: expected a whole number from 0 to 30"),
    (rolling, put("cups", 1, 4, 1, to=1), r"cups\[1\]\[4\]: a cup holds marbles of both colours only on a shared"),
    (rolling, put("cups", 2, 0, to=[1, 0]), r"cups\[2\]\[0\]: no labelled line ever meets this cup"),
    (rolling, put("cups", 0, 0, to=[1, 0]), "cups: red has played 8 marbles, but 9 lie there"),
    (rolling, put("winnings", to=[1, 8]), "winnings: red has played 8 marbles, 8 lie there: 0 are won"),
    (rolling, put("turns", to=[4, 6]), "turns: the players take turns"),
    (rolling, put("turns", to=[4, 3]), "turns: the players take turns"),
    (rolling, put("turns", to=[15, 15]), "turns: player 0 has had all 15 turns"),
    (rolling, put("turns", to=[16, 16]), r"turns\[0\]: expected a whole number from 0 to 15"),
    (rolling, put("dice", to="35"), "dice: no dice lie there"),
    (rolling, put("left", to=["3"]), "left: nothing is left"),
    (rolling, put("slid", to=[1]), "slid: at most one rail"),
    (rolling, put("direction", to=1), "direction: it is that of the first slide"),
    (rolling, put("rail", to=1), "rail: it is null outside the phase slide"),
    (rolling, put("cup", to=[1, 1]), "cup: it is null outside the phase cup"),
    (rolling, put("goals", to=[{"line": "vertical", "column": 0, "taken": None}]), "goals: there are goals only"),
    (rolling, put("phase", to="start"), "turns: before the start nobody"),
    (placing, put("dice", to="62"), "dice: two dice from 1 to 6 in order"),
    (placing, put("dice", to="27"), "dice: two dice"),
    (placing, put("dice", to=26), "dice: expected a text"),
    (placing, put("left", to=["6", "2"]), "left: these lines do not follow"),
    (placing, put("left", to=["2", "5"]), "left: these lines do not follow"),
    (placing, put("left", to=[]), "left: the player has a marble to place"),
    (placing, put("left", to=["2", "6", "6"]), "left: a list of at most 2"),
    (placing, put("slid", to=[1]), "slid: at most one rail"),
    (second, put("slid", to=[3]), "slid: the middle rail never slides"),
    (second, put("direction", to=0), "direction: it is that of the first slide"),
    (second, put("direction", to=2), "direction: expected a whole number from -1 to 1"),
    (second, put("offsets", 0, to=2), "slid: rail 1 cannot have come where it is"),
    (double, put("left", to=["5"]), "left: these lines do not follow"),
    (double, put("left", to=["n|4"]), "left: these lines do not follow"),
    (double, put("left", to=["n", "n|5"]), "left: a marble of this turn has been placed"),
    (sliding, put("rail", to=3), "rail: this rail cannot slide now"),
    (sliding, put("rail", to=5), "rail: red has no marble on it in line 2"),
    (sliding, put("rail", to=None), "rail: expected a whole number from 1 to 5"),
    (sliding, put("phase", to="over"), "turns: the game is over after 15 turns each"),
    (goal, put("goals", to=[]), "goals: one of them must be undecided"),
    (
        goal,
        lambda view: [one.update(taken=taken) for one, taken in zip(view["goals"], (None, True), strict=True)],
        "in order",
    ),
    (goal, put("goals", 1, "column", to=1), "goals: these are not the lines that are complete for red"),
    (goal, put("goals", 1, "column", to=6), r"goals\[1\]\.column: expected a whole number from -5 to 5"),
    (goal, put("goals", 1, "line", to="steep"), r"goals\[1\]\.line: expected one of"),
    (goal, lambda view: view["goals"].reverse(), "goals"),
    (goal, put("slid", to=[]), "slid: goals are made by a slide"),
    (goal, put("phase", to="cup"), "goals: all are decided"),
    (one_of_two_cup, put("goals", 1, "taken", to=False), "goals: all are decided and one is taken"),
    (one_of_two_cup, put("goals", 0, "taken", to=None), "in order"),
    (combination, put("goals", 0, "taken", to=True), r"goals\[0\]\.taken: with combined goals all are decided at once"),
    (
        combination,
        put("goals", 1, "taken", to=False),
        r"goals\[1\]\.taken: with combined goals all are decided at once",
    ),
    (combination, put("goals", to=[]), "goals: one of them must be undecided"),
    (combination, lambda view: view["goals"].pop(), "goals: these are not the lines that are complete for red"),
    (combination, lambda view: view["goals"].reverse(), "goals: they are listed by column"),
    (combination, put("phase", to="cup"), r"goals\[0\]\.taken: with combined goals all are taken or none"),
    (combination_cup, put("goals", 1, "taken", to=False), r"goals\[1\]\.taken: with combined goals all are taken"),
    (combination_cup, put("goals", 0, "taken", to=None), r"goals\[0\]\.taken: with combined goals all are taken"),
    (combination_cup, put("goals", 0, "taken", to=1), r"goals\[0\]\.taken: with combined goals all are taken"),
    (combination_cup, put("phase", to="goal"), r"goals\[0\]\.taken: with combined goals all are decided at once"),
    (cup, put("cup", to=None), "cup: expected a list of 2"),
    (cup, put("cup", to=[5, 5]), "cup: it is a cup of the taken goals"),
    (cup, put("cup", to=[2, 4]), "cup: it is a cup of the taken goals"),
    (over, put("winner", to=1), "winner: it is 0 here"),
    (over, put("winner", to="draw"), "winner: it is 0 here"),
    (over, put("turns", to=[15, 14]), "turns: the game is over after 15 turns each"),
    (over, put("dice", to="12"), "dice: no dice lie there"),
]


@pytest.mark.parametrize(("made", "change", "message"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_what_no_game_can_reach_is_refused(made: Callable[[], dict[str, Any]], change: Change, message: str) -> None:
    view = made()
    change(view)
    with pytest.raises(BadView, match=message):
        set_up(made, view)


@pytest.mark.clause("W17")
def test_what_only_one_by_one_can_look_like_is_refused_with_combinations() -> None:
    for made in ONE_BY_ONE:
        with pytest.raises(BadView, match="with combined goals"):
            from_view(made())
    with pytest.raises(BadView) as refused:
        from_view(goal())
    assert "avec les buts combinés" in refused.value.sentence("fr")


def test_two_colours_in_the_middle_depend_on_the_option() -> None:
    view = turn_view("\n".join([*[". . . . . . ."] * 2, ". . r1g1 . . . .", *[". . . . . . ."] * 2]))
    assert from_view(view).view == view
    with pytest.raises(BadView, match=r"cups\[2\]\[4\]: a cup holds marbles of both colours"):
        from_view(view, shared_middle=False)


def test_given_marbles_are_the_enemys() -> None:
    view = turn_view(EMPTY, turns=3)
    view["winnings"] = [0, 12]  # red has given all six, or green has won with them
    with pytest.raises(BadView, match="winnings: red has played 6 marbles"):
        from_view(view)
    assert from_view(view, shared_middle=False).view == view
    view["winnings"] = [0, 11]
    with pytest.raises(BadView, match="winnings: 12 marbles have been played, 0 lie there: 12 are won"):
        from_view(view, shared_middle=False)


def test_a_set_up_position_plays_on_like_the_one_it_was_seen_in() -> None:
    played = table(FOUR_IN_3, "26", "2@1", "right", "take", "1")
    again = Table(played.position).after("2", "1", "2", "6@2").view
    assert from_view(played.view).play("2", "1", "2", "6@2").view == again
