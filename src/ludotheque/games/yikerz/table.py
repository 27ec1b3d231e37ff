"""The state of a match of Yikerz! between two actions: settings, stacks, board, whose turn it is, who has won what.

It changes in `rules` and is written as a view in `views`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from ludotheque.games.yikerz.magnets.mats import LAYOUTS, Layout
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.shapes import Magnetisation, Shape, shape_of

Board = Mapping[int, Pose]
"""Which magnets lie on the board, and how."""
Phase = Literal["lot", "layout", "shuffle", "stack", "turn", "call", "pick", "over"]
PHASES: Final[tuple[Phase, ...]] = ("lot", "layout", "shuffle", "stack", "turn", "call", "pick", "over")
Lot = Literal["loser", "shuffler", "layout", "round"]
LOTS: Final[tuple[Lot, ...]] = ("loser", "shuffler", "layout", "round")
"""What is drawn by lot: who lost the round (Y5), who shuffles and which layout in a sudden death (Y17), who won a long round (Y21)."""

POINTS_GOAL: Final = 25
ANEW: Final = 5
"""How often a sudden death begins anew before the win is shared."""
PENALTY: Final = 2
LAYOUT_NAMES: Final = tuple(LAYOUTS)


@dataclass(frozen=True)
class Settings:
    """The options of a match."""

    players: int
    magnets: int = 20
    hand_seconds: int | None = None
    """How long a hand may take; None: as long as it wants (Y6)."""
    quiet_seconds: int = 10
    max_turns: int = 100
    match: str = "best-of-3"
    strain: bool = True
    """Whether live turns show which pieces the field is about to move: an aid for eyes where fingers feel nothing."""
    magnetisation: Magnetisation = "plane"
    """How all magnets are magnetised: along their length, or through their thickness (Y19)."""

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shape of every magnet in play, in order of their numbers."""
        return tuple(shape_of(magnet, self.magnetisation) for magnet in range(self.magnets))

    @property
    def rounds(self) -> int:
        """How many rounds a series has; 0 for a match for points."""
        return 0 if self.match == "points" else int(self.match.removeprefix("best-of-"))


@dataclass(frozen=True)
class Table:
    """Everything between two actions."""

    settings: Settings
    phase: Phase
    player: int
    shuffler: int
    round: int = 1
    layout: Layout = ()
    stacks: tuple[tuple[int, ...], ...] = ()
    """Stacks that lie there to be chosen; a chosen one is empty."""
    hands: tuple[tuple[int, ...], ...] = ()
    """Each player's own stack, in order of the magnets' numbers."""
    board: Board = field(default_factory=dict)
    rounds_won: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()
    """Finished turns of each player in this round."""
    called: tuple[bool, ...] = ()
    alive: tuple[bool, ...] = ()
    quiet: float = 0.0
    """Seconds left of the time in which the last turn may still go wrong (Y13)."""
    charged: int | None = None
    """The player to whom that would be charged."""
    picks: int = 0
    """Pieces that the player must still pick (Y14)."""
    sudden: int = 0
    """In a sudden death, its number from 1 on."""
    lot: Lot | None = None
    among: tuple[int, ...] = ()
    """Seats among whom the lot decides."""
    winner: int | Literal["draw"] | None = None

    @property
    def pouch(self) -> tuple[int, ...]:
        """Magnets that are nowhere else."""
        elsewhere = {*self.board, *(magnet for stack in (*self.stacks, *self.hands) for magnet in stack)}
        return tuple(magnet for magnet in range(self.settings.magnets) if magnet not in elsewhere)

    @property
    def seated(self) -> tuple[int, ...]:
        """Who plays this round: everybody, or in a sudden death those still in."""
        return tuple(seat for seat in range(self.settings.players) if self.alive[seat])
