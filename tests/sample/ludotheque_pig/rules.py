"""Pig's rules: roll as often as you dare; a 1 loses the turn. Text, views and options are in game.py."""

from ludotheque.kernels import CHANCE, OVER, Actions, Random, Returns, State, below, record_type, rule, whole
from ludotheque_pig.facts import HOLD, LAYOUT, MOST_ACTIONS, MOST_PLAYERS, ROLL

__all__ = ["MOST_ACTIONS", "MOST_PLAYERS"]

STATE = record_type(LAYOUT)


@rule
def to_move(state: State) -> int:
    """P1: the dice when they are in the air, otherwise the player, until somebody has reached the goal."""
    if state.banked.max() >= state.goal:
        return OVER
    return CHANCE if state.rolling else whole(state.player)


@rule
def legal(state: State, actions: Actions) -> int:
    """P2: roll or hold; on chance's turn, the six faces."""
    if state.rolling:
        for face in range(1, 7):
            actions[face - 1] = face
        return 6
    actions[0], actions[1] = HOLD, ROLL
    return 2


@rule
def weight(_state: State, _outcome: int) -> int:
    """Every face is as likely."""
    return 1


@rule
def draw(_state: State, random: Random) -> int:
    """One die."""
    return 1 + below(random, 6)


@rule
def play(state: State, action: int) -> None:
    """P2 to P4: a 1 loses what the turn brought, holding banks it."""
    if not state.rolling and action == ROLL:
        state.rolling = True
        return
    if not state.rolling:
        state.banked[state.player] += state.turn
        if state.banked[state.player] >= state.goal:
            return
    elif action > 1:
        state.turn += action
        state.rolling = False
        return
    state.turn = 0
    state.rolling = False
    state.player = 1 - state.player


@rule
def returns(state: State, result: Returns) -> None:
    """P1: who reached the goal."""
    for seat in range(2):
        result[seat] = 1.0 if state.banked[seat] >= state.goal else 0.0
