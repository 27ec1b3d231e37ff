"""Whole turns of Twisty, for searches: where one can end, all its chains of extra moves taken together.

A chain matters only by its end: which square the pawn stays on, whether it protects, whom it robs and from which corner it goes
on. So a turn is one number (facts.py), and a search has some twenty turns to look at where there may be thousands of chains.
`reach` and `play_turn` repeat the rules of rules.py; tests/twisty/test_turns.py proves them equal.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.twisty import rules
from ludotheque.games.twisty.facts import (
    CENTRE,
    CHOOSING,
    COLOURS,
    CORNER,
    EMPTY,
    EXTRA,
    FIRST_COLOUR,
    GONE,
    L_SHAPED,
    MOST_PLAYERS,
    MOST_STEPS,
    MOST_TURNS,
    MOVING,
    ORTHOGONAL,
    PASSING,
    PORTAL,
    PROTECT,
    PROTECTING,
    ROBBING,
    SETTLING,
    SHIELD,
    SPECIALS,
    SQUARES,
)
from ludotheque.games.twisty.tables import CORNERS, STEPS
from ludotheque.kernels import State, rule, whole
from ludotheque.kernels.accelerators import accelerates

__all__ = ["CORNER", "MOST_TURNS", "PASSING", "PROTECTING", "ROBBING"]  # numbers of turns, which searches look up here


@rule
def list_turns(state: State, turns: NDArray[Any]) -> int:
    """Every way in which the turn of the player to move, or what is left of it, can end; in order. Returns how many."""
    count = 0
    if state.phase in (CHOOSING, SETTLING):
        for which in range(4):
            if rules.corner_is_free(state, whole(CORNERS[which])):
                turns[count] = CORNER + which
                count += 1
        return count
    ends, robbed = reach(state, np.zeros(SQUARES + MOST_PLAYERS, np.int64))
    protects = rules.unprotected(state, whole(state.player)) > 0
    for square in range(SQUARES):
        if (ends >> square) & 1:
            turns[count] = square
            count += 1
            if protects and state.board[square] == SHIELD and not rules.has_acted(state, square):
                turns[count] = PROTECTING + square
                count += 1
    for victim in range(whole(state.players)):
        if (robbed >> victim) & 1:
            for which in range(4):
                corner = whole(CORNERS[which])
                # The robber's own corner is free as soon as it has left it.
                if corner == state.pawns[state.player] or rules.corner_is_free(state, corner):
                    turns[count] = ROBBING + 4 * victim + which
                    count += 1
    if count == 0:  # T12
        turns[0] = PASSING
        count = 1
    return count


@rule
def chain_lengths(state: State, lengths: NDArray[Any]) -> None:
    """How many moves in one turn it takes to land on each square and, after the squares, to rob each seat; 0 where it cannot be."""
    lengths[:] = 0
    if state.phase in (MOVING, EXTRA):
        reach(state, lengths)


@accelerates("rules.legal and rules.play, over all chains of one turn")
@rule
def reach(state: State, lengths: NDArray[Any]) -> tuple[int, int]:
    """T5 to T12: the squares on which the turn can end (one bit each), and the seats that can be robbed (one bit each).

    `lengths`, all 0 before, gets how many moves lead there; what is nearer is found first.
    """
    player = whole(state.player)
    start = whole(state.pawns[player])
    ends, landed, robbed, taken, dead = 0, 0, 0, 0, 0
    for seat in range(whole(state.players)):
        if seat != player:
            taken |= 1 << whole(state.pawns[seat])
    for which in range(whole(state.used_count)):
        dead |= 1 << whole(state.used[which])
    if state.phase == EXTRA:  # it may stay where it is; that token acts now or never
        ends |= 1 << start
        dead |= 1 << start
    queue = np.zeros(SQUARES + 1, np.int64)
    queue[0] = start
    waiting, done = 1, 0
    while done < waiting:
        square = queue[done]
        token = L_SHAPED if done == 0 and state.phase == MOVING else whole(state.board[square])
        length = 1 if done == 0 else lengths[square] + 1
        done += 1
        if token == PORTAL:
            for which in range(SPECIALS):
                portal = whole(state.portals[which])
                if portal == GONE:
                    break
                if portal != square and not (taken >> portal) & 1:
                    ends |= 1 << portal
                    if lengths[portal] == 0:
                        lengths[portal] = length
        elif ORTHOGONAL <= token <= L_SHAPED:
            for which in range(MOST_STEPS):
                onward = STEPS[token - ORTHOGONAL, square, which]
                if onward < 0:
                    break
                if (taken >> onward) & 1:
                    victim = rules.pawn_on(state, onward)
                    if rules.can_rob(state, victim):
                        robbed |= 1 << victim
                        if lengths[SQUARES + victim] == 0:
                            lengths[SQUARES + victim] = length
                elif not (landed >> onward) & 1:
                    landed |= 1 << onward
                    if lengths[onward] == 0:
                        lengths[onward] = length
                    if not (dead >> onward) & 1:
                        queue[waiting] = onward
                        waiting += 1
    return ends | landed, robbed


@rule
def chain_length(turn: int, lengths: NDArray[Any]) -> int:
    """How many moves a turn takes, by chain_lengths; 0 to choose a corner, to pass, and to stay where a chain has come to."""
    if turn >= CORNER:
        return 0
    if turn >= ROBBING:
        return whole(lengths[SQUARES + (turn - ROBBING) // 4])
    return whole(lengths[turn if turn < PROTECTING else turn - PROTECTING])


@accelerates("rules.play, over all actions of one turn")
@rule
def play_turn(state: State, turn: int) -> None:
    """One whole turn, or the rest of one."""
    player = whole(state.player)
    if turn >= CORNER:
        if turn < PASSING:
            rules.choose_corner(state, whole(CORNERS[turn - CORNER]))
        else:
            rules.end_turn(state)
    elif turn >= ROBBING:
        victim = (turn - ROBBING) // 4
        state.pawns[player] = state.pawns[victim]
        rules.rob(state, victim)
        if state.phase == SETTLING:
            rules.choose_corner(state, whole(CORNERS[(turn - ROBBING) % 4]))
    elif turn >= PROTECTING:
        state.pawns[player] = turn - PROTECTING
        rules.play(state, PROTECT)
    elif state.phase == EXTRA and turn == state.pawns[player]:
        rules.end_turn(state)
    else:
        state.pawns[player] = turn
        collected = whole(state.collected[player])
        token = whole(state.board[turn])
        if turn == CENTRE and collected == COLOURS:  # T13
            rules.finish(state, player)
            return
        if (
            token != EMPTY and collected < COLOURS and token == FIRST_COLOUR + whole(state.series[player, collected])
        ):  # T7
            rules.collect(state, turn)
        rules.end_turn(state)
