"""How well Twisty's bots play, level by level: how long they search and how they err; and what their search goes by.

The search is in `search` and `turn_search`, the bots are in `player`.
"""

from dataclasses import dataclass
from typing import Final

from ludotheque.games.twisty.facts import SPECIALS


@dataclass(frozen=True)
class Skill:
    """How long a level searches and how it errs."""

    simulations: int
    """Positions that it evaluates."""
    noise: float = 0.0
    """Standard deviation of the error in a turn's value where both could win, as a part of a win; the same until the turn ends."""
    max_loss: float = 1.0
    """It never gives away more than this part of a win, as far as its search sees."""
    longest_chain: int = SPECIALS + 1
    """The longest chain of moves in one turn that it finds."""
    exact: int = 0
    """How many of the last rounds between two players it plays perfectly."""
    patience: int = 1 << 16
    """After so many rounds it tries turns that are nearly as good: where one player guards the centre and the other waits, or both
    wait, the best turns alone would repeat until the limit (T14)."""


SKILLS: Final = {
    1: Skill(60, noise=0.22, longest_chain=2),
    2: Skill(200, noise=0.13, max_loss=0.3, longest_chain=3),
    3: Skill(600, noise=0.07, max_loss=0.12),
    4: Skill(2_000, noise=0.02, max_loss=0.05),
    5: Skill(100_000, exact=4, patience=25),
}

FEATURES: Final = 8
WEIGHTS: Final = {
    2: (0.15, 2.2, 0.03, 0.28, 0.27, 0.55, 0.0, 3.0),
    3: (-0.6, 5.0, 0.12, 0.15, 0.13, 0.6, -0.9, 20.0),
    4: (-0.5, 4.4, 0.15, 0.16, 0.11, 0.7, -0.6, 17.0),
}
"""Weights of the features of an evaluation, by the number of players, fitted to who won by bench/strength/twisty_fit.py."""
EXPLORATION: Final = 1.0
"""The factor of the second term of PUCT."""
SHARPNESS: Final = 0.7
"""How much a turn that a player gains raises the logarithm of a prior."""
