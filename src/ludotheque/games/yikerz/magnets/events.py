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
