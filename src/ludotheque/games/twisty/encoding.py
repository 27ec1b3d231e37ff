"""Twisty for learning programs: the numbers of its actions, observations, and how a board is laid.

Numbers of actions are those of the rules (facts.py). Text, views and options are in game.py.
"""

from typing import Final

import numpy as np

from ludotheque.games.twisty.facts import (
    CENTRE,
    COLOURS,
    EMPTY,
    FAR,
    GONE,
    MOST_PLAYERS,
    OF_EACH_COLOUR,
    SIDE,
    SPECIAL_NAMES,
    SQUARES,
    TO_CORNER,
)
from ludotheque.games.twisty.game import ACTION_TEXTS
from ludotheque.games.twisty.race import from_square, ways_on
from ludotheque.games.twisty.rules import corner_is_free, prepare
from ludotheque.games.twisty.tables import CORNERS, COVERED
from ludotheque.kernels import Random, State, below, rule, whole
from ludotheque.kernels.encoding import Feature, Observation, Symmetries, places_of

__all__ = ["ACTION_TEXTS"]

VERSION: Final = 1
NUM_OUTCOMES: Final = 0  # once the board is laid, chance has no part in it
KINDS: Final = COLOURS + len(SPECIAL_NAMES)
FEATURES: Final = (
    Feature(
        "tokens", (KINDS, SIDE, SIDE), 0, 1, "a plane for each kind of token, A to G and + x L o s; from row 1, a to g"
    ),
    Feature("pawns", (MOST_PLAYERS, SIDE, SIDE), 0, 1, "a plane for each pawn: this seat's, then in playing order"),
    Feature("used", (SIDE, SIDE), 0, 1, "tokens that have acted this turn"),
    Feature("series", (MOST_PLAYERS, COLOURS, COLOURS), 0, 1, "of each player, the colour at each place of the series"),
    Feature("collected", (MOST_PLAYERS,), 0, COLOURS, "cubes of each player, from the start of the series"),
    Feature("protected", (MOST_PLAYERS, COLOURS), 0, 1, "of each player, the colours whose cubes are protected"),
    Feature("playing", (MOST_PLAYERS,), 0, 1, "which of the four seats are taken"),
    Feature("turn", (MOST_PLAYERS,), 0, 1, "whose turn it is"),
    Feature("first", (MOST_PLAYERS,), 0, 1, "who started: a round ends before their turn"),
    Feature("phase", (5,), 0, 1, "one of: corner, move, extra move, corner after a robbery, over"),
    Feature("rounds_left", (1,), 0, 100, "rounds until the limit, this one included, less the hundreds"),
    Feature("hundreds_left", (1,), 0, 9, "whole hundreds beside them, if the limit is above 100"),
    Feature(
        "race",
        (MOST_PLAYERS,),
        0,
        FAR,
        "turns that each player still needs if nobody interferes; 100 if there is no way",
    ),
    Feature(
        "race_from",
        (MOST_PLAYERS, SIDE, SIDE),
        0,
        FAR,
        "the same from each square: of each player, once a turn has ended there",
    ),
)
SIZE: Final = sum(feature.size for feature in FEATURES)
_PLACES: Final = places_of(FEATURES)
PAWNS: Final = _PLACES["pawns"]
USED: Final = _PLACES["used"]
SERIES: Final = _PLACES["series"]
COLLECTED: Final = _PLACES["collected"]
PROTECTED: Final = _PLACES["protected"]
PLAYING: Final = _PLACES["playing"]
TURN: Final = _PLACES["turn"]
FIRST: Final = _PLACES["first"]
PHASE: Final = _PLACES["phase"]
ROUNDS_LEFT: Final = _PLACES["rounds_left"]
HUNDREDS_LEFT: Final = _PLACES["hundreds_left"]
RACE: Final = _PLACES["race"]
RACE_FROM: Final = _PLACES["race_from"]


@rule
def observe(state: State, seat: int, out: Observation) -> None:
    """The position as a seat sees it; the other players follow in playing order."""
    observe_renamed(state, seat, False, out)


@rule
def observe_alike(state: State, seat: int, out: Observation) -> None:
    """The same with the colours renamed: the first of this seat's series is A, the last G. Only their order in it matters."""
    observe_renamed(state, seat, True, out)


@rule
def colour_name(state: State, seat: int, renamed: bool, colour: int) -> int:
    """The number under which a colour is observed."""
    if renamed:
        for place in range(COLOURS):
            if state.series[seat, place] == colour:
                return place
    return colour


@rule
def observe_renamed(state: State, seat: int, renamed: bool, out: Observation) -> None:
    """The position as a seat sees it, with the colours' own names or by the seat's series."""
    for place in range(SIZE):
        out[place] = 0
    for square in range(SQUARES):
        token = whole(state.board[square])
        if token != EMPTY:
            kind = colour_name(state, seat, renamed, token - 1) if token <= COLOURS else token - 1
            out[kind * SQUARES + square] = 1
    for which in range(state.used_count):
        out[USED + whole(state.used[which])] = 1
    players = whole(state.players)
    for which in range(players):
        player = (seat + which) % players
        if state.pawns[player] != GONE:
            out[PAWNS + which * SQUARES + whole(state.pawns[player])] = 1
        for place in range(COLOURS):
            colour = colour_name(state, seat, renamed, whole(state.series[player, place]))
            out[SERIES + (which * COLOURS + place) * COLOURS + colour] = 1
            kind = colour_name(state, seat, renamed, place)
            out[PROTECTED + which * COLOURS + kind] = (whole(state.protected[player]) >> place) & 1
        out[COLLECTED + which] = state.collected[player]
        out[PLAYING + which] = 1
        out[TURN + which] = 1 if state.player == player else 0
        out[FIRST + which] = 1 if state.first == player else 0
    out[PHASE + whole(state.phase)] = 1
    left = whole(state.max_rounds) - whole(state.this_round) + 1
    hundreds = (left - 1) // 100
    out[ROUNDS_LEFT] = left - 100 * hundreds
    out[HUNDREDS_LEFT] = hundreds
    for which in range(players):
        observe_race(state, (seat + which) % players, which, out)


@rule
def observe_race(state: State, player: int, which: int, out: Observation) -> None:
    """The turns that a player still needs, from the pawn's square and from every other; before a corner is chosen, from the best."""
    collected = whole(state.collected[player])
    ways = ways_on(state, player, collected)
    plane = RACE_FROM + which * SQUARES
    for square in range(SQUARES):
        out[plane + square] = min(FAR, from_square(state, player, square, collected, ways))
    if collected == COLOURS:
        out[plane + CENTRE] = 0
    else:  # a turn that ends on the next colour collects it
        colour = whole(state.series[player, collected])
        for spot in range(OF_EACH_COLOUR):
            if state.spots[colour, spot] != GONE:
                out[plane + whole(state.spots[colour, spot])] = min(FAR, ways[collected, spot])
    if state.pawns[player] != GONE:
        out[RACE + which] = min(FAR, from_square(state, player, whole(state.pawns[player]), collected, ways))
    else:
        best = FAR
        for corner in range(4):
            if corner_is_free(state, whole(CORNERS[corner])):
                best = min(best, from_square(state, player, whole(CORNERS[corner]), collected, ways))
        out[RACE + which] = best


def symmetries() -> Symmetries:
    """The four turns of the board and the four reflections."""
    squares = np.arange(SQUARES).reshape(SIDE, SIDE)
    boards = [np.rot90(board, turns).ravel() for board in (squares, squares[:, ::-1]) for turns in range(4)]
    corners = CORNERS.tolist()
    places, actions = [], []
    for board in boards:  # board[new] is the square that comes to lie on `new`
        observed = np.arange(SIZE)
        for feature in FEATURES:
            if feature.shape[-2:] == (SIDE, SIDE) and feature.name != "series":
                begin = _PLACES[feature.name]
                planes = np.arange(begin, begin + feature.size).reshape(-1, SQUARES)
                observed[begin : begin + feature.size] = planes[:, board].ravel()
        moved = np.argsort(board)
        acted = np.arange(len(ACTION_TEXTS))
        acted[:SQUARES] = moved
        acted[TO_CORNER : TO_CORNER + 4] = [TO_CORNER + corners.index(moved[corner]) for corner in corners]
        places.append(observed)
        actions.append(acted)
    return Symmetries(np.array(places, np.int64), np.array(actions, np.int64))


@rule
def deal(state: State, random: Random, by_lot: bool) -> None:
    """T1 to T4: shuffle the tokens, then each series, then draw who starts, as the set-up of a single match does."""
    for last in range(len(COVERED) - 1, 0, -1):
        one, other = COVERED[last], COVERED[below(random, last + 1)]
        token = state.board[one]
        state.board[one] = state.board[other]
        state.board[other] = token
    for seat in range(state.players):
        for last in range(COLOURS - 1, 0, -1):
            place = below(random, last + 1)
            colour = state.series[seat, last]
            state.series[seat, last] = state.series[seat, place]
            state.series[seat, place] = colour
    if by_lot:
        state.player = below(random, whole(state.players))
        state.first = state.player
    prepare(state)
