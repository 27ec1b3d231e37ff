"""Yam Master's rules: five dice, three rolls, a pawn on a free cell of what was rolled; lines win.

docs/rules/yam-master.md has the clauses that are named here. Text, views and options are in game.py.
"""

import numpy as np

from ludotheque.games.yam_master.facts import (
    ANNOUNCE,
    CELLS,
    DEFI,
    DRAW,
    FIRST_ROLL,
    FREE,
    KEEP,
    LAYOUT,
    MOST_ACTIONS,
    MOST_PLAYERS,
    NO_DICE,
    PASS,
    PLACE,
    ROLLS,
    SEC,
    SIDE,
    TAKE,
    YAM,
)
from ludotheque.games.yam_master.tables import (
    BOARD,
    COUNTS,
    GREAT,
    HASTY_KEEPS,
    KEEP_COUNTS,
    KEEPS,
    LINES,
    MAKES,
    SIZES,
    WITH_ONE_MORE,
)
from ludotheque.kernels import CHANCE, OVER, Actions, Random, Returns, State, below, record_type, rule, whole

__all__ = ["MOST_ACTIONS", "MOST_PLAYERS"]  # facts that kernels look up here

STATE = record_type(LAYOUT)
EXPORTS = {"points": 1, "five_in_line": 1}

FACTORIALS = np.array([1, 1, 2, 6, 24, 120], np.int64)


@rule
def to_move(state: State) -> int:
    """M3: the dice when they are in the air, otherwise the player, until the game is over."""
    if state.over:
        return OVER
    return CHANCE if state.rolling else whole(state.player)


@rule
def weight(state: State, outcome: int) -> int:
    """In how many ways the dice in the air give that roll, each die told apart; 0 where the kept dice are not in it."""
    ways = FACTORIALS[5 - SIZES[state.kept]]
    for face in range(6):
        more = COUNTS[FIRST_ROLL + outcome, face] - COUNTS[state.kept, face]
        if more < 0:
            return 0
        ways //= FACTORIALS[more]
    return whole(ways)


@rule
def draw(state: State, random: Random) -> int:
    """The kept dice and, one by one, a random face for each of the others."""
    dice = whole(state.kept)
    for _ in range(5 - SIZES[state.kept]):
        dice = whole(WITH_ONE_MORE[dice, below(random, 6)])
    return dice - FIRST_ROLL


@rule
def may_place(state: State, cell: int) -> bool:
    """M6, M7, M14, M16: a free cell of anything that the dice make; in a challenge, only once it is fulfilled."""
    if state.board[cell] != FREE:
        return False
    great = GREAT[state.dice]
    kind = BOARD[cell]
    if state.challenge:
        return bool(great and (kind == DEFI or MAKES[state.dice, kind]))
    if kind == SEC:
        return bool(great and state.rolls == 1)
    return bool(MAKES[state.dice, kind])


@rule
def may_take(state: State, cell: int) -> bool:
    """M18: when the dice show a Yam, any enemy pawn, in a challenge too."""
    return bool(MAKES[state.dice, YAM] and state.board[cell] == 1 - state.player)


@rule
def legal(state: State, actions: Actions) -> int:
    """M3 to M6, M15 to M18: place, take, keep and re-roll, announce, or pass; on chance's turn, the rolls."""
    count = 0
    if state.rolling:
        for outcome in range(ROLLS):
            if weight(state, outcome) > 0:
                actions[count] = outcome
                count += 1
        return count
    for cell in range(CELLS):
        if may_place(state, cell):
            actions[count] = PLACE + cell
            count += 1
    if MAKES[state.dice, YAM]:
        for cell in range(CELLS):
            if may_take(state, cell):
                actions[count] = TAKE + cell
                count += 1
    if state.rolls < 3:  # M3; M4: every set to keep leaves a die to roll
        for which in range(KEEP_COUNTS[state.dice]):
            actions[count] = KEEP + KEEPS[state.dice, which]
            count += 1
    if state.rolls == 1:  # M15: after the first roll and before the second
        for which in range(KEEP_COUNTS[state.dice]):
            actions[count] = ANNOUNCE + KEEPS[state.dice, which]
            count += 1
    actions[count] = PASS  # M6: always
    return count + 1


@rule
def play(state: State, action: int) -> None:
    """M3: one roll, or one decision; placing, taking and passing end the turn."""
    if state.rolling:
        state.dice = action
        state.rolls += 1
        state.kept = 0
        state.rolling = False
    elif action >= KEEP:
        if action >= ANNOUNCE:
            state.challenge = True
        state.kept = action - (ANNOUNCE if action >= ANNOUNCE else KEEP)
        state.rolling = True
    else:
        if action >= TAKE:  # M18: back to its owner's stock
            state.board[action - TAKE] = FREE
            state.stock[1 - state.player] += 1
        elif action >= PLACE:
            state.board[action - PLACE] = state.player
            state.stock[state.player] -= 1
        end_turn(state, action)


@rule
def end_turn(state: State, action: int) -> None:
    """M21 to M23, then it is the other player's turn."""
    player = state.player
    state.turns[player] += 1
    state.dice = NO_DICE
    state.kept = 0
    state.rolls = 0
    state.challenge = False
    if PLACE <= action < TAKE and five_in_line(state, player):
        state.winner = player
        state.over = True
    elif (
        state.stock[0] == 0
        or state.stock[1] == 0
        or (state.turns[0] >= state.max_turns and state.turns[1] >= state.max_turns)
    ):
        difference = points(state, 0) - points(state, 1)
        state.winner = DRAW if difference == 0 else (0 if difference > 0 else 1)
        state.over = True
    else:
        state.player = 1 - player
        state.rolling = True


@rule
def five_in_line(state: State, player: int) -> bool:
    """M21: whether the player has five pawns in a row, a column or a long diagonal."""
    for line in range(len(LINES)):
        length = 0
        while length < SIDE and LINES[line, length] >= 0 and state.board[LINES[line, length]] == player:
            length += 1
        if length == SIDE:
            return True
    return False


@rule
def points(state: State, player: int) -> int:
    """M19, M20: 1 for every maximal run of three pawns, 2 for one of four; five have no points."""
    total = 0
    for line in range(len(LINES)):
        run = 0
        for place in range(SIDE + 1):
            cell = LINES[line, place] if place < SIDE else -1
            if cell >= 0 and state.board[cell] == player:
                run += 1
            else:
                if run == 3:
                    total += 1
                elif run == 4:
                    total += 2
                run = 0
    return total


@rule
def returns(state: State, result: Returns) -> None:
    """M2: the winner has 1, the loser 0; a draw is shared."""
    for seat in range(2):
        result[seat] = 0.5 if state.winner == DRAW else (1.0 if state.winner == seat else 0.0)


@rule
def casual(state: State, actions: Actions, count: int, random: Random) -> int:
    """A hasty player for playouts: takes the first chance to place, else keeps what looks alike."""
    able = 0
    while able < count and PLACE <= actions[able] < KEEP:
        able += 1
    if able > 0:
        return whole(actions[below(random, able)])
    if state.rolls < 3:
        return KEEP + whole(HASTY_KEEPS[state.dice])
    return PASS
