"""Facts of Twisty as plain numbers and texts: squares, tokens, where each step leads, how actions are numbered, the state's layout.

rules.py has what players may do with them.
"""

from typing import Final

from ludotheque.kernels import Field, Layout

SIDE: Final = 7
SQUARES: Final = SIDE * SIDE
MOST_PLAYERS: Final = 4
NOBODY, DRAW = -1, 4
CHOOSING, MOVING, EXTRA, SETTLING, OVER = 0, 1, 2, 3, 4  # phases
GONE: Final = -1  # a pawn before its corner is chosen; a token that was collected

SQUARE_NAMES: Final = tuple(file + rank for rank in "1234567" for file in "abcdefg")
"""a1 is square 0, b1 square 1, g7 square 48."""
SQUARE_NUMBERS: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}
CENTRE: Final = SQUARE_NUMBERS["d4"]
CORNER_NAMES: Final = ("a1", "g1", "a7", "g7")
CORNERS: Final = tuple(SQUARE_NUMBERS[name] for name in CORNER_NAMES)

COLOUR_NAMES: Final = "ABCDEFG"
COLOURS: Final = len(COLOUR_NAMES)
OF_EACH_COLOUR: Final = 4  # T2
SPECIAL_NAMES: Final = "+xLos"
SPECIALS: Final = 16  # T2, all kinds together

# What lies on a square: nothing, a colour token (its colour's number plus one), or a special one.
EMPTY: Final = 0
FIRST_COLOUR: Final = 1
ORTHOGONAL, DIAGONAL, L_SHAPED, PORTAL, SHIELD = 8, 9, 10, 11, 12
TOKEN_NAMES: Final = "." + COLOUR_NAMES + SPECIAL_NAMES
TOKENS: Final = {name: token for token, name in enumerate(TOKEN_NAMES)}

_WAYS = {
    ORTHOGONAL: ((0, -1), (-1, 0), (1, 0), (0, 1)),
    DIAGONAL: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    L_SHAPED: ((-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)),
}
MOST_STEPS: Final = 8


def _steps_from(square: int, kind: int) -> tuple[int, ...]:
    """The squares of the board to which one step of a kind leads, in order."""
    row, column = divmod(square, SIDE)
    found = [
        (row + up) * SIDE + column + right
        for right, up in _WAYS[kind]
        if 0 <= row + up < SIDE and 0 <= column + right < SIDE
    ]
    return tuple(sorted(found))


STEPS: Final = tuple(tuple(_steps_from(square, kind) for square in range(SQUARES)) for kind in _WAYS)
"""T5 and T8: `STEPS[kind - ORTHOGONAL][square]` are the squares one step away."""

# A player's actions: a square to go to, 0 to 48, or one of these.
TO_CORNER: Final = SQUARES  # and the three after it, in the order of CORNERS
PROTECT: Final = TO_CORNER + 4
STAY: Final = PROTECT + 1
PASS: Final = STAY + 1
MOST_ACTIONS: Final = SPECIALS  # 15 exits of a portal, and staying

FAR: Final = 100  # turns: from a token that is not there

# A whole turn's number, for searches: a square to end on, 0 to 48, or one of these.
PROTECTING: Final = SQUARES  # and a square's number: a shield that is used
ROBBING: Final = PROTECTING + SQUARES  # and four times the victim's seat, and the corner's number
CORNER: Final = ROBBING + 4 * MOST_PLAYERS  # and its number: at the beginning, or after a robbery
PASSING: Final = CORNER + 4
MOST_TURNS: Final = SQUARES + SPECIALS + 3 * 4

LAYOUT: Final = Layout(
    Field("board", "int8", (SQUARES,)),  # the token on each square
    Field("pawns", "int8", (MOST_PLAYERS,)),  # the square of each
    Field("series", "int8", (MOST_PLAYERS, COLOURS)),  # colours, 0 to 6
    Field("collected", "int8", (MOST_PLAYERS,)),  # how many, from the start of the series
    Field("protected", "int8", (MOST_PLAYERS,)),  # one bit a colour
    Field("used", "int8", (SPECIALS,)),  # the tokens that have acted this turn
    Field("used_count", "int8"),
    Field("this_round", "int16"),  # numpy keeps the word round for itself
    Field("max_rounds", "int16"),  # option, T14
    Field("phase", "int8"),
    Field("player", "int8"),
    Field("players", "int8"),
    Field("first", "int8"),
    Field("winner", "int8"),
    Field("portals", "int8", (SPECIALS,), derived=True),  # their squares, then GONE
    Field("spots", "int8", (COLOURS, OF_EACH_COLOUR), derived=True),  # where each colour's tokens lie
    # In how many turns a pawn alone gets from one square to another.
    Field("away", "int8", (SQUARES, SQUARES), derived=True),
    # Turns left after each cube, as planned at first.
    Field("plans", "int8", (MOST_PLAYERS, COLOURS, OF_EACH_COLOUR), derived=True),
)
