"""Yam Master, clause by clause, as a player would say it."""

import pytest

from ludotheque.core import BadView, Dice, Json, Match, Position, find_game
from ludotheque.games.yam_master.facts import BOARD_NAMES
from table import after, changed, events, impossible, only, possible, set_up, shows

pytestmark = pytest.mark.rules
GAME = find_game("yam-master")
EMPTY = [".....", ".....", ".....", ".....", "....."]
START: dict[str, Json] = {
    "phase": "roll",
    "player": 0,
    "rolls": 0,
    "dice": "",
    "kept": "",
    "defi": False,
    "board": EMPTY,
    "turns": [0, 0],
}


def start(board: list[str] | None = None, **more: Json) -> Position:
    return set_up(GAME, changed(START, board=board or EMPTY, **more))


def rolled(
    dice: str, roll: int = 1, board: list[str] | None = None, *, defi: bool = False, player: int = 0
) -> Position:
    """A player about to decide on these dice."""
    more: dict[str, Json] = {
        "phase": "decide",
        "dice": "".join(sorted(dice)),
        "rolls": roll,
        "defi": defi,
        "player": player,
    }
    return set_up(GAME, changed(START, board=board or EMPTY, **more))


def cells_of(position: Position) -> set[str]:
    """The names of the cells on which a pawn can be placed."""
    names = set()
    for action in position.legal().actions:
        if action.startswith("place "):
            row, column = int(action[7]), int(action[9])
            names.add(BOARD_NAMES[row - 1][column - 1])
    return names


def where(name: str) -> list[str]:
    """M1 by hand: every cell of that name on the printed board."""
    board = "1 3 Défi 4 6/2 Carré Sec Full 5/≤8 Full Yam Défi Suite/6 Sec Suite ≤8 1/3 2 Carré 5 4"
    rows = [row.split(" ") for row in board.split("/")]
    return [f"place r{r + 1}c{c + 1}" for r in range(5) for c in range(5) if rows[r][c] == name]


@pytest.mark.clause("M1")
def test_the_board_has_these_25_cells() -> None:
    brelans = {"1": "11123", "2": "22213", "3": "33312", "4": "44412", "5": "55512", "6": "66612"}
    for name, dice in brelans.items():
        places = [action for action in rolled(dice, 2).legal().actions if action.startswith("place")]
        expected = where(name) + (where("≤8") if name == "1" else [])
        assert sorted(places) == sorted(expected), name
    assert len(where("Yam")) == 1
    assert sum(len(where(name)) for name in [*brelans, "Défi", "Carré", "Sec", "Full", "≤8", "Yam", "Suite"]) == 25


@pytest.mark.clause("M2")
def test_more_points_win_at_the_end() -> None:
    board = ["000..", ".....", "11.11", "11.11", ".1.11"]  # 1 has eleven pawns, 0 has three in line
    end = after(rolled("44412", 3, board, player=1), "place r1c4")
    assert end.over, end.picture()
    # 1: columns c2, c4, c5 have three each; 0: one row. Diagonals through (r3c2,r4c1), (r3c5,r4c4) are too short.
    shows(end, points=[1, 3], winner=1)
    assert end.returns() == (0.0, 1.0)


@pytest.mark.clause("M3")
def test_three_rolls_and_no_fourth() -> None:
    game = start()
    assert game.to_move == "chance"
    game = after(game, "12345")
    possible(game, "keep", "keep 1", "keep 1234")
    game = after(game, "keep 12", "11233")
    shows(game, rolls=2, dice="11233", kept="", phase="decide")
    possible(game, "keep 33", "keep 113")  # a die set aside may be rolled again
    game = after(game, "keep 33", "33333")
    assert not [action for action in game.legal().actions if action.startswith(("keep", "defi"))]


@pytest.mark.clause("M3")
def test_dice_that_are_kept_stay() -> None:
    game = after(start(), "11345", "keep 113")
    shows(game, phase="roll", kept="113", dice="11345", rolls=1)
    legal = game.legal()
    assert len(legal.actions) == 21
    assert sum(legal.weights) == 36
    for dice in legal.actions:
        assert dice.count("1") >= 2
        assert "3" in dice


@pytest.mark.parametrize("kept", ["31", "7", "66", "11345"])
def test_what_is_kept_is_written_in_order_and_is_a_part_of_the_dice(kept: str) -> None:
    with pytest.raises(BadView, match="kept: it is set only while"):
        start(dice="11345", rolls=1, kept=kept)


@pytest.mark.clause("M3", "M4")
def test_a_roll_of_all_dice_has_252_results() -> None:
    legal = start().legal()
    assert len(legal.actions) == 252
    assert sum(legal.weights) == 6**5
    weights = dict(zip(legal.actions, legal.weights, strict=True))
    assert (weights["11111"], weights["12345"], weights["11222"]) == (1, 120, 10)


@pytest.mark.clause("M4")
def test_a_new_roll_rolls_at_least_one_die() -> None:
    for game in (rolled("12346"), rolled("12346", 2)):
        impossible(game, "keep 12346", "defi 12346")
        possible(game, "keep 1234")


@pytest.mark.clause("M4")
def test_equal_dice_are_one_choice() -> None:
    keeps = [action for action in rolled("66666", 2).legal().actions if action.startswith("keep")]
    assert sorted(keeps) == ["keep", "keep 6", "keep 66", "keep 666", "keep 6666"]


@pytest.mark.clause("M5")
def test_one_may_stop_after_any_roll() -> None:
    for roll in (1, 2, 3):
        possible(rolled("44412", roll), "place r1c4", "pass")


@pytest.mark.clause("M6")
def test_placing_ends_the_turn_and_is_never_compulsory() -> None:
    game = rolled("44412", 1)
    placed = after(game, "place r5c5")
    shows(placed, player=1, phase="roll", rolls=0, dice="", board=[*EMPTY[:4], "....0"], turns=[1, 0], stock=[11, 12])
    passed = after(game, "pass")
    shows(passed, player=1, phase="roll", board=EMPTY, turns=[1, 0], stock=[12, 12])


@pytest.mark.clause("M6")
def test_a_taken_cell_takes_no_second_pawn() -> None:
    impossible(rolled("44412", 1, ["...1.", *EMPTY[1:]]), "place r1c4")
    impossible(rolled("44412", 1, ["...0.", *EMPTY[1:]]), "place r1c4")


@pytest.mark.clause("M6")
def test_with_nothing_made_after_the_third_roll_one_passes() -> None:
    only(rolled("12346", 3), "pass")


@pytest.mark.clause("M7")
def test_a_yam_is_also_a_brelan_a_carre_and_a_full() -> None:
    assert cells_of(rolled("44444", 2)) == {"4", "Carré", "Full", "Yam"}


@pytest.mark.clause("M8")
def test_a_brelan_is_three_or_more_of_its_number() -> None:
    assert cells_of(rolled("11256", 2)) == set()
    assert cells_of(rolled("25666", 2)) == {"6"}
    assert cells_of(rolled("26666", 2)) == {"6", "Carré"}


@pytest.mark.clause("M9")
def test_a_full_is_three_and_two() -> None:
    assert cells_of(rolled("33355", 2)) == {"3", "Full"}
    assert cells_of(rolled("33455", 2)) == set()
    assert "Full" in cells_of(rolled("55555", 2))
    assert "Full" not in cells_of(rolled("55556", 2))


@pytest.mark.clause("M10")
def test_a_carre_is_four_or_five_equal() -> None:
    assert "Carré" in cells_of(rolled("22225", 2))
    assert "Carré" in cells_of(rolled("22222", 2))
    assert "Carré" not in cells_of(rolled("22255", 2))


@pytest.mark.clause("M11")
def test_a_yam_is_five_equal() -> None:
    assert "Yam" in cells_of(rolled("66666", 3))
    assert "Yam" not in cells_of(rolled("56666", 3))


@pytest.mark.clause("M12")
def test_the_two_suites() -> None:
    assert cells_of(rolled("12345", 2)) == {"Suite"}
    assert cells_of(rolled("23456", 2)) == {"Suite"}
    assert cells_of(rolled("12346", 2)) == set()


@pytest.mark.clause("M13")
def test_eight_or_less() -> None:
    assert cells_of(rolled("11222", 2)) == {"2", "Full", "≤8"}  # 8
    assert cells_of(rolled("11223", 2)) == set()  # 9
    assert cells_of(rolled("11123", 2)) == {"1", "≤8"}  # 8


@pytest.mark.clause("M14")
def test_a_sec_is_made_by_the_first_roll_alone() -> None:
    for dice in ("33355", "22225", "66666", "12345", "11123"):
        assert "Sec" in cells_of(rolled(dice, 1)), dice
        assert "Sec" not in cells_of(rolled(dice, 2)), dice
    assert cells_of(rolled("33355", 1)) == {"3", "Full", "Sec"}


@pytest.mark.clause("M14")
def test_a_brelan_alone_makes_no_sec() -> None:
    assert cells_of(rolled("33345", 1)) == {"3"}


@pytest.mark.clause("M15")
def test_a_challenge_is_announced_after_the_first_roll_only() -> None:
    possible(rolled("12346", 1), "defi", "defi 1234", "defi 6")
    assert not [action for action in rolled("12346", 2).legal().actions if action.startswith("defi")]
    announced = after(rolled("12346", 1), "defi 1234")
    shows(announced, defi=True, kept="1234", phase="roll")
    again = after(announced, "12344")
    assert not [action for action in again.legal().actions if action.startswith("defi")]


@pytest.mark.clause("M15")
def test_a_challenge_is_met_by_the_second_or_the_third_roll() -> None:
    second = after(rolled("12346", 1), "defi 1234", "12345")
    assert cells_of(second) == {"Défi", "Suite"}
    third = after(rolled("12346", 1), "defi 1234", "12346", "keep 1234", "12345")
    assert cells_of(third) == {"Défi", "Suite"}


@pytest.mark.clause("M16")
def test_an_unmet_challenge_places_nothing_a_brelan_neither() -> None:
    only(rolled("33345", 3, defi=True), "pass")
    assert cells_of(rolled("33345", 2, defi=True)) == set()


@pytest.mark.clause("M16")
def test_a_met_challenge_may_be_risked() -> None:
    met = rolled("33355", 2, defi=True)
    assert cells_of(met) == {"Défi", "3", "Full"}
    lost = after(met, "keep 333", "33346")
    only(lost, "pass")


@pytest.mark.clause("M16")
def test_without_a_challenge_there_is_no_defi_cell() -> None:
    assert "Défi" not in cells_of(rolled("33355", 2))


@pytest.mark.clause("M17")
def test_what_was_there_and_survives_the_roll_counts() -> None:
    game = after(rolled("22225", 1), "defi 2222", "22223")
    assert cells_of(game) == {"Défi", "2", "Carré"}
    possible(game, "pass")


@pytest.mark.clause("M17")
def test_one_may_announce_with_no_defi_cell_free() -> None:
    possible(rolled("12346", 1, ["..1..", ".....", "...0.", ".....", "....."]), "defi 1234")


@pytest.mark.clause("M18")
def test_the_predator_takes_any_enemy_pawn_back_to_its_stock() -> None:
    board = ["1....", "0....", "..1..", ".....", "....."]
    game = rolled("44444", 3, board)
    possible(game, "take r1c1", "take r3c3")
    impossible(game, "take r2c1", "take r5c5")
    taken = after(game, "take r1c1")
    shows(taken, board=[".....", *board[1:]], stock=[11, 11], player=1, turns=[1, 0])
    possible(after(taken, "11123"), "place r1c1")


@pytest.mark.clause("M18")
def test_the_predator_hunts_in_a_challenge_too_and_only_with_a_yam() -> None:
    board = ["1....", *EMPTY[1:]]
    possible(rolled("44444", 2, board, defi=True), "take r1c1")
    impossible(rolled("44445", 2, board), "take r1c1")


@pytest.mark.clause("M19")
def test_lines_run_in_all_directions() -> None:
    three: dict[str, list[str]] = {
        "row": ["..000", *EMPTY[1:]],
        "column": [".....", ".....", "...0.", "...0.", "...0."],
        "long diagonal": [".....", ".0...", "..0..", "...0.", "....."],
        "short diagonal": ["..0..", ".0...", "0....", ".....", "....."],
        "other short diagonal": [".....", ".....", "0....", ".0...", "..0.."],
        "four-cell diagonal": [".0...", "..0..", "...0.", ".....", "....."],
    }
    for name, board in three.items():
        assert start(board).view()["points"] == [1, 0], name
    assert start(["000..", *EMPTY[1:4], "..00."]).view()["points"] == [1, 0]


@pytest.mark.clause("M20")
def test_three_is_one_point_four_is_two() -> None:
    shows(start(["000..", *EMPTY[1:]]), points=[1, 0])
    shows(start(["0000.", *EMPTY[1:]]), points=[2, 0])
    shows(start(["000..", "0....", "0....", ".....", "....."]), points=[2, 0])  # two lines share a pawn
    shows(start(["00.00", *EMPTY[1:]]), points=[0, 0])
    shows(start(["11100", *EMPTY[1:]]), points=[0, 1])


@pytest.mark.clause("M20")
def test_the_terminal_tells_each_line_and_that_four_are_two_points_and_not_more() -> None:
    board = ["0000.", "...1.", "...1.", "...1.", "....."]
    game = start(board)
    shows(game, points=[2, 1])
    told = game.picture()
    assert "r1c1 to r1c4: four in line, 2 points, not more" in told
    assert "r2c4 to r4c4: three in line, 1 point" in told
    assert told.count("in line") == 2
    assert "r1c1 à r1c4 : quatre pions alignés, 2 points, pas plus" in game.picture(language="fr")


@pytest.mark.clause("M21")
def test_five_in_line_wins_at_once() -> None:
    board = [".0000", "1111.", "1111.", "111..", "....."]  # the enemy has far more points
    game = rolled("11123", 2, board)
    end = after(game, "place r1c1")
    shows(end, phase="over", winner=0, player=0, rolls=0, dice="", turns=[1, 0])
    assert end.returns() == (1.0, 0.0)
    assert [event.what for event in events(game, "place r1c1")] == ["place", "five"]


@pytest.mark.clause("M21", "M22")
def test_five_in_line_comes_before_the_count() -> None:
    board = [".0000", "11110", "1.110", "00.11", "11000"]  # the last pawn of 0
    end = after(rolled("11123", 2, board), "place r1c1")
    shows(end, winner=0, stock=[0, 1])


@pytest.mark.clause("M22")
def test_the_last_pawn_ends_the_game_and_the_board_is_counted() -> None:
    board = ["000..", "0.0.0", "0.0.0", "...0.", "11.1."]  # ten pawns: r1 three; columns c1 and c3 three each
    game = rolled("44412", 3, board)
    assert not after(game, "place r1c4").over  # eleven
    board[3] = ".0.0."
    end = after(rolled("44412", 3, board), "place r5c5")
    shows(end, phase="over", stock=[0, 9], winner=0)


@pytest.mark.clause("M22")
def test_equal_points_are_a_draw() -> None:
    board = ["0.0..", ".1.10", "0.0..", ".1.10", "0.01."]
    game = set_up(GAME, changed(START, board=board, turns=[99, 99], phase="decide", rolls=3, dice="12346"))
    end = after(game, "pass", "12346", "pass")
    assert end.over
    shows(end, points=[0, 0], winner="draw")
    assert end.returns() == (0.5, 0.5)


@pytest.mark.clause("M22")
def test_a_pawn_taken_takes_its_points_with_it() -> None:
    game = rolled("66666", 2, ["111..", *EMPTY[1:]])
    shows(game, points=[0, 1])
    shows(after(game, "take r1c2"), points=[0, 0])


@pytest.mark.clause("M23")
def test_the_game_ends_after_a_hundred_turns_each() -> None:
    game = start(turns=[99, 99])
    half = after(game, "12346", "pass")
    assert not half.over
    assert after(half, "12346", "pass").over


@pytest.mark.clause("M23")
def test_the_limit_of_turns_is_an_option() -> None:
    game = set_up(GAME, START, options={"max_turns": 1})
    assert after(game, "12346", "pass", "12346", "pass").over


@pytest.mark.clause("M24")
def test_who_starts_is_drawn() -> None:
    starters = [Match(GAME, dice=Dice(str(seed))).position.view()["player"] for seed in range(200)]
    assert 60 < sum(1 for starter in starters if starter == 1) < 140


@pytest.mark.clause("M24")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_table_may_name_who_starts_and_then_nothing_is_drawn(seat: int) -> None:
    named = [Match(GAME, options={"first": seat}, dice=Dice(str(seed))) for seed in range(20)]
    assert {match.position.view()["player"] for match in named} == {seat}
    assert all(match.setup_draws == () for match in named)
    drawn = Match(GAME, options={"first": "lot"}, dice=Dice("a seed"))
    assert drawn.first == Match(GAME, dice=Dice("a seed")).first
    again = Match(GAME, options={"first": 1 - seat}, setup=named[0].first.view())
    assert again.position.view()["player"] == seat, "a set-up says who is to play"


@pytest.mark.clause("M24")
def test_players_alternate() -> None:
    game = start()
    shows(after(game, "12346", "pass"), player=1)
    shows(after(game, "12346", "pass", "12346", "pass"), player=0)
