"""The generic bots: a tree search over any game with kernels, from gentle to strong.

The search itself is in `kernels.search` and `kernels.tree_search`; a game's own bots are in its `player` module.
"""

import random
import time
from dataclasses import dataclass
from typing import Final

from ludotheque.core import Decision, Player, Position, Thought, check_asked
from ludotheque.kernels import DiscretePosition, TreeSearch


@dataclass(frozen=True)
class Effort:
    """How hard a level thinks: simulations a decision, and how often it makes a random move instead."""

    simulations: int
    random_moves: float = 0.0


EFFORTS: Final = {
    1: Effort(40, random_moves=0.35),
    2: Effort(150, random_moves=0.1),
    3: Effort(600),
    4: Effort(2_500),
    5: Effort(10_000),
}
"""Each level thinks about four times as long as the one before; the first two also make mistakes on purpose."""

STRONGEST: Final = max(EFFORTS)
FORCED: Final = 100  # simulations where there is only one action: enough to say how things stand
SHARE: Final = 50  # simulations between two looks at the clock


class SearchPlayer(Player):
    """Plays by tree search."""

    def __init__(self, level: int, effort: Effort | None = None) -> None:
        self.name = f"bot:{level}"
        self.level = level
        self.effort = effort or EFFORTS[level]

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The action that was tried most. `seconds` bounds the thinking; only the strongest level uses them all."""
        check_asked(position)
        assert isinstance(position, DiscretePosition)
        numbers = position.action_numbers()
        search = TreeSearch(position.game.kernels, position.state_bytes, seed)
        simulations = self.effort.simulations if len(numbers) > 1 else FORCED
        if seconds is None:
            search.think(simulations)
        elif self.level == STRONGEST and len(numbers) > 1:
            search.think_for(seconds)
        else:
            end = time.perf_counter() + seconds
            while search.simulations < simulations and time.perf_counter() < end:
                search.think(min(SHARE, simulations - search.simulations))
        write = position.game.write
        tried = [one for one in search.found() if one.visits]
        considered = tuple(Thought(write(position.fields, one.action), one.value) for one in tried)
        best = considered[0]
        chooser = random.Random(seed)  # noqa: S311 - a bot's choice, not fair dice
        if chooser.random() < self.effort.random_moves:
            action = chooser.choice(position.legal().actions)
            value = next((one.value for one in considered if one.action == action), best.value)
            return Decision(action, value, considered)
        return Decision(best.action, best.value, considered)
