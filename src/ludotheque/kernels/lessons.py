"""What a game's selfplay.py offers to whoever teaches its network: games to be played, and lessons noted from them.

How a network learns from the lessons is training's business.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.network import Floats, Network


class Sitting(NamedTuple):
    """Games to be played in one go."""

    seed: int
    games: int
    memory: float
    """How much what came later counts in a lesson, beside what the turn promised."""
    depth: int = 0
    """How many turns further the promises look; slow."""
    against: int = 0
    """The level of the bot that is played against; 0: the network against itself."""


class Notes(NamedTuple):
    """Lessons: the rows that were true of a position, how many of them there are, and the chance of whoever was about to roll."""

    rows: NDArray[Any]
    counts: NDArray[Any]
    chances: Floats


@dataclass(frozen=True)
class Lessons:
    """A game that can be learnt; selfplay.py has it as LESSONS."""

    rows: int
    """How many things can be true of a position."""
    most_active: int
    """How many of them at once, at most."""
    most_turns: int
    """Room to leave for one more game."""
    usual_turns: int
    """How many lessons a game brings at most on average."""
    play: Callable[[Network, Sitting, Notes], int]
    """Play games and note the lessons; returns how many."""
    match: Callable[[Network, Network | int, int, int], tuple[int, int, int]]
    """A match of a network that judges at a glance against another, or against the bot of a level as it is: so many games with
    that seed; how often the first won, drew and lost."""
    by_hand: Callable[[], Network]
    """A judge that nobody taught, to measure against."""
    learned: Callable[[], Network]
    """The network that the game has come with so far."""

    def notes_for(self, games: int) -> Notes:
        """Room for what so many games bring."""
        room = (games + 1) * self.usual_turns + self.most_turns
        rows = np.zeros((room, self.most_active), np.int64)
        return Notes(rows, np.zeros(room, np.int64), np.zeros(room, np.float32))
