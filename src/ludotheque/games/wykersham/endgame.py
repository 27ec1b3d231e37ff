"""Wykersham's last turn exactly: every order, slide, goal and way to take, and every roll with its chance.

The rules are those of rules.py, played out; here is only what need not be tried. The turn before it is weighed in search.py.
"""

import numpy as np

from ludotheque.games.wykersham.facts import (
    COUNT,
    CUP,
    CUPS,
    ENDED,
    GIVE,
    GOAL,
    LINE_BIT,
    MOST_ACTIONS,
    PLACING,
    RAILS,
    ROLLING,
    ROLLS,
    TAKE,
    TURNS,
)
from ludotheque.games.wykersham.features import WAYS
from ludotheque.games.wykersham.rules import STATE, completing, legal, may_slide, play
from ludotheque.games.wykersham.tables import IS_DOUBLE
from ludotheque.kernels import Actions, State, rule, whole
from ludotheque.kernels.accelerators import accelerates
from ludotheque.kernels.playout import States

DEEPEST = 128  # decisions of one turn: two marbles and slides, up to 21 goals and 35 cups for each


@rule
def on_last_turn(state: State) -> bool:
    """Whether the player to move, or to roll, plays the last turn of the game (W20)."""
    return bool(
        ROLLING <= state.phase < ENDED
        and state.turns[state.player] == TURNS - 1
        and state.turns[1 - state.player] == TURNS
    )


@rule
def lead(state: State, player: int) -> int:
    """By how many marbles a player leads."""
    return whole(state.winnings[player]) - whole(state.winnings[1 - player])


@rule
def still_lying(state: State, player: int, spared: int) -> int:
    """How many of the spared cups still hold a marble of the player."""
    count = 0
    for cup in range(RAILS * CUPS):
        if (spared >> cup) & 1 and state.cups[player, cup // CUPS, cup % CUPS] > 0:
            count += 1
    return count


@accelerates("rules.play: whether a slide after a placement makes a goal")
@rule
def can_score(state: State, action: int) -> bool:
    """W14: whether a slide of its rail can make a goal after this placement."""
    rail = action % RAILS
    wanted = completing(state, rail)
    if wanted == 0:
        return False
    before = 0  # the columns from which a slide leads to a wanted one
    if may_slide(state, rail, -1):
        before |= wanted << 1
    if may_slide(state, rail, 1):
        before |= wanted >> 1
    return (whole(state.filled[state.player, rail]) | (1 << (LINE_BIT + action // RAILS))) & before != 0


@accelerates("rules.legal and rules.play: the best last turn, without trying what cannot help")
@rule
def most_lead(stack: States, rows: Actions, depth: int, spared: int, enough: int) -> int:
    """The largest lead that the player can end the last turn of the game with; the search stops at `enough`.

    Only the lead counts, so that goals of the last marble are taken whole. Goals of the first are taken or left, each or all (W17); of
    their stacks one marble is spared for a second goal, and counted as taken after all where none came of it (`spared`).
    """
    state = stack[depth]
    player = whole(state.player)
    while state.phase == CUP or (state.phase == GOAL and state.marbles == 0):
        if state.phase == GOAL:
            play(state, TAKE)
        else:
            cup = whole(state.asked)
            lying = whole(state.cups[player, cup // CUPS, cup % CUPS])
            if state.marbles > 0:
                spared |= 1 << cup
                lying -= 1
            play(state, COUNT + lying)
    if state.phase == ENDED:
        return lead(state, player) + still_lying(state, player, spared)
    best = -1000
    count = legal(state, rows[depth])
    last_marble = state.phase == PLACING and state.marbles == 1 and rows[depth, 0] != GIVE
    if last_marble:  # without a goal it changes nothing
        best = lead(state, player) + still_lying(state, player, spared)
    for which in range(count):
        if best >= enough:
            break
        if last_marble and not can_score(state, whole(rows[depth, which])):
            continue
        stack[depth + 1] = state
        play(stack[depth + 1], whole(rows[depth, which]))
        best = max(best, most_lead(stack, rows, depth + 1, spared, enough))
    return best


@accelerates("rules.legal and rules.play: a bound on the best last turn")
@rule
def most_possible(state: State) -> int:
    """No less than the lead that the player can end this turn with: every own marble taken."""
    possible = lead(state, whole(state.player)) + whole(state.marbles)
    for rail in range(RAILS):
        for cup in range(CUPS):
            possible += whole(state.cups[state.player, rail, cup])
    return possible


@accelerates("rules.legal and rules.play: whether every last turn wins")
@rule
def sure_to_win(state: State) -> bool:
    """Whether the player leads and can lose nothing more: marbles are given only where the middle is not shared (W12)."""
    safe = 1 if state.shared_middle else 3
    return lead(state, whole(state.player)) >= safe


@rule
def last_turn_halves(stack: States, rows: Actions, enough: int) -> int:
    """The player's result in the last turn, in halves of a point, added up over the 36 ways of the dice; 2 for each once rolled.

    The state is stack[0]: before the roll, or anywhere after it. Stops at `enough` (then the true sum may be larger).
    """
    first = stack[0]
    if first.phase != ROLLING:  # the dice lie there: one result for all
        return WAYS * halves_after_roll(stack, rows, whole(0))
    if sure_to_win(first):
        return 2 * WAYS
    if most_possible(first) + 2 < 0:
        return 0
    total = 0
    for roll in range(ROLLS):
        stack[1] = first
        play(stack[1], roll)
        total += (1 if IS_DOUBLE[roll] else 2) * halves_after_roll(stack, rows, whole(1))
        if total >= enough:
            break
    return total


@rule
def halves_after_roll(stack: States, rows: Actions, depth: int) -> int:
    """2 if the player can win the last turn from here, 1 if draw, 0 if neither."""
    state = stack[depth]
    if state.phase != ENDED and most_possible(state) < 0:
        return 0
    # whole: a constant would make another version of the recursive function, and numba cannot keep several of one.
    best = most_lead(stack, rows, whole(depth), whole(0), whole(1))
    return 2 if best > 0 else (1 if best == 0 else 0)


class Endgame:
    """The exact chance to win in the last turn of a game, draws counted half. It holds only memory to work in."""

    def __init__(self) -> None:
        self._stack = np.zeros(DEEPEST, STATE).view(np.recarray)
        self._rows = np.zeros((DEEPEST, MOST_ACTIONS), np.int32)

    def value(self, state: State) -> float | None:
        """The chance to win of the player to move or to roll; None before the last turn."""
        if not on_last_turn(state):
            return None
        self._stack[0] = state
        return int(last_turn_halves(self._stack, self._rows, 2 * WAYS + 1)) / (2 * WAYS)
