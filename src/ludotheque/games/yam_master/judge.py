"""How a board of Yam Master is judged: the chance to win of the player who is about to roll, by a learned network.

It sees every line whole, every pawn, the pawns in stock and the turns left. The dice within a turn are turn.py's business.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.yam_master import rules
from ludotheque.games.yam_master.tables import CELLS, LINES, ROLLS, SIDE
from ludotheque.games.yam_master.turn import ENDS, NEVER, Numbers, solve_ends
from ludotheque.kernels import rule, whole
from ludotheque.kernels.network import Network, add_row, chance_of, drop_row, swap_row

Board: TypeAlias = NDArray[Any]
"""int8, whose pawn stands on each cell"""
Whole: TypeAlias = NDArray[Any]
"""int64"""

LENGTHS = np.array([int((line >= 0).sum()) for line in LINES], np.int64)
POWERS = 3 ** np.arange(SIDE, dtype=np.int64)
LINE_ROWS = np.concatenate([[0], np.cumsum(3**LENGTHS)]).astype(np.int64)
"""The first row of each line: it has one for each way that its cells can be free (0), mine (1) or theirs (2)."""
MINE_ON = int(LINE_ROWS[-1])
THEIRS_ON = MINE_ON + CELLS
MY_PAWNS = THEIRS_ON + CELLS
THEIR_PAWNS = MY_PAWNS + rules.PAWNS + 1
MOST_LEFT: Final = 11  # turns left; more look the same
MY_TURNS = THEIR_PAWNS + rules.PAWNS + 1
THEIR_TURNS = MY_TURNS + MOST_LEFT + 1
ROWS: Final = THEIR_TURNS + MOST_LEFT + 1
MOST_ACTIVE: Final = len(LINES) + CELLS + 4


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
    """M20, M21: for each line's row, the points of the pawns marked 1 and of those marked 2; five in line are FIVE."""
    points = np.zeros((MINE_ON, 2), np.int64)
    for line, length in enumerate(LENGTHS):
        for code in range(3**length):
            marks = "".join(str(code // 3**place % 3) for place in range(length))
            for who in (1, 2):
                runs = [len(run) for run in marks.replace(str(3 - who), " ").replace("0", " ").split()]
                points[LINE_ROWS[line] + code, who - 1] = sum({3: 1, 4: 2, 5: FIVE}.get(run, 0) for run in runs)
    return points


FIVE: Final = 1000
LINE_POINTS = _line_points()


@rule
def line_rows(board: Board, mover: int, lines: Whole) -> None:
    """The row of each line, as the player to move sees it."""
    for line in range(len(lines)):
        code = whole(LINE_ROWS[line])
        for place in range(LENGTHS[line]):
            pawn = board[LINES[line, place]]
            if pawn != rules.FREE:
                code += POWERS[place] * (1 if pawn == mover else 2)
        lines[line] = code


@rule
def active_rows(board: Board, mover: int, left: Whole, rows: Whole) -> int:
    """Everything that is true of a position, as the player to move sees it; returns how many things."""
    line_rows(board, mover, rows[: len(LINES)])
    count = len(LINES)
    mine, theirs = 0, 0
    for cell in range(CELLS):
        if board[cell] == mover:
            rows[count] = MINE_ON + cell
            mine += 1
            count += 1
        elif board[cell] != rules.FREE:
            rows[count] = THEIRS_ON + cell
            theirs += 1
            count += 1
    rows[count] = MY_PAWNS + mine
    rows[count + 1] = THEIR_PAWNS + theirs
    rows[count + 2] = MY_TURNS + min(max(left[mover], 0), MOST_LEFT)
    rows[count + 3] = THEIR_TURNS + min(max(left[1 - mover], 0), MOST_LEFT)
    return count + 4


@rule
def judge(network: Network, board: Board, mover: int, left: Whole) -> float:
    """The chance to win of the player who is about to roll, at a glance."""
    rows = np.empty(MOST_ACTIVE, np.int64)
    count = active_rows(board, mover, left, rows)
    hidden = network.first_bias.copy()
    for which in range(count):
        add_row(hidden, network, rows[which])
    return chance_of(network, hidden, np.empty(len(network.third), np.float32))


@rule
def judge_ends(network: Network, board: Board, mover: int, left: Whole, ends: Numbers) -> None:
    """What every end of the mover's turn is worth to the mover: exactly where the game ends, else at a glance.

    The board afterwards is seen by the other player, who is to move then; one pawn changes only the lines through its cell.
    """
    other = 1 - mover
    ends[:] = NEVER
    left[mover] -= 1
    last = left[0] <= 0 and left[1] <= 0  # M23
    rows = np.empty(MOST_ACTIVE, np.int64)
    count = active_rows(board, other, left, rows)
    inner = np.empty(len(network.third), np.float32)
    before = network.first_bias.copy()
    hidden = np.empty_like(before)
    for which in range(count):
        add_row(before, network, rows[which])
    pawns, preys = 0, 0
    for cell in range(CELLS):
        pawns += board[cell] == mover
        preys += board[cell] == other
    points, against = 0, 0
    for line in range(len(LINES)):
        points += LINE_POINTS[rows[line], 1]
        against += LINE_POINTS[rows[line], 0]
    ends[rules.PASS] = _result(points, against) if last else 1.0 - chance_of(network, before, inner)
    for cell in range(CELLS):
        mine = board[cell] == rules.FREE
        if not mine and board[cell] == mover:
            continue
        step = 2 if mine else -1  # a pawn of mine appears, or one of theirs goes
        new_points, new_against = points, against
        for which in range(CROSSINGS[cell]):
            old = rows[CROSSED[cell, which]]
            new = old + step * CROSSED_AT[cell, which]
            new_points += LINE_POINTS[new, 1] - LINE_POINTS[old, 1]
            new_against += LINE_POINTS[new, 0] - LINE_POINTS[old, 0]
        action = (rules.PLACE if mine else rules.TAKE) + cell
        if mine and new_points >= FIVE:  # M21
            ends[action] = 1.0
        elif last or (mine and pawns + 1 == rules.PAWNS):  # M22, M23
            ends[action] = _result(new_points, new_against)
        else:
            hidden[:] = before
            for which in range(CROSSINGS[cell]):
                old = rows[CROSSED[cell, which]]
                swap_row(hidden, network, old, old + step * CROSSED_AT[cell, which])
            if mine:
                add_row(hidden, network, THEIRS_ON + cell)
                swap_row(hidden, network, THEIR_PAWNS + pawns, THEIR_PAWNS + pawns + 1)
            else:
                drop_row(hidden, network, MINE_ON + cell)
                swap_row(hidden, network, MY_PAWNS + preys, MY_PAWNS + preys - 1)
            ends[action] = 1.0 - chance_of(network, hidden, inner)
    left[mover] += 1


@rule
def _result(points: int, against: int) -> float:
    """M22: more points win, equal points are a draw."""
    return 1.0 if points > against else (0.5 if points == against else 0.0)


@rule
def search_ends(network: Network, board: Board, mover: int, left: Whole, depth: int, ends: Numbers) -> float:
    """`judge_ends`, but looking `depth` whole turns further before judging; returns what the mover's turn is worth."""
    judge_ends(network, board, mover, left, ends)
    if depth > 0:
        further = np.empty(ENDS)
        left[mover] -= 1
        last = left[0] <= 0 and left[1] <= 0
        pawns = 0
        for cell in range(CELLS):
            pawns += board[cell] == mover
        for action in range(ENDS):
            if last or ends[action] == NEVER:
                continue
            if rules.PLACE <= action < rules.TAKE:
                if ends[action] == 1.0 or pawns + 1 == rules.PAWNS:
                    continue  # the game is over
                board[action - rules.PLACE] = mover
                ends[action] = 1.0 - search_ends(network, board, 1 - mover, left, depth - 1, further)
                board[action - rules.PLACE] = rules.FREE
            elif action >= rules.TAKE:
                board[action - rules.TAKE] = rules.FREE
                ends[action] = 1.0 - search_ends(network, board, 1 - mover, left, depth - 1, further)
                board[action - rules.TAKE] = 1 - mover
            else:
                ends[action] = 1.0 - search_ends(network, board, 1 - mover, left, depth - 1, further)
        left[mover] += 1
    return solve_ends(ends, np.empty((3, ROLLS)), np.empty((4, 462)))
