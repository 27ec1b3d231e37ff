"""Twisty once more, slow and plain: written from the clauses T1 to T14 and the protocol alone.

Every function names the clauses it follows. Nothing here is shared with the kernels, so that both can be
compared state by state.

A square is its text, `a1` to `g7`. A token is the character that the view shows for it, `.` where there is none.
"""

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

DEFAULT_OPTIONS: dict[str, Any] = {
    "first": "lot",
    "specials": {"+": 3, "x": 3, "L": 3, "o": 4, "s": 3},
    "max_rounds": 100,
}

COLOURS = "ABCDEFG"
FILES = "abcdefg"
RANKS = "1234567"
SQUARES = [file + rank for rank in RANKS for file in FILES]
CENTRE = "d4"
CORNERS = ["a1", "g1", "a7", "g7"]

KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]  # T5
ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]  # T8
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]  # T8
STEPS = {"+": ORTHOGONAL, "x": DIAGONAL, "L": KNIGHT}  # T8: the tokens that move the pawn by a step
PORTAL = "o"
SHIELD = "s"
EMPTY = "."


@cache
def reach(square: str, kind: str) -> tuple[str, ...]:
    """T5 and T8: the squares of the board that one step of a kind (`+`, `x` or `L`) leads to."""
    column, row = FILES.index(square[0]), RANKS.index(square[1])
    found: list[str] = []
    for right, up in STEPS[kind]:
        if 0 <= column + right < len(FILES) and 0 <= row + up < len(RANKS):
            found.append(FILES[column + right] + RANKS[row + up])
    return tuple(found)


def board_text(tokens: dict[str, str]) -> list[str]:
    """The board as the view shows it, row 7 first."""
    return ["".join(tokens[file + rank] for file in FILES) for rank in reversed(RANKS)]


def shuffled_board(options: dict[str, Any], rng: Random) -> list[str]:
    """T1 and T2: four tokens of each colour and the special ones on every square but the centre and the corners."""
    specials: dict[str, int] = {**DEFAULT_OPTIONS, **options}["specials"]
    pieces = [colour for colour in COLOURS for _ in range(4)]
    pieces += [special for special, number in specials.items() for _ in range(number)]
    rng.shuffle(pieces)
    tokens = dict.fromkeys(SQUARES, EMPTY)
    covered = [square for square in SQUARES if square != CENTRE and square not in CORNERS]
    tokens.update(zip(covered, pieces, strict=True))
    return board_text(tokens)


def first_view(
    players: int,
    options: dict[str, Any],
    *,
    first: int = 0,
    board: list[str] | None = None,
    series: list[str] | None = None,
    rng: Random | None = None,
) -> dict[str, Any]:
    """T1 to T4: the beginning; a board or series not given is shuffled with `rng`."""
    rng = rng or Random(0)
    return {
        "phase": "corner",
        "player": first,
        "board": shuffled_board(options, rng) if board is None else list(board),
        "pawns": [None] * players,
        "series": ["".join(rng.sample(COLOURS, 7)) for _ in range(players)] if series is None else list(series),
        "collected": [0] * players,
        "protected": [""] * players,
        "used": [],
        "round": 1,
        "first": first,
        "winner": None,
    }


class Reference:
    """A game of Twisty from any view on."""

    def __init__(self, view: dict[str, Any], options: dict[str, Any], players: int) -> None:
        if players not in {2, 3, 4}:
            raise ValueError("Twisty is for two to four players")
        self.players = players
        self.max_rounds: int = {**DEFAULT_OPTIONS, **options}["max_rounds"]
        self.phase: str = view["phase"]
        self.player: int = view["player"]
        self.tokens: dict[str, str] = {}
        for rank, text in zip(reversed(RANKS), view["board"], strict=True):
            for file, token in zip(FILES, text, strict=True):
                self.tokens[file + rank] = token
        self.pawns: list[str | None] = list(view["pawns"])
        self.series: list[str] = list(view["series"])
        self.collected: list[int] = list(view["collected"])
        self.protected: list[set[str]] = [set(colours) for colours in view["protected"]]
        self.used: list[str] = list(view["used"])
        self.round: int = view["round"]
        self.first: int = view["first"]
        self.winner: int | str | None = view["winner"] if self.phase == "over" else None

    def to_move(self) -> int | str | None:
        """The player, until the game is over; chance has no part in it after the set-up."""
        return None if self.phase == "over" else self.player

    def legal(self) -> list[str]:
        """Every legal action of the phase."""
        if self.phase in {"corner", "settle"}:  # T4, T11
            return [f"corner {corner}" for corner in self.free_corners()]
        if self.phase == "move":  # T5; T12: who cannot move passes
            return self.steps("L") or ["pass"]
        if self.phase == "extra":  # T8, T10
            return [*self.offers(), "stay"]
        return []

    def odds(self) -> list[Fraction]:
        """Chance never moves in Twisty."""
        raise ValueError("it is not chance's turn")

    def free_corners(self) -> list[str]:
        """T4 and T11: the corners on which no pawn stands."""
        return [corner for corner in CORNERS if corner not in self.pawns]

    def square(self) -> str:
        """Where the pawn of the player to move stands."""
        square = self.pawns[self.player]
        assert square is not None, "a pawn that moves has chosen its corner"
        return square

    def owner_on(self, square: str) -> int | None:
        """The other player whose pawn stands on a square, if any."""
        for seat in range(self.players):
            if seat != self.player and self.pawns[seat] == square:
                return seat
        return None

    def next_colour(self) -> str | None:
        """T3: the colour that the player to move must collect next; none when the series is complete."""
        collected = self.collected[self.player]
        return self.series[self.player][collected] if collected < len(COLOURS) else None

    def can_steal_from(self, victim: int) -> bool:
        """T11: the victim holds, unprotected, the colour that is next in the mover's series."""
        held = self.series[victim][: self.collected[victim]]
        colour = self.next_colour()
        return colour is not None and colour in held and colour not in self.protected[victim]

    def steps(self, kind: str) -> list[str]:
        """T5, T8, T11 and T12: the destinations of one step: squares without a pawn, and pawns that can be robbed."""
        found: list[str] = []
        for square in reach(self.square(), kind):
            owner = self.owner_on(square)
            if owner is None or self.can_steal_from(owner):
                found.append(square)
        return found

    def offers(self) -> list[str]:
        """T8 to T10: what the token under the player's pawn offers, besides staying."""
        here = self.square()
        token = self.tokens[here]
        if here in self.used:  # T9: a token acts at most once a turn
            return []
        if token in STEPS:
            return self.steps(token)
        if token == PORTAL:  # T8; T11: no robbery through a portal
            return [square for square in SQUARES if self.tokens[square] == PORTAL and square not in self.pawns]
        if token == SHIELD and self.unprotected():
            return ["shield"]
        return []

    def unprotected(self) -> set[str]:
        """T10: the player's cubes that can still be stolen."""
        return set(self.series[self.player][: self.collected[self.player]]) - self.protected[self.player]

    def play(self, action: str) -> None:
        """One action of the player to move."""
        if action not in self.legal():
            raise ValueError(f"not legal: {action!r}")
        if action.startswith("corner "):
            self.choose_corner(action.removeprefix("corner "))
        elif action in {"pass", "stay"}:  # T12, T8
            self.end_turn()
        elif action == "shield":  # T10
            self.protected[self.player] |= self.unprotected()
            self.end_turn()
        else:
            self.go(action)

    def choose_corner(self, corner: str) -> None:
        """T4: the pawn's start, one player after the other; T11: or its place after a robbery, which ends the turn."""
        self.pawns[self.player] = corner
        if self.phase == "settle":
            self.end_turn()
            return
        self.player = (self.player + 1) % self.players
        if self.player == self.first:
            self.phase = "move"

    def go(self, square: str) -> None:
        """T5 to T9 and T11: the pawn's move, by itself or by the token under it, and what its arrival does."""
        if self.phase == "extra":  # T9: the token has acted; of a portal, the one arrived on too
            self.used.append(self.square())
            if self.tokens[self.square()] == PORTAL:
                self.used.append(square)
        victim = self.owner_on(square)
        self.pawns[self.player] = square
        if victim is not None:
            self.rob(victim)
        else:
            self.land(square)

    def land(self, square: str) -> None:
        """T6 to T10 and T13: the arrival on a square without a pawn."""
        token = self.tokens[square]
        if square == CENTRE and self.collected[self.player] == len(COLOURS):  # T13
            self.finish(self.player)
        elif token in COLOURS:  # T7
            if token == self.next_colour():
                self.collected[self.player] += 1
                self.tokens[square] = EMPTY
            self.end_turn()
        elif self.offers():  # T8, T9
            self.phase = "extra"
        else:  # T6, T9
            self.end_turn()

    def rob(self, victim: int) -> None:
        """T11: the cube changes hands, the victim's card goes to the end, the mover's pawn to a free corner."""
        colour = self.next_colour()
        assert colour is not None, "can_steal_from has seen it"
        self.collected[self.player] += 1
        self.series[victim] = self.series[victim].replace(colour, "") + colour
        self.collected[victim] -= 1
        corners = self.free_corners()
        self.phase = "settle"
        if len(corners) == 1:  # the protocol: a step inside a turn with nothing to choose is skipped
            self.choose_corner(corners[0])

    def end_turn(self) -> None:
        """T4 and T14: the next player's turn; the round ends when it comes back to the player who started."""
        self.used = []
        following = (self.player + 1) % self.players
        if following == self.first and self.round >= self.max_rounds:
            most = max(self.collected)
            best = [seat for seat in range(self.players) if self.collected[seat] == most]
            self.finish(best[0] if len(best) == 1 else "draw")
            return
        if following == self.first:
            self.round += 1
        self.player = following
        self.phase = "move"

    def finish(self, winner: int | str) -> None:
        """T13 and T14: the game is over."""
        self.used = []
        self.winner = winner
        self.phase = "over"

    def view(self) -> dict[str, Any]:
        """The view of the protocol."""
        protected = [
            "".join(colour for colour in series if colour in colours)
            for series, colours in zip(self.series, self.protected, strict=True)
        ]
        return {
            "phase": self.phase,
            "player": self.player,
            "board": board_text(self.tokens),
            "pawns": list(self.pawns),
            "series": list(self.series),
            "collected": list(self.collected),
            "protected": protected,
            "used": list(self.used),
            "round": self.round,
            "first": self.first,
            "winner": self.winner,
        }

    def returns(self) -> list[Fraction] | None:
        """T13 and T14: 1 for the winner; in a draw it is shared by those with most cubes."""
        if self.phase != "over":
            return None
        if self.winner != "draw":
            return [Fraction(int(self.winner == seat)) for seat in range(self.players)]
        most = max(self.collected)
        best = self.collected.count(most)
        return [Fraction(int(cubes == most), best) for cubes in self.collected]
