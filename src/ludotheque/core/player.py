"""What a player is, when it is a program: something that is shown a position and chooses an action.

People are asked by whoever has them in front of them: the terminal, the server.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludotheque.core.problems import BadRequest

if TYPE_CHECKING:
    from ludotheque.core.game import Event, Position


@dataclass(frozen=True)
class Thought:
    """One action that was considered, and the chance to win that it gives."""

    action: str
    value: float


@dataclass(frozen=True)
class Decision:
    """What a player wants to do and, if it can tell, what it thinks of it; `considered` has the best first."""

    action: str
    value: float | None = None
    considered: tuple[Thought, ...] = ()
    reasons: tuple[Event, ...] = ()
    """What speaks for the action over the next best, as far as the game can say; only where an advice was asked for."""


class Player(ABC):
    """A program that plays. It keeps nothing between decisions that the position does not hold."""

    name: str

    @abstractmethod
    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """Choose for the seat that is to move.

        With `seconds` it thinks about that long; without, it makes its level's fixed effort, and the same seed gives the same choice.
        """

    def new_game(self, position: Position, seat: int, seed: int) -> None:  # noqa: B027 - most players do not care
        """A match begins in which the player has this seat; `seed` is for whatever it draws. Not every host tells it."""

    def close(self) -> None:  # noqa: B027 - most players hold nothing
        """Let go of whatever the player holds, such as another program."""


def check_asked(position: Position) -> None:
    """Raises BadRequest where no player can choose: on chance's turn and after the end of the game."""
    if position.over:
        raise BadRequest("bots.over")
    if not isinstance(position.to_move, int):
        raise BadRequest("bots.chance")
