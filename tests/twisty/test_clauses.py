"""What a player says of Twisty's rules, clause by clause, on small positions."""

from collections import Counter
from itertools import pairwise

import pytest

from ludotheque.core import BadOption, Dice, Game, Json, JsonObject, Match, find_game
from table import shaped
from twisty.table import BARE, SPECIALS, SQUARES, Table

pytestmark = pytest.mark.rules


@pytest.fixture
def game() -> Game:
    return find_game("twisty")


def match(players: int = 2, seed: str = "a seed", options: Json = None) -> Match:
    return Match(find_game("twisty"), players, options, dice=Dice(seed))


def tokens_of(view: JsonObject) -> dict[str, str]:
    board = shaped(list[str], view["board"])
    return {square: board[7 - int(square[1])]["abcdefg".index(square[0])] for square in SQUARES}


# The set-up.


@pytest.mark.clause("T1")
def test_tokens_cover_every_square_but_the_centre_and_the_corners() -> None:
    for seed in range(20):
        tokens = tokens_of(match(seed=str(seed)).first.view())
        assert {square for square, token in tokens.items() if token == "."} == BARE


@pytest.mark.clause("T1")
def test_the_tokens_lie_at_random() -> None:
    seen = Counter(tokens_of(match(seed=str(seed)).first.view())["b3"] for seed in range(150))
    assert len(seen) >= 10  # of twelve kinds
    assert match(seed="x").first.view() == match(seed="x").first.view()


@pytest.mark.clause("T2")
def test_there_are_four_of_each_colour_and_sixteen_special_tokens() -> None:
    counts = Counter(tokens_of(match().first.view()).values())
    assert counts == {**dict.fromkeys("ABCDEFG", 4), **SPECIALS, ".": 5}
    other = {"+": 0, "x": 1, "L": 2, "o": 5, "s": 8}
    counts = Counter(tokens_of(match(options={"specials": other}).first.view()).values())
    assert counts == Counter({**dict.fromkeys("ABCDEFG", 4), **other, ".": 5})


@pytest.mark.clause("T2")
@pytest.mark.parametrize(
    "specials",
    [{"+": 3, "x": 3, "L": 3, "o": 4, "s": 4}, {"+": 16}, {"+": -1, "x": 7, "L": 3, "o": 4, "s": 3}, 16, {"q": 16}],
)
def test_special_tokens_are_sixteen_in_all(game: Game, specials: Json) -> None:
    with pytest.raises(BadOption, match="specials"):
        game.read_options({"specials": specials})


@pytest.mark.clause("T3")
def test_each_player_has_the_seven_colours_in_an_order_that_all_see() -> None:
    series: list[str] = []
    for seed in range(20):
        view = match(4, seed=str(seed)).first.view()
        drawn = shaped(list[str], view["series"])
        assert all(sorted(one) == list("ABCDEFG") for one in drawn)
        assert view["collected"] == [0, 0, 0, 0]
        series += drawn
    assert len(set(series)) > 70  # of 80 drawn from 5040


@pytest.mark.clause("T4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_corners_are_chosen_in_playing_order_by_whoever_starts_first(players: int) -> None:
    new = match(players)
    first = new.to_move
    assert isinstance(first, int)
    corners = ["g7", "a1", "g1", "a7"]
    for later in range(players):
        assert new.to_move == (first + later) % players
        assert set(new.position.legal().actions) == {f"corner {corner}" for corner in corners[later:]}
        new.play(f"corner {corners[later]}")
    assert new.to_move == first
    view = new.position.view()
    assert (view["phase"], view["first"], view["round"]) == ("move", first, 1)


@pytest.mark.clause("T4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_starts_is_drawn_and_each_is_as_likely(players: int) -> None:
    starts = Counter(match(players, seed=f"start {number}").to_move for number in range(200))
    expected = 200 / players
    assert set(starts) == set(range(players))
    assert sum((count - expected) ** 2 / expected for count in starts.values()) < 16.3  # 1 in 1000 for three degrees


@pytest.mark.clause("T4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_table_may_let_the_youngest_start(players: int) -> None:
    by_lot = match(players)
    for seat in range(players):
        named = match(players, options={"first": seat})
        assert (named.to_move, named.position.view()["first"]) == (seat, seat)
        assert named.setup_draws == by_lot.setup_draws[:-1], "the board and the series are drawn as ever"
        assert named.position.view() == {**by_lot.position.view(), "player": seat, "first": seat}
    with pytest.raises(BadOption, match=f"a seat from 0 to {players - 1}"):
        match(players, options={"first": players})


@pytest.mark.clause("T4")
def test_play_goes_clockwise() -> None:
    table = Table(["a1", "g1", "a7"], {"b3": "B", "e2": "B", "b5": "B"}, player=2, first=2)
    table.play("b5").see(player=0)
    table.play("b3").see(player=1, round=1)
    table.play("e2").see(player=2, round=2)


# A turn.


@pytest.mark.clause("T5")
def test_a_pawn_moves_like_a_knight_and_jumps_over_everything() -> None:
    Table(["a1", "g7"]).may("b3", "c2")
    Table(["d4", "c3"]).may("b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5")
    Table(["d1", "g7"]).may("b2", "c3", "e3", "f2")


@pytest.mark.clause("T5")
@pytest.mark.parametrize("token", ["+", "x", "L", "o", "s"])
def test_a_token_on_which_the_turn_starts_gives_nothing(token: str) -> None:
    table = Table(["b3", "g7"], {"b3": token}, collected=[1, 0])
    table.may("a1", "a5", "c1", "c5", "d2", "d4")


@pytest.mark.clause("T6")
@pytest.mark.parametrize(
    ("pawn", "empty_square"), [("b3", "a1"), ("b3", "d4"), ("d6", "c4")], ids=["corner", "centre", "collected"]
)
def test_on_an_empty_square_the_turn_ends(pawn: str, empty_square: str) -> None:
    table = Table([pawn, "g7"], empty=["c4"], collected=[1, 0])
    table.play(empty_square).see(phase="move", player=1, pawns=[empty_square, "g7"], collected=[1, 0])


@pytest.mark.clause("T7")
def test_the_next_colour_is_collected_and_its_square_is_empty_from_then_on() -> None:
    table = Table(["a1", "g7"], {"b3": "A"})
    table.play("b3").see(collected=[1, 0], at_b3=".", player=1, phase="move")


@pytest.mark.clause("T7")
def test_another_colour_stays_where_it_is() -> None:
    table = Table(["a1", "g7"], {"b3": "B"})
    table.play("b3").see(collected=[0, 0], at_b3="B", player=1, pawns=["b3", "g7"])


@pytest.mark.clause("T7")
def test_a_colour_collected_before_is_not_collected_again() -> None:
    table = Table(["a1", "g7"], {"b3": "A"}, collected=[1, 0])
    table.play("b3").see(collected=[1, 0], at_b3="A", player=1)


@pytest.mark.clause("T7")
def test_with_all_seven_no_colour_is_collected() -> None:
    table = Table(["a1", "g7"], {"b3": "A"}, collected=[7, 0])
    table.play("b3").see(collected=[7, 0], at_b3="A", player=1)


@pytest.mark.clause("T8")
@pytest.mark.parametrize(
    ("token", "exits"),
    [
        ("+", ["a3", "c3", "b2", "b4"]),
        ("x", ["a2", "a4", "c2", "c4"]),
        ("L", ["a1", "a5", "c1", "c5", "d2", "d4"]),
        ("o", ["e5", "f2", "c6"]),
    ],
)
def test_a_special_token_may_be_used_or_not_and_stays(token: str, exits: list[str]) -> None:
    table = Table(["a1", "g7"], {"b3": token, "e5": "o", "f2": "o", "c6": "o"})
    table.play("b3").see(phase="extra", player=0, pawns=["b3", "g7"], used=[])
    table.may(*exits, "stay")
    table.play("stay").see(phase="move", player=1, pawns=["b3", "g7"], at_b3=token)
    table = Table(["a1", "g7"], {"b3": token, "e5": "o", "f2": "o", "c6": "o", "c3": "B", "c2": "B", "c1": "B"})
    table.play("b3", exits[1]).see(player=1, pawns=[exits[1], "g7"], at_b3=token)


@pytest.mark.clause("T8")
def test_steps_do_not_leave_the_board() -> None:
    Table(["b1", "g7"], {"a3": "+"}).play("a3").may("a2", "a4", "b3", "stay")
    Table(["b1", "g7"], {"a3": "x"}).play("a3").may("b2", "b4", "stay")


@pytest.mark.clause("T8")
def test_a_portal_with_a_pawn_on_it_is_no_exit() -> None:
    table = Table(["a1", "e5"], {"b3": "o", "e5": "o", "f2": "o", "c6": "o"})
    table.play("b3").may("f2", "c6", "stay")


@pytest.mark.clause("T8")
def test_through_a_portal_the_turn_ends_on_the_other_one() -> None:
    table = Table(["a1", "g7"], {"b3": "o", "e5": "o"})
    table.play("b3", "e5").see(phase="move", player=1, pawns=["e5", "g7"], used=[])


@pytest.mark.clause("T9")
def test_extra_moves_chain_to_the_cube_within_one_turn() -> None:
    # The printed example: an L move to a diagonal token, on to an L token, and from there to the cube.
    table = Table(["a1", "g7"], {"b3": "x", "c4": "L", "e5": "A"})
    table.play("b3", "c4").see(phase="extra", player=0, used=["b3"])
    table.play("e5").see(collected=[1, 0], player=1, used=[], pawns=["e5", "g7"], at_e5=".")


@pytest.mark.clause("T9")
def test_a_token_acts_once_a_turn() -> None:
    table = Table(["a1", "g7"], {"b3": "+", "b4": "+"})
    table.play("b3", "b4").see(phase="extra", used=["b3"])
    table.may("a4", "b3", "b5", "c4", "stay")
    table.play("b3").see(phase="move", player=1, pawns=["b3", "g7"], used=[])


@pytest.mark.clause("T9")
def test_a_token_acts_again_in_the_next_turn() -> None:
    table = Table(["a1", "g7"], {"b3": "L", "c5": "B", "f5": "B"})
    table.play("b3", "c5", "f5").see(player=0, pawns=["c5", "f5"], used=[])
    table.play("b3").may("a1", "a5", "c1", "c5", "d2", "d4", "stay")


@pytest.mark.clause("T5", "T9")
def test_the_token_of_the_start_acts_if_the_pawn_comes_back_to_it() -> None:
    # It gave nothing at the start, so it has not acted; landing on it is an arrival like any other.
    table = Table(["b3", "g7"], {"b3": "+", "d2": "L"})
    table.play("d2", "b3").see(phase="extra", used=["d2"])
    table.may("a3", "b2", "b4", "c3", "stay")


@pytest.mark.clause("T9")
def test_chains_can_be_long() -> None:
    table = Table(
        ["a1", "g7"],
        {"b3": "L", "c5": "L", "e6": "L", "f4": "L", "g2": "L", "e1": "A"},
        specials={"+": 0, "x": 0, "L": 16, "o": 0, "s": 0},
    )
    table.play("b3", "c5", "e6", "f4", "g2").see(used=["b3", "c5", "e6", "f4"], phase="extra")
    table.play("e1").see(collected=[1, 0], player=1)


@pytest.mark.clause("T9")
@pytest.mark.parametrize(
    ("token", "pawns"),
    [("o", ["a1", "e5"]), ("s", ["a1", "e5"])],
    ids=["the only other portal is occupied", "nothing to protect"],
)
def test_on_a_token_that_offers_nothing_the_turn_ends(token: str, pawns: list[str]) -> None:
    specials = {"+": 3, "x": 3, "L": 5, "o": 2, "s": 3}
    table = Table(pawns, {"b3": token, "e5": "o"}, specials=specials)
    table.play("b3").see(phase="move", player=1, pawns=["b3", "e5"])


@pytest.mark.clause("T9")
def test_a_lone_portal_offers_nothing() -> None:
    table = Table(["a1", "g7"], {"b3": "o"}, specials={"+": 3, "x": 3, "L": 6, "o": 1, "s": 3})
    table.play("b3").see(phase="move", player=1)


@pytest.mark.clause("T9", "T12")
def test_a_step_token_whose_exits_are_all_occupied_offers_nothing() -> None:
    # On the edge, a diagonal token has two exits.
    table = Table(["b1", "b2", "b4"], {"a3": "x"})
    table.play("a3").see(phase="move", player=1, pawns=["a3", "b2", "b4"])


@pytest.mark.clause("T10")
def test_a_shield_protects_what_was_collected_so_far_and_ends_the_turn() -> None:
    table = Table(["a1", "g7"], {"b3": "s"}, collected=[2, 0])
    table.play("b3").may("shield", "stay")
    table.play("shield").see(protected=["AB", ""], player=1, phase="move")


@pytest.mark.clause("T10")
def test_a_shield_may_be_left_alone() -> None:
    table = Table(["a1", "g7"], {"b3": "s"}, collected=[2, 0])
    table.play("b3", "stay").see(protected=["", ""], player=1)


@pytest.mark.clause("T10")
def test_a_shield_is_not_offered_where_all_cubes_are_protected() -> None:
    table = Table(["a1", "g7"], {"b3": "s"}, collected=[2, 0], protected=["AB", ""])
    table.play("b3").see(phase="move", player=1)


@pytest.mark.clause("T10")
def test_cubes_collected_later_need_another_visit() -> None:
    table = Table(["a1", "b3"], {"c2": "s", "e2": "s"}, collected=[2, 3], protected=["", "AB"], first=0)
    table.may("b3", "c2")  # C is the next of seat 0 and was collected after the visit
    table.play("b3").see(collected=[3, 2], series=["ABCDEFG", "ABDEFGC"], protected=["", "AB"])
    table = Table(["a1", "g7"], {"b3": "s"}, collected=[3, 0], protected=["AB", ""])
    table.play("b3", "shield").see(protected=["ABC", ""])


@pytest.mark.clause("T10")
def test_a_shield_can_be_reached_by_an_extra_move() -> None:
    table = Table(["a1", "g7"], {"b3": "+", "b4": "s"}, collected=[1, 0])
    table.play("b3", "b4").see(phase="extra", used=["b3"])
    table.may("shield", "stay")
    table.play("shield").see(protected=["A", ""], player=1)


# Stealing.


@pytest.mark.clause("T11")
def test_a_cube_is_stolen_from_a_pawn_that_holds_the_next_colour() -> None:
    table = Table(["a1", "b3"], {"b3": "B"}, collected=[1, 3])
    table.may("b3", "c2")
    table.play("b3").see(phase="settle", player=0, pawns=["b3", "b3"], collected=[2, 2], at_b3="B")
    table.may("corner a1", "corner a7", "corner g1", "corner g7")
    table.play("corner g1").see(phase="move", player=1, pawns=["g1", "b3"])


@pytest.mark.clause("T11")
def test_the_victims_card_goes_to_the_end_of_the_series() -> None:
    series = ["ABCDEFG", "GCADFBE"]
    table = Table(["a1", "b3"], series=series, collected=[2, 4], protected=["", "GA"])
    table.play("b3").see(series=["ABCDEFG", "GADFBEC"], collected=[3, 3], protected=["", "GA"])


@pytest.mark.clause("T11")
def test_a_stolen_cube_is_collected_again_as_the_last() -> None:
    table = Table(["a1", "b3"], {"d2": "B", "c5": "A"}, series=["ABCDEFG", "ABCDEFG"], collected=[0, 1], player=0)
    table.play("b3", "corner g7").see(series=["ABCDEFG", "BCDEFGA"], collected=[1, 0])
    table.play("d2").see(collected=[1, 1], series=["ABCDEFG", "BCDEFGA"])  # now B comes first


@pytest.mark.clause("T11", "T12")
@pytest.mark.parametrize(
    ("collected", "protected"),
    [([0, 0], ["", ""]), ([1, 1], ["", ""]), ([1, 2], ["", "AB"]), ([1, 2], ["", "B"]), ([7, 7], ["", ""])],
    ids=["has nothing", "has not this one", "all protected", "this one protected", "mover needs nothing"],
)
def test_who_has_nothing_to_steal_blocks_the_square(collected: list[int], protected: list[str]) -> None:
    Table(["a1", "b3"], collected=collected, protected=protected).may("c2")


@pytest.mark.clause("T11")
def test_protected_cubes_do_not_shield_the_others() -> None:
    table = Table(["a1", "b3"], collected=[1, 2], protected=["", "A"])
    table.play("b3").see(series=["ABCDEFG", "ACDEFGB"], protected=["", "A"], collected=[2, 1])


@pytest.mark.clause("T11")
@pytest.mark.parametrize(
    ("token", "victim"), [("+", "c3"), ("x", "c4"), ("L", "d4")], ids=["orthogonal", "diagonal", "L"]
)
def test_an_extra_move_steals_in_the_middle_of_a_chain_and_ends_the_turn(token: str, victim: str) -> None:
    table = Table(["a1", victim], {"b3": token}, collected=[0, 1])
    table.play("b3", victim).see(phase="settle", used=["b3"], collected=[1, 0])
    table.play("corner a7").see(phase="move", player=1, used=[], pawns=["a7", victim])


@pytest.mark.clause("T11")
def test_nobody_is_robbed_through_a_portal() -> None:
    table = Table(["a1", "e5"], {"b3": "o", "e5": "o", "f2": "o", "c6": "o"}, collected=[0, 1])
    table.play("b3").may("f2", "c6", "stay")


@pytest.mark.clause("T11")
def test_a_token_under_the_two_pawns_does_not_act() -> None:
    table = Table(["a1", "b3"], {"b3": "L"}, collected=[0, 1])
    table.play("b3").see(phase="settle", used=[], at_b3="L")
    table.play("corner a7").see(player=1, phase="move", pawns=["a7", "b3"])


@pytest.mark.clause("T11")
def test_nor_is_a_colour_under_the_two_pawns_collected() -> None:
    table = Table(["a1", "b3"], {"b3": "B"}, collected=[0, 1])
    table.play("b3", "corner a1").see(collected=[1, 0], at_b3="B", player=1)


@pytest.mark.clause("T11")
def test_the_robber_goes_to_a_free_corner_only() -> None:
    table = Table(["d4", "b3", "a1"], collected=[0, 1, 0])
    table.play("b3").may("corner a7", "corner g1", "corner g7")
    # A victim in a corner keeps it.
    table = Table(["b3", "a1", "g1"], collected=[0, 1, 0])
    table.play("a1").may("corner a7", "corner g7")


@pytest.mark.clause("T11")
def test_with_one_free_corner_there_is_nothing_to_choose() -> None:
    table = Table(["b3", "a1", "g1", "g7"], collected=[0, 1, 0, 0])
    table.play("a1").see(phase="move", player=1, pawns=["a7", "a1", "g1", "g7"], collected=[1, 0, 0, 0])


@pytest.mark.clause("T11")
def test_the_own_corner_is_free_once_left() -> None:
    table = Table(["a1", "b3", "g1", "g7"], collected=[0, 1, 0, 0])
    table.play("b3").may("corner a1", "corner a7")


@pytest.mark.clause("T11")
def test_one_of_several_can_be_robbed_and_the_others_not() -> None:
    table = Table(["d4", "b3", "f5", "c6"], collected=[1, 2, 1, 2], protected=["", "", "", "B"])
    table.may("b3", "b5", "c2", "e2", "e6", "f3")
    table.play("b3", "corner g1").see(collected=[2, 1, 1, 2], series=["ABCDEFG", "ACDEFGB", "ABCDEFG", "ABCDEFG"])


@pytest.mark.clause("T11", "T13")
def test_a_robbery_on_the_centre_is_no_arrival_there() -> None:
    table = Table(["b3", "d4"], series=["ABCDEFG", "GABCDEF"], collected=[6, 1])
    table.play("d4").see(phase="settle", collected=[7, 0], winner=None)
    table.play("corner a1").see(phase="move", player=1, winner=None)


@pytest.mark.clause("T12")
def test_a_player_with_no_move_passes() -> None:
    table = Table(["a1", "b3", "c2"])
    table.may("pass")
    table.play("pass").see(player=1, phase="move", pawns=["a1", "b3", "c2"])


@pytest.mark.clause("T12")
def test_nobody_passes_who_can_move() -> None:
    Table(["a1", "b3"]).may_not("pass")
    Table(["a1", "b3", "c2"], collected=[0, 1, 0]).may("b3")


# The end.


@pytest.mark.clause("T13")
def test_all_seven_and_the_centre_win_at_once() -> None:
    table = Table(["b3", "g7", "a1"], collected=[7, 0, 0])
    table.play("d4").see(phase="over", winner=0, player=0, used=[])
    assert table.position.returns() == (1.0, 0.0, 0.0)
    assert table.position.legal().actions == ()


@pytest.mark.clause("T13")
def test_an_extra_move_reaches_the_centre_too() -> None:
    table = Table(["c3", "g7"], {"b5": "x", "c4": "+"}, collected=[7, 0])
    table.play("b5", "c4", "d4").see(phase="over", winner=0, player=0, used=[])


@pytest.mark.clause("T13")
def test_six_cubes_on_the_centre_do_not_win() -> None:
    table = Table(["b3", "g7"], collected=[6, 0])
    table.play("d4").see(phase="move", winner=None, player=1)


@pytest.mark.clause("T13")
def test_the_seventh_cube_does_not_win_before_the_centre() -> None:
    table = Table(["a1", "g7"], {"b3": "G"}, collected=[6, 0])
    table.play("b3").see(collected=[7, 0], phase="move", winner=None)


@pytest.mark.clause("T13")
def test_who_is_robbed_on_the_way_must_collect_again_first() -> None:
    table = Table(["a1", "b3"], {"c5": "D"}, series=["DABCEFG", "ABCDEFG"], collected=[0, 7])
    table.play("b3", "corner g7").see(collected=[1, 6], series=["DABCEFG", "ABCEFGD"])
    there = Table(["g7", "b3"], series=["DABCEFG", "ABCEFGD"], collected=[1, 6], player=1)
    there.play("d4").see(phase="move", winner=None, player=0)
    table.play("c5").see(collected=[1, 7], phase="move", winner=None)


@pytest.mark.clause("T13")
def test_all_seven_cannot_be_stolen_once_protected() -> None:
    table = Table(["a1", "b3"], collected=[0, 7], protected=["", "ABCDEFG"])
    table.may("c2")


@pytest.mark.clause("T14")
def test_after_the_last_round_most_cubes_win() -> None:
    table = Table(["a1", "g7"], {"f5": "C"}, collected=[2, 1], round=5, max_rounds=5, player=1)
    table.play("f5").see(phase="over", winner=0, player=1, round=5)
    assert table.position.returns() == (1.0, 0.0)


@pytest.mark.clause("T14")
def test_a_draw_is_shared_among_those_with_most_cubes() -> None:
    table = Table(["a1", "g7", "g1"], {"f5": "C"}, collected=[2, 1, 2], round=5, max_rounds=5, first=2, player=1)
    table.play("f5").see(phase="over", winner="draw", player=1)
    assert table.position.returns() == (0.5, 0.0, 0.5)
    table = Table(["a1", "g7", "g1"], {"e2": "C"}, collected=[1, 1, 1], round=5, max_rounds=5, player=2)
    table.play("e2").see(phase="over", winner="draw")
    assert table.position.returns() == pytest.approx((1 / 3, 1 / 3, 1 / 3))


@pytest.mark.clause("T14")
def test_the_last_cube_of_the_last_round_counts() -> None:
    table = Table(
        ["a1", "g7"], {"f5": "B"}, series=["ABCDEFG", "ABCDEFG"], collected=[1, 1], round=5, max_rounds=5, player=1
    )
    table.play("f5").see(phase="over", winner=1, collected=[1, 2])


@pytest.mark.clause("T14")
def test_the_centre_wins_in_the_last_round_whatever_the_others_have() -> None:
    table = Table(["b3", "g7"], collected=[7, 7], round=5, max_rounds=5)
    table.play("d4").see(phase="over", winner=0)


@pytest.mark.clause("T14")
def test_a_round_ends_when_the_turn_comes_back_to_who_started() -> None:
    table = Table(["a1", "g7", "g1"], {"b3": "B", "f5": "B", "e2": "B"}, first=1, player=1, round=3)
    table.play("f5").see(round=3)
    table.play("e2").see(round=3)
    table.play("b3").see(round=4)


@pytest.mark.clause("T14")
def test_the_choice_of_corners_is_no_round() -> None:
    new = match(2, options={"max_rounds": 1})
    moves: list[int] = []
    while not new.over:
        new.play(new.position.legal().actions[0])
        moves.append(shaped(int, new.position.view()["round"]))
    assert set(moves) == {1}
    turns = [
        entry.by for entry, step in new.steps() if step.position.view()["player"] != entry.by or step.position.over
    ]
    assert all(one != other for one, other in pairwise(turns))
    assert len(turns) == 4  # two corners and two turns


@pytest.mark.clause("T14")
@pytest.mark.parametrize("given", [0, 1001, 2.0, True, "100"])
def test_rounds_are_a_whole_number_from_1_to_1000(game: Game, given: Json) -> None:
    with pytest.raises(BadOption, match="max_rounds"):
        game.read_options({"max_rounds": given})
