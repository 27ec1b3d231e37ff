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
from ludotheque.games.yam_master.mind import Mind, decide, plain_judge, plan_turn, policy_value
from ludotheque.games.yam_master.player import MINDS, judge_of, learned
from ludotheque.games.yam_master.tables import FIRST_ROLL, KEPT_TEXTS, LINES, ROLLS, SIZES, WITH_ONE_MORE
from ludotheque.games.yam_master.turn import ENDS, NEVER, Numbers, best_action, solve_ends
from ludotheque.kernels import Random, below, next_word, rule, seeded, whole
from ludotheque.kernels.lessons import Lessons, Notes, Sitting
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


@rule
def lessons_against(
    network: Network,
    rival: Network,
    mind: Mind,
    random: Random,
    games: int,
    memory: float,
    depth: int,
    rows: Whole,
    counts: Whole,
    chances: Floats,
) -> int:
    """Play games against a bot that never changes, and note how every board stands on which that bot is about to roll.

    Those are all boards that the learner has to judge, who looks no further. The chance is what the learner's next turn promises,
    after the bot's turn as it came (with `depth`, on average over all its dice, exactly), mixed by `memory` with what came later.
    In a third of the games the learner tries things out. Returns how many lessons were noted.
    """
    noted = 0
    board = np.empty(25, np.int8)
    left = np.empty(2, np.int64)
    ends, hopes, seen, dreams = np.empty(ENDS), np.empty((4, SETS)), np.empty(ENDS), np.empty((4, SETS))
    worth, after, truth = np.empty((3, ROLLS)), np.empty(ENDS), np.empty(ENDS)
    result = np.zeros(2)
    for _ in range(games):
        if noted + MOST_TURNS > len(chances):
            break
        board[:] = rules.FREE
        left[:] = PLENTY
        mover = below(random, 2)  # 0 is the learner
        cloud, clear_after = 0.0, MOST_TURNS
        kind = below(random, 6)
        if kind == 0:
            cloud = 0.1
        elif kind == 1:
            cloud, clear_after = 0.5, below(random, 12)
        start, turn, mixed_from, over, known = noted, 0, 0, False, True
        while not over:
            rolls, challenge, kept, action = 0, False, 0, ENDS
            if mover == 0:
                value = search_ends(network, board, whole(0), left, whole(0), ends)
                if not known:
                    chances[noted - 1] = value
                    known = True
                if cloud > 0.0 and turn < clear_after:
                    for end in range(ENDS):
                        if ends[end] != NEVER:
                            ends[end] += cloud * uniform(random)
                    mixed_from = noted
                solve_ends(ends, worth, hopes)
                action = play_turn(ends, hopes, random)
            else:
                counts[noted] = active_rows(board, 1, left, rows[noted])
                plan_turn(rival, mind, board, whole(1), left, next_word(random), ends, hopes, seen, dreams)
                if depth > 0:
                    after_the_other(network, board, left, ends, after, truth)
                    chances[noted] = policy_value(mind, truth, ends, hopes, seen, dreams)
                known = depth > 0
                noted += 1
                while action >= ENDS:
                    dice = throw(random, kept)
                    rolls += 1
                    action = decide(mind, ends, hopes, seen, dreams, rolls, dice, challenge)
                    if action >= ENDS:
                        challenge = challenge or action >= rules.ANNOUNCE
                        kept = action - (rules.ANNOUNCE if action >= rules.ANNOUNCE else rules.KEEP)
            over = end_turn(board, left, mover, action, result)
            turn += 1
            mover = 1 - mover
        if not known:
            chances[noted - 1] = result[0]
        later = result[0]
        for lesson in range(noted - 1, start - 1, -1):
            share = memory if lesson >= mixed_from else 0.0
            later = (1.0 - share) * chances[lesson] + share * later
            chances[lesson] = 1.0 - later  # as the bot sees it, who is about to roll
    return noted


@rule
def after_the_other(network: Network, board: Board, left: Whole, ends: Numbers, after: Numbers, truth: Numbers) -> None:
    """What every end of the other player's turn leaves to the learner (seat 0), by the learner's own next turn."""
    now, turns = board.copy(), left.copy()
    result = np.zeros(2)
    for action in range(ENDS):
        truth[action] = NEVER
        if ends[action] != NEVER:
            now[:] = board
            turns[:] = left
            if end_turn(now, turns, 1, action, result):
                truth[action] = result[0]
            else:
                truth[action] = search_ends(network, now, whole(0), turns, whole(0), after)


def play_lessons(network: Network, sitting: Sitting, notes: Notes) -> int:
    """Play games against itself or a bot, and note the lessons."""
    random = seeded(sitting.seed)
    if sitting.against:
        rival, mind = judge_of(sitting.against), MINDS[sitting.against]
        return int(lessons_against(network, rival, mind, random, sitting.games, sitting.memory, sitting.depth, *notes))
    return int(lessons(network, random, sitting.games, sitting.memory, sitting.depth, *notes))


def at_a_glance(one: Network, two: Network | int, games: int, seed: int) -> tuple[int, int, int]:
    """A match of a network that judges at a glance against another, or against the bot of a level."""
    results = np.zeros(4, np.int64)
    other, mind = (judge_of(two), MINDS[two]) if isinstance(two, int) else (two, Mind())
    match(one, Mind(), other, mind, games, seeded(seed), results)
    return int(results[0]), int(results[1]), int(results[2])


LESSONS: Final = Lessons(
    rows=ROWS,
    most_active=MOST_ACTIVE,
    most_turns=MOST_TURNS,
    usual_turns=60,
    play=play_lessons,
    match=at_a_glance,
    by_hand=plain_judge,
    learned=learned,
)
