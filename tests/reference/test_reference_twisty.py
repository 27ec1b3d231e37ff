"""The plain Twisty on small positions whose answer follows from the clauses by hand.

The positions are open diagrams with few tokens, so that what a square does can be seen.
"""

from fractions import Fraction
from random import Random
from typing import Any

from reference.twisty import Reference, first_view

BARE = ["......."] * 7


def board(**tokens: str) -> list[str]:
    """A board with these tokens only, such as `b3="A"`."""
    rows = [list(row) for row in BARE]
    for square, token in tokens.items():
        rows[7 - int(square[1])]["abcdefg".index(square[0])] = token
    return ["".join(row) for row in rows]


def position(pawns: list[str], tokens: dict[str, str], **changes: Any) -> Reference:
    """Seat 0 moves; all series are ABCDEFG."""
    players = len(pawns)
    view = first_view(players, {}, board=board(**tokens), series=["ABCDEFG"] * players)
    return Reference({**view, "phase": "move", "pawns": pawns, **changes}, {"max_rounds": 100}, players)


def show(game: Reference, *keys: str) -> tuple[Any, ...]:
    """Some fields of the view."""
    view = game.view()
    return tuple(view[key] for key in keys)


def test_set_up() -> None:
    view = first_view(3, {}, first=2, rng=Random(4))
    text = "".join(view["board"])
    assert {token: text.count(token) for token in "ABCDEFG+xLos."} == {
        **dict.fromkeys("ABCDEFG", 4),
        "+": 3,
        "x": 3,
        "L": 3,
        "o": 4,
        "s": 3,
        ".": 5,
    }
    assert view["board"][3][3] == "."  # the centre, d4
    game = Reference(view, {}, 3)
    assert game.to_move() == 2
    assert sorted(game.legal()) == ["corner a1", "corner a7", "corner g1", "corner g7"]
    game.play("corner a1")
    assert (game.to_move(), sorted(game.legal())) == (0, ["corner a7", "corner g1", "corner g7"])
    game.play("corner g7")
    game.play("corner a7")
    assert show(game, "phase", "player", "pawns", "round") == ("move", 2, ["g7", "a7", "a1"], 1)
    assert sorted(game.legal()) == ["b3", "c2"]


def test_collect_only_the_next_colour() -> None:
    game = position(["a1", "g7"], {"b3": "A", "c2": "B"})
    game.play("b3")
    assert show(game, "collected", "player", "board") == ([1, 0], 1, board(c2="B"))
    game = position(["a1", "g7"], {"b3": "A", "c2": "B"})
    game.play("c2")
    assert show(game, "collected", "player", "board") == ([0, 0], 1, board(b3="A", c2="B"))


def test_extra_moves_chain_and_a_token_acts_once() -> None:
    game = position(["a1", "g7"], {"b3": "+", "b4": "+"})
    game.play("b3")
    assert show(game, "phase", "player", "used") == ("extra", 0, [])
    assert sorted(game.legal()) == ["a3", "b2", "b4", "c3", "stay"]
    game.play("b4")
    assert show(game, "phase", "used") == ("extra", ["b3"])
    assert sorted(game.legal()) == ["a4", "b3", "b5", "c4", "stay"]
    game.play("b3")  # has acted: the turn ends
    assert show(game, "phase", "player", "used", "pawns") == ("move", 1, [], ["b3", "g7"])


def test_the_token_at_the_start_gives_nothing() -> None:
    game = position(["d4", "g7"], {"d4": "+"})
    assert sorted(game.legal()) == ["b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"]


def test_portals() -> None:
    game = position(["a1", "f3"], {"b3": "o", "f3": "o", "e5": "o"})
    game.play("b3")
    assert sorted(game.legal()) == ["e5", "stay"]  # a pawn stands on f3
    game.play("e5")
    assert show(game, "phase", "player", "pawns") == ("move", 1, ["e5", "f3"])
    game = position(["a1", "f3"], {"b3": "o", "f3": "o"})
    game.play("b3")  # no exit is free: the turn ends
    assert show(game, "phase", "player") == ("move", 1)
    # Not even where the pawn on the portal could be robbed.
    game = position(["a1", "f3"], {"b3": "o", "f3": "o"}, collected=[0, 1])
    game.play("b3")
    assert show(game, "phase", "player") == ("move", 1)


def test_shield() -> None:
    game = position(["a1", "g7"], {"b3": "s"})
    game.play("b3")  # nothing to protect: the turn ends
    assert game.to_move() == 1
    game = position(["a1", "g7"], {"b3": "s"}, collected=[2, 0])
    game.play("b3")
    assert sorted(game.legal()) == ["shield", "stay"]
    game.play("shield")
    assert show(game, "protected", "player") == (["AB", ""], 1)
    game = position(["a1", "g7"], {"b3": "s"}, collected=[2, 0], protected=["AB", ""])
    game.play("b3")
    assert game.to_move() == 1


def test_robbery() -> None:
    # Seat 0 needs B; seat 1 on b3, over a token, has collected A, B, C of which A is protected.
    game = position(["a1", "b3"], {"b3": "+"}, collected=[1, 3], protected=["", "A"])
    assert sorted(game.legal()) == ["b3", "c2"]
    game.play("b3")
    assert show(game, "phase", "player", "pawns") == ("settle", 0, ["b3", "b3"])
    assert show(game, "collected", "series", "protected") == ([2, 2], ["ABCDEFG", "ACDEFGB"], ["", "A"])
    assert sorted(game.legal()) == ["corner a1", "corner a7", "corner g1", "corner g7"]
    game.play("corner g1")
    assert show(game, "phase", "player", "pawns") == ("move", 1, ["g1", "b3"])


def test_what_cannot_be_robbed() -> None:
    # Seat 0 needs A: seat 1 has it protected. Seat 2 has nothing.
    game = position(["a1", "b3", "c2"], {}, collected=[0, 2, 0], protected=["", "A", ""])
    assert game.legal() == ["pass"]
    game.play("pass")
    assert game.to_move() == 1


def test_robbery_on_the_centre_is_no_arrival() -> None:
    game = position(["b3", "d4"], {}, collected=[6, 7], series=["ABCDEFG", "ABCDEFG"])
    game.play("d4")
    assert show(game, "phase", "collected", "winner") == ("settle", [7, 6], None)


def test_robbery_with_one_corner_left() -> None:
    game = position(["b3", "a1", "g1", "g7"], {}, collected=[0, 1, 0, 0])
    assert "a1" in game.legal()
    game.play("a1")
    assert show(game, "phase", "player", "pawns") == ("move", 1, ["a7", "a1", "g1", "g7"])


def test_win_on_the_centre() -> None:
    game = position(["c3", "g7"], {"b5": "x", "c4": "+"}, collected=[7, 0])
    game.play("b5")
    game.play("c4")
    game.play("d4")
    assert show(game, "phase", "winner", "player", "used") == ("over", 0, 0, [])
    assert game.returns() == [Fraction(1), Fraction(0)]
    game = position(["b3", "g7"], {}, collected=[6, 0])
    game.play("d4")
    assert show(game, "phase", "winner", "player") == ("move", None, 1)


def test_round_limit() -> None:
    # Seat 2 started, so round 100 ends when seat 1 has moved.
    game = position(["a1", "g7", "g1"], {}, collected=[2, 1, 2], round=100, first=2, player=1)
    game.play("f5")
    assert show(game, "phase", "winner", "player", "round") == ("over", "draw", 1, 100)
    assert game.returns() == [Fraction(1, 2), Fraction(0), Fraction(1, 2)]
