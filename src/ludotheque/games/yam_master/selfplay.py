"""Yam Master against itself, whole games in one compiled call: lessons for the network, and matches between networks.

How the network learns from the lessons is training's business.
"""

from typing import Final

import numpy as np

from ludotheque.games.yam_master import rules
from ludotheque.games.yam_master.judge import (
    LINE_POINTS,
    LINE_ROWS,
    MOST_ACTIVE,
    MOST_LEFT,
    ROWS,
    Board,
    Whole,
    active_rows,
    search_ends,
)
from ludotheque.games.yam_master.mind import Mind, decide, plain_judge, plan_turn
from ludotheque.games.yam_master.tables import FIRST_ROLL, KEPT_TEXTS, LINES, ROLLS, SIZES, WITH_ONE_MORE
from ludotheque.games.yam_master.turn import ENDS, NEVER, Numbers, best_action, solve_ends
from ludotheque.kernels import Random, below, next_word, rule, seeded, whole
from ludotheque.kernels.network import Floats, Network

PLENTY: Final = 100  # turns each, as in the rules' default (M23)
MOST_TURNS: Final = 2 * PLENTY
SETS: Final = len(KEPT_TEXTS)


@rule
def throw(random: Random, kept: int) -> int:
    """The roll that comes of a kept set and random dice for the rest."""
    dice = kept
    for _ in range(5 - SIZES[kept]):
        dice = whole(WITH_ONE_MORE[dice, below(random, 6)])
    return dice - FIRST_ROLL


@rule
def play_turn(ends: Numbers, hopes: Numbers, random: Random) -> int:
    """One turn by a solved policy: the action that ends it."""
    rolls, challenge, kept = 0, False, 0
    while True:
        dice = throw(random, kept)
        rolls += 1
        action = best_action(ends, hopes, rolls, dice, challenge)
        if action < ENDS:
            return action
        challenge = challenge or action >= rules.ANNOUNCE
        kept = action - (rules.ANNOUNCE if action >= rules.ANNOUNCE else rules.KEEP)


@rule
def end_turn(board: Board, left: Whole, mover: int, action: int, result: Numbers) -> bool:
    """Carry out the end of a turn; whether the game is over, and then what each seat got."""
    left[mover] -= 1
    if action >= rules.TAKE:
        board[action - rules.TAKE] = rules.FREE
    elif action >= rules.PLACE:
        board[action - rules.PLACE] = mover
    pawns = 0
    for cell in range(len(board)):
        pawns += board[cell] == mover
    points = np.zeros(2, np.int64)
    for line in range(len(LINES)):
        code, power = whole(LINE_ROWS[line]), 1
        for place in range(5):
            cell = LINES[line, place]
            if cell < 0:
                break
            if board[cell] != rules.FREE:
                code += power * (1 + board[cell])
            power *= 3
        points[0] += LINE_POINTS[code, 0]
        points[1] += LINE_POINTS[code, 1]
    if points[mover] >= 1000 or pawns == rules.PAWNS or (left[0] <= 0 and left[1] <= 0):
        result[0] = 1.0 if points[0] > points[1] else (0.5 if points[0] == points[1] else 0.0)
        result[1] = 1.0 - result[0]
        return True
    return False


@rule
def uniform(random: Random) -> float:
    """A number from 0 to 1."""
    return next_word(random) / 4294967296.0


@rule
def lessons(
    network: Network, random: Random, games: int, memory: float, depth: int, rows: Whole, counts: Whole, chances: Floats
) -> int:
    """Play games and note, for every turn, what was true (`rows`, `counts`) and the chance to win (`chances`).

    The chance is what the exact turn promises, looking `depth` turns further, mixed by `memory` with what the next turns
    brought. A third of the games is played with a clouded judgement, so that boards come up that good players avoid; there
    only the exact turn counts. A few games begin with few turns left. Stops before the arrays are full; returns how many
    turns were noted.
    """
    noted = 0
    board = np.empty(25, np.int8)
    left = np.empty(2, np.int64)
    ends, clouded = np.empty(ENDS), np.empty(ENDS)
    worth, hopes = np.empty((3, ROLLS)), np.empty((4, SETS))
    result = np.zeros(2)
    promised = np.empty(MOST_TURNS)
    for _ in range(games):
        if noted + MOST_TURNS > len(chances):
            break
        board[:] = rules.FREE
        left[:] = PLENTY
        mover = below(random, 2)
        if below(random, 8) == 0:
            left[:] = 1 + below(random, MOST_LEFT)
        cloud = 0.0
        clear_after = MOST_TURNS  # from this turn on the judgement is clear again
        kind = below(random, 6)
        if kind == 0:
            cloud = 0.15
        elif kind == 1:
            cloud = 1.0
            clear_after = below(random, 12)
        start, turn, mixed_from, over = noted, 0, 0, False
        while not over:
            search_ends(network, board, mover, left, depth, ends)
            promised[turn] = solve_ends(ends, worth, hopes)
            counts[noted] = active_rows(board, mover, left, rows[noted])
            noted += 1
            if cloud > 0.0 and turn < clear_after:
                for action in range(ENDS):
                    clouded[action] = ends[action] if ends[action] == NEVER else ends[action] + cloud * uniform(random)
                solve_ends(clouded, worth, hopes)
                action = play_turn(clouded, hopes, random)
                mixed_from = turn + 1
            else:
                action = play_turn(ends, hopes, random)
            over = end_turn(board, left, mover, action, result)
            turn += 1
            mover = 1 - mover
        later = result[1 - mover]  # of the player who moved last
        for back in range(turn - 1, -1, -1):
            share = memory if back >= mixed_from else 0.0
            now = (1.0 - share) * promised[back] + share * later
            chances[start + back] = now
            later = 1.0 - now
    return noted


@rule
def match(one: Network, mind: Mind, two: Network, other_mind: Mind, games: int, random: Random, results: Whole) -> None:
    """Games between two bots; each begins half of them.

    Adds to `results` how often the first won, drew, lost, and how many turns there were.
    """
    board = np.empty(25, np.int8)
    left = np.empty(2, np.int64)
    ends, hopes, seen, dreams = np.empty(ENDS), np.empty((4, SETS)), np.empty(ENDS), np.empty((4, SETS))
    result = np.zeros(2)
    for game in range(games):
        board[:] = rules.FREE
        left[:] = PLENTY
        mover = game % 2
        over = False
        while not over:
            whim = next_word(random)
            if mover == 0:
                plan_turn(one, mind, board, mover, left, whim, ends, hopes, seen, dreams)
            else:
                plan_turn(two, other_mind, board, mover, left, whim, ends, hopes, seen, dreams)
            rolls, challenge, kept, action = 0, False, 0, ENDS
            while action >= ENDS:
                dice = throw(random, kept)
                rolls += 1
                if mover == 0:
                    action = decide(mind, ends, hopes, seen, dreams, rolls, dice, challenge)
                else:
                    action = decide(other_mind, ends, hopes, seen, dreams, rolls, dice, challenge)
                if action >= ENDS:
                    challenge = challenge or action >= rules.ANNOUNCE
                    kept = action - (rules.ANNOUNCE if action >= rules.ANNOUNCE else rules.KEEP)
            over = end_turn(board, left, mover, action, result)
            mover = 1 - mover
            results[3] += 1
        results[0 if result[0] == 1.0 else (1 if result[0] == 0.5 else 2)] += 1


class _Lessons:
    """Yam Master's self-play, as training asks for it."""

    rows = ROWS
    most_active = MOST_ACTIVE
    most_turns = MOST_TURNS
    usual_turns = 60

    def play(
        self,
        network: Network,
        seed: int,
        games: int,
        memory: float,
        depth: int,
        rows: Whole,
        counts: Whole,
        chances: Floats,
    ) -> int:
        """Play games against itself and note the lessons."""
        return int(lessons(network, seeded(seed), games, memory, depth, rows, counts, chances))

    def match(self, one: Network, two: Network, games: int, seed: int) -> tuple[int, int, int]:
        """A match between two networks, each judging at a glance: how often the first won, drew and lost."""
        results = np.zeros(4, np.int64)
        match(one, Mind(), two, Mind(), games, seeded(seed), results)
        return int(results[0]), int(results[1]), int(results[2])

    def opponent(self) -> Network:
        """The judge made by hand."""
        return plain_judge()


LESSONS: Final = _Lessons()
