"""Why one way to play a turn is better than another, on small positions: the printed advice where it is true of the board."""

import pytest

from ludotheque.analysis import advise
from ludotheque.bots import bot
from ludotheque.core import Event
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.reasons import barred_lines, why_better
from ludotheque.kernels import JIT
from table import discrete
from wykersham.board import EMPTY, Table, from_view, table, turn_view

pytestmark = pytest.mark.skipif(not JIT, reason="reasons play out turns with compiled rules")

FOUR_IN_3 = ". . . . . . .\n" + ". . r . . . .\n" * 4


def reasons(at: Table, better: str, chosen: str) -> dict[str, Event]:
    """By name; the actions are written with blanks between them."""
    found = list(why_better(discrete(at.position), better.split(), chosen.split()))
    for event in found:
        for language in ("en", "fr"):
            assert "{" not in GAME.tell(event, language)
    return {event.what: event for event in found}


def told(at: Table, better: str, chosen: str) -> list[str]:
    return [GAME.tell(event, "en") for event in reasons(at, better, chosen).values()]


def test_marbles_won_now_are_told() -> None:
    goal = table(FOUR_IN_3, "26")
    why = reasons(goal, "2@1 right take 6@3", "2@1 stay 6@3")
    assert why["why-marbles"].facts == {"player": 0, "count": 5, "chosen": 0}


def test_a_goal_that_grows_is_worth_waiting_for() -> None:
    """Line 3 is complete but for rail 1, with two marbles on each other rail: left, it may bring ten and more; taken in part, five."""
    stacks = ". . . . . . .\n" + ". . r2 . . . .\n" * 4
    at = table(stacks, "26")
    why = reasons(at, "6@3 2@1 stay", "2@1 right take 1 1 1 1 6@3")
    assert why["why-wait"].facts["chosen"] == 5
    assert int(str(why["why-wait"].facts["count"])) >= 10
    assert "why-stacks" not in why
    assert "why-more" not in why
    assert "Not every chance has to be seized" in told(at, "6@3 2@1 stay", "2@1 right take 1 1 1 1 6@3")[0]


def test_waiting_is_no_reason_where_more_is_won_at_once() -> None:
    assert "why-wait" not in reasons(table(FOUR_IN_3, "26"), "2@1 right take 6@3", "2@1 stay 6@3")


def test_stacks_bring_more_than_five() -> None:
    why = reasons(table(FOUR_IN_3, "36"), "3@3 6@3", "3@1 stay 6@3")
    assert why["why-stacks"].facts["count"] == 7  # six lie in line 3, and one that comes into it
    assert int(str(why["why-stacks"].facts["chosen"])) < 7


@pytest.mark.clause("W6", "W7")
def test_a_marble_bars_the_lines_through_its_cup_but_not_on_a_shared_middle_rail() -> None:
    middle, outer = (table(EMPTY, "25", f"2@{rail}") for rail in (3, 2))
    assert barred_lines(discrete(middle.position), 0) == 0
    assert barred_lines(discrete(outer.position), 0) == 3  # straight, falling and rising through the cup
    alone = table(EMPTY, "25", "2@3", options={"shared_middle": False})
    assert barred_lines(discrete(alone.position), 0) == 3
    corner = table(EMPTY, "15", "1@1")
    assert barred_lines(discrete(corner.position), 0) == 2  # the rising one lies outside the board


def test_who_stands_in_the_others_lines_is_told_and_that_the_middle_is_shared() -> None:
    why = reasons(table(EMPTY, "25"), "2@2 stay 5@4 stay", "2@3 5@3")
    assert why["why-bars"].facts == {"player": 0, "other": 1, "count": 6, "chosen": 0}
    assert why["why-middle"].facts == {"other": 1}
    apart = reasons(table(EMPTY, "25", options={"shared_middle": False}), "2@2 stay 5@4 stay", "2@3 5@3")
    assert "why-middle" not in apart


def test_nothing_is_said_of_lines_when_the_other_has_no_turn_left() -> None:
    view = turn_view(EMPTY, player=1, turns=14)
    view["turns"] = [15, 14]
    view["winnings"] = [30, 28]
    last = from_view(view).play("25")
    assert reasons(last, "2@2 stay 5@4 stay", "2@3 5@3") == {}


def test_an_advice_says_why_where_the_next_best_is_clearly_worse() -> None:
    late = table(FOUR_IN_3, "26", "6@3", "2@1", turns=13)
    decision = advise(late.position, bot(GAME, 5))
    assert decision.action == "right"
    assert "why-marbles" in {event.what for event in decision.reasons}
    nearly_equal = advise(table(EMPTY, "25").position, bot(GAME, 5))
    assert nearly_equal.considered[0].value - nearly_equal.considered[1].value < 0.01
    assert nearly_equal.reasons == ()
