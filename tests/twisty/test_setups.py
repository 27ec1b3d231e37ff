"""Positions of Twisty that no game can reach are refused, and the message names the place."""

from collections.abc import Callable
from typing import Any

import pytest

from ludotheque.core import BadView, Position, find_game
from twisty.table import Table

View = dict[str, Any]


def changed(view: View, place: str, value: Any) -> None:
    """Put a value where `place` says, such as `pawns.0`."""
    *way, last = place.split(".")
    inner: Any = view
    for name in way:
        inner = inner[int(name)] if name.isdigit() else inner[name]
    inner[int(last) if last.isdigit() else last] = value


def moving() -> View:
    """Seat 0 to move, with two cubes; seat 1 has one, protected."""
    return fresh(Table(["c3", "b3"], collected=[2, 1], protected=["", "A"]))


def stepping() -> View:
    table = Table(["a1", "g7"], {"b3": "+", "b4": "+"})
    return fresh(table.play("b3", "b4"))


def settling() -> View:
    return fresh(Table(["a1", "b3"], collected=[0, 1]).play("b3"))


def choosing() -> View:
    view = fresh(Table(["a1", "g7"]))
    return {**view, "phase": "corner", "player": 1, "pawns": ["a1", None]}


def won() -> View:
    return fresh(Table(["b3", "g7"], collected=[7, 0]).play("d4"))


def timed_out() -> View:
    table = Table(["a1", "g7"], {"f5": "C"}, collected=[2, 1], round=100, player=1)
    return fresh(table.play("f5"))


def fresh(table: Table) -> View:
    """The view with lists of its own."""
    view = dict(table.position.view())
    return {name: list(value) if isinstance(value, list) else value for name, value in view.items()}


def read(view: View) -> Position:
    game = find_game("twisty")
    return game.from_view(view, 2, game.read_options())


ALL = [moving, stepping, settling, choosing, won, timed_out]


@pytest.mark.parametrize("good", ALL)
def test_the_positions_themselves_are_fine(good: Callable[[], View]) -> None:
    assert read(good()).view() == good()


@pytest.mark.parametrize("good", ALL)
def test_every_key_but_the_winner_is_needed(good: Callable[[], View]) -> None:
    for key in good():
        view = good()
        del view[key]
        if key == "winner":
            assert read(view).view() == good()
        else:
            with pytest.raises(BadView, match=key):
                read(view)


@pytest.mark.parametrize("good", ALL)
@pytest.mark.parametrize("value", [None, True, 2.0, -1, "x", [], {}, [[]], 10**30, "é" * 5000])
def test_nonsense_anywhere_is_refused_in_words(good: Callable[[], View], value: Any) -> None:
    for key in set(good()) - {"winner"}:
        view = good()
        may_be = key == "used" and value == []  # a chain may begin where this one is
        if view[key] != value and not may_be:
            view[key] = value
            with pytest.raises(BadView, match=key):
                read(view)


BAD: list[tuple[Callable[[], View], str, Any, str | None]] = [
    (moving, "phase", "extra", "offers nothing"),
    (moving, "phase", "settle", "victim's square"),
    (moving, "phase", "over", "not over"),
    (moving, "phase", "corner", "collected"),
    (moving, "player", 2, "player"),
    (moving, "first", -1, "first"),
    (moving, "round", 0, "round"),
    (moving, "round", 101, "round"),
    (moving, "pawns.1", "c3", r"pawns\[1\].*another pawn"),
    (moving, "pawns.0", None, r"pawns\[0\].*every pawn"),
    (moving, "pawns.0", "h1", r"pawns\[0\].*a1 to g7"),
    (moving, "pawns.0", "C3", r"pawns\[0\]"),
    (moving, "series.0", "ABCDEFF", r"series\[0\].*once"),
    (moving, "series.1", "ABCDEF", r"series\[1\]"),
    (moving, "collected.0", 8, r"collected\[0\]"),
    (moving, "collected.0", 3, 'tokens "C".*together'),
    (moving, "collected.1", 0, r"protected\[1\]"),
    (moving, "protected.0", "BA", r"protected\[0\].*in that order"),
    (moving, "protected.0", "AA", r"protected\[0\]"),
    (moving, "protected.0", "C", r"protected\[0\]"),
    (moving, "protected.0", "?", r"protected\[0\]"),
    (moving, "used", ["b3"], "used.*no turn"),
    (moving, "board.0", "......", r"board\[0\]"),
    (moving, "board.0", "..q....", r"board\[0\]"),
    (moving, "board.6", "A......", "never a token on a1"),
    (moving, "board.3", "...A...", "never a token on d4"),
    (moving, "board.6", ".......", "tokens"),
    (stepping, "used", [], None),
    (stepping, "used", ["b4"], "offers nothing"),
    (stepping, "used", ["b3", "b3"], r"used\[1\].*each once"),
    (stepping, "used", ["b2"], r"used\[0\].*can have acted"),
    (stepping, "used", ["b9"], r"used\[0\]"),
    (stepping, "used", ["d4"], r"used\[0\]"),
    (stepping, "pawns.0", "d4", "offers nothing"),
    (settling, "player", 1, "the robber has a cube"),
    (settling, "pawns.0", "c5", "victim's square"),
    (settling, "series.1", "GBCDEFA", None),
    (settling, "series.1", "ABCDEFG", "stolen colour"),
    (choosing, "round", 2, "round"),
    (choosing, "pawns.0", None, r"pawns\[0\].*has chosen"),
    (choosing, "pawns.0", "b3", r"pawns\[0\].*has chosen"),
    (choosing, "pawns.1", "g7", r"pawns\[1\].*not chosen"),
    (choosing, "player", 0, r"pawns\[0\].*not chosen"),
    (won, "winner", 1, "winner"),
    (won, "winner", None, "winner"),
    (won, "winner", "draw", "winner"),
    (won, "winner", False, "winner"),
    (won, "phase", "move", r"pawns\[0\].*has won"),
    (won, "player", 1, r"pawns\[0\].*has won"),
    (timed_out, "round", 99, "not over"),
    (timed_out, "player", 0, "not over"),
    (timed_out, "winner", "draw", "winner"),
    (moving, "winner", 1, None),  # before the end it is recomputed
]


@pytest.mark.parametrize(("good", "place", "value", "message"), BAD)
def test_a_position_that_no_game_reaches_is_refused(
    good: Callable[[], View], place: str, value: Any, message: str | None
) -> None:
    view = good()
    changed(view, place, value)
    if message is None:
        read(view)
    else:
        with pytest.raises(BadView, match=message):
            read(view)


def test_a_wrong_number_of_seats_is_refused() -> None:
    game = find_game("twisty")
    with pytest.raises(BadView, match="series"):
        game.from_view(moving(), 3, game.read_options())


def test_special_tokens_must_be_those_of_the_option() -> None:
    game = find_game("twisty")
    options = game.read_options({"specials": {"+": 4, "x": 2, "L": 3, "o": 4, "s": 3}})
    with pytest.raises(BadView, match=r'3 tokens "\+".*there are 4'):
        game.from_view(moving(), 2, options)


def test_robbers_with_a_single_free_corner_have_settled() -> None:
    table = Table(["a1", "b3", "g1", "g7"], collected=[0, 1, 0, 0]).play("b3")
    view = fresh(table)
    view["pawns"] = ["a7", "a7", "g1", "g7"]
    game = find_game("twisty")
    with pytest.raises(BadView, match="nothing to choose"):
        game.from_view(view, 4, game.read_options())
