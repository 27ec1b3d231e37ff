"""Wykersham's bots, from 1 (a child's first opponent) to 5: a learned judge of boards, every turn enumerated, the last ones exact.

The parts are turn.py (all ends of a turn), judge.py (the board), mind.py (how clearly and how far a level sees) and endgame.py.
"""

import time
from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np

from ludotheque.core import Decision, Player, Position, Thought
from ludotheque.games.wykersham.endgame import Endgame, on_last_turn
from ludotheque.games.wykersham.judge import turns_left
from ludotheque.games.wykersham.mind import (
    Mind,
    before_two_rolls,
    choose_end,
    new_study,
    plain_judge,
    weigh_actions,
    weigh_turn,
)
from ludotheque.games.wykersham.rules import ROLLING, STARTING
from ludotheque.kernels import Actions, DiscretePosition, State
from ludotheque.kernels.network import Network, judges
from ludotheque.kernels.random import mixed

__all__ = ["MINDS", "WykershamPlayer", "exact_values", "judge_of", "last_turn_value", "learned"]

MINDS: Final = {
    1: Mind(cloud=0.1),
    2: Mind(cloud=0.02),
    3: Mind(cloud=0.32, most_lost=0.13, exact=1),
    4: Mind(cloud=0.16, most_lost=0.08, exact=1),
    5: Mind(depth=1, exact=1),
}
"""The first level sees only its own marbles, the second judges by rule of thumb. From the third on the learned judge plays: it
misjudges boards, less and less, but never by much, and knows the last two turns exactly. The last turn every level plays
perfectly."""

STRONGEST: Final = max(MINDS)
DEEPER: Final = Mind(depth=2, wide=5, margin=0.03, answers=3, exact=1)
DEEPER_COST: Final = 5 * (1 + 21 * 3)  # at most, in boards looked one turn further at
WIDEST: Final = 60
FORESIGHT: Final = Mind(depth=1, wide=3, margin=0.03, answers=3, exact=1)
"""How chances are told before and after a roll: the best three ends one turn further on, so that both are of one kind."""
KEPT: Final = 64  # weighed positions: a turn is asked about several times


learned, judge_of = judges("ludotheque.games.wykersham", plain_judge)
"""The network that self-play has taught, and what each level judges boards with."""


@cache
def _endgame() -> Endgame:
    return Endgame()


def last_turn_value(position: Position) -> float | None:
    """The exact chance to win, draws counted half, of the player whose last turn is the last of the game.

    The turn may be before its roll or anywhere after it. None on every other turn.
    """
    assert isinstance(position, DiscretePosition)
    return _endgame().value(position.state) if on_last_turn(position.state) else None


def exact_values(position: Position) -> Mapping[str, float] | None:
    """The exact chance to win by each action of the player to move, in the game's last two turns; None before them."""
    assert isinstance(position, DiscretePosition)
    if position.state.phase in (STARTING, ROLLING) or position.over or turns_left(position.state) > 2:
        return None
    player = WykershamPlayer(STRONGEST)
    return {one.action: one.value for one in player.choose(position).considered}


def whim_of(state: State) -> int:
    """A number that stays the same through a turn, as the enemy's marbles do: what a level misjudges hangs on it."""
    whim = int(state.turns.sum())
    for count in state.cups[1 - int(state.player)].ravel().tolist():
        whim = int(mixed(whim * 32 + count))
    return whim


class WykershamPlayer(Player):
    """A bot of one level."""

    def __init__(self, level: int, mind: Mind | None = None, network: Network | None = None) -> None:
        self.name = f"bot:{level}"
        self.level = level
        self.mind = mind or MINDS[level]
        self.network = network or judge_of(level)
        self._study = new_study(self.network)
        self._weighed: dict[tuple[bytes, float | None], tuple[dict[int, float], int]] = {}

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The best decision as this level sees it. Only the strongest level uses `seconds`, to look further and at more."""
        del seed  # what a level misjudges is decided by the board, so that it keeps to one plan through a turn
        assert isinstance(position, DiscretePosition)
        state = position.state
        values, action = self._values(state, seconds if self.level == STRONGEST else None, position.numbers())
        order = sorted(values, key=lambda one: (-values[one], one != action))
        considered = tuple(Thought(position.game.write(state, one), values[one]) for one in order)
        return Decision(position.game.write(state, action), values[action], considered)

    def standing(self, position: Position) -> tuple[float, ...]:
        """Every seat's chance to win at any moment, as its judge sees it clearly, one turn ahead.

        Before a roll it is the mean of what it is after each, so that luck is nothing but the dice.
        """
        if position.over:
            return position.returns()
        assert isinstance(position, DiscretePosition)
        state, study = position.state, self._study
        if state.phase == STARTING:
            chances = [self.standing(position.play(start).position)[0] for start in ("2-1", "1-2")]
            return (sum(chances) / 2, 1 - sum(chances) / 2)
        if state.phase == ROLLING:
            value = float(before_two_rolls(self.network, FORESIGHT, study, state))
        else:
            study.room.stack[0] = state
            value = float(study.values[: weigh_turn(self.network, FORESIGHT, study)].max())
        return (value, 1.0 - value) if state.player == 0 else (1.0 - value, value)

    def _values(self, state: State, seconds: float | None, actions: Actions) -> tuple[dict[int, float], int]:
        """What every action is worth, and which one the level takes."""
        key = (state.tobytes(), seconds)
        if key not in self._weighed:
            study = self._study
            study.room.stack[0] = state
            count = weigh_turn(self.network, self.mind, study) if seconds is None else self._think_for(seconds, state)
            liked = int(study.room.keys[choose_end(self.mind, study, count, whim_of(state))])
            worth = np.empty(len(actions))
            chosen = int(weigh_actions(study, state, actions, liked, worth))
            values = dict(zip(actions.tolist(), worth.tolist(), strict=True))
            while len(self._weighed) >= KEPT:
                del self._weighed[next(iter(self._weighed))]
            self._weighed[key] = values, chosen
        return self._weighed[key]

    def _think_for(self, seconds: float, state: State) -> int:
        """Weigh the turn, looking at one more end, at many, or two turns ahead, as time allows."""
        began = time.perf_counter()
        study, mind = self._study, self.mind
        count = weigh_turn(self.network, mind._replace(depth=0), study)
        if turns_left(state) <= 2:  # exact, whatever the time
            return count
        glanced = time.perf_counter() - began
        if 30 * glanced > seconds:
            return count
        study.room.stack[0] = state
        weigh_turn(self.network, mind._replace(wide=1), study)
        one = time.perf_counter() - began - glanced
        left = seconds - one - glanced
        wide = max(1, min(WIDEST, int(left / one)))
        study.room.stack[0] = state
        further = DEEPER if left > DEEPER_COST * one else mind._replace(wide=wide, margin=2 * mind.margin)
        return weigh_turn(self.network, further, study)
