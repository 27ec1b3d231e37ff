"""Wykersham's clauses, W1 to W20, on small positions whose answer follows from the clause's words."""

import pytest

from wykersham.board import EMPTY, Table, from_view, new_table, table, turn_view

pytestmark = pytest.mark.rules

FOUR_IN_3 = """
. . . . . . .
. . r . . . .
. . r . . . .
. . r . . . .
. . r . . . .
"""
"""Line 3 lacks a marble on rail 1: one put into line 2 there comes into line 3 by a slide to the right."""


@pytest.mark.clause("W1", "W3")
def test_five_rails_of_eleven_empty_cups_start_centred() -> None:
    start = new_table()
    start.shows(offsets=[0] * 5, cups=[[[0, 0]] * 11] * 5, winnings=[0, 0], turns=[0, 0], phase="start", player=0)


@pytest.mark.clause("W1", "W9")
def test_the_middle_rail_never_slides() -> None:
    table(EMPTY, "25", "2@3").shows(phase="place", left=["5"], rail=None)


@pytest.mark.clause("W2")
@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize(("line", "cup"), [("1", 2), ("2", 3), ("3", 4), ("4", 6), ("5", 7), ("6", 8)])
def test_a_line_meets_another_cup_of_a_slid_rail(offset: int, line: str, cup: int) -> None:
    rolled = "".join(sorted(line + ("1" if line != "1" else "2")))
    played = table(EMPTY, rolled, f"{line}@4", offsets=(0, 0, 0, offset, 0))
    assert played.view["cups"][3][cup - offset] == [1, 0], played.position.picture()


@pytest.mark.clause("W2", "W9")
def test_a_rail_slides_at_most_two_notches() -> None:
    table(EMPTY, "25", "2@1", offsets=(2, 0, 0, 0, 0)).allows("left", "stay")
    table(EMPTY, "25", "2@1", offsets=(-2, 0, 0, 0, 0)).allows("right", "stay")
    table(EMPTY, "25", "2@1", offsets=(1, 0, 0, 0, 0)).allows("left", "right", "stay")


@pytest.mark.clause("W3")
def test_a_cup_holds_any_number_of_marbles() -> None:
    full = table(". . . . . . .\n. . r28 . . . .\n" + "\n".join([". . . . . . ."] * 3), "36", turns=14)
    assert full.play("3@2").cup(2, -1) == [29, 0]


@pytest.mark.clause("W4")
def test_the_higher_die_starts_and_equal_dice_are_no_result() -> None:
    start = new_table()
    legal = start.position.legal()
    assert len(legal.actions) == 30
    assert set(legal.odds) == {1 / 30}
    assert "3-3" not in legal.actions
    start.after("5-3").shows(phase="roll", player=0)
    start.after("2-6").shows(phase="roll", player=1)


@pytest.mark.clause("W4")
def test_players_alternate() -> None:
    two = new_table().play("6-1", "12", "1@3", "2@3").shows(player=1, phase="roll", turns=[1, 0])
    two.play("12", "1@3", "2@3").shows(player=0, phase="roll", turns=[1, 1])


@pytest.mark.clause("W5")
def test_a_roll_is_two_dice_with_their_chances() -> None:
    legal = table().position.legal()
    odds = dict(zip(legal.actions, legal.odds, strict=True))
    assert len(odds) == 21
    assert odds["35"] == pytest.approx(2 / 36)
    assert odds["44"] == pytest.approx(1 / 36)
    assert sum(odds.values()) == pytest.approx(1)


@pytest.mark.clause("W5")
def test_either_die_first_one_marble_each_never_added() -> None:
    rolled = table(EMPTY, "23").shows(phase="place", left=["2", "3"], dice="23")
    rolled.allows(*(f"{line}@{rail}" for line in "23" for rail in range(1, 6)))
    rolled.after("3@3").shows(left=["2"]).allows(*(f"2@{rail}" for rail in range(1, 6)))
    rolled.after("2@3").shows(left=["3"]).allows(*(f"3@{rail}" for rail in range(1, 6)))


@pytest.mark.clause("W6", "W7")
def test_no_marble_onto_enemy_marbles_but_on_the_middle_rail() -> None:
    board = """
    . . g . . . .
    . . r . . . .
    . . g . . . .
    . . g2 . . . .
    . . . . . . .
    """
    rolled = table(board, "36")
    rolled.allows("3@2", "3@3", "3@5", *(f"6@{rail}" for rail in range(1, 6)))
    assert rolled.play("3@3").cup(3, -1) == [1, 1]


@pytest.mark.clause("W6")
def test_green_is_kept_out_by_red() -> None:
    table(FOUR_IN_3, "36", player=1).allows("3@1", "3@3", *(f"6@{rail}" for rail in range(1, 6)))


@pytest.mark.clause("W8")
def test_a_double_goes_both_into_n_or_is_split_in_either_order() -> None:
    rolled = table(EMPTY, "44").shows(left=["n", "n|4"])
    rolled.allows(*(f"{line}@{rail}" for line in "n4" for rail in range(1, 6)))
    rolled.after("n@3").shows(left=["n|4"]).allows(*(f"{line}@{rail}" for line in "n4" for rail in range(1, 6)))
    rolled.after("4@3").shows(left=["n"]).allows(*(f"n@{rail}" for rail in range(1, 6)))
    assert rolled.after("n@3", "n@3").cup(3, 0) == [2, 0]
    assert rolled.after("4@3", "n@3").view["cups"] == rolled.after("n@3", "4@3").view["cups"]


@pytest.mark.clause("W8")
@pytest.mark.parametrize("roll", ["12", "34", "16"])
def test_line_n_is_reached_by_a_double_only(roll: str) -> None:
    assert not [action for action in table(EMPTY, roll).position.legal().actions if action.startswith("n")]


@pytest.mark.clause("W9")
def test_only_the_rail_that_took_the_marble_slides_and_only_at_once() -> None:
    placed = table(EMPTY, "25", "2@4").shows(phase="slide", rail=4, left=["5"]).allows("left", "right", "stay")
    placed.after("right").shows(offsets=[0, 0, 0, 1, 0], slid=[4], phase="place", rail=None)
    placed.after("left").shows(offsets=[0, 0, 0, -1, 0], direction=-1)
    placed.after("stay").shows(offsets=[0] * 5, slid=[], phase="place")
    placed.after("stay", "5@1").shows(rail=1).after("left").shows(offsets=[-1, 0, 0, 0, 0])


@pytest.mark.clause("W10")
def test_a_slid_rail_takes_no_second_marble() -> None:
    table(EMPTY, "25", "2@1", "right").allows("5@2", "5@3", "5@4", "5@5")


@pytest.mark.clause("W10")
def test_two_marbles_go_on_a_rail_that_was_not_slid() -> None:
    table(EMPTY, "25", "2@1", "stay", "5@1").shows(phase="slide", rail=1).allows("left", "right", "stay")


@pytest.mark.clause("W10")
def test_the_lock_ends_with_the_turn() -> None:
    other = table(EMPTY, "25", "2@1", "right", "5@3").shows(player=1, slid=[], direction=0)
    other.play("46").allows(*(f"{line}@{rail}" for line in "46" for rail in range(1, 6)))
    other.play("4@1").shows(rail=1).allows("left", "right", "stay")


@pytest.mark.clause("W11")
def test_the_second_slide_goes_the_same_way() -> None:
    table(EMPTY, "25", "2@1", "left", "5@4").allows("left", "stay")
    table(EMPTY, "25", "2@1", "right", "5@4").allows("right", "stay")
    table(EMPTY, "25", "2@1", "stay", "5@4").allows("left", "right", "stay")
    free = {"same_direction": False}
    table(EMPTY, "25", "2@1", "left", "5@4", options=free).allows("left", "right", "stay").play("right")


@pytest.mark.clause("W11")
def test_direction_stays_that_of_the_first_slide() -> None:
    rows = FOUR_IN_3.strip().splitlines()
    rows[4] = ". . . r . . ."  # comes into line 3 by the first slide, to the left
    both = table("\n".join(rows), "26", "6@5", "left", "2@1", "right", options={"same_direction": False})
    both.shows(phase="goal", slid=[5, 1], direction=-1, offsets=[1, 0, 0, 0, -1])


@pytest.mark.clause("W11")
def test_no_question_where_no_slide_is_legal() -> None:
    ended = table(EMPTY, "25", "2@1", "left", "5@4", offsets=(0, 0, 0, -2, 0))
    ended.shows(phase="roll", player=1)


TAKEN_LINES = """
. . g . . g .
. . g . . g .
. . g . . g .
. . g . . g .
. . g . . g .
"""


@pytest.mark.clause("W12")
def test_marbles_without_a_cup_are_given_one_by_one() -> None:
    closed = table(TAKEN_LINES, "35", options={"shared_middle": False}).allows("give 3")
    before = closed.view["winnings"]
    closed.play("give 3").shows(left=["5"], winnings=[before[0], before[1] + 1], phase="place").allows("give 5")
    closed.play("give 5").shows(player=1, phase="roll", winnings=[before[0], before[1] + 2])


@pytest.mark.clause("W12")
def test_a_marble_is_given_only_when_no_other_can_be_placed() -> None:
    one_closed = table(TAKEN_LINES, "36", options={"shared_middle": False})
    one_closed.allows(*(f"6@{rail}" for rail in range(1, 6)))
    one_closed.play("6@3").allows("give 3")


@pytest.mark.clause("W12")
def test_a_slid_rail_can_leave_no_cup() -> None:
    board = """
    . . . . . . .
    . . g . . . .
    . . g . . . .
    . . g . . . .
    . . g . . . .
    """
    table(board, "36", "6@1", "right", options={"shared_middle": False}).allows("give 3")
    table(board, "36", "6@1", "stay", options={"shared_middle": False}).allows("3@1")


@pytest.mark.clause("W12", "W8")
def test_giving_on_a_double() -> None:
    board = "\n".join([". . . g g . ."] * 5)
    double = table(board, "44", options={"shared_middle": False}).allows("give n").play("give n")
    double.shows(left=["n|4"]).allows("give n|4").play("give n|4").shows(phase="roll", player=1)
    open_4 = table("\n".join([". . . g . . ."] * 5), "44", options={"shared_middle": False})
    open_4.allows(*(f"4@{rail}" for rail in range(1, 6))).play("4@3").shows(left=["n"]).allows("give n")


@pytest.mark.clause("W12", "W7")
def test_a_shared_middle_always_has_a_cup() -> None:
    table(TAKEN_LINES, "35").allows("3@3", "5@3")


@pytest.mark.clause("W13", "W2", "W9")
def test_a_marble_in_line_2_scores_in_line_3() -> None:
    goal = table(FOUR_IN_3, "26", "2@1", "right").shows(phase="goal", left=["6"], slid=[1], rail=None)
    goal.allows("take", "leave")
    assert goal.goals() == [("vertical", -1)]


FALLING = """
r . . . . . .
. . r . . . .
. . . r . . .
. . . . r . .
. . . . . r .
"""
RISING = """
. . . . . r .
. . . . r . .
. . . r . . .
. . r . . . .
r . . . . . .
"""


@pytest.mark.clause("W13")
def test_diagonal_goals() -> None:
    # Rail 1 slides one notch to the right, from line 1 to line 2: 2 3 n 4 5, falling through n.
    falling = table(FALLING, "26", "6@1", "right")
    assert falling.goals() == [("falling", 0)], falling.position.picture()
    rising = table(RISING, "26", "6@5", "right")
    assert rising.goals() == [("rising", 0)], rising.position.picture()


@pytest.mark.clause("W13")
def test_a_goal_may_lie_partly_outside_the_labelled_lines() -> None:
    # Rising through line 6 on the middle rail: columns 5, 4, 3, 2, 1, the first two beyond line 6.
    board = """
    . . . . . . . . . . . r . . .
    . . . . . . . . . . . r . . .
    . . . . . . . . . . r . . . .
    . . . . . . . . . r . . . . .
    . . . . . . . . r . . . . . .
    """
    outside = table(board, "13", "1@1", "right", offsets=(1, 0, 0, 0, 0))
    assert outside.goals() == [("rising", 3)], outside.position.picture()
    outside.play("take")
    assert [outside.cup(rail, 3 - (rail - 3))[0] for rail in range(1, 6)] == [0] * 5


@pytest.mark.clause("W13")
def test_four_in_line_or_a_gap_is_no_goal() -> None:
    table(FOUR_IN_3, "26", "6@1", "right").shows(phase="place")
    board = FOUR_IN_3.replace(". . r . . . .", ". . . r . . .", 1)  # rail 2 is one notch off
    table(board, "26", "2@1", "right").shows(phase="place")


@pytest.mark.clause("W13", "W6")
def test_enemy_marbles_do_not_complete_a_line() -> None:
    table(FOUR_IN_3.replace("r", "g", 1), "26", "2@1", "right").shows(phase="place")


@pytest.mark.clause("W13", "W16")
def test_marbles_left_from_a_goal_may_be_part_of_a_later_one() -> None:
    board = FOUR_IN_3.replace("r", "r2")
    later = table(
        board, "26", "2@1", "right", "take", "1", "1", "1", "1", "6@3"
    )  # line 3 keeps one each on rails 2 to 5
    later.play("15", "1@3", "5@3")  # green's turn
    later.play("36", "3@1", "stay", "6@3")  # red's: placed, not slid: no goal
    later.play("15", "1@3", "5@3")
    later.play("26", "2@1", "stay", "6@1", "stay")
    assert later.cup(1, -1)[0] == 1
    assert later.cup(1, -2)[0] == 1
    later.play("15", "1@3", "5@3")
    again = later.play("16", "1@1", "right")  # the marble of line 2 comes into line 3
    assert again.goals() == [("vertical", -1)], again.position.picture()


@pytest.mark.clause("W14")
def test_a_line_completed_by_placing_is_no_goal() -> None:
    placed = table(FOUR_IN_3, "36", "3@1", "stay").shows(phase="place", goals=[])
    placed.shows(winnings=table(FOUR_IN_3).view["winnings"])


@pytest.mark.clause("W14")
def test_a_line_that_stood_there_counts_again_with_another_cup_of_the_slid_rail() -> None:
    # Rail 1 has red in lines 2 and 3, line 3 is complete before the slide; the slide brings another cup of rail 1.
    board = FOUR_IN_3.replace(". . . . . . .", ". r r . . . .", 1)
    again = table(board, "16", "6@1", "right")
    assert again.goals() == [("vertical", -1)], again.position.picture()


@pytest.mark.clause("W14")
def test_a_line_that_the_slid_rail_has_left_is_no_goal() -> None:
    board = FOUR_IN_3.replace(". . . . . . .", ". . r . . . .", 1)
    table(board, "16", "6@1", "right").shows(phase="place")


@pytest.mark.clause("W15")
def test_a_line_completed_for_the_enemy_is_no_goal() -> None:
    board = """
    . g . . . . .
    . . g . . . .
    . . g . . . .
    . . g . . . .
    . . g . . . .
    """
    helped = table(board, "16", "6@1", "right").shows(phase="place", goals=[])
    assert helped.cup(1, -1) == [0, 1]
    helped.play("1@3").shows(player=1, phase="roll", goals=[])


@pytest.mark.clause("W16", "W18")
def test_leave_everything_take_all_or_take_some() -> None:
    board = FOUR_IN_3.replace("r", "r3", 1)  # three on rail 2
    goal = table(board, "26", "2@1", "right")
    won = goal.view["winnings"][0]
    left = goal.after("leave").shows(phase="place", winnings=[won, goal.view["winnings"][1]])
    assert left.cup(2, -1) == [3, 0]
    asked = goal.after("take").shows(phase="cup", cup=[2, 4]).allows("1", "2", "3")
    assert asked.view["goals"] == [{"line": "vertical", "column": -1, "taken": True}]
    assert asked.view["winnings"][0] == won + 1  # rail 1's single marble went unasked, those after rail 2 wait
    everything = asked.after("3").shows(phase="place", goals=[], cup=None)
    assert everything.view["winnings"][0] == won + 7
    assert [everything.cup(rail, -1) for rail in range(1, 6)] == [[0, 0]] * 5
    some = asked.after("1")
    assert some.view["winnings"][0] == won + 5
    assert [some.cup(rail, -1)[0] for rail in range(1, 6)] == [0, 2, 0, 0, 0]


@pytest.mark.clause("W16")
def test_a_goal_that_was_left_cannot_be_taken_in_a_later_turn() -> None:
    left = table(FOUR_IN_3, "26", "2@1", "right", "leave", "6@3")
    left.play("15", "1@3", "5@3")
    left.play("16", "1@3").shows(phase="place", goals=[]).play("6@3").shows(phase="roll", goals=[])
    assert [left.cup(rail, -1)[0] for rail in range(1, 6)] == [1] * 5


@pytest.mark.clause("W16", "W5")
def test_the_first_goal_is_settled_before_the_second_marble() -> None:
    goal = table(FOUR_IN_3, "26", "2@1", "right").shows(left=["6"])
    assert goal.told[-1].startswith("Goal!")
    goal.play("take").shows(phase="place", left=["6"])


CROSS = """
. r . r . . .
. . r r . . .
. . . r . . .
. . . r r . .
. . . r . r .
"""
"""A vertical line through n and a falling one share the middle cup, once rail 1 slides from one notch left to rest."""


def crossed(middle: int = 1, **options: bool) -> Table:
    """Red has just slid rail 1 and made both goals; so many marbles lie in the middle cup, which they share."""
    board = CROSS.replace("r", f"r{middle}", 5).replace(f"r{middle}", "r", 4)
    rows = board.strip().splitlines()
    rows[0] = "r . r . . . ."
    return table("\n".join(rows), "26", "6@1", "right", offsets=(-1, 0, 0, 0, 0), options=options)


ONE_BY_ONE = {"combined_goals": False}
BOTH_UNDECIDED = [
    {"line": "vertical", "column": 0, "taken": None},
    {"line": "falling", "column": 0, "taken": None},
]


@pytest.mark.clause("W17")
def test_several_goals_by_one_slide_are_decided_together() -> None:
    both = crossed().shows(phase="goal", goals=BOTH_UNDECIDED).allows("take", "leave")
    won = both.view["winnings"][0]
    left = both.after("leave").shows(phase="place", left=["2"], goals=[])
    assert left.view["winnings"][0] == won
    assert left.view["cups"] == both.view["cups"]
    taken = both.after("take").shows(phase="place", left=["2"], goals=[])
    assert taken.view["winnings"][0] == won + 9, taken.position.picture()  # five and five, and the middle cup is shared
    assert [taken.cup(rail, 0)[0] for rail in range(1, 6)] == [0] * 5
    assert [taken.cup(rail, rail - 3)[0] for rail in range(1, 6)] == [0] * 5


@pytest.mark.clause("W17", "W16")
def test_at_least_one_marble_of_every_cup_of_a_combination_is_taken() -> None:
    both = crossed(middle=3).play("take").shows(phase="cup", cup=[3, 5]).allows("1", "2", "3")
    assert [goal["taken"] for goal in both.view["goals"]] == [True, True]
    won = both.view["winnings"][0]  # four cups of rails 1 and 2 are settled
    for number in (1, 2, 3):
        some = both.after(str(number)).shows(phase="place")
        assert some.view["winnings"][0] == won + number + 4
        assert some.cup(3, 0) == [3 - number, 0]


@pytest.mark.clause("W17")
def test_every_stack_of_a_combination_is_asked_about_once() -> None:
    rows = CROSS.replace("r", "r2").strip().splitlines()
    rows[0] = "r2 . r2 . . . ."
    both = table("\n".join(rows), "26", "6@1", "right", "take", offsets=(-1, 0, 0, 0, 0))
    won, asked = both.view["winnings"][0], []
    while both.view["phase"] == "cup":
        asked.append(tuple(both.view["cup"]))
        both.allows("1", "2").play("1")
    assert asked == [(1, 3), (1, 5), (2, 4), (2, 5), (3, 5), (4, 5), (4, 6), (5, 5), (5, 7)]
    assert both.view["winnings"][0] == won + 9


@pytest.mark.clause("W17", "W16")
@pytest.mark.parametrize("combined", [True, False])
def test_a_single_goal_is_settled_alike_with_and_without_combinations(combined: bool) -> None:
    board = FOUR_IN_3.replace("r", "r3", 1)
    goal = table(board, "26", "2@1", "right", options={"combined_goals": combined}).allows("take", "leave")
    goal.after("leave").shows(phase="place", goals=[])
    goal.after("take").shows(phase="cup", cup=[2, 4]).allows("1", "2", "3")


@pytest.mark.clause("W17", "W19")
def test_a_combination_may_be_left_where_goals_are_forced() -> None:
    rows = CROSS.strip().splitlines()
    rows[0] = "r . r . . . ."
    forced = table("\n".join(rows), "26", "6@1", offsets=(-1, 0, 0, 0, 0), options={"forced_goals": True})
    forced.allows("left", "right")  # to the left the falling line alone is complete
    forced.play("right").shows(phase="goal", goals=BOTH_UNDECIDED).allows("take", "leave")


@pytest.mark.clause("W17", "W16")
def test_a_combination_that_was_left_is_gone_with_the_next_marble() -> None:
    later = crossed().play("leave", "2@3").shows(phase="roll", player=1, goals=[])
    later.play("15", "1@3", "5@3").shows(player=0).play("25", "2@3").shows(phase="place", goals=[])


@pytest.mark.clause("W17")
def test_without_combinations_goals_are_decided_one_by_one() -> None:
    both = crossed(**ONE_BY_ONE)
    assert both.goals() == [("vertical", 0), ("falling", 0)], both.position.picture()
    won = both.view["winnings"][0]
    # Nothing is taken before all goals are decided.
    assert both.after("take").shows(phase="goal").view["winnings"][0] == won
    assert both.after("take", "take").view["winnings"][0] == won + 9
    assert both.after("take", "leave").view["winnings"][0] == won + 5
    assert both.after("leave", "take").view["winnings"][0] == won + 5
    assert both.after("leave", "leave").view["winnings"][0] == won
    kept = both.after("leave", "take")
    assert (kept.cup(3, 0), kept.cup(1, 0), kept.cup(1, -2)) == ([0, 0], [1, 0], [0, 0])


@pytest.mark.clause("W17")
def test_a_cup_that_two_taken_lines_share_is_asked_once() -> None:
    both = crossed(middle=3, **ONE_BY_ONE).play("take", "take").shows(phase="cup", cup=[3, 5]).allows("1", "2", "3")
    won = both.view["winnings"][0]  # four cups of rails 1 and 2 are settled
    assert both.after("1").shows(phase="place").view["winnings"][0] == won + 1 + 4
    assert both.after("3").view["winnings"][0] == won + 3 + 4


@pytest.mark.clause("W17")
def test_goals_are_ordered_by_column_then_vertical_falling_rising() -> None:
    # Rail 5 comes back to rest and completes three lines through line 3 on the middle rail.
    star = """
    . . . . r . r . r . . . . . .
    . . . . . r r r . . . . . . .
    . . . . . . r . . . . . . . .
    . . . . . r r r . . . . . . .
    . . . r . r . r . . . . . . .
    """
    three = table(star, "26", "6@5", "right", offsets=(0, 0, 0, 0, -1))
    assert three.goals() == [("vertical", -1), ("falling", -1), ("rising", -1)], three.position.picture()
    # Rail 1 completes line 2, a rising line through n and line 5, in this order.
    ladder = """
    . . . . r . . . r . . . . . .
    . . . . . r . . r r . . . . .
    . . . . . r . r . r . . . . .
    . . . . . r r . . r . . . . .
    . . . . . r . . . r . . . . .
    """
    three = table(ladder, "14", "4@1", "right")
    assert three.goals() == [("vertical", -2), ("rising", 0), ("vertical", 2)], three.position.picture()


@pytest.mark.clause("W18")
def test_enemy_marbles_of_the_middle_cup_stay() -> None:
    rows = FOUR_IN_3.strip().splitlines()
    rows[2] = ". . r2g3 . . . ."
    goal = table("\n".join(rows), "26", "2@1", "right", "take", "2")
    assert goal.cup(3, -1) == [0, 3]


@pytest.mark.clause("W18")
def test_a_taken_marble_is_a_point_and_out_of_play() -> None:
    goal = table(FOUR_IN_3, "26", "2@1", "right")
    won = goal.view["winnings"][0]
    goal.play("take")
    assert goal.view["winnings"][0] == won + 5
    assert sum(cup[0] for rail in goal.view["cups"] for cup in rail) == 0


@pytest.mark.clause("W19")
def test_a_goal_may_be_missed_unless_goals_are_forced() -> None:
    table(FOUR_IN_3, "26", "2@1").allows("left", "right", "stay")
    forced = {"forced_goals": True}
    goal = table(FOUR_IN_3, "26", "2@1", options=forced).allows("right")
    goal.play("right").allows("take", "leave")  # leaving stays free
    table(FOUR_IN_3, "26", "6@1", options=forced).allows("left", "right", "stay")
    table(FOUR_IN_3, "26", options=forced).allows(*(f"{line}@{rail}" for line in "26" for rail in range(1, 6)))


@pytest.mark.clause("W19")
def test_where_both_slides_make_a_goal_either_is_forced() -> None:
    rows = FOUR_IN_3.strip().splitlines()
    rows[0] = ". r . r . . ."
    table("\n".join(rows), "16", "1@1", options={"forced_goals": True}).allows("left", "right")


@pytest.mark.clause("W19", "W11")
def test_a_forced_goal_is_no_reason_to_slide_the_other_way() -> None:
    forced = {"forced_goals": True}
    table(FOUR_IN_3, "26", "6@2", "left", "2@1", options=forced).allows("left", "stay")


@pytest.mark.clause("W20")
@pytest.mark.parametrize(
    ("board", "winner"),
    [(". . r . . . .", 1), (". . g . . . .", 0), (". . . . . . .", "draw")],
)
def test_after_fifteen_turns_each_more_winnings_win(board: str, winner: int | str) -> None:
    view = turn_view("\n".join([board, *[". . . . . . ."] * 4]), player=1, turns=14)
    view["turns"][0] = 15  # red started
    view["winnings"][0] += 2
    last = from_view(view).play("35", "3@3")
    assert not last.position.over
    assert last.position.returns() == ()
    cups = sum(cup[1] for rail in last.view["cups"] for cup in rail)
    assert cups >= 1
    red, green = last.view["winnings"]
    last.play("5@3").shows(phase="over", turns=[15, 15], dice="", left=[], player=1)
    expected = "draw" if red == green else int(green > red)
    last.shows(winner=expected).allows()
    assert last.position.returns() == {0: (1.0, 0.0), 1: (0.0, 1.0), "draw": (0.5, 0.5)}[expected]
