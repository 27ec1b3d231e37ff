"""Yikerz!'s rules around the board, clause by clause."""

import pickle
import random

import pytest
from pydantic import JsonValue

from ludotheque.core import (
    CHANCE,
    BadOption,
    BadView,
    Dice,
    Event,
    IllegalAction,
    JsonObject,
    Match,
    parse,
    read_record,
    verify,
    write_json,
    write_record,
)
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.magnets.mats import LAYOUTS
from ludotheque.games.yikerz.magnets.path import STANDINGS, Standing
from ludotheque.games.yikerz.magnets.shapes import MAGNETISATIONS, shape_of
from ludotheque.games.yikerz.magnets.version import physics_version
from ludotheque.games.yikerz.text import write_action
from ludotheque.games.yikerz.turn import Turn, whole_turn
from table import fields, impossible, only, player_to_move, possible, shaped
from yikerz.play import (
    CALL,
    WAIT,
    begin,
    deal,
    hand_of,
    magnets_of,
    on_board,
    outcome,
    own,
    position,
    put,
    told,
    with_magnets,
)


@pytest.mark.clause("Y1")
def test_one_to_six_can_play() -> None:
    for players in range(1, 7):
        assert begin(players).players == players
    for players in (0, 7):
        with pytest.raises(BadOption, match="1, 2, 3, 4, 5, 6"):
            Match(GAME, players)


@pytest.mark.clause("Y1")
def test_there_is_a_magnet_for_everybody() -> None:
    for players in range(1, 7):
        assert {len(hand) for hand in position(begin(players, magnets=players)).table.hands} == {1}
    with pytest.raises(BadOption, match=r"options\.magnets: expected a whole number from 6 to 20"):
        Match(GAME, 6, {"magnets": 5})
    with pytest.raises(BadOption, match="from 2 to 20"):
        Match(GAME, 2, {"magnets": 1}, setup=begin(2, magnets=2).position.view())


@pytest.mark.clause("Y1")
def test_twenty_magnets_or_fewer_for_a_shorter_game() -> None:
    for count in (20, 8):
        view = begin(2, magnets=count).position.view()
        assert len(magnets_of(view)) == count
    with pytest.raises(BadOption):
        begin(2, magnets=21)


@pytest.mark.clause("Y2", "Y5")
def test_the_shuffler_chooses_any_legal_layout() -> None:
    match = Match(GAME, 2, dice=Dice("a"))
    assert match.to_move == match.position.view()["shuffler"]
    possible(match.position, *(write_action({"layout": name}) for name in LAYOUTS))
    with pytest.raises(IllegalAction, match="overlap"):
        match.play(write_action({"layout": [[0, 0, 0], [5, 0, 0], [140, 0, 0], [280, 0, 0]]}))
    with pytest.raises(IllegalAction, match="no such layout"):
        match.play(write_action({"layout": "star"}))
    match.play(write_action({"layout": [[0, 0, 0], [140, 0, 0], [280, 0, 0], [420, 0, 0]]}))
    mats = position(match).table.layout
    assert [mat[0] for mat in mats] == [-210, -70, 70, 210]  # the origin is the middle of what they cover
    assert len({mat[1:] for mat in mats}) == 1


@pytest.mark.clause("Y3")
@pytest.mark.parametrize(
    ("players", "each", "pouch"), [(1, 20, 0), (2, 10, 0), (3, 6, 2), (4, 5, 0), (5, 4, 0), (6, 3, 2)]
)
def test_the_shuffle_makes_even_stacks_and_leftovers_go_to_the_pouch(players: int, each: int, pouch: int) -> None:
    table = position(begin(players)).table
    assert [len(hand) for hand in table.hands] == [each] * players
    assert len(table.pouch) == pouch
    assert sorted(magnet for hand in (*table.hands, table.pouch) for magnet in hand) == list(range(20))


@pytest.mark.clause("Y3")
def test_every_magnet_is_as_likely_to_be_dealt_next() -> None:
    match = Match(GAME, 2, dice=Dice("b"))
    match.play(write_action({"layout": "ribbon"}))
    assert match.to_move == CHANCE
    assert match.position.legal().odds == (1 / 20,) * 20
    match.draw()
    assert len(match.position.legal().actions) == 19


@pytest.mark.clause("Y4")
@pytest.mark.parametrize("players", [4, 6])
def test_stacks_are_chosen_from_the_shufflers_left_and_the_shuffler_places_first(players: int) -> None:
    match = Match(GAME, players, dice=Dice("c"))
    shuffler = match.position.view()["shuffler"]
    assert isinstance(shuffler, int)
    match.play(write_action({"layout": "pyramid"}))
    while match.to_move == CHANCE:
        match.draw()
    stacks = position(match).table.stacks
    chosen = {}
    for k in range(1, players):
        seat = (shuffler + k) % players
        assert match.to_move == seat
        which = players - 1 - k
        chosen[seat] = stacks[which]
        match.play(write_action({"stack": which}))
    chosen[shuffler] = stacks[players - 1]  # what is left needs no choosing
    assert match.to_move == shuffler
    assert position(match).table.phase == "turn"
    assert {seat: set(hand) for seat, hand in enumerate(position(match).table.hands)} == {
        seat: set(stack) for seat, stack in chosen.items()
    }


@pytest.mark.clause("Y5")
def test_the_first_shuffler_is_drawn_by_lot() -> None:
    shufflers = [Match(GAME, 6, dice=Dice(f"lot {k}")).position.view()["shuffler"] for k in range(90)]
    assert {shufflers.count(seat) > 5 for seat in range(6)} == {True}


@pytest.mark.clause("Y5")
def test_the_table_may_name_the_first_shuffler_and_then_nothing_is_drawn() -> None:
    for seat in range(6):
        match = Match(GAME, 6, {"first": seat}, dice=Dice("named"))
        assert match.to_move == match.position.view()["shuffler"] == seat
        assert match.setup_draws == ()
    for players, seat in ((2, 2), (6, 6), (1, 1), (2, -1), (2, True)):
        with pytest.raises(BadOption, match="first"):
            Match(GAME, players, {"first": seat})
    laid_out = Match(GAME, 2, {"first": 0}, setup=Match(GAME, 2, {"first": 1}).position.view())
    assert laid_out.to_move == 1


@pytest.mark.clause("Y5")
def test_the_loser_of_a_round_chooses_the_layout_shuffles_and_starts() -> None:
    match = begin(2, magnets=4)
    winner = player_to_move(match)
    told(match)
    match.play(CALL)
    told(match, taken=[*position(match).table.board, own(match)[0]])  # the other takes everything
    told(match)  # the last piece lies
    view = match.position.view()
    assert shaped(list[int], view["rounds_won"])[winner] == 1
    assert view["phase"] == "layout"
    assert view["shuffler"] == view["player"] == 1 - winner
    assert view["round"] == 2
    deal(match)
    assert match.to_move == 1 - winner


@pytest.mark.clause("Y5")
def test_a_tie_for_the_most_magnets_is_decided_by_lot() -> None:
    match = begin(3, magnets=6)
    for _ in range(3):
        told(match)
        if match.to_move is not None and position(match).table.phase == "call":
            match.play(CALL)
    told(match)
    assert position(match).table.phase == "lot"
    assert match.position.legal().odds == (0.5, 0.5)
    loser = position(match).table.among[1]
    match.play(write_action({"lot": loser}))
    assert match.to_move == loser
    assert position(match).table.phase == "layout"


@pytest.mark.clause("Y6")
def test_a_turn_places_one_magnet_of_the_own_stack_anywhere_in_any_orientation() -> None:
    match = begin()
    mine = own(match)
    other = next(magnet for magnet in range(20) if magnet not in mine)
    with pytest.raises(IllegalAction, match="own stack"):
        match.play(put(other, 0, 0))
    step = match.play(put(mine[0], 40, -50, "flat", 77))
    view = step.position.view()
    placed = magnets_of(view)[mine[0]]
    assert placed["where"] == "board"
    assert placed["owner"] is None
    assert shaped(list[float], placed["pose"])[:2] == pytest.approx([40, -50], abs=0.5)
    assert shaped(list[int], view["turns"]).count(1) == 1
    assert [event.what for event in step.events] == ["place", "rest"]


@pytest.mark.clause("Y6")
def test_the_hand_takes_as_long_as_it_wants() -> None:
    assert GAME.read_options()["hand_seconds"] is None
    match = begin()
    step = match.play(held_until(match, 90))
    assert shaped(float, fields(step.outcome)["seconds"]) > 90
    match.play(held_until(match, 3000), outcome([*position(match).table.board, own(match)[0]]))
    assert sum(position(match).table.turns) == 2


@pytest.mark.clause("Y6")
def test_the_hand_has_the_time_that_was_agreed() -> None:
    for seconds in (5, 60, 600):
        match = begin(hand_seconds=seconds)
        with pytest.raises(IllegalAction, match=f"within {seconds} s"):
            match.play(held_until(match, seconds + 1))
    for wrong in (0, 4, 601, "none", True):
        with pytest.raises(BadOption, match="hand_seconds"):
            begin(hand_seconds=wrong)


@pytest.mark.clause("Y6", "Y20")
def test_a_turn_of_hours_is_read_with_what_it_led_to_but_not_computed() -> None:
    match = begin()
    magnet, long = own(match)[0], held_until(match, 7200)
    with pytest.raises(IllegalAction, match="computed here has to within 3600 s"):
        match.play(long)
    match.play(long, outcome([magnet]))
    assert set(position(match).table.board) == {magnet}
    with pytest.raises(IllegalAction, match="within 100000 s"):
        match.play(held_until(match, 200_000), outcome([magnet, own(match)[0]]))


def held_until(match: Match, seconds: int) -> str:
    """A turn in which the hand holds the magnet over the board that long."""
    return write_action({"magnet": own(match)[0], "path": [[0, 0, 0, 80, 1, 0, 0, 0]], "release": seconds})


@pytest.mark.clause("Y7", "Y10")
def test_touching_a_piece_with_the_held_magnet_costs_both() -> None:
    match = begin()
    first, player = own(match)[0], match.to_move
    match.play(put(first, 0, -40))
    second, other = own(match)[0], player_to_move(match)
    assert other != player
    step = match.play(put(second, 2, -40))
    assert "collapse" in [event.what for event in step.events]
    assert position(match).table.board == {}
    assert {first, second} <= set(hand_of(match, other))
    assert len(hand_of(match, other)) == 11


@pytest.mark.clause("Y8", "Y11")
def test_a_piece_that_falls_comes_back_with_those_it_pushed_off() -> None:
    match = begin()
    mine = own(match)
    step = match.play(put(mine[0], 400, 0))
    assert [event.what for event in step.events] == ["place", "fall", "taken", "rest"]
    assert position(match).table.board == {}
    assert mine == position(match).table.hands[position(match).table.charged or 0]


@pytest.mark.clause("Y9")
def test_a_piece_on_the_board_is_in_nobodys_stack() -> None:
    match = begin()
    first = own(match)[0]
    told(match, first)
    told(match)
    with pytest.raises(IllegalAction, match="own stack"):
        match.play(put(first, 30, 30))


@pytest.mark.clause("Y10")
def test_pieces_collapse_group_by_group_and_the_others_stay() -> None:
    """Four pieces: two of them snap together when the player puts a fifth near them; the rest does not move."""
    four = {0: on_board(-80, -100), 1: on_board(80, -100), 2: on_board(0, 60), 3: on_board(0, -20)}
    match = Match(GAME, 2, setup=with_magnets(begin().position.view(), four))
    player = player_to_move(match)
    magnet = own(match)[0]
    match.play(put(magnet, 22, -20))
    table = position(match).table
    assert set(table.board) == {0, 1, 2}
    assert {3, magnet} <= set(hand_of(match, player))


@pytest.mark.clause("Y10")
def test_a_played_piece_that_is_in_no_group_stays() -> None:
    match = begin()
    told(match)
    told(match)
    player, magnet = player_to_move(match), own(match)[0]
    lying = sorted(position(match).table.board)
    told(match, magnet, taken=lying)
    table = position(match).table
    assert set(table.board) == {magnet}
    assert set(lying) <= set(hand_of(match, player))
    assert magnet not in hand_of(match, player)


@pytest.mark.clause("Y12")
def test_groups_are_lifted_one_by_one_the_lowest_number_first() -> None:
    places = {5: on_board(-80, -100), 2: on_board(-62, -100), 1: on_board(80, -100), 8: on_board(62, -100)}
    match = Match(GAME, 2, setup=with_magnets(begin().position.view(), places))
    step = match.play(put(next(magnet for magnet in own(match) if magnet not in places), 0, 60))
    taken = [event.facts["magnets"] for event in step.events if event.what == "taken"]
    assert taken == [[1, 8], [2, 5]]
    first, second = (shaped(float, event.facts["t"]) for event in step.events if event.what == "taken")
    assert first < second


@pytest.mark.clause("Y13")
def test_the_next_player_may_wait_or_begin_at_once() -> None:
    match = begin()
    first = match.to_move
    match.play(put(own(match)[0], 0, -40))
    view = match.position.view()
    assert view["charged"] == first
    assert 8 < shaped(float, view["quiet"]) <= 10
    only(match.position, WAIT)
    assert match.position.legal().open == ("magnet",)
    match.play(WAIT)
    assert match.position.view()["quiet"] == 0
    impossible(match.position, WAIT)
    assert match.to_move != first


@pytest.mark.clause("Y13")
def test_taking_a_magnet_up_cuts_the_quiet_time_short() -> None:
    match = begin()
    first = match.to_move
    match.play(put(own(match)[0], 0, -40))
    second, magnet = match.to_move, own(match)[0]
    assert shaped(float, match.position.view()["quiet"]) > 8
    step = match.play(put(magnet, 60, -90))
    assert [event.what for event in step.events] == ["place", "rest"]
    assert match.position.view()["charged"] == second != first
    assert len(position(match).table.board) == 2


@pytest.mark.clause("Y13", "Y15")
def test_after_a_last_piece_nobody_cuts_the_time_short() -> None:
    match = begin(2, magnets=2)
    step = match.play(put(own(match)[0], 0, -40))
    assert shaped(float, fields(step.outcome)["seconds"]) > 10
    assert fields(step.outcome)["quiet"] == 0
    assert position(match).table.round == 2 or match.over


@pytest.mark.clause("Y13")
def test_what_happens_in_the_quiet_time_is_charged_to_the_player_before() -> None:
    match = begin()
    first = player_to_move(match)
    told(match)
    told_board = list(position(match).table.board)
    before = len(hand_of(match, first))
    match.play(WAIT, outcome([], told_board, quiet=0))
    assert len(hand_of(match, first)) == before + 1
    assert match.to_move != first


@pytest.mark.clause("Y13")
def test_each_removal_starts_the_time_anew() -> None:
    match = begin(quiet_seconds=3)
    match.play(put(own(match)[0], 0, -40))
    step = match.play(put(own(match)[0], 3, -40))
    assert fields(step.outcome)["quiet"] == pytest.approx(3, abs=0.3)
    assert "taken" in [event.what for event in step.events]


def down_to_one() -> Match:
    """A player has just placed the last but one, with a few on the board."""
    match = begin(2, magnets=6)
    told(match)
    told(match)
    told(match)
    return match


@pytest.mark.clause("Y14")
def test_down_to_one_piece_a_player_must_say_so() -> None:
    match = down_to_one()
    player = player_to_move(match)
    assert len(own(match)) == 1
    only(match.position, CALL, WAIT)
    match.play(CALL)
    assert shaped(list[bool], match.position.view()["called"])[player] is True
    assert match.to_move != player


@pytest.mark.clause("Y14")
def test_who_forgets_takes_two_pieces_off_the_board() -> None:
    match = down_to_one()
    player = player_to_move(match)
    match.play(WAIT)
    board = sorted(position(match).table.board)
    only(match.position, *(write_action({"pick": magnet}) for magnet in board))
    for count in (1, 2):
        magnet = sorted(position(match).table.board)[-1]
        match.play(
            write_action({"pick": magnet}),
            outcome([one for one in position(match).table.board if one != magnet], [magnet]),
        )
        assert len(hand_of(match, player)) == 1 + count
    assert match.to_move != player
    assert match.position.view()["called"] == [False, False]


@pytest.mark.clause("Y14")
def test_with_fewer_on_the_board_all_are_taken() -> None:
    match = begin(2, magnets=4)
    told(match)
    match.play(WAIT)
    assert position(match).table.picks == 1
    step = match.play(match.position.legal().actions[0])
    assert "taken" in [event.what for event in step.events]
    assert position(match).table.board == {}
    assert position(match).table.phase == "turn"


@pytest.mark.clause("Y14")
def test_a_call_lapses_when_the_stack_grows() -> None:
    match = down_to_one()
    player = player_to_move(match)
    match.play(CALL)
    told(match)
    match.play(CALL)
    told(match, taken=[*position(match).table.board, own(match)[0]])
    assert shaped(list[bool], match.position.view()["called"])[player] is False


@pytest.mark.clause("Y15")
def test_a_last_piece_that_lies_for_ten_seconds_wins_the_round() -> None:
    dealt = begin(2)
    player, (last, *others) = player_to_move(dealt), sorted(own(dealt))
    gone: JsonObject = {"where": "pouch", "owner": None}
    match = Match(GAME, 2, setup=with_magnets(dealt.position.view(), dict.fromkeys(others, gone)))
    step = match.play(put(last, 0, -40))
    assert shaped(float, fields(step.outcome)["seconds"]) > 10
    assert [event.what for event in step.events] == ["place", "rest", "round"]
    assert shaped(list[int], match.position.view()["rounds_won"])[player] == 1


def win_round(match: Match, winner: int) -> None:
    """A round in which one player places everything; the others' pieces never stay."""
    deal(match)
    rounds = position(match).table.round
    while (
        position(match).table.round == rounds
        and not match.over
        and not position(match).table.sudden
        and position(match).table.phase != "lot"
    ):
        phase = position(match).table.phase
        if phase == "call":
            match.play(CALL)
        elif match.to_move == winner:
            told(match)
        else:
            magnet = own(match)[0]
            told(match, magnet, taken=[magnet])
    while position(match).table.phase == "lot" and position(match).table.lot == "loser":
        match.draw()


@pytest.mark.clause("Y16")
@pytest.mark.parametrize(("series", "needed"), [("best-of-3", 2), ("best-of-5", 3), ("best-of-7", 4)])
def test_a_series_is_won_by_most_rounds(series: str, needed: int) -> None:
    match = begin(2, magnets=4, match=series)
    for played in range(needed):
        assert not match.over
        assert match.position.view()["rounds_won"] == [played, 0]
        win_round(match, 0)
    assert match.over
    assert match.position.returns() == (1, 0)


@pytest.mark.clause("Y16")
def test_with_three_a_series_ends_when_nobody_can_catch_the_leader() -> None:
    match = begin(3, magnets=6, match="best-of-5")
    for winner in (1, 0, 1):
        win_round(match, winner)
        assert not match.over  # 2 to 1 with two rounds left
    win_round(match, 1)
    assert match.over
    assert match.position.returns() == (0, 1, 0)


@pytest.mark.clause("Y16")
def test_for_points_each_piece_left_counts_and_the_lowest_total_wins_at_25() -> None:
    match = begin(2, match="points")
    for played in (1, 2):
        win_round(match, 0)
        assert match.position.view()["points"] == [0, 10 * played]
        assert not match.over
    win_round(match, 0)
    assert match.position.view()["points"] == [0, 30]
    assert match.position.returns() == (1, 0)


def tied() -> Match:
    """Three players, three rounds, one each: sudden death."""
    match = begin(3, magnets=6)
    for winner in range(3):
        win_round(match, winner)
    assert position(match).table.sudden == 1
    return match


@pytest.mark.clause("Y17")
def test_a_tie_leads_to_sudden_death_with_shuffler_and_layout_by_lot() -> None:
    match = tied()
    assert match.to_move == CHANCE
    assert len(match.position.legal().actions) == 3
    match.draw()
    assert match.position.legal().actions == tuple(write_action({"lot": name}) for name in LAYOUTS)
    deal(match)
    assert [len(hand) for hand in position(match).table.hands] == [2, 2, 2]


@pytest.mark.clause("Y17")
def test_who_causes_a_collapse_or_a_fall_is_out_and_the_last_one_in_wins() -> None:
    match = tied()
    deal(match)
    first = match.to_move
    told(match)
    magnet, second = own(match)[0], player_to_move(match)
    told(match, magnet, taken=[magnet])
    table = position(match).table
    assert not table.alive[second]
    assert table.hands[second] == ()
    assert magnet in table.pouch
    third = match.to_move
    magnet = own(match)[0]
    told(match, magnet, taken=[magnet])
    assert match.over
    assert match.position.view()["winner"] == first
    assert third not in (first, second)


@pytest.mark.clause("Y17")
def test_with_empty_stacks_they_begin_anew_five_times_and_then_share() -> None:
    match = tied()
    for number in range(1, 7):
        deal(match)
        assert position(match).table.sudden == number
        for _ in range(6):
            told(match)
        assert position(match).table.phase != "call"  # Y14 does not apply
    assert match.over
    assert match.position.view()["winner"] == "draw"
    assert match.position.returns() == pytest.approx((1 / 3, 1 / 3, 1 / 3))


@pytest.mark.clause("Y18")
def test_alone_all_pieces_have_to_be_placed() -> None:
    match = begin(1, magnets=4)
    for _ in range(4):
        assert position(match).table.phase == "turn"
        told(match)
    assert match.over
    assert match.position.returns() == (1,)
    assert match.position.view()["turns"] == [4]


@pytest.mark.clause("Y21")
def test_alone_it_is_lost_after_twice_the_turns() -> None:
    match = begin(1, magnets=4, max_turns=3)
    for _ in range(6):
        assert not match.over
        told(match, taken=[own(match)[0]])
    assert match.over
    assert match.position.returns() == (0,)


@pytest.mark.clause("Y21")
def test_after_all_turns_fewest_pieces_win_the_round() -> None:
    match = begin(2, max_turns=2)
    first = player_to_move(match)
    told(match)
    for _ in range(3):
        told(match, taken=[own(match)[0]])
    assert shaped(list[int], match.position.view()["rounds_won"])[first] == 1


@pytest.mark.clause("Y21")
def test_after_all_turns_a_tie_is_decided_by_lot() -> None:
    match = begin(2, max_turns=1)
    for _ in range(2):
        told(match)
    assert position(match).table.lot == "round"
    match.play(write_action({"lot": 1}))
    assert match.position.view()["rounds_won"] == [0, 1]


# --- texts, views, records ---


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wait",
        "{}",
        "[1]",
        '{"wait": true}',
        '{"wait":false}',
        '{"stack":0}',
        '{"magnet":1}',
        '{"pick":0}',
        '{"layout":"pyramid"}',
        '{"call":"last"}',
        '{"magnet":0,"path":[],"release":1}',
        '{"magnet":0,"path":[[0,0,0,50.0,1,0,0,0]],"release":1}',
        '{"magnet":true,"path":[[0,0,0,50,1,0,0,0]],"release":1}',
        '{"do":1}',
        "\0",
        "{" * 1000,
    ],
)
def test_other_texts_are_refused_and_change_nothing(text: str) -> None:
    match = begin()
    before = match.position.view()
    with pytest.raises(IllegalAction) as refused:
        match.play(text)
    assert refused.value.sentence("en")
    assert match.position.view() == before


@pytest.mark.clause("Y20")
def test_a_record_replays_to_the_same_poses_without_simulating() -> None:
    match = begin(2, magnets=6)
    for place in [(-60.0, -90.0), (60.0, -90.0), (0.0, 30.0)]:
        match.play(put(own(match)[0], *place))
    written = fields(parse(write_json(write_record(match, reveal=True))))
    *earlier, last = shaped(list[JsonValue], written["outcomes"])
    last_turn = fields(last)
    assert last_turn["physics"] == physics_version()
    record = read_record(written)
    assert record.match.position.view() == match.position.view()
    assert verify(record).fair is True
    wrong = {**last_turn, "board": {**fields(last_turn["board"]), "0": [1, 2, 3]}}
    with pytest.raises(Exception, match="outcome"):
        read_record({**written, "outcomes": [*earlier, wrong]})


@pytest.mark.clause("Y20")
def test_the_same_actions_give_the_same_poses_when_simulated_again() -> None:
    views = []
    for _ in range(2):
        match = begin(2)
        for place in [(-30.0, -80.0), (8.0, -80.0), (30.0, -40.0)]:
            match.play(put(own(match)[0], *place, "flat", 30))
        views.append(match.position.view())
    assert views[0] == views[1]


def test_views_and_pickles_round_trip_in_every_phase() -> None:
    match = Match(GAME, 3, {"magnets": 6}, dice=Dice("round trip"))
    seen = set()

    def check() -> None:
        now = match.position
        seen.add(position(match).table.phase)
        again = GAME.from_view(fields(parse(write_json(now.view()))), 3, match.options)
        for other in (again, pickle.loads(pickle.dumps(now))):
            assert other.view() == now.view()
            assert other.legal() == now.legal()
            assert other.to_move == now.to_move
            assert other.returns() == now.returns()
        assert now.picture(language="fr")
        assert all(len(line) <= 100 for line in now.picture().splitlines())

    turn = 0
    while not match.over:
        check()
        phase = position(match).table.phase
        if match.to_move == CHANCE:
            match.draw()
        elif phase == "layout":
            match.play(write_action({"layout": "islands"}))
        elif phase == "call":
            turn += 1
            match.play(CALL if turn % 3 else WAIT)
        elif phase == "stack":
            match.play(match.position.legal().actions[0])
        elif phase == "pick":
            action = match.position.legal().actions[0]
            picked = shaped(dict[str, int], parse(action))["pick"]
            left = [one for one in position(match).table.board if one != picked]
            match.play(action, outcome(left, [picked]))
        else:
            told(match)
    check()
    assert seen == {"lot", "layout", "shuffle", "stack", "turn", "call", "pick", "over"} - ({"lot"} - seen)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"phase": "dream"}, "phase"),
        ({"player": 7}, "player"),
        ({"mats": [[0, 0, 0]]}, "4 mats"),
        ({"mats": []}, "missing"),
        ({"magnets": []}, "magnets"),
        ({"stacks": [[3]]}, "stacks"),
        ({"alive": [True, False]}, "sudden death"),
        ({"rounds_won": [3, 3]}, "rounds"),
        ({"quiet": 99, "charged": 0}, "quiet"),
    ],
)
def test_impossible_positions_are_refused(change: JsonObject, reason: str) -> None:
    view = begin().position.view()
    with pytest.raises(BadView, match=reason):
        GAME.from_view({**view, **change}, 2, GAME.read_options())


def test_a_position_with_pieces_inside_each_other_is_refused() -> None:
    view = with_magnets(begin().position.view(), {0: on_board(0, 0), 1: on_board(0, 0)})
    with pytest.raises(BadView, match="inside each other"):
        GAME.from_view(view, 2, GAME.read_options())


def test_a_person_at_a_terminal_gives_place_and_orientation() -> None:
    match = begin()
    magnet = own(match)[0]
    match.play(match.position.understand(f"{magnet} 20 -40 edge 30"))
    x, y, *_ = position(match).table.board[magnet]
    assert (x, y) == pytest.approx((20, -40), abs=4)
    assert match.position.understand("wait") == WAIT
    with pytest.raises(IllegalAction, match="own stack"):
        match.position.understand(f"{magnet} 0 0")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_a_person_reads_can_be_typed(language: str) -> None:
    match, chooser = Match(GAME, 2, {"magnets": 6}, dice=Dice("typed")), random.Random(1)
    phases: set[str] = set()
    while {"layout", "stack", "turn", "call", "pick"} - phases:
        here = position(match)
        phases.add(here.table.phase)
        legal = here.legal().actions
        if match.to_move == CHANCE:
            match.draw()
            continue
        for action in legal:
            assert "{" not in here.typed(action, language)
            assert here.understand(here.typed(action, language).upper()) == action
        if here.table.phase == "turn":
            told(match, taken=())
        else:
            match.play(chooser.choice(legal), outcome(here.table.board) if here.table.phase == "pick" else None)


def test_stacks_are_counted_alike_on_the_board_and_in_what_is_typed_and_told() -> None:
    match = Match(GAME, 2, dice=Dice("test"))
    while position(match).table.phase != "stack":
        _ = match.draw() if match.to_move == CHANCE else match.play('{"layout":"pyramid"}')
    second = sorted(position(match).table.stacks[1])
    picture = position(match).picture()
    assert f"stack 2: {second[0]}, " in picture
    assert "()" not in picture
    for typed in ("2", "stack 2", "tas 2"):
        assert position(match).understand(typed) == '{"stack":1}'
    (event,) = match.play('{"stack":1}').events
    assert "stack 2: " in GAME.tell(event, "en")


@pytest.mark.parametrize("standing", STANDINGS)
def test_a_hint_can_be_typed(standing: Standing) -> None:
    match = begin()
    magnet = own(match)[0]
    french = position(match).typed(put(magnet, 20, -40, standing, 130), "fr")
    assert standing not in french.split()
    assert position(match).understand(french) == put(magnet, 20, -40, standing, 130)
    typed = position(match).typed(put(magnet, 20, -40, standing, 130))
    assert typed == f"{magnet} 20 -40 {standing} 130"
    assert position(match).understand(typed) == put(magnet, 20, -40, standing, 130)


def test_nonsense_is_answered_with_what_can_be_typed_now() -> None:
    match = Match(GAME, 2, dice=Dice("test"))
    while match.to_move == CHANCE:
        match.draw()
    with pytest.raises(
        IllegalAction, match=r'"blah" is not possible now. Possible: pyramid, ribbon, islands.'
    ) as refused:
        match.position.understand("blah")
    assert "Possible : pyramide, ruban, îles." in refused.value.sentence("fr")
    match = begin()
    with pytest.raises(IllegalAction, match=r"MAGNET X Y \[flat") as refused:
        match.position.understand("stack 1")
    assert "AIMANT X Y [couché|retourné|" in refused.value.sentence("fr")


def test_only_what_can_be_typed_now_is_shown() -> None:
    match = Match(GAME, 2, dice=Dice("test"))
    while position(match).table.phase != "stack":
        _ = match.draw() if match.to_move == CHANCE else match.play('{"layout":"pyramid"}')
    assert position(match).in_brief("en") == ["stack 1", "stack 2"]
    assert "X Y" not in position(match).picture().upper().replace("MM", "")
    assert position(begin()).in_brief("fr") == ["AIMANT X Y [couché|retourné|tranche|debout|renversé] [ANGLE]"]


def test_every_event_is_told_in_both_languages() -> None:
    match = begin(2)
    events: list[Event] = []
    for place in [(0.0, -40.0), (3.0, -40.0), (400.0, 0.0)]:
        events += match.play(put(own(match)[0], *place)).events
    assert {"place", "touch", "collapse", "taken", "fall", "rest"} <= {event.what for event in events}
    for event in events:
        for language in ("en", "fr"):
            sentence = GAME.tell(event, language)
            assert sentence
            assert "{" not in sentence


def test_magnets_are_told_by_their_shapes_and_counted() -> None:
    """Their numbers are the program's: people say "two coins"."""
    coins, eggs = ([one for one in range(20) if shape_of(one).name == name] for name in ("coin", "egg"))
    event = Event("collapse", {"magnets": [*coins[:2], eggs[0]]})
    assert GAME.tell(event, "en") == "Collapse: 2 coins and an egg"
    assert GAME.tell(event, "fr") == "Se collent : 2 palets et un œuf"


@pytest.mark.clause("Y19")
def test_a_table_may_choose_how_magnets_are_magnetised_and_old_matches_stay_as_they_were() -> None:
    """Two pieces side by side, both with the same face up: they collapse in one game and push each other away in the other."""
    ends = {}
    for magnetisation in MAGNETISATIONS:
        turn = Turn(LAYOUTS["pyramid"], {}, 20, None, 1.0, magnetisation=magnetisation)
        for magnet, x in ((0, -11.0), (5, 11.0)):
            turn.scene.put(magnet, (x, -40.0, 3.0, 1.0, 0.0, 0.0, 0.0))
        ends[magnetisation] = whole_turn(turn, None)
    assert set(ends["plane"].taken) == {0, 5}
    assert not ends["through"].taken
    apart = ends["through"].board[5][0] - ends["through"].board[0][0]
    assert apart > 22.5
    chosen = Match(GAME, 2, {"magnetisation": "through"}, dice=Dice("through"))
    assert position(chosen).new_turn(None).scene.shapes[0].magnetisation == "through"
    again = read_record(write_record(chosen)).match
    assert position(again).table.settings.magnetisation == "through"
    assert position(Match(GAME, 2, dice=Dice("old"))).table.settings.magnetisation == "plane"
    before: dict[str, JsonValue] = {"magnets": 20, "quiet_seconds": 10, "max_turns": 100, "hand_seconds": None}
    assert GAME.settings(2, {**before, "match": "points"}).magnetisation == "plane"
