"""Wykersham's kernel entries: what its bots and reasons ask of compiled code, over plain arrays. Called from `player` and `reasons`.

Each works on a whole turn at once; the parts are in `turn`, `evaluation`, `search` and `endgame`.
"""

import numpy as np

from ludotheque.games.wykersham.endgame import DEEPEST, last_turn_halves, on_last_turn
from ludotheque.games.wykersham.facts import CUPS, MOST_ACTIONS, RAILS, ROLLS, TURNS
from ludotheque.games.wykersham.features import WAYS
from ludotheque.games.wykersham.levels import Skill
from ludotheque.games.wykersham.rules import play
from ludotheque.games.wykersham.search import (
    choose_end,
    evaluate_actions,
    evaluate_turn,
    search_bytes,
    search_in,
    value_before_two_rolls,
)
from ludotheque.games.wykersham.tables import IS_DOUBLE
from ludotheque.games.wykersham.turn import RECORD, list_ends, turn_bytes, turn_ends_in
from ludotheque.kernels import rule, whole
from ludotheque.kernels.entries import Bytes, Float32s, Float64s, Int32s, entry
from ludotheque.kernels.network import network_in
from ludotheque.kernels.random import mixed


@rule
def skill_in(skill: Float64s) -> Skill:
    """A skill out of its numbers."""
    return Skill(int(skill[0]), int(skill[1]), skill[2], int(skill[3]), skill[4], skill[5], int(skill[6]))


@entry
def search_size(width: int, inner: int) -> int:
    """How many bytes a player needs to search in, with a network of this size."""
    return search_bytes(width, inner)


@entry
def evaluate_ends_of_turn(
    network: Float32s, features: int, width: int, inner: int, skill: Float64s, room: Bytes, state: Bytes
) -> int:
    """Evaluate all ends of a turn whose dice lie there, as a skill does; they stay in the room. Returns how many there are."""
    search = search_in(room, width, inner)
    search.turn.path[0] = state.view(RECORD)[0]
    return evaluate_turn(network_in(network, features, width, inner), skill_in(skill), search)


@entry
def best_value(width: int, inner: int, room: Bytes) -> float:
    """After `evaluate_ends_of_turn`: the value of the best end."""
    turn = search_in(room, width, inner).turn
    return float(turn.values[: turn.found[0]].max())


@entry
def choose_action(
    skill: Float64s,
    width: int,
    inner: int,
    room: Bytes,
    state: Bytes,
    noise_seed: int,
    actions: Int32s,
    values: Float64s,
) -> int:
    """After `evaluate_ends_of_turn`: the action that leads to the end that a skill chooses; fills in the values of all actions."""
    search = search_in(room, width, inner)
    end = choose_end(skill_in(skill), search, whole(search.turn.found[0]), noise_seed)
    return whole(evaluate_actions(search, state.view(RECORD)[0], actions, whole(search.turn.keys[end]), values))


@entry
def value_before_rolls(
    network: Float32s, features: int, width: int, inner: int, skill: Float64s, room: Bytes, state: Bytes
) -> float:
    """The chance to win of the player who is about to roll, each roll and its best replies looked one roll further at."""
    weights, search = network_in(network, features, width, inner), search_in(room, width, inner)
    return value_before_two_rolls(weights, skill_in(skill), search, state.view(RECORD)[0])


@entry
def noise_seed(state: Bytes) -> int:
    """A number that stays the same through a turn, as the enemy's marbles do: what a level misjudges depends on it."""
    record = state.view(RECORD)[0]
    seed = whole(record.turns[0]) + whole(record.turns[1])
    for rail in range(RAILS):
        for cup in range(CUPS):
            seed = mixed(seed * 32 + whole(record.cups[1 - record.player, rail, cup]))
    return seed


@entry
def mixed_seed(number: int) -> int:
    """Another seed of noise for each number."""
    return mixed(number)


@entry
def last_turn_value(state: Bytes) -> float:
    """The exact chance to win of the player whose last turn is the last of the game, draws counted half; -1 on every other turn."""
    record = state.view(RECORD)[0]
    if not on_last_turn(record):
        return -1.0
    stack = np.empty(DEEPEST * len(state), np.uint8).view(RECORD)
    rows = np.empty((DEEPEST, MOST_ACTIONS), np.int32)
    stack[0] = record
    return last_turn_halves(stack, rows, 2 * WAYS + 1) / (2 * WAYS)


@entry
def turn_size() -> int:
    """How many bytes the ends of a turn need."""
    return turn_bytes()


@entry
def prospects(room: Bytes, state: Bytes, player: int) -> tuple[int, int]:
    """With how many of the 36 rolls a player could win marbles if the board stays as it is between turns, and how many at most."""
    turn = turn_ends_in(room)
    record = state.view(RECORD)[0]
    if record.turns[player] >= TURNS:
        return 0, 0
    held = whole(record.winnings[player])
    rolls, most = 0, 0
    for roll in range(ROLLS):
        turn.path[0] = record
        turn.path[0].player = player
        play(turn.path[0], roll)
        won = 0
        for end in range(list_ends(turn, player, False)):
            won = max(won, whole(turn.ends[end].winnings[player]) - held)
        if won > 0:
            rolls += 1 if IS_DOUBLE[roll] else 2
        most = max(most, won)
    return rolls, most
