"""Small Wykersham positions drawn as text, for tests that read like a player's words and fail with the board's picture."""

import re
from typing import Any

from ludotheque.core import Event, Position
from ludotheque.games.wykersham import GAME

EMPTY = "\n".join([". . . . . . ."] * 5)


class Table:
    """A position that is played on; what it is expected to show fails with its picture."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.told: list[str] = []
        self.events: list[Event] = []

    @property
    def view(self) -> dict[str, Any]:
        return dict(self.position.view())

    def play(self, *actions: str) -> "Table":
        for action in actions:
            step = self.position.play(action)
            self.position = step.position
            self.events += step.events
            self.told += [GAME.tell(event, "en") for event in step.events]
        return self

    def after(self, *actions: str) -> "Table":
        """Another table where these were played."""
        return Table(self.position).play(*actions)

    def shows(self, **facts: Any) -> "Table":
        """These fields of the view."""
        shown = {name: self.view[name] for name in facts}
        assert shown == facts, f"expected {facts}, found {shown}\n{self.position.picture()}"
        return self

    def allows(self, *actions: str) -> "Table":
        """Exactly these actions, in any order."""
        legal = self.position.legal().actions
        assert sorted(legal) == sorted(actions), (
            f"expected {sorted(actions)}, found {sorted(legal)}\n{self.position.picture()}"
        )
        return self

    def goals(self) -> list[tuple[str, int]]:
        return [(goal["line"], goal["column"]) for goal in self.view["goals"]]

    def cup(self, rail: int, column: int) -> list[int]:
        """The red and green marbles of a rail in a column, as the board stands."""
        marbles: list[int] = self.view["cups"][rail - 1][column + 5 - self.view["offsets"][rail - 1]]
        return marbles


def read_marbles(token: str) -> list[int]:
    """`r`, `g2`, `r1g3` or `.`"""
    found = re.fullmatch(r"(?:r(\d*))?(?:g(\d*))?", token if token != "." else "")
    assert found, token
    return [0 if text is None else int(text or 1) for text in found.groups()]


def board_view(board: str, offsets: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)) -> dict[str, Any]:
    """Cups and offsets of a drawn board: five rows of the seven labelled lines, or of all 15 columns, as they stand now."""
    rows = [row.split() for row in board.strip().splitlines()]
    assert len(rows) == 5
    cups = [[[0, 0] for _ in range(11)] for _ in rows]
    for rail, row in enumerate(rows):
        assert len(row) in (7, 15), row
        for place, token in enumerate(row):
            marbles = read_marbles(token)
            if any(marbles):
                cups[rail][place - len(row) // 2 + 5 - offsets[rail]] = marbles
    return {"cups": cups, "offsets": list(offsets)}


def turn_view(
    board: str = EMPTY,
    *,
    player: int = 0,
    offsets: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0),
    turns: int | None = None,
) -> dict[str, Any]:
    """The view before a player's roll. What a player has played and does not lie there is in the winnings."""
    view = board_view(board, offsets)
    lying = [sum(cup[seat] for rail in view["cups"] for cup in rail) for seat in (0, 1)]
    played = 2 * turns if turns is not None else max(lying) + max(lying) % 2
    return {
        "phase": "roll",
        "player": player,
        "dice": "",
        "left": [],
        **view,
        "slid": [],
        "direction": 0,
        "turns": [played // 2, played // 2],
        "winnings": [played - count for count in lying],
        "goals": [],
        "cup": None,
        "rail": None,
        "winner": None,
    }


def table(board: str = EMPTY, *actions: str, options: dict[str, bool] | None = None, **more: Any) -> Table:
    """A table before a roll, or after these actions (the roll first)."""
    chosen = GAME.read_options(options)
    return Table(GAME.from_view(turn_view(board, **more), 2, chosen)).play(*actions)


def from_view(view: dict[str, Any], **options: bool) -> Table:
    """A table from a whole view."""
    return Table(GAME.from_view(view, 2, GAME.read_options(options)))


def new_table(**options: bool) -> Table:
    """A new game."""
    from ludotheque.core import Match  # noqa: PLC0415 - one use

    return Table(Match(GAME, options=options).position)
