"""Text from outside: strict JSON, options, names; every refusal is a sentence."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludotheque.core import (
    BadJson,
    BadOption,
    BadView,
    Counts,
    Json,
    Match,
    Problem,
    Reader,
    Switch,
    UnknownGame,
    find_game,
    parse,
    write_json,
)
from ludotheque.core import Choice as ChoiceOption
from ludotheque.core.options import Number, read_options

GAME = find_game("yam-master")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        '{"a":Infinity}',
        "1e999",
        "-1e999",
        "[" * 100_000,
        '{"a":' * 500 + "1" + "}" * 500,
        "9" * 5000,
        "tru",
        b"\xff\xfe{}",
        b'"\xc3"',
        r'"\ud800"',
        r'{"x\udc00": 1}',
        r'["a\u0000b"]',
    ],
)
def test_broken_json_is_refused_in_words(text: str | bytes) -> None:
    with pytest.raises(BadJson) as refused:
        parse(text)
    assert refused.value.sentence("en").endswith(".")


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))  # the others are refused, see above
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(texts, inside, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_json_round_trips(value: Json) -> None:
    assert parse(write_json(value)) == value


@given(st.binary(max_size=60))
def test_nothing_but_a_problem_comes_of_garbage(garbage: bytes) -> None:
    with suppress(BadJson):
        parse(garbage)


def test_true_and_2_0_are_no_integers() -> None:
    for value in (True, 2.0, "2", None, [2]):
        with pytest.raises(BadView, match="place"):
            Reader(value, BadView, "place").integer(0, 5)


def test_an_unknown_game_is_answered_by_the_nearest_name() -> None:
    with pytest.raises(UnknownGame, match='Did you mean "yam-master"'):
        find_game("yam master")
    with pytest.raises(UnknownGame, match=r"There are: .*yam-master"):
        find_game("qqqq")


@pytest.mark.parametrize("players", [0, 1, 3, True, 2.0, "2"])
def test_a_wrong_number_of_players_is_refused(players: Json) -> None:
    with pytest.raises(BadOption, match="Yam Master is for 2 players"):
        GAME.read_players(players)


@pytest.mark.parametrize(
    ("given_value", "told"),
    [
        ({"max_turns": 0}, "max_turns: expected a whole number from 1 to 1000"),
        ({"max_turns": 1001}, "max_turns"),
        ({"max_turns": True}, "max_turns"),
        ({"max_turns": 5.0}, "max_turns"),
        ({"max_turn": 5}, 'Did you mean "max_turns"'),
        ([], "expected an object"),
        ("max_turns", "expected an object"),
    ],
)
def test_options_out_of_range_are_refused(given_value: Json, told: str) -> None:
    with pytest.raises(BadOption) as refused:
        Match(GAME, options=given_value)
    assert told in refused.value.sentence("en")


def test_options_of_every_kind() -> None:
    declared = (
        Switch("forced", False, "X1"),
        Number("rounds", 5, "X2", low=1, high=9),
        ChoiceOption("length", "short", "X3", choices=("short", "long")),
        Counts("tokens", {"a": 1, "b": 2}, "X4", total=3),
    )
    assert read_options(declared, None) == {"forced": False, "rounds": 5, "length": "short", "tokens": {"a": 1, "b": 2}}
    limit = Number("limit", None, "X5", low=5, high=9, optional=True)
    assert [read_options([limit], given)["limit"] for given in ({}, {"limit": 7}, {"limit": None})] == [None, 7, None]
    assert (
        write_json(limit.describe())
        == '{"name":"limit","kind":"number","default":null,"low":5,"high":9,"optional":true,"clause":"X5"}'
    )
    assert read_options(declared, {"tokens": {"a": 3, "b": 0}})["tokens"] == {"a": 3, "b": 0}
    for wrong in (
        {"forced": 1},
        {"rounds": None},
        {"length": "Long"},
        {"tokens": {"a": 3}},
        {"tokens": {"a": 1, "b": 1}},
        {"tokens": {"a": 1, "b": 1, "c": 1}},
    ):
        with pytest.raises(BadOption):
            read_options(declared, wrong)
    for option in declared:
        assert write_json(option.describe())


@pytest.mark.parametrize("wrong", [2, -1, 1.0, True, None, "1", "Lot", [0]])
def test_who_starts_is_the_lot_or_a_seat_that_there_is(wrong: Json) -> None:
    with pytest.raises(BadOption, match=r'options\.first: expected "lot" or a seat from 0 to 1, found') as refused:
        Match(GAME, 2, {"first": wrong})
    assert "tirage au sort" in refused.value.sentence("fr")


@pytest.mark.parametrize("right", ["lot", 0, 1])
def test_who_starts_is_kept_as_it_was_given(right: Json) -> None:
    assert Match(GAME, 2, {"first": right}).options["first"] == right


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "rol"},
        {"player": 2},
        {"player": False},
        {"board": ["....."] * 5 + ["....."]},
        {"board": [".....", ".....", "..2..", ".....", "....."]},
        {"board": ["00000", "00000", "000..", ".....", "....."]},
        {"board": ["11111", ".....", "00000", ".....", "....."]},
        {"board": ["00000", ".....", ".....", ".....", "....."]},
        {"phase": "over"},
        {"stock": [12, 11]},
        {"turns": [100, 100]},
        {"turns": [-1, 0]},
        {"turns": [101, 0]},
        {"rolls": 1},
        {"rolls": 4},
        {"dice": "12345"},
        {"kept": "1"},
        {"defi": True},
        {"defi": 0},
        {"phase": "decide"},
        {"phase": "decide", "rolls": 1, "dice": "54321"},
        {"phase": "decide", "rolls": 1, "dice": "12347"},
        {"phase": "decide", "rolls": 1, "dice": "1234"},
        {"phase": "decide", "rolls": 1, "dice": "12345", "kept": "1"},
        {"phase": "decide", "rolls": 1, "dice": "12345", "defi": True},
        {"phase": "roll", "rolls": 3, "dice": "12345"},
        {"phase": "roll", "rolls": 1, "dice": "12345", "kept": "11"},
        {"phase": "roll", "rolls": 1, "dice": "12345", "kept": "12345"},
    ],
)
def test_positions_that_cannot_be_are_refused(change: dict[str, Json]) -> None:
    view = {**Match(GAME).first.view(), **change}
    with pytest.raises(BadView) as refused:
        GAME.from_view(view, 2, GAME.read_options())
    assert ":" in refused.value.sentence("en") or "over" in refused.value.sentence("en")


def test_a_position_needs_all_its_own_keys_and_ignores_others() -> None:
    view = Match(GAME).first.view()
    for key in view:
        without = {name: value for name, value in view.items() if name != key}
        if key in ("stock", "points", "winner"):  # they follow from the rest
            assert GAME.from_view(without, 2, GAME.read_options()).view() == view
        else:
            with pytest.raises(BadView, match=key):
                GAME.from_view(without, 2, GAME.read_options())
    assert GAME.from_view({**view, "extra": 1, "points": [7, 7]}, 2, GAME.read_options()).view() == view


def test_an_illegal_action_is_told_with_what_is_possible() -> None:
    match = Match(GAME)
    with pytest.raises(Problem, match="Possible: 11111, 11112"):
        match.play("keep 11")
    with pytest.raises(Problem, match="nothing to take back"):
        match.undo()
    match.draw()
    with pytest.raises(Problem, match="nothing to roll"):
        match.draw()
