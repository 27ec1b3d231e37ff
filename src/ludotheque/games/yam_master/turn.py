"""One turn of Yam Master, played exactly: which dice to keep, when to stop, whether to announce the challenge.

What the ends of a turn are worth (a pawn on a cell, a pawn taken, a pass) is given; how that is judged is judge.py's business.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.yam_master import rules
from ludotheque.games.yam_master.tables import (
    BOARD,
    CELLS,
    COUNTS,
    DEFI,
    FIRST_ROLL,
    GREAT,
    KEEP_COUNTS,
    KEEPS,
    KEPT_TEXTS,
    KINDS,
    MAKES,
    ROLLS,
    SEC,
    WITH_ONE_MORE,
    YAM,
)
from ludotheque.kernels import JIT, rule, whole

Numbers: TypeAlias = NDArray[Any]
"""float64"""

ENDS: Final = rules.KEEP
"""How many actions end a turn: pass, 25 cells to place on, 25 to take from; they are numbered as in rules.py."""
NEVER: Final = -1.0
"""The worth of an end that is not possible; every chance to win is larger."""

# The three lists of what stopping is worth, for each of the 252 rolls.
FIRST, PLAIN, CHALLENGE = 0, 1, 2
# Rows of `hopes`, what rolling on is worth for each of the 462 kept sets: by the roll that comes, without and with a challenge.
SECOND, THIRD, SECOND_CHALLENGE, THIRD_CHALLENGE = 0, 1, 2, 3


def _made() -> NDArray[Any]:
    made = np.full((ROLLS, 5), -1, np.int8)
    for roll in range(ROLLS):
        kinds = np.flatnonzero(MAKES[roll])
        made[roll, : len(kinds)] = kinds
    return made


def _ways() -> NDArray[Any]:
    factorials = np.array([1, 1, 2, 6, 24, 120])
    return np.array(120 // np.prod(factorials[COUNTS[FIRST_ROLL:]], axis=1)) / 6**5


MADE = _made()
"""The kinds that each roll makes, one after the other, then -1."""
CHANCES = _ways()
"""How likely each roll of five dice is."""
MORE = WITH_ONE_MORE[:FIRST_ROLL].astype(np.int64)
SMALLER = FIRST_ROLL  # sets that leave at least one die to roll


@rule
def stopping(ends: Numbers, worth: Numbers) -> None:
    """M6, M7, M14 to M18: the best end that each roll allows after the first roll, later, and in a challenge."""
    kinds = np.full(KINDS, NEVER)
    for cell in range(CELLS):
        kinds[BOARD[cell]] = max(kinds[BOARD[cell]], ends[rules.PLACE + cell])
    prey = NEVER
    for cell in range(CELLS):
        prey = max(prey, ends[rules.TAKE + cell])
    nothing = ends[rules.PASS]
    for roll in range(ROLLS):
        best = nothing
        for which in range(5):
            kind = MADE[roll, which]
            if kind < 0:
                break
            best = max(best, kinds[kind])
        if MAKES[roll, YAM]:
            best = max(best, prey)
        great = GREAT[roll]
        worth[FIRST, roll] = max(best, kinds[SEC]) if great else best
        worth[PLAIN, roll] = best
        worth[CHALLENGE, roll] = max(best, kinds[DEFI]) if great else nothing


@rule
def roll_on(worth: Numbers, hopes: Numbers, roll: int, best: Numbers) -> None:
    """What each kept set is worth before a roll, and the best set within every roll, for two lists of what follows at once.

    `worth[row, roll]` is what the rolls are worth afterwards, the rows `hopes[roll]` and `hopes[roll + 2]` are filled in: a
    set is worth the mean over one more die, so no list of outcomes is needed. `best[set]` is the best of its parts.
    """
    for dice in range(ROLLS):
        hopes[roll, SMALLER + dice] = worth[0, dice]
        hopes[roll + 2, SMALLER + dice] = worth[1, dice]
    for kept in range(SMALLER - 1, -1, -1):
        plain, challenge = 0.0, 0.0
        for face in range(6):
            more = MORE[kept, face]
            plain += hopes[roll, more]
            challenge += hopes[roll + 2, more]
        hopes[roll, kept] = plain / 6.0
        hopes[roll + 2, kept] = challenge / 6.0
    best[:] = NEVER
    for kept in range(SMALLER):
        plain = max(best[0, kept], hopes[roll, kept])
        challenge = max(best[1, kept], hopes[roll + 2, kept])
        for face in range(6):
            more = MORE[kept, face]
            best[0, more] = max(best[0, more], plain)
            best[1, more] = max(best[1, more], challenge)


@rule
def solve(worth: Numbers, hopes: Numbers) -> float:
    """The whole turn, from its last roll back to its first: fills in `hopes` and returns what the turn is worth.

    `worth` has three rows of 252, `hopes` four of 462 (see the names above).
    """
    best = np.empty((2, SMALLER + ROLLS))
    later = np.empty((2, ROLLS))
    roll_on(worth[PLAIN:], hopes, THIRD, best)
    for dice in range(ROLLS):  # after the second roll: stop, or roll on
        later[0, dice] = max(worth[PLAIN, dice], best[0, SMALLER + dice])
        later[1, dice] = max(worth[CHALLENGE, dice], best[1, SMALLER + dice])
    roll_on(later, hopes, SECOND, best)
    value = 0.0
    for dice in range(ROLLS):  # after the first: M15, the challenge too
        chosen = max(worth[FIRST, dice], best[0, SMALLER + dice], best[1, SMALLER + dice])
        value += CHANCES[dice] * chosen
    return value


@rule
def solve_ends(ends: Numbers, worth: Numbers, hopes: Numbers) -> float:
    """`stopping`, then `solve`."""
    stopping(ends, worth)
    return solve(worth, hopes)


@rule
def end_allowed(action: int, rolls: int, dice: int, challenge: bool) -> bool:
    """Whether the dice allow this end of the turn (whether the cell is free, or the enemy's, is not asked)."""
    if action == rules.PASS:
        return True
    if action >= rules.TAKE:
        return bool(MAKES[dice, YAM])
    kind = BOARD[action - rules.PLACE]
    if challenge:
        return bool(GREAT[dice] and (kind == DEFI or MAKES[dice, kind]))
    if kind == SEC:
        return bool(GREAT[dice] and rolls == 1)
    return bool(MAKES[dice, kind])


@rule
def best_action(ends: Numbers, hopes: Numbers, rolls: int, dice: int, challenge: bool) -> int:
    """The best decision of a solved turn: an end, a set to keep, or the challenge. Of equals, the end."""
    action, best = rules.PASS, ends[rules.PASS]
    for end in range(1, ENDS):
        if ends[end] > best and end_allowed(end, rolls, dice, challenge):
            action, best = end, ends[end]
    if rolls < 3:
        row = (SECOND if rolls == 1 else THIRD) + (2 if challenge else 0)
        for which in range(KEEP_COUNTS[dice]):
            kept = whole(KEEPS[dice, which])
            if hopes[row, kept] > best:
                action, best = rules.KEEP + kept, hopes[row, kept]
            if rolls == 1 and hopes[SECOND_CHALLENGE, kept] > best:
                action, best = rules.ANNOUNCE + kept, hopes[SECOND_CHALLENGE, kept]
    return action


@dataclass(frozen=True)
class Turn:
    """A solved turn: what it is worth before the first roll, and the value of every decision in it."""

    ends: Numbers
    hopes: Numbers
    value: float

    def value_of(self, action: int, rolls: int, dice: int, challenge: bool) -> float:
        """What an action is worth after that many rolls; NEVER if the dice do not allow it."""
        if action < ENDS:
            return float(self.ends[action]) if end_allowed(action, rolls, dice, challenge) else NEVER
        announced = action >= rules.ANNOUNCE
        kept = action - (rules.ANNOUNCE if announced else rules.KEEP)
        if rolls > 2 or (announced and rolls > 1):
            return NEVER
        row = (SECOND if rolls == 1 else THIRD) + (2 if challenge or announced else 0)
        return float(self.hopes[row, kept])

    def best(self, rolls: int, dice: int, challenge: bool) -> int:
        """The best action after that many rolls."""
        return int(best_action(self.ends, self.hopes, rolls, dice, challenge))

    def before_roll(self, rolls: int, kept: int, challenge: bool) -> float:
        """What the turn is worth while the dice are in the air, `rolls` having been made and `kept` lying there."""
        if rolls == 0:
            return self.value
        return float(self.hopes[(SECOND if rolls == 1 else THIRD) + (2 if challenge else 0), kept])


def turn_policy(ends: Numbers) -> Turn:
    """The exact best policy of a turn whose ends are worth this much: `ends[action]` for each of ENDS, NEVER if impossible."""
    hopes = np.empty((4, len(KEPT_TEXTS)))
    worth = np.empty((3, ROLLS))
    return Turn(ends, hopes, float(solve_ends(ends, worth, hopes)))


def ready() -> bool:
    """Whether the compiled solver is at hand in this process; otherwise the first call makes or reads it."""
    return not JIT or bool(getattr(solve_ends, "signatures", ()))
