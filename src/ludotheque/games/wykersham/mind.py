"""How well a bot of Wykersham sees: how far ahead, how clearly, and how much it may give away in a turn.

What a clear view of the board says is judge.py's business; player.py has the levels.
"""

from typing import NamedTuple

import numpy as np

from ludotheque.games.wykersham.endgame import WAYS, last_turn_halves, lead
from ludotheque.games.wykersham.judge import (
    BROUGHT,
    GOAL_LINES,
    LEAD_ROW,
    LINE_ROW,
    MOST_LEAD,
    PATTERNS,
    POWERS,
    ROWS,
    THREAT_ROW,
    Desk,
    before_roll,
    desk_for,
    judge_ends,
    new_values,
    turns_left,
)
from ludotheque.games.wykersham.rules import ENDED, play
from ludotheque.games.wykersham.tables import IS_DOUBLE, LINE_BIT, LINES, MIDDLE, RAILS, ROLLS
from ludotheque.games.wykersham.turn import Room, Whole, collect_turn, marbles_key, new_room, spot_of
from ludotheque.kernels import Actions, State, rule, whole
from ludotheque.kernels.network import Floats, Network
from ludotheque.kernels.random import WORD, mixed

MOST_REACHED = 400_000  # some 0.6 s; only where tall stacks are left lying can a turn go on in more ways
LAST_TURN_COST = 20  # what weighing a last turn costs, in turns played to their end
KNOWN = 1 << 14  # last turns that are remembered


class Mind(NamedTuple):
    """What a level can do. Every field is a number, so that compiled matches take minds too."""

    depth: int = 0
    """How many whole turns beyond its own it looks ahead, over all rolls: 0, 1 or 2."""
    wide: int = 12
    """How many ends of its turn it looks further at: those that look best at a glance."""
    margin: float = 0.06
    """And none that looks worse than the best one by more than this."""
    answers: int = 4
    """With depth 2: how many answers of the other player to each roll."""
    cloud: float = 0.0
    """How far it may be wrong about a board, in chances to win."""
    most_lost: float = 1.0
    """The most that one decision may give away of the chance to win, as it sees it clearly: its mistakes are never larger."""
    exact: int = 0
    """Whether it knows the last two turns exactly and, if it looks ahead, the last three."""


class Known(NamedTuple):
    """Last turns that were weighed before, each at the place that its marbles and barred lines lead to; the newest stays."""

    marbles: Whole
    barred: Whole
    leads: Whole
    halves: Whole
    whether_all: Whole
    """1 where the halves are the whole sum, 0 where it was enough to know that they are no fewer."""


class Study(NamedTuple):
    """Room to think about a turn in: what its ends are worth, and the rooms of the turns after it."""

    desk: Desk
    room: Room
    values: Floats
    next_room: Room
    next_values: Floats
    last_room: Room
    last_values: Floats
    known: Known


def new_study(network: Network) -> Study:
    """An empty study for a network of this size."""
    return Study(
        desk_for(network),
        new_room(),
        new_values(),
        new_room(),
        new_values(),
        new_room(),
        new_values(),
        Known(*np.zeros((5, KNOWN), np.int64)),
    )


@rule
def best_first(values: Floats, count: int, wide: int, margin: float) -> Floats:
    """The numbers of the ends that look best, the best first: at most `wide`, none worse than the best by more than `margin`."""
    order = np.argsort(-values[:count], kind="mergesort")
    few = 1
    while few < min(count, wide) and values[order[few]] >= values[order[0]] - margin:
        few += 1
    return order[:few]


@rule
def barred_to(state: State, player: int) -> int:
    """All that the enemy's marbles mean to a player's last turn: the lines that they bar on each rail (W7); and the options.

    Rails that slide in this turn take no more marbles (W10), so that only the lines as they stand now count.
    """
    barred = whole(state.same_direction) * 4 + whole(state.shared_middle) * 2 + whole(state.forced_goals)
    for rail in range(RAILS):
        lines = (whole(state.filled[1 - player, rail]) >> LINE_BIT) & ((1 << LINES) - 1)
        if rail == MIDDLE and state.shared_middle:
            lines = 0
        barred = (barred << LINES) | lines
    return barred


@rule
def last_halves(study: Study, state: State, enough: int) -> int:
    """What the last turn of the game is worth before its roll, in halves over 36 ways; see last_turn_halves.

    Tall stacks can be taken in many ways after which the last turn is the same but for the lead: it is not played out again.
    """
    known = study.known
    player = whole(state.player)
    marbles, barred, ahead = marbles_key(state, player), barred_to(state, player), lead(state, player)
    place = (marbles ^ (marbles >> 21) ^ mixed(barred) ^ mixed(barred >> 16)) % KNOWN
    if known.marbles[place] == marbles and known.barred[place] == barred:
        halves = whole(known.halves[place])
        if known.leads[place] == ahead and known.whether_all[place] == 1:
            return halves
        if known.leads[place] <= ahead and halves >= enough:  # who leads by more does no worse
            return halves
    study.next_room.reached[0] += LAST_TURN_COST
    study.last_room.stack[0] = state
    halves = whole(last_turn_halves(study.last_room.stack, study.last_room.rows, enough))
    known.marbles[place], known.barred[place], known.leads[place] = marbles, barred, ahead
    known.halves[place], known.whether_all[place] = halves, 1 if halves < enough else 0
    return halves


@rule
def before_two_last_turns(network: Network, study: Study, state: State, room: Room, values: Floats) -> float:
    """The exact chance to win of the player who is about to roll for the last turn but one. The judge says only what to try first."""
    total = 0.0
    mover = whole(state.player)
    for roll in range(ROLLS):
        room.stack[0] = state
        play(room.stack[0], roll)
        count = collect_turn(room, mover, False)
        judge_ends(network, study.desk, room, mover, values)
        least = 2 * WAYS + 1
        for end in best_first(values, count, count, 1.0):
            least = min(least, last_halves(study, room.ends[end], least))
            if least == 0:
                break
        total += (1.0 if IS_DOUBLE[roll] else 2.0) * (1.0 - least / (2.0 * WAYS))
    return total / WAYS


@rule
def before_two_rolls(network: Network, mind: Mind, study: Study, state: State) -> float:
    """`before_roll`, but the best answers to each roll are judged one roll further on, or known exactly."""
    total = 0.0
    mover = whole(state.player)
    left = turns_left(state)
    room, values = study.next_room, study.next_values
    if mind.exact and left == 2:
        return before_two_last_turns(network, study, state, room, values)
    for roll in range(ROLLS):
        room.stack[0] = state
        play(room.stack[0], roll)
        count = collect_turn(room, mover, False)
        judge_ends(network, study.desk, room, mover, values)
        best = -1.0
        for end in best_first(values, count, mind.answers, mind.margin):
            value = values[end]
            if mind.exact and left == 3:
                value = 1.0 - before_two_last_turns(network, study, room.ends[end], study.last_room, study.last_values)
            elif left > 1:
                value = 1.0 - before_roll(network, study.desk, room.ends[end], study.last_room, study.last_values)
            best = max(best, value)
        total += (1.0 if IS_DOUBLE[roll] else 2.0) * best
    return total / WAYS


@rule
def weigh_turn(network: Network, mind: Mind, study: Study) -> int:
    """What every end of the turn in `study.room.stack[0]`, whose dice lie there, is worth to the mover; returns how many.

    The ends that look best are looked further at; the others are moved by as much as those were on average, and stay behind.
    With `exact`, every end of the last turn but one is known exactly, and those that are looked further at one turn before it.
    A look one turn ahead stops at the next end once it has cost too much, counted so that it is the same on every machine.
    """
    room, values = study.room, study.values
    mover = whole(room.stack[0].player)
    count = collect_turn(room, mover, True)
    judge_ends(network, study.desk, room, mover, values)
    left = turns_left(room.ends[0])
    if left == 0:
        return count
    if mind.exact and left == 1:  # then nothing is left to judgement
        for end in range(count):
            values[end] = 1.0 - last_halves(study, room.ends[end], 2 * WAYS + 1) / (2.0 * WAYS)
        return count
    if mind.depth == 0:
        return count
    looked = best_first(values, count, mind.wide, mind.margin)
    moved, best_value = 0.0, -1.0
    further = np.empty(len(looked))
    study.next_room.reached[0] = 0
    study.known.marbles[:] = -1  # no board's key: what was remembered before must not change the cost
    for which in range(len(looked)):
        if study.next_room.reached[0] > MOST_REACHED and mind.depth == 1:
            looked = looked[:which]
            break
        end = room.ends[looked[which]]
        if mind.exact and left == 2:
            further[which] = 1.0 - before_two_last_turns(network, study, end, study.next_room, study.next_values)
        elif mind.depth == 1:
            further[which] = 1.0 - before_roll(network, study.desk, end, study.next_room, study.next_values)
        else:
            further[which] = 1.0 - before_two_rolls(network, mind, study, end)
    for which in range(len(looked)):
        moved += (further[which] - values[looked[which]]) / len(looked)
        best_value = max(best_value, further[which])
    lowest = values[looked[-1]]
    for end in range(count):
        if values[end] <= lowest:
            values[end] = min(max(values[end] + moved, 0.0), best_value - 1e-6)
    for which in range(len(looked)):
        values[looked[which]] = further[which]
    return count


@rule
def wrong_by(state: State, mover: int, whim: int) -> float:
    """How a clouded mind misjudges a board, from -1 to 1: it likes or dislikes how each rail stands, so that boards that are alike
    are misjudged alike and a plan is kept through a turn."""
    total = 0
    for rail in range(RAILS):
        key = mixed((whim + 77 * rail) & WORD)
        key = mixed(key + whole(state.filled[mover, rail]) * 65536 + whole(state.filled[1 - mover, rail]))
        total += mixed(key + whole(state.winnings[mover]))
    return (2.0 * total / WORD - RAILS) / RAILS


@rule
def choose_end(mind: Mind, study: Study, count: int, whim: int) -> int:
    """The end that the mind likes best among all that do not give away too much. What ends the game is seen as it is."""
    room, values = study.room, study.values
    best = 0
    for end in range(count):
        if values[end] > values[best]:
            best = end
    if mind.cloud == 0.0 or room.ends[0].phase == ENDED:
        return best
    bar = values[best] - mind.most_lost
    mover = 1 - whole(room.ends[0].player)
    liked, most = best, -9.0
    for end in range(count):
        if values[end] >= bar:
            seen = values[end] + mind.cloud * wrong_by(room.ends[end], mover, whim)
            if seen > most:
                liked, most = end, seen
    return liked


@rule
def weigh_actions(study: Study, state: State, actions: Actions, liked: int, worth: Floats) -> int:
    """After `weigh_turn`: what each action here is worth, which is the best end that it leads to.

    Returns an action that leads to the end with the key `liked`.
    """
    chosen = whole(actions[0])
    mover = whole(state.player)
    for which in range(len(actions) - 1, -1, -1):
        room = study.next_room
        room.stack[0] = state
        play(room.stack[0], whole(actions[which]))
        worth[which] = 0.0
        for end in range(collect_turn(room, mover, True)):
            key = whole(room.keys[end])
            known = whole(study.room.table[spot_of(study.room, key)])
            if known > 0:  # not where a turn has too many ends to look at
                worth[which] = max(worth[which], study.values[known - 1])
            if key == liked:
                chosen = whole(actions[which])
    return chosen


def plain_judge(*, sees_others: bool = True) -> Network:
    """A judge made by hand, no learning: the lead, goals within reach, and lines that are still open count by their marbles.

    A beginner looks at the own marbles only (`sees_others` False); otherwise it is a fair opponent to measure against.
    """
    first = np.zeros((ROWS, 2), np.float32)  # the balance, as it is and turned round, so that both signs pass
    weights = (0.0, 0.05, 0.2, 0.6, 1.2, 1.5)
    for line in range(GOAL_LINES):
        for pattern in range(PATTERNS):
            cups = [pattern // int(POWERS[rail]) % (4 if rail == MIDDLE else 3) for rail in range(RAILS)]
            for who, sign in ((1, 1.0), (2, -1.0)):
                if who == 1 and not sees_others:
                    continue  # the board is judged for the player who is to roll next: the beginner's own marbles are the others
                closed = any(cup == 3 - who for rail, cup in enumerate(cups) if rail != MIDDLE)
                held = sum(cup in (who, 3) for cup in cups)
                first[LINE_ROW + line * PATTERNS + pattern, 0] += sign * weights[held] * (0.5 if closed else 1.0)
    if sees_others:
        for line in range(LINES):
            for brings in range(BROUGHT):
                first[THREAT_ROW + line * BROUGHT + brings, 0] += 0.5
                first[THREAT_ROW + (LINES + line) * BROUGHT + brings, 0] -= 0.25
    for ahead in range(2 * MOST_LEAD + 1):
        first[LEAD_ROW + ahead, 0] += 1.2 * (ahead - MOST_LEAD)
    first[:, 1] = -first[:, 0]
    return Network(
        first,
        np.zeros(2, np.float32),
        np.eye(2, dtype=np.float32),
        np.zeros(2, np.float32),
        np.array([0.15, -0.15], np.float32),
        np.array([0.1], np.float32),
    )
