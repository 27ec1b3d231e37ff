"""A Twisty table for tests: positions with a few named tokens, the rest of the board filled in so that all counts are right.

A failed expectation shows the board.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludotheque.core import Event
from ludotheque.games.twisty import GAME
from table import discrete, shaped

COLOURS = "ABCDEFG"
SQUARES = [file + rank for rank in "1234567" for file in "abcdefg"]
BARE = {"a1", "g1", "a7", "g7", "d4"}
SPECIALS = {"+": 3, "x": 3, "L": 3, "o": 4, "s": 3}


def laid(
    tokens: Mapping[str, str], held: Mapping[str, int], specials: Mapping[str, int], empty: Sequence[str] = ()
) -> list[str]:
    """A board with the named tokens where they are said to be; the others fill it, special ones from g6 down, colours from b1 up.

    As many squares stay empty as cubes were collected: those in `empty`, then the last ones.
    """
    rest = {colour: 4 - held.get(colour, 0) for colour in COLOURS} | dict(specials)
    for token in tokens.values():
        rest[token] -= 1
    assert min(rest.values()) >= 0, f"more tokens than there are: {rest}"
    board = dict.fromkeys(SQUARES, ".") | dict(tokens)
    free = [square for square in SQUARES if square not in BARE and square not in tokens and square not in empty]
    fill = [token for token in "GFEDCBA" for _ in range(rest[token])]
    fill += ["."] * (sum(held.values()) - len(empty))
    fill += [token for token in "soxL+" for _ in range(rest[token])]
    board.update(zip(free, fill, strict=True))
    return ["".join(board[file + rank] for file in "abcdefg") for rank in "7654321"]


class Table:
    """A position and what players expect of it. Series are ABCDEFG unless given; seat 0 is to move and has started."""

    def __init__(
        self,
        pawns: Sequence[str],
        tokens: Mapping[str, str] | None = None,
        *,
        empty: Sequence[str] = (),
        specials: Mapping[str, int] = SPECIALS,
        max_rounds: int = 100,
        **changes: Any,
    ) -> None:
        players = len(pawns)
        series = changes.get("series", ["ABCDEFG"] * players)
        collected = changes.get("collected", [0] * players)
        held = "".join(series[seat][: collected[seat]] for seat in range(players))
        view = {
            "phase": "move",
            "player": 0,
            "board": laid(tokens or {}, {colour: held.count(colour) for colour in COLOURS}, specials, empty),
            "pawns": list(pawns),
            "series": series,
            "collected": collected,
            "protected": [""] * players,
            "used": [],
            "round": 1,
            "first": 0,
            "winner": None,
            **changes,
        }
        options = GAME.read_options({"specials": dict(specials), "max_rounds": max_rounds})
        self.position = GAME.from_view(view, players, options)
        self.events: list[Event] = []

    def play(self, *actions: str) -> "Table":
        """Play these actions, one after the other."""
        for action in actions:
            step = self.position.play(action)
            self.position = discrete(step.position)
            self.events.extend(step.events)
        return self

    def may(self, *actions: str) -> None:
        """The player to move may do this and nothing else."""
        allowed = sorted(self.position.legal().actions)
        assert allowed == sorted(actions), f"allowed are {allowed}\n{self.position.picture()}"

    def may_not(self, action: str) -> None:
        """The player to move may not do this."""
        assert action not in self.position.legal().actions, f"{action} is allowed\n{self.position.picture()}"

    def see(self, **fields: Any) -> None:
        """The view shows this; `at_<square>` is a token on the board."""
        view = self.position.view()
        for name, expected in fields.items():
            found = self.token_on(name[3:]) if name.startswith("at_") else view[name]
            assert found == expected, f"{name} is {found!r}, not {expected!r}\n{self.position.picture()}"

    def token_on(self, square: str) -> str:
        """What lies on a square."""
        row = shaped(list[str], self.position.view()["board"])[7 - int(square[1])]
        return row["abcdefg".index(square[0])]

    def told(self, language: str = "en") -> list[str]:
        """Everything that happened since, in words."""
        return [self.position.game.tell(event, language) for event in self.events]
