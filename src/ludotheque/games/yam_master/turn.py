"""One turn of Yam Master, played exactly: which dice to keep, when to stop, whether to announce the challenge.

The values of a turn's ends (a pawn on a cell, a pawn taken, a pass) are given; they come from `evaluation`.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.yam_master.facts import (
    ANNOUNCE,
    CELLS,
    DEFI,
    ENDS,
    FIRST_ROLL,
    IMPOSSIBLE,
    KEEP,
    KINDS,
    PASS,
    PLACE,
    ROLLS,
    SEC,
    TAKE,
    YAM,
)
from ludotheque.games.yam_master.tables import BOARD, COUNTS, GREAT, KEEP_COUNTS, KEEPS, MAKES, WITH_ONE_MORE
from ludotheque.kernels import JIT, rule, whole
from ludotheque.kernels.accelerators import accelerates

Numbers: TypeAlias = NDArray[Any]
"""float64"""

SETS: Final = FIRST_ROLL + ROLLS
"""Sets of up to five dice; the whole rolls are the last of them."""

# Rows of `stop_values`, the best end, for each of the 252 rolls.
FIRST, PLAIN, CHALLENGE = 0, 1, 2
# Rows of `keep_values`, what rolling on is worth for each of the 462 kept sets: by the roll that comes, without and with a challenge.
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


@accelerates("rules.may_place and rules.may_take, for all 252 rolls at once")
@rule
def best_stops(end_values: Numbers, stop_values: Numbers) -> None:
    """M6, M7, M14 to M18: the best end that each roll allows after the first roll, later, and in a challenge."""
    kinds = np.full(KINDS, IMPOSSIBLE)
    for cell in range(CELLS):
        kinds[BOARD[cell]] = max(kinds[BOARD[cell]], end_values[PLACE + cell])
    prey = IMPOSSIBLE
    for cell in range(CELLS):
        prey = max(prey, end_values[TAKE + cell])
    nothing = end_values[PASS]
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
        stop_values[FIRST, roll] = max(best, kinds[SEC]) if great else best
        stop_values[PLAIN, roll] = best
        stop_values[CHALLENGE, roll] = max(best, kinds[DEFI]) if great else nothing


@rule
def roll_on(stop_values: Numbers, keep_values: Numbers, roll: int, best: Numbers) -> None:
    """What each kept set is worth before a roll, and the best set within every roll, for two lists of what follows at once.

    `stop_values[row, roll]` is what rolls are worth afterwards; the rows `keep_values[roll]` and `keep_values[roll + 2]` are filled
    in: a set is worth the mean over one more die, so no list of outcomes is needed. `best[set]` is the best of its parts.
    """
    for dice in range(ROLLS):
        keep_values[roll, SMALLER + dice] = stop_values[0, dice]
        keep_values[roll + 2, SMALLER + dice] = stop_values[1, dice]
    for kept in range(SMALLER - 1, -1, -1):
        plain, challenge = 0.0, 0.0
        for face in range(6):
            more = MORE[kept, face]
            plain += keep_values[roll, more]
            challenge += keep_values[roll + 2, more]
        keep_values[roll, kept] = plain / 6.0
        keep_values[roll + 2, kept] = challenge / 6.0
    best[:] = IMPOSSIBLE
    for kept in range(SMALLER):
        plain = max(best[0, kept], keep_values[roll, kept])
        challenge = max(best[1, kept], keep_values[roll + 2, kept])
        for face in range(6):
            more = MORE[kept, face]
            best[0, more] = max(best[0, more], plain)
            best[1, more] = max(best[1, more], challenge)


@rule
def solve(stop_values: Numbers, keep_values: Numbers) -> float:
    """The whole turn, from its last roll back to its first: fills in `keep_values` and returns what the turn is worth.

    `stop_values` has three rows of 252, `keep_values` four of 462 (see the names above).
    """
    best = np.empty((2, SMALLER + ROLLS))
    later = np.empty((2, ROLLS))
    roll_on(stop_values[PLAIN:], keep_values, THIRD, best)
    for dice in range(ROLLS):  # after the second roll: stop, or roll on
        later[0, dice] = max(stop_values[PLAIN, dice], best[0, SMALLER + dice])
        later[1, dice] = max(stop_values[CHALLENGE, dice], best[1, SMALLER + dice])
    roll_on(later, keep_values, SECOND, best)
    value = 0.0
    for dice in range(ROLLS):  # after the first: M15, the challenge too
        chosen = max(stop_values[FIRST, dice], best[0, SMALLER + dice], best[1, SMALLER + dice])
        value += CHANCES[dice] * chosen
    return value


@rule
def solve_ends(end_values: Numbers, stop_values: Numbers, keep_values: Numbers) -> float:
    """`best_stops`, then `solve`."""
    best_stops(end_values, stop_values)
    return solve(stop_values, keep_values)


@accelerates("rules.may_place and rules.may_take, as far as the dice decide")
@rule
def end_allowed(action: int, rolls: int, dice: int, challenge: bool) -> bool:
    """Whether the dice allow this end of the turn (whether the cell is free, or the enemy's, is not asked)."""
    if action == PASS:
        return True
    if action >= TAKE:
        return bool(MAKES[dice, YAM])
    kind = BOARD[action - PLACE]
    if challenge:
        return bool(GREAT[dice] and (kind == DEFI or MAKES[dice, kind]))
    if kind == SEC:
        return bool(GREAT[dice] and rolls == 1)
    return bool(MAKES[dice, kind])


@rule
def keep_row(rolls: int, challenge: bool) -> int:
    """The row of the keep values that counts after that many rolls."""
    return (SECOND if rolls == 1 else THIRD) + (2 if challenge else 0)


@rule
def best_action(end_values: Numbers, keep_values: Numbers, rolls: int, dice: int, challenge: bool) -> int:
    """The best decision of a solved turn: an end, a set to keep, or the challenge. Of equals, the end."""
    action, best = PASS, end_values[PASS]
    for end in range(1, ENDS):
        if end_values[end] > best and end_allowed(end, rolls, dice, challenge):
            action, best = end, end_values[end]
    if rolls < 3:
        row = keep_row(rolls, challenge)
        for which in range(KEEP_COUNTS[dice]):
            kept = whole(KEEPS[dice, which])
            if keep_values[row, kept] > best:
                action, best = KEEP + kept, keep_values[row, kept]
            if rolls == 1 and keep_values[SECOND_CHALLENGE, kept] > best:
                action, best = ANNOUNCE + kept, keep_values[SECOND_CHALLENGE, kept]
    return action


@rule
def value_of(end_values: Numbers, keep_values: Numbers, action: int, rolls: int, dice: int, challenge: bool) -> float:
    """What an action of a solved turn is worth after that many rolls; IMPOSSIBLE if the dice do not allow it."""
    if action < ENDS:
        return float(end_values[action]) if end_allowed(action, rolls, dice, challenge) else IMPOSSIBLE
    announced = action >= ANNOUNCE
    if rolls > 2 or (announced and rolls > 1):
        return IMPOSSIBLE
    return float(keep_values[keep_row(rolls, challenge or announced), action - (ANNOUNCE if announced else KEEP)])


@dataclass(frozen=True)
class Turn:
    """A solved turn: what it is worth before the first roll, and the value of every decision in it."""

    end_values: Numbers
    keep_values: Numbers
    value: float

    def value_of(self, action: int, rolls: int, dice: int, challenge: bool) -> float:
        """What an action is worth after that many rolls; IMPOSSIBLE if the dice do not allow it."""
        return float(value_of(self.end_values, self.keep_values, action, rolls, dice, challenge))

    def best(self, rolls: int, dice: int, challenge: bool) -> int:
        """The best action after that many rolls."""
        return int(best_action(self.end_values, self.keep_values, rolls, dice, challenge))

    def before_roll(self, rolls: int, kept: int, challenge: bool) -> float:
        """What the turn is worth while the dice are in the air, `rolls` having been made and `kept` lying there."""
        if rolls == 0:
            return self.value
        return float(self.keep_values[keep_row(rolls, challenge), kept])


def turn_policy(end_values: Numbers) -> Turn:
    """The exact best policy of a turn whose ends are worth this much: `end_values[action]` for each of ENDS."""
    keep_values = np.empty((4, SETS))
    stop_values = np.empty((3, ROLLS))
    return Turn(end_values, keep_values, float(solve_ends(end_values, stop_values, keep_values)))


def ready() -> bool:
    """Whether the compiled solver is at hand in this process; otherwise the first call makes or reads it."""
    return not JIT or bool(getattr(solve_ends, "signatures", ()))
