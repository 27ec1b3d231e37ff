"""Evaluation of Yam Master's boards between turns: the chance to win of the player who is about to roll, by a learned network.

The features are every line as a whole, every pawn, the pawns in stock and the turns left. The dice within a turn are in `turn`.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.yam_master.facts import CELLS, ENDS, FREE, IMPOSSIBLE, PASS, PAWNS, PLACE, ROLLS, SIDE, TAKE
from ludotheque.games.yam_master.features import (
    LINE_STARTS,
    MAX_ACTIVE,
    MAX_TURNS_LEFT,
    MINE_ON,
    MY_PAWNS,
    MY_TURNS,
    THEIR_PAWNS,
    THEIR_TURNS,
    THEIRS_ON,
)
from ludotheque.games.yam_master.tables import LINES
from ludotheque.games.yam_master.turn import SETS, Numbers, solve_ends
from ludotheque.kernels import State, rule, whole
from ludotheque.kernels.accelerators import accelerates
from ludotheque.kernels.network import Network, add_feature, remove_feature, replace_feature, win_probability

Board: TypeAlias = NDArray[Any]
"""int8, whose pawn stands on each cell"""
Whole: TypeAlias = NDArray[Any]
"""int64"""

LENGTHS = np.array([int((line >= 0).sum()) for line in LINES], np.int64)
POWERS = 3 ** np.arange(SIDE, dtype=np.int64)
LINE_FEATURES = np.array(LINE_STARTS, np.int64)
"""The first feature of each line."""


def _crossings() -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Through each cell: how many lines, which, and the power of three of the cell in each."""
    count = np.zeros(CELLS, np.int64)
    line = np.zeros((CELLS, 4), np.int64)
    power = np.zeros((CELLS, 4), np.int64)
    for number, cells in enumerate(LINES):
        for place, cell in enumerate(cells[: LENGTHS[number]]):
            line[cell, count[cell]] = number
            power[cell, count[cell]] = POWERS[place]
            count[cell] += 1
    return count, line, power


CROSSINGS, CROSSED, CROSSED_AT = _crossings()


def _line_points() -> NDArray[Any]:
    """M20, M21: for each line's feature, the points of the pawns marked 1 and of those marked 2; five in line are FIVE."""
    points = np.zeros((MINE_ON, 2), np.int64)
    for line, length in enumerate(LENGTHS):
        for code in range(3**length):
            marks = "".join(str(code // 3**place % 3) for place in range(length))
            for who in (1, 2):
                runs = [len(run) for run in marks.replace(str(3 - who), " ").replace("0", " ").split()]
                points[LINE_FEATURES[line] + code, who - 1] = sum({3: 1, 4: 2, 5: FIVE}.get(run, 0) for run in runs)
    return points


FIVE: Final = 1000
LINE_POINTS = _line_points()


@rule
def line_features(board: Board, mover: int, lines: Whole) -> None:
    """The feature of each line, as the player to move sees it."""
    for line in range(len(lines)):
        code = whole(LINE_FEATURES[line])
        for place in range(LENGTHS[line]):
            pawn = board[LINES[line, place]]
            if pawn != FREE:
                code += POWERS[place] * (1 if pawn == mover else 2)
        lines[line] = code


@rule
def active_features(board: Board, mover: int, turns_left: Whole, features: Whole) -> int:
    """The features of a position, as the player to move sees it; returns how many."""
    line_features(board, mover, features[: len(LINES)])
    count = len(LINES)
    mine, theirs = 0, 0
    for cell in range(CELLS):
        if board[cell] == mover:
            features[count] = MINE_ON + cell
            mine += 1
            count += 1
        elif board[cell] != FREE:
            features[count] = THEIRS_ON + cell
            theirs += 1
            count += 1
    features[count] = MY_PAWNS + mine
    features[count + 1] = THEIR_PAWNS + theirs
    features[count + 2] = MY_TURNS + min(max(turns_left[mover], 0), MAX_TURNS_LEFT)
    features[count + 3] = THEIR_TURNS + min(max(turns_left[1 - mover], 0), MAX_TURNS_LEFT)
    return count + 4


@rule
def turns_left_of(state: State) -> Whole:
    """M23: how many turns each player still has."""
    left = np.empty(2, np.int64)
    for seat in range(2):
        left[seat] = whole(state.max_turns) - whole(state.turns[seat])
    return left


@rule
def evaluate(network: Network, board: Board, mover: int, turns_left: Whole) -> float:
    """The chance to win of the player who is about to roll."""
    features = np.empty(MAX_ACTIVE, np.int64)
    count = active_features(board, mover, turns_left, features)
    accumulator = network.first_bias.copy()
    for which in range(count):
        add_feature(accumulator, network, features[which])
    return win_probability(network, accumulator, np.empty(len(network.third), np.float32))


@accelerates(
    "rules.play, rules.end_turn, rules.points, rules.five_in_line and rules.returns, for all ends of a turn at once"
)
@rule
def evaluate_ends(network: Network, board: Board, mover: int, turns_left: Whole, end_values: Numbers) -> None:
    """The chance to win of the mover after every end of the turn: exact where the game is over, otherwise evaluated.

    The board afterwards is evaluated for the other player, who is to move then; one pawn changes only the lines through its cell.
    """
    other = 1 - mover
    end_values[:] = IMPOSSIBLE
    turns_left[mover] -= 1
    last = turns_left[0] <= 0 and turns_left[1] <= 0  # M23
    features = np.empty(MAX_ACTIVE, np.int64)
    count = active_features(board, other, turns_left, features)
    hidden = np.empty(len(network.third), np.float32)
    before = network.first_bias.copy()
    accumulator = np.empty_like(before)
    for which in range(count):
        add_feature(before, network, features[which])
    pawns, preys = 0, 0
    for cell in range(CELLS):
        pawns += board[cell] == mover
        preys += board[cell] == other
    points, against = 0, 0
    for line in range(len(LINES)):
        points += LINE_POINTS[features[line], 1]
        against += LINE_POINTS[features[line], 0]
    end_values[PASS] = _result(points, against) if last else 1.0 - win_probability(network, before, hidden)
    for cell in range(CELLS):
        mine = board[cell] == FREE
        if not mine and board[cell] == mover:
            continue
        step = 2 if mine else -1  # a pawn of mine appears, or one of theirs goes
        new_points, new_against = points, against
        for which in range(CROSSINGS[cell]):
            old = features[CROSSED[cell, which]]
            new = old + step * CROSSED_AT[cell, which]
            new_points += LINE_POINTS[new, 1] - LINE_POINTS[old, 1]
            new_against += LINE_POINTS[new, 0] - LINE_POINTS[old, 0]
        action = (PLACE if mine else TAKE) + cell
        if mine and new_points >= FIVE:  # M21
            end_values[action] = 1.0
        elif last or (mine and pawns + 1 == PAWNS):  # M22, M23
            end_values[action] = _result(new_points, new_against)
        else:
            accumulator[:] = before
            for which in range(CROSSINGS[cell]):
                old = features[CROSSED[cell, which]]
                replace_feature(accumulator, network, old, old + step * CROSSED_AT[cell, which])
            if mine:
                add_feature(accumulator, network, THEIRS_ON + cell)
                replace_feature(accumulator, network, THEIR_PAWNS + pawns, THEIR_PAWNS + pawns + 1)
            else:
                remove_feature(accumulator, network, MINE_ON + cell)
                replace_feature(accumulator, network, MY_PAWNS + preys, MY_PAWNS + preys - 1)
            end_values[action] = 1.0 - win_probability(network, accumulator, hidden)
    turns_left[mover] += 1


@rule
def _result(points: int, against: int) -> float:
    """M22: more points win, equal points are a draw."""
    return 1.0 if points > against else (0.5 if points == against else 0.0)


@accelerates("rules.play and rules.end_turn: pawns are put down and taken back on one board")
@rule
def search_ends(
    network: Network, board: Board, mover: int, turns_left: Whole, depth: int, end_values: Numbers
) -> float:
    """`evaluate_ends`, but looking `depth` whole turns further; returns the mover's chance to win before the turn."""
    evaluate_ends(network, board, mover, turns_left, end_values)
    if depth > 0:
        further = np.empty(ENDS)
        turns_left[mover] -= 1
        last = turns_left[0] <= 0 and turns_left[1] <= 0
        pawns = 0
        for cell in range(CELLS):
            pawns += board[cell] == mover
        for action in range(ENDS):
            if last or end_values[action] == IMPOSSIBLE:
                continue
            if PLACE <= action < TAKE:
                if end_values[action] == 1.0 or pawns + 1 == PAWNS:
                    continue  # the game is over
                board[action - PLACE] = mover
                end_values[action] = 1.0 - search_ends(network, board, 1 - mover, turns_left, depth - 1, further)
                board[action - PLACE] = FREE
            elif action >= TAKE:
                board[action - TAKE] = FREE
                end_values[action] = 1.0 - search_ends(network, board, 1 - mover, turns_left, depth - 1, further)
                board[action - TAKE] = 1 - mover
            else:
                end_values[action] = 1.0 - search_ends(network, board, 1 - mover, turns_left, depth - 1, further)
        turns_left[mover] += 1
    return solve_ends(end_values, np.empty((3, ROLLS)), np.empty((4, SETS)))
