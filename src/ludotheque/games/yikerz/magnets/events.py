"""What the physics reports of a scene."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Event:
    """Something that pieces did."""

    step: int
    """When, in steps of 1/960 s since the scene began."""
    what: Literal["touch", "collapse", "fall"]
    magnets: tuple[int, ...]
    speed: int = 0
    """Of a touch: the speed toward each other with which they met, mm/s."""


@dataclass(frozen=True)
class Knock:
    """Two pieces that struck each other, once in a chatter or at first touch: what is heard."""

    magnets: tuple[int, int]
    speed: int
    """The speed toward each other with which they met, mm/s."""
