"""Yam Master once more, slow and plain: written from the clauses M1 to M24 and the protocol alone.

Every function names the clauses it follows. Nothing here is shared with the kernels, so that both can be
compared state by state.
"""

from collections import Counter
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial
from typing import Any

DEFAULT_OPTIONS: dict[str, Any] = {"first": "lot", "max_turns": 100}

# M1: the board, r1 first, c1 first.
BOARD: list[list[str]] = [
    ["1", "3", "Défi", "4", "6"],
    ["2", "Carré", "Sec", "Full", "5"],
    ["≤8", "Full", "Yam", "Défi", "Suite"],
    ["6", "Sec", "Suite", "≤8", "1"],
    ["3", "2", "Carré", "5", "4"],
]
SIZE = 5
DICE = 5
PAWNS = 12
ROLLS = 3

# The combinations that make a Sec (M14) and fulfil a challenge (M15): all but a Brelan.
BIG = {"Full", "Carré", "Yam", "Suite", "≤8"}

Cell = tuple[int, int]  # row 1 to 5, column 1 to 5


def cell_text(cell: Cell) -> str:
    """How the notation names a cell."""
    return f"r{cell[0]}c{cell[1]}"


CELLS: dict[str, Cell] = {
    cell_text((row, column)): (row, column) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1)
}


@cache
def combinations_of(dice: str) -> frozenset[str]:
    """M7 to M13: every combination that the five dice make, by the names on the board."""
    made: set[str] = set()
    count = Counter(dice)
    for face in "123456":
        if count[face] >= 3:  # M8
            made.add(face)
    if sorted(count.values()) == [2, 3] or len(count) == 1:  # M9
        made.add("Full")
    if max(count.values()) >= 4:  # M10
        made.add("Carré")
    if max(count.values()) == 5:  # M11
        made.add("Yam")
    if "".join(sorted(dice)) in {"12345", "23456"}:  # M12
        made.add("Suite")
    if sum(int(face) for face in dice) <= 8:  # M13
        made.add("≤8")
    return frozenset(made)


@cache
def keepable(dice: str) -> tuple[str, ...]:
    """M3 and M4: every different choice of dice to set aside, never all five."""
    choices = {"".join(sorted(some)) for size in range(DICE) for some in combinations(dice, size)}
    return tuple(sorted(choices))


@cache
def roll_outcomes(kept: str) -> dict[str, Fraction]:
    """M3: the five sorted dice after rolling those not kept, and how likely they are."""
    rolled = DICE - len(kept)
    outcomes: dict[str, Fraction] = {}
    for faces in combinations_with_replacement("123456", rolled):
        ways = factorial(rolled)
        for times in Counter(faces).values():
            ways //= factorial(times)
        outcomes["".join(sorted(kept + "".join(faces)))] = Fraction(ways, 6**rolled)
    return outcomes


def all_lines() -> list[list[Cell]]:
    """M19: every row, column and diagonal of the board, the short diagonals too, whole."""
    lines: dict[tuple[str, int], list[Cell]] = {}
    for row, column in CELLS.values():
        lines.setdefault(("row", row), []).append((row, column))
        lines.setdefault(("column", column), []).append((row, column))
        lines.setdefault(("falling", column - row), []).append((row, column))
        lines.setdefault(("rising", column + row), []).append((row, column))
    return [line for line in lines.values() if len(line) >= 3]


LINES = all_lines()


@lru_cache(maxsize=10_000)
def runs(cells: frozenset[Cell]) -> tuple[int, ...]:
    """M20: the lengths of the maximal runs of pawns that stand on these cells, over all lines."""
    lengths: list[int] = []
    for line in LINES:
        text = "".join("#" if cell in cells else " " for cell in line)
        lengths.extend(len(run) for run in text.split())
    return tuple(lengths)


def points_of(cells: frozenset[Cell]) -> int:
    """M20: three in line is a point, four are two, five are none (they win)."""
    worth = {3: 1, 4: 2}
    return sum(worth.get(length, 0) for length in runs(cells))


def first_view(players: int, options: dict[str, Any], first: int = 0) -> dict[str, Any]:
    """M24: the beginning, with the player who starts named by the caller."""
    return {
        "phase": "roll",
        "player": first,
        "rolls": 0,
        "dice": "",
        "kept": "",
        "defi": False,
        "board": ["....."] * SIZE,
        "stock": [PAWNS, PAWNS],
        "points": [0, 0],
        "turns": [0, 0],
        "winner": None,
    }


class Reference:
    """A game of Yam Master from any view on."""

    def __init__(self, view: dict[str, Any], options: dict[str, Any], players: int) -> None:
        if players != 2:
            raise ValueError("Yam Master is for two players")
        self.max_turns: int = {**DEFAULT_OPTIONS, **options}["max_turns"]
        self.phase: str = view["phase"]
        self.player: int = view["player"]
        self.rolls: int = view["rolls"]
        self.dice: str = view["dice"]
        self.kept: str = view["kept"]
        self.defi: bool = view["defi"]
        self.pawns: dict[Cell, int] = {}
        for row, text in enumerate(view["board"], start=1):
            for column, mark in enumerate(text, start=1):
                if mark != ".":
                    self.pawns[row, column] = int(mark)
        self.stock: list[int] = list(view["stock"])
        self.turns: list[int] = list(view["turns"])
        self.winner: int | str | None = view["winner"] if self.phase == "over" else None

    def to_move(self) -> int | str | None:
        """A turn starts on chance; after each roll the player decides."""
        if self.phase == "over":
            return None
        return "chance" if self.phase == "roll" else self.player

    def legal(self) -> list[str]:
        """Every legal action: M3 to M7 and M14 to M18."""
        if self.phase == "over":
            return []
        if self.phase == "roll":
            return list(roll_outcomes(self.kept))
        actions: list[str] = []
        if self.rolls < ROLLS:  # M3
            actions += [f"keep {kept}".rstrip() for kept in keepable(self.dice)]
        if self.rolls == 1:  # M15: after the first roll and before the second; M17: whether a Défi cell is free or not
            actions += [f"defi {kept}".rstrip() for kept in keepable(self.dice)]
        names = self.open_names()
        for text, (row, column) in CELLS.items():
            if (row, column) not in self.pawns and BOARD[row - 1][column - 1] in names:
                actions.append(f"place {text}")
        if "Yam" in combinations_of(self.dice):  # M18
            actions += [f"take {text}" for text, cell in CELLS.items() if self.pawns.get(cell) == 1 - self.player]
        actions.append("pass")  # M6
        return actions

    def open_names(self) -> set[str]:
        """M6, M7, M14 and M16: the names of the cells on which the dice let the player place."""
        made = set(combinations_of(self.dice))
        big = bool(made & BIG)
        if self.defi:
            return made | {"Défi"} if big else set()
        if self.rolls == 1 and big:
            return made | {"Sec"}
        return made

    def cells_of(self, seat: int) -> frozenset[Cell]:
        """Where a player's pawns stand."""
        return frozenset(cell for cell, owner in self.pawns.items() if owner == seat)

    def odds(self) -> list[Fraction]:
        """The probabilities of chance's outcomes, in the order of `legal`."""
        if self.phase != "roll":
            raise ValueError("it is not chance's turn")
        return list(roll_outcomes(self.kept).values())

    def play(self, action: str) -> None:
        """One action, of the player or of chance."""
        if action not in (roll_outcomes(self.kept) if self.phase == "roll" else self.legal()):
            raise ValueError(f"not legal: {action!r}")
        if self.phase == "roll":
            self.dice = action
            self.kept = ""
            self.rolls += 1
            self.phase = "decide"
            return
        word, _, rest = action.partition(" ")
        if word in {"keep", "defi"}:  # M3, M15
            self.kept = rest
            self.defi = self.defi or word == "defi"
            self.phase = "roll"
            return
        if word == "place":  # M6
            self.pawns[CELLS[rest]] = self.player
            self.stock[self.player] -= 1
        elif word == "take":  # M18: back to its owner's stock
            del self.pawns[CELLS[rest]]
            self.stock[1 - self.player] += 1
        self.end_turn()

    def end_turn(self) -> None:
        """M6: the turn is over; M21, then M22, then M23 may end the game, otherwise it is the other player's turn."""
        self.turns[self.player] += 1
        self.rolls = 0
        self.dice = ""
        self.kept = ""
        self.defi = False
        if 5 in runs(self.cells_of(self.player)):  # M21
            self.winner = self.player
        elif 0 in self.stock or min(self.turns) >= self.max_turns:  # M22, M23
            mine, other = points_of(self.cells_of(self.player)), points_of(self.cells_of(1 - self.player))
            if mine == other:
                self.winner = "draw"
            else:
                self.winner = self.player if mine > other else 1 - self.player
        if self.winner is not None:
            self.phase = "over"
            return
        self.player = 1 - self.player
        self.phase = "roll"

    def view(self) -> dict[str, Any]:
        """The view of the protocol."""
        board = [
            "".join(str(self.pawns.get((row, column), ".")) for column in range(1, SIZE + 1))
            for row in range(1, SIZE + 1)
        ]
        return {
            "phase": self.phase,
            "player": self.player,
            "rolls": self.rolls,
            "dice": self.dice,
            "kept": self.kept,
            "defi": self.defi,
            "board": board,
            "stock": list(self.stock),
            "points": [points_of(self.cells_of(seat)) for seat in range(2)],
            "turns": list(self.turns),
            "winner": self.winner,
        }

    def returns(self) -> list[Fraction] | None:
        """M2 and M22: 1 for the winner, a half each in a draw."""
        if self.phase != "over":
            return None
        if self.winner == "draw":
            return [Fraction(1, 2), Fraction(1, 2)]
        return [Fraction(int(self.winner == seat)) for seat in range(2)]
