"""Search over Wykersham's turns: how far a bot looks ahead, how noisy its evaluation is, and how much it may give away.

The skills of the levels are in `levels`, the evaluation without noise in `evaluation`.
"""

from typing import NamedTuple

import numpy as np

from ludotheque.games.wykersham.endgame import last_turn_halves, lead
from ludotheque.games.wykersham.evaluation import (
    EvaluationBuffers,
    evaluate_ends,
    new_evaluation_buffers,
    turns_left,
    value_before_roll,
)
from ludotheque.games.wykersham.facts import ENDED, LINE_BIT, LINES, MIDDLE, RAILS, ROLLS
from ludotheque.games.wykersham.features import SLOTS, WAYS
from ludotheque.games.wykersham.levels import Skill
from ludotheque.games.wykersham.rules import play
from ludotheque.games.wykersham.tables import IS_DOUBLE
from ludotheque.games.wykersham.turn import (
    TurnEnds,
    Whole,
    list_ends,
    marbles_key,
    new_turn_ends,
    slot_of,
    turn_bytes,
    turn_ends_in,
)
from ludotheque.kernels import Actions, State, rule, whole
from ludotheque.kernels.entries import Bytes
from ludotheque.kernels.network import Floats, Network
from ludotheque.kernels.noise import noise_of
from ludotheque.kernels.random import WORD, mixed

MAX_TURNS_PLAYED_OUT = 400_000  # some 0.6 s; only where tall stacks are left lying can a turn go on in more ways
LAST_TURN_COST = 20  # what valuing a last turn costs, in turns played to their end
CACHED_LAST_TURNS = 1 << 14  # last turns that are kept


@rule
def with_noise(skill: Skill, noise: float) -> Skill:
    """The same skill with other noise."""
    return Skill(
        depth=skill.depth,
        width=skill.width,
        margin=skill.margin,
        replies=skill.replies,
        noise=noise,
        max_loss=skill.max_loss,
        exact=skill.exact,
    )


class LastTurnCache(NamedTuple):
    """Last turns that were valued before, each in the slot that its marbles and barred lines hash to; the newest stays."""

    marbles: Whole
    barred: Whole
    leads: Whole
    halves: Whole
    complete: Whole
    """1 where the halves are the whole sum, 0 where it was enough to know that they are no fewer."""


class SearchBuffers(NamedTuple):
    """Memory to search in: the ends of the turn and of the two after it."""

    evaluation: EvaluationBuffers
    turn: TurnEnds
    next_turn: TurnEnds
    last_turn: TurnEnds
    last_turns: LastTurnCache


def new_search_buffers(network: Network) -> SearchBuffers:
    """Memory for a network of this size."""
    return SearchBuffers(
        evaluation=new_evaluation_buffers(network),
        turn=new_turn_ends(),
        next_turn=new_turn_ends(),
        last_turn=new_turn_ends(),
        last_turns=LastTurnCache(*np.zeros((5, CACHED_LAST_TURNS), np.int64)),
    )


@rule
def search_bytes(width: int, inner: int) -> int:
    """How many bytes `search_in` needs for a network of this size."""
    evaluation = 8 * (2 * SLOTS + LINES) + 4 * (width + inner)
    return 8 * ((evaluation + 7) // 8) + 3 * turn_bytes() + 5 * 8 * CACHED_LAST_TURNS


@rule
def search_in(room: Bytes, width: int, inner: int) -> SearchBuffers:
    """Search buffers in memory that is all 0 at first; they keep what was searched between calls."""
    cached = 8 * CACHED_LAST_TURNS
    turns = 5 * cached
    one = turn_bytes()
    slots = turns + 3 * one
    previous = slots + 8 * SLOTS
    threats = previous + 8 * SLOTS
    accumulator = threats + 8 * LINES
    hidden = accumulator + 4 * width
    return SearchBuffers(
        evaluation=EvaluationBuffers(
            slots=room[slots:previous].view(np.int64),
            previous=room[previous:threats].view(np.int64),
            threat_sizes=room[threats:accumulator].view(np.int64),
            accumulator=room[accumulator:hidden].view(np.float32),
            hidden=room[hidden : hidden + 4 * inner].view(np.float32),
        ),
        turn=turn_ends_in(room[turns : turns + one]),
        next_turn=turn_ends_in(room[turns + one : turns + 2 * one]),
        last_turn=turn_ends_in(room[turns + 2 * one : slots]),
        last_turns=LastTurnCache(
            room[:cached].view(np.int64),
            room[cached : 2 * cached].view(np.int64),
            room[2 * cached : 3 * cached].view(np.int64),
            room[3 * cached : 4 * cached].view(np.int64),
            room[4 * cached : turns].view(np.int64),
        ),
    )


@rule
def best_first(values: Floats, count: int, width: int, margin: float) -> Floats:
    """The numbers of the best ends, the best first: at most `width`, none worse than the best by more than `margin`."""
    order = np.argsort(-values[:count], kind="mergesort")
    few = 1
    while few < min(count, width) and values[order[few]] >= values[order[0]] - margin:
        few += 1
    return order[:few]


@rule
def barred_to(state: State, player: int) -> int:
    """All that the enemy's marbles mean to a player's last turn: the lines that they bar on each rail (W7); and the options.

    Rails that slide in this turn take no more marbles (W10), so that only the lines as they stand now count.
    """
    barred = whole(state.same_direction) * 8 + whole(state.shared_middle) * 4
    barred += whole(state.combined_goals) * 2 + whole(state.forced_goals)
    for rail in range(RAILS):
        lines = (whole(state.filled[1 - player, rail]) >> LINE_BIT) & ((1 << LINES) - 1)
        if rail == MIDDLE and state.shared_middle:
            lines = 0
        barred = (barred << LINES) | lines
    return barred


@rule
def last_halves(search: SearchBuffers, state: State, enough: int) -> int:
    """What the last turn of the game is worth before its roll, in halves over 36 ways; see last_turn_halves.

    Tall stacks can be taken in many ways after which the last turn is the same but for the lead: it is not played out again.
    """
    cache = search.last_turns
    player = whole(state.player)
    marbles, barred, ahead = marbles_key(state, player), barred_to(state, player), lead(state, player)
    slot = (marbles ^ (marbles >> 21) ^ mixed(barred) ^ mixed(barred >> 16)) % CACHED_LAST_TURNS
    if cache.marbles[slot] == marbles and cache.barred[slot] == barred:
        halves = whole(cache.halves[slot])
        if cache.leads[slot] == ahead and cache.complete[slot] == 1:
            return halves
        if cache.leads[slot] <= ahead and halves >= enough:  # who leads by more does no worse
            return halves
    search.next_turn.played_out[0] += LAST_TURN_COST
    search.last_turn.path[0] = state
    halves = whole(last_turn_halves(search.last_turn.path, search.last_turn.actions, enough))
    cache.marbles[slot], cache.barred[slot], cache.leads[slot] = marbles, barred, ahead
    cache.halves[slot], cache.complete[slot] = halves, 1 if halves < enough else 0
    return halves


@rule
def value_before_two_last_turns(network: Network, search: SearchBuffers, state: State, turn: TurnEnds) -> float:
    """The exact chance to win of the player who is about to roll for the last turn but one. The evaluation only orders the ends."""
    total = 0.0
    mover = whole(state.player)
    for roll in range(ROLLS):
        turn.path[0] = state
        play(turn.path[0], roll)
        count = list_ends(turn, mover, False)
        evaluate_ends(network, search.evaluation, turn, mover)
        least = 2 * WAYS + 1
        for end in best_first(turn.values, count, count, 1.0):
            least = min(least, last_halves(search, turn.ends[end], least))
            if least == 0:
                break
        total += (1.0 if IS_DOUBLE[roll] else 2.0) * (1.0 - least / (2.0 * WAYS))
    return total / WAYS


@rule
def value_before_two_rolls(network: Network, skill: Skill, search: SearchBuffers, state: State) -> float:
    """`value_before_roll`, but the best replies to each roll are evaluated one roll further on, or valued exactly."""
    total = 0.0
    mover = whole(state.player)
    left = turns_left(state)
    turn = search.next_turn
    values = turn.values
    if skill.exact and left == 2:
        return value_before_two_last_turns(network, search, state, turn)
    for roll in range(ROLLS):
        turn.path[0] = state
        play(turn.path[0], roll)
        count = list_ends(turn, mover, False)
        evaluate_ends(network, search.evaluation, turn, mover)
        best = -1.0
        for end in best_first(values, count, skill.replies, skill.margin):
            value = values[end]
            if skill.exact and left == 3:
                value = 1.0 - value_before_two_last_turns(network, search, turn.ends[end], search.last_turn)
            elif left > 1:
                value = 1.0 - value_before_roll(network, search.evaluation, turn.ends[end], search.last_turn)
            best = max(best, value)
        total += (1.0 if IS_DOUBLE[roll] else 2.0) * best
    return total / WAYS


@rule
def evaluate_turn(network: Network, skill: Skill, search: SearchBuffers) -> int:
    """Fill in the values of all ends of the turn in `search.turn.path[0]`, whose dice lie there; returns how many there are.

    The ends that look best are looked further at; the others are moved by as much as those were on average, and stay behind.
    With `exact`, every end of the last turn but one is known exactly, and those that are looked further at one turn before it.
    A look one turn ahead stops at the next end once it has cost too much, counted so that it is the same on every machine.
    """
    turn, values = search.turn, search.turn.values
    mover = whole(turn.path[0].player)
    count = list_ends(turn, mover, True)
    evaluate_ends(network, search.evaluation, turn, mover)
    left = turns_left(turn.ends[0])
    if left == 0:
        return count
    if skill.exact and left == 1:  # then nothing is left to evaluate
        for end in range(count):
            values[end] = 1.0 - last_halves(search, turn.ends[end], 2 * WAYS + 1) / (2.0 * WAYS)
        return count
    if skill.depth == 0:
        return count
    looked = best_first(values, count, skill.width, skill.margin)
    moved, best_value = 0.0, -1.0
    further = np.empty(len(looked))
    search.next_turn.played_out[0] = 0
    search.last_turns.marbles[:] = -1  # no board's key: what was cached before must not change the cost
    for which in range(len(looked)):
        if search.next_turn.played_out[0] > MAX_TURNS_PLAYED_OUT and skill.depth == 1:
            looked = looked[:which]
            break
        end = turn.ends[looked[which]]
        if skill.exact and left == 2:
            further[which] = 1.0 - value_before_two_last_turns(network, search, end, search.next_turn)
        elif skill.depth == 1:
            further[which] = 1.0 - value_before_roll(network, search.evaluation, end, search.next_turn)
        else:
            further[which] = 1.0 - value_before_two_rolls(network, skill, search, end)
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


def evaluate_state(network: Network, skill: Skill, search: SearchBuffers, state: State) -> int:
    """`evaluate_turn` of a state, for programs that have the buffers themselves."""
    search.turn.path[0] = state
    return int(evaluate_turn(network, skill, search))


@rule
def noise_at(state: State, mover: int, noise_seed: int) -> float:
    """The error of a noisy evaluation of a board, from -1 to 1: it depends on how each rail stands, so that boards that are alike are
    misjudged alike and a plan is kept through a turn."""
    total = 0
    for rail in range(RAILS):
        key = mixed((noise_seed + 77 * rail) & WORD)
        key = mixed(key + whole(state.filled[mover, rail]) * 65536 + whole(state.filled[1 - mover, rail]))
        total += mixed(key + whole(state.winnings[mover]))
    return noise_of(total, RAILS)


@rule
def choose_end(skill: Skill, search: SearchBuffers, count: int, noise_seed: int) -> int:
    """The end that looks best with noise among all that give away no more than they may. Where the game ends there is no noise."""
    turn, values = search.turn, search.turn.values
    best = 0
    for end in range(count):
        if values[end] > values[best]:
            best = end
    if skill.noise == 0.0 or turn.ends[0].phase == ENDED:
        return best
    least = values[best] - skill.max_loss
    mover = 1 - whole(turn.ends[0].player)
    liked, most = best, -9.0
    for end in range(count):
        if values[end] >= least:
            seen = values[end] + skill.noise * noise_at(turn.ends[end], mover, noise_seed)
            if seen > most:
                liked, most = end, seen
    return liked


@rule
def evaluate_actions(search: SearchBuffers, state: State, actions: Actions, liked: int, worth: Floats) -> int:
    """After `evaluate_turn`: what each action here is worth, which is the best end that it leads to.

    Returns an action that leads to the end with the key `liked`.
    """
    chosen = whole(actions[0])
    mover = whole(state.player)
    for which in range(len(actions) - 1, -1, -1):
        turn = search.next_turn
        turn.path[0] = state
        play(turn.path[0], whole(actions[which]))
        worth[which] = 0.0
        for end in range(list_ends(turn, mover, True)):
            key = whole(turn.keys[end])
            known = whole(search.turn.hash_table[slot_of(search.turn, key)])
            if known > 0:  # not where a turn has too many ends to look at
                worth[which] = max(worth[which], search.turn.values[known - 1])
            if key == liked:
                chosen = whole(actions[which])
    return chosen
