"""Twisty's kernel entries: what its bots and reasons ask of compiled code, over plain arrays. Called from `turn_search` and `player`.

The parts are in `turns`, `search`, `exact` and `race`.
"""

import numpy as np

from ludotheque.games.twisty import race
from ludotheque.games.twisty.exact import DEEPEST, WIN, over_for, solved_bytes, solved_in, worth
from ludotheque.games.twisty.facts import COLOURS, MOST_PLAYERS, MOST_TURNS, MOVING, ROBBING, SQUARES
from ludotheque.games.twisty.rules import STATE
from ludotheque.games.twisty.search import NODE, Tuning, simulate, turns_needed
from ludotheque.games.twisty.turn_search import NODE_SIZE
from ludotheque.games.twisty.turns import chain_length, chain_lengths, list_turns, play_turn
from ludotheque.kernels import whole
from ludotheque.kernels.entries import Bytes, Float64s, Int64s, entry

RECORD = np.dtype((np.record, STATE))
NODES = np.dtype((np.record, NODE))
SIZE = STATE.itemsize
STATES_SIZE = 8 * ((DEEPEST * SIZE + 7) // 8)
assert NODE.itemsize == NODE_SIZE


@entry
def simulate_turns(
    root: Bytes,
    nodes: Bytes,
    used: int,
    simulations: int,
    weights: Float64s,
    exploration: float,
    sharpness: float,
) -> tuple[int, int]:
    """Add simulations to a tree until their number is reached or its nodes are used up; returns how many, and the nodes used now."""
    scratch = np.empty(SIZE, np.uint8).view(RECORD)
    tuning = Tuning(weights, exploration, sharpness)
    return simulate(root.view(RECORD)[0], nodes.view(NODES), used, simulations, scratch, tuning)


@entry
def turns_at_root(nodes: Bytes, turns: Int64s, visits: Int64s, values: Float64s) -> int:
    """Fill in the turns at the root of a tree (MOST_TURNS at most), their visits and values; returns how many there are."""
    tree = nodes.view(NODES)
    first, count = whole(tree[0].first), whole(tree[0].children)
    for which in range(count):
        node = tree[first + which]
        turns[which], visits[which] = node.turn, node.visits
        values[which] = (node.value + node.estimate) / (whole(node.visits) + 1)
    return count


@entry
def listed_turns(state: Bytes, turns: Int64s) -> int:
    """Fill in every way in which the turn of the player to move, or what is left of it, can end; returns how many there are."""
    return whole(list_turns(state.view(RECORD)[0], turns))


@entry
def lengths_of_chains(state: Bytes, turns: Int64s, lengths: Int64s) -> None:
    """Fill in how many moves each of these turns takes."""
    moves = np.zeros(SQUARES + MOST_PLAYERS, np.int64)
    chain_lengths(state.view(RECORD)[0], moves)
    for which in range(len(turns)):
        lengths[which] = chain_length(whole(turns[which]), moves)


@entry
def needed_after(state: Bytes, turn: int) -> int:
    """How many turns the player to move still needs after a turn."""
    record = state.view(RECORD)[0]
    player = whole(record.player)
    play_turn(record, turn)
    return whole(turns_needed(record, player))


@entry
def solver_size(most_positions: int) -> int:
    """How many bytes `solve_turns` needs for so many positions."""
    return STATES_SIZE + solved_bytes(most_positions)


@entry
def solve_turns(root: Bytes, most_positions: int, room: Bytes, turns: Int64s, values: Float64s) -> int:
    """Fill in every turn at the root and its exact value in points; returns how many, -1 where there are too many positions."""
    record = root.view(RECORD)[0]
    states = room[: DEEPEST * SIZE].view(RECORD)
    solved = solved_in(room[STATES_SIZE:], most_positions)
    player = whole(record.player)
    count = whole(list_turns(record, turns))
    for which in range(count):
        states[0] = record
        play_turn(states[0], whole(turns[which]))
        value = whole(over_for(states[0], player))
        if value < 0:
            value = whole(worth(states, whole(0), solved))
            if value < 0:
                return -1
            value = WIN - value
        values[which] = value / 2
    return count


@entry
def race_needs(state: Bytes, seat: int, blocked: int, turns: Int64s) -> None:
    """`race.needs`: fill in the fewest turns to win, by cubes collected and square, row after row."""
    race.needs(state.view(RECORD)[0], seat, blocked, turns.reshape((COLOURS + 1, SQUARES)))


@entry
def can_rob_in_a_turn(state: Bytes, thief: int, victim: int) -> int:
    """T11: 1 if a player could rob another in a turn, chains of extra moves included, if it were theirs now; otherwise 0."""
    record = state.view(RECORD)[0]
    record.player, record.phase, record.used_count = thief, MOVING, 0
    listed = np.zeros(MOST_TURNS, np.int64)
    first = ROBBING + 4 * victim
    for which in range(list_turns(record, listed)):
        if first <= listed[which] < first + 4:
            return 1
    return 0
