"""How well a bot of Yam Master sees and plans: how far ahead, how clearly, and how much it may give away.

What a clear view of the board says is judge.py's business, the exact turn is turn.py's; player.py has the levels.
"""

from typing import Any, NamedTuple

import numpy as np

from ludotheque.games.yam_master import rules
from ludotheque.games.yam_master.judge import LINE_ROWS, MINE_ON, ROWS, Board, Whole, search_ends
from ludotheque.games.yam_master.tables import CELLS, FIRST_ROLL, KEEP_COUNTS, KEEPS, LINES, ROLLS
from ludotheque.games.yam_master.turn import CHANCES, ENDS, MORE, NEVER, SECOND, THIRD, Numbers, end_allowed, solve_ends
from ludotheque.kernels import rule, whole
from ludotheque.kernels.network import Network
from ludotheque.kernels.random import WORD, mixed


class Mind(NamedTuple):
    """What a level can do. Every field is a number, so that compiled matches take minds too."""

    depth: int = 0
    """How many whole turns beyond its own it looks ahead."""
    cloud: float = 0.0
    """How far it may be wrong about a board, in chances to win."""
    foresight: int = 2
    """How many rolls ahead it plans; 1: only the next."""
    announces: int = 1
    """Whether it thinks of the challenge."""
    sees_wins: int = 1
    """Whether a win at once strikes it, however clouded the rest; otherwise it may be overlooked."""
    most_lost: float = 1.0
    """The most that one decision may give away of the chance to win, as it sees it clearly: its mistakes are never larger."""


@rule
def through_cloud(mind: Mind, board: Board, left: Whole, whim: int, ends: Numbers, seen: Numbers) -> None:
    """The ends of a turn as a clouded mind sees them: the same all through the turn, so that it follows one plan."""
    key = mixed(whim & WORD)
    for cell in range(CELLS):
        key = mixed(key * 3 + whole(board[cell]) + 1)
    key = mixed(key + left[0] * 1009 + left[1] * 9176)
    for action in range(ENDS):
        seen[action] = ends[action]
        if ends[action] == 1.0:
            seen[action] += mind.cloud * mind.sees_wins  # then better than anything else can look
        elif ends[action] != NEVER:
            one, two = mixed(key + 2 * action), mixed(key + 2 * action + 1)
            seen[action] += mind.cloud * ((one + two) / WORD - 1.0)


@rule
def plan_turn(
    network: Network,
    mind: Mind,
    board: Board,
    mover: int,
    left: Whole,
    whim: int,
    ends: Numbers,
    hopes: Numbers,
    seen: Numbers,
    dreams: Numbers,
) -> float:
    """Before a turn: its ends and hopes as they are (`ends`, `hopes`) and as the mind sees them (`seen`, `dreams`)."""
    search_ends(network, board, mover, left, mind.depth, ends)
    return cloud_turn(mind, board, left, whim, ends, hopes, seen, dreams)


@rule
def cloud_turn(
    mind: Mind, board: Board, left: Whole, whim: int, ends: Numbers, hopes: Numbers, seen: Numbers, dreams: Numbers
) -> float:
    """`plan_turn` where the ends are known."""
    worth = np.empty((3, ROLLS))
    value = solve_ends(ends, worth, hopes)
    seen[:] = ends
    dreams[:] = hopes
    if mind.cloud > 0.0:
        through_cloud(mind, board, left, whim, ends, seen)
        solve_ends(seen, worth, dreams)
    return value


@rule
def hope_row(rolls: int, challenge: bool, foresight: int) -> int:
    """Which row of the hopes counts after that many rolls; a short-sighted mind always takes the next roll for the last."""
    return (SECOND if rolls == 1 and foresight > 1 else THIRD) + (2 if challenge else 0)


@rule
def decide(
    mind: Mind,
    ends: Numbers,
    hopes: Numbers,
    seen: Numbers,
    dreams: Numbers,
    rolls: int,
    dice: int,
    challenge: bool,
) -> int:
    """What the mind does after a roll: what it likes best among all that does not give away too much. Of equals, the end."""
    bar = -1.0
    if mind.most_lost < 1.0:
        for action in range(ENDS):
            if ends[action] > bar and end_allowed(action, rolls, dice, challenge):
                bar = ends[action]
        if rolls < 3:
            for which in range(KEEP_COUNTS[dice]):
                kept = KEEPS[dice, which]
                bar = max(bar, hopes[hope_row(rolls, challenge, 2), kept])
                if rolls == 1:
                    bar = max(bar, hopes[hope_row(rolls, True, 2), kept])
        bar -= mind.most_lost
    chosen, best = rules.PASS, -9.0
    for action in range(ENDS):
        possible = ends[action] != NEVER and ends[action] >= bar and seen[action] > best
        if possible and end_allowed(action, rolls, dice, challenge):
            chosen, best = action, seen[action]
    if rolls < 3:
        clear, dream = hope_row(rolls, challenge, 2), hope_row(rolls, challenge, mind.foresight)
        bold, daydream = hope_row(rolls, True, 2), hope_row(rolls, True, mind.foresight)
        for which in range(KEEP_COUNTS[dice]):
            kept = whole(KEEPS[dice, which])
            if dreams[dream, kept] > best and hopes[clear, kept] >= bar:
                chosen, best = rules.KEEP + kept, dreams[dream, kept]
            if rolls == 1 and mind.announces and dreams[daydream, kept] > best and hopes[bold, kept] >= bar:
                chosen, best = rules.ANNOUNCE + kept, dreams[daydream, kept]
    return chosen


@rule
def policy_value(mind: Mind, truth: Numbers, ends: Numbers, hopes: Numbers, seen: Numbers, dreams: Numbers) -> float:
    """What a turn brings on average if the mind plays it by its own plan, while its ends are really worth `truth`.

    What the best play brings, less this, is what the mind gives away in the turn.
    """
    sets = FIRST_ROLL + ROLLS
    rolled = np.empty((2, 2, sets))  # before the second and the third roll; without and with a challenge; by kept set
    value = 0.0
    for rolls in range(3, 0, -1):
        for challenge in range(2 if rolls > 1 else 1):
            for dice in range(ROLLS):
                action = decide(mind, ends, hopes, seen, dreams, rolls, dice, challenge == 1)
                if action < ENDS:
                    brought = truth[action]
                elif action < rules.ANNOUNCE:
                    brought = rolled[rolls - 1, challenge, action - rules.KEEP]
                else:
                    brought = rolled[rolls - 1, 1, action - rules.ANNOUNCE]
                if rolls > 1:
                    rolled[rolls - 2, challenge, FIRST_ROLL + dice] = brought
                else:
                    value += CHANCES[dice] * brought
            if rolls > 1:
                for kept in range(FIRST_ROLL - 1, -1, -1):
                    total = 0.0
                    for face in range(6):
                        total += rolled[rolls - 2, challenge, MORE[kept, face]]
                    rolled[rolls - 2, challenge, kept] = total / 6.0
    return value


def plain_judge(*, sees_others: bool = True) -> Network:
    """A judge made by hand, no learning: lines that are still open count by their pawns.

    A beginner looks at the own pawns only (`sees_others` False); otherwise it is a fair opponent to measure against.
    """
    first = np.zeros((ROWS, 2), np.float32)  # the balance, as it is and turned round, so that both signs pass
    weights = (0.0, 0.1, 0.5, 1.6, 3.0, 0.0)
    for line, cells in enumerate(LINES):
        length = int((cells >= 0).sum())
        for code in range(3**length):
            marks = [code // 3**place % 3 for place in range(length)]
            for who, sign in ((1, 1.0), (2, -1.0)):
                # The board is judged for the player who is to move next: the beginner's own pawns are the others then.
                if who == 1 and not sees_others:
                    continue
                parts = "".join("x" if mark == who else " " if mark == 0 else "|" for mark in marks).split("|")
                balance = sum(weights[part.count("x")] for part in parts if len(part) >= 3)
                first[LINE_ROWS[line] + code, 0] += sign * balance
    first[:MINE_ON, 1] = -first[:MINE_ON, 0]
    return Network(
        first,
        np.zeros(2, np.float32),
        np.eye(2, dtype=np.float32),
        np.zeros(2, np.float32),
        np.array([0.25, -0.25], np.float32),
        np.array([0.3], np.float32),
    )


def new_turn() -> tuple[Any, Any, Any, Any]:
    """Room for a planned turn: ends, hopes, seen, dreams."""
    return np.empty(ENDS), np.empty((4, 462)), np.empty(ENDS), np.empty((4, 462))
