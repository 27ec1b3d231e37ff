"""What Wykersham's bots know: the last two turns exactly, and a tree search before them.

How the last turns are solved is in endgame.py; the search is the one that kernels have for every game.
"""

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from ludotheque.core import Decision, Player, Position, Thought
from ludotheque.games.wykersham.endgame import Endgame, on_last_turn, on_last_turn_but_one
from ludotheque.games.wykersham.rules import ENDED, ROLLING
from ludotheque.kernels import DiscretePosition, Search


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
    """The exact chance to win by each action of the player to move, in the game's last two turns; None before them.

    None too in the rare positions, one turn before the last, with so many ways to take that it would last too long.
    """
    assert isinstance(position, DiscretePosition)
    if not (on_last_turn(position.state) or on_last_turn_but_one(position.state)) or position.state.phase == ROLLING:
        return None
    player = int(position.state.player)
    values: dict[str, float] = {}
    for action in position.legal().actions:
        after = position.play(action).position
        assert isinstance(after, DiscretePosition)
        if after.state.phase == ENDED:
            values[action] = after.returns()[player]
            continue
        value = _endgame().value(after.state)
        if value is None:
            return None
        values[action] = value if after.state.player == player else 1 - value
    return values


@dataclass(frozen=True)
class Effort:
    """How hard a level thinks: simulations a decision, how often it acts on a whim, whether it knows the last turns."""

    simulations: int
    whim: float = 0.0
    exact: bool = True


EFFORTS: Final = {
    1: Effort(60, whim=0.35, exact=False),
    2: Effort(400, whim=0.1, exact=False),
    3: Effort(2_500),
    4: Effort(12_000),
    5: Effort(60_000),
}
"""Each level thinks about five times as long as the one before; the first two also make mistakes on purpose."""

STRONGEST: Final = max(EFFORTS)
FORCED: Final = 100  # simulations where there is only one action: enough to say how things stand
SHARE: Final = 500  # simulations between two looks at the clock


class WykershamPlayer(Player):
    """Plays by tree search; from level 3 on the game's last two turns are played perfectly."""

    def __init__(self, level: int) -> None:
        self.name = f"bot:{level}"
        self.level = level
        self.effort = EFFORTS[level]

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The action that was tried most, or the best one where that is known. Only the strongest level uses all `seconds`."""
        assert isinstance(position, DiscretePosition)
        end = None if seconds is None else time.perf_counter() + seconds
        values = exact_values(position) if self.effort.exact else None
        considered = self._search(position, end, seed, brief=values is not None)
        if values is not None:  # among equals, what the search likes best
            known = [Thought(one.action, values[one.action]) for one in considered]
            considered = sorted(known, key=lambda one: -one.value)
        best = considered[0]
        whims = random.Random(seed)  # noqa: S311 - a bot's whim, not fair dice
        if whims.random() < self.effort.whim:
            action = whims.choice(position.legal().actions)
            best = next(one for one in considered if one.action == action)
        return Decision(best.action, best.value, tuple(considered))

    def _search(self, position: DiscretePosition, end: float | None, seed: int, *, brief: bool) -> list[Thought]:
        """Every action with its value by tree search, the most tried first."""
        search = Search(position.game.rules, position.state, seed)
        simulations = (
            FORCED if len(position.numbers()) == 1 else EFFORTS[2].simulations if brief else self.effort.simulations
        )
        if end is not None and self.level == STRONGEST and not brief and len(position.numbers()) > 1:
            search.think_for(end - time.perf_counter())
        while search.simulations < simulations and (end is None or time.perf_counter() < end):
            search.think(min(SHARE, simulations - search.simulations))
        if search.simulations == 0:
            search.think(FORCED)
        return [Thought(position.game.write(position.state, one.action), one.value) for one in search.found()]
