"""How well Yam Master's bots play, level by level: how far they look ahead, how they err, and how much they may give away.

What follows from it is in `skill`; the bots themselves are in `player`.
"""

from typing import Final, NamedTuple


class Skill(NamedTuple):
    """What a level can do. Every field is a number, so that compiled matches take skills too."""

    depth: int = 0
    """How many whole turns beyond its own it looks ahead."""
    noise: float = 0.0
    """The largest error of its evaluation, in chances to win."""
    rolls_ahead: int = 2
    """How many rolls ahead it plans; 1: only the next."""
    announces: int = 1
    """Whether it considers the challenge."""
    sees_wins: int = 1
    """Whether it never overlooks a win at once, whatever the noise."""
    max_loss: float = 1.0
    """The most that one decision may give away of the chance to win, evaluated without noise."""


SKILLS: Final = {
    1: Skill(noise=0.9, rolls_ahead=1, announces=0, sees_wins=0),
    2: Skill(noise=0.5),
    3: Skill(noise=0.45, max_loss=0.13),
    4: Skill(noise=0.18, max_loss=0.06),
    5: Skill(depth=1),
}
"""The first level sees only its own lines, plans one roll ahead, forgets the challenge and may overlook a win; the second
counts lines by rule of thumb. From the third on the learned network plays: it misjudges boards, less and less, but never by much
and never a win."""
