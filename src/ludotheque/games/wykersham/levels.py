"""How well Wykersham's bots play, level by level: how far they look ahead, how they err, and how much they may give away.

What follows from it is in `search`; the bots themselves are in `player`.
"""

from typing import Final, NamedTuple


class Skill(NamedTuple):
    """What a level can do. Every field is a number, so that compiled matches take skills too."""

    depth: int = 0
    """How many whole turns beyond its own it looks ahead, over all rolls: 0, 1 or 2."""
    width: int = 12
    """How many ends of its turn it looks further at: those with the best evaluation."""
    margin: float = 0.06
    """And none that is evaluated worse than the best one by more than this."""
    replies: int = 4
    """With depth 2: how many replies of the other player to each roll."""
    noise: float = 0.0
    """The largest error of its evaluation, in chances to win."""
    max_loss: float = 1.0
    """The most that one decision may give away of the chance to win, evaluated without noise."""
    exact: int = 0
    """Whether it plays the last two turns exactly and, if it looks ahead, the last three."""


SKILLS: Final = {
    1: Skill(noise=0.1),
    2: Skill(noise=0.02),
    3: Skill(noise=0.32, max_loss=0.13, exact=1),
    4: Skill(noise=0.16, max_loss=0.08, exact=1),
    5: Skill(depth=1, exact=1),
}
"""The first level sees only its own marbles, the second evaluates by rule of thumb. From the third on the learned network plays: it
misjudges boards, less and less, but never by much, and plays the last two turns exactly. The last turn every level plays
perfectly."""

DEEPER: Final = Skill(depth=2, width=5, margin=0.03, replies=3, exact=1)
"""What the strongest level does where it has the time."""
STANDING: Final = Skill(depth=1, width=3, margin=0.03, replies=3, exact=1)
"""How chances are told before and after a roll: the best three ends one turn further on, so that both are of one kind."""
