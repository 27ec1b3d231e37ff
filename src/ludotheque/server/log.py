"""What a table's log and its table are made of: a line, a seat, a takeback that is asked for.

What the lines add up to is table.py's business.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludotheque.core import Seated

Body = Mapping[str, Any]


class Line(NamedTuple):
    """One line of a table's log; `at` is a moment in milliseconds."""

    number: int
    kind: str
    body: Body
    at: int


@dataclass(slots=True)
class Seat:
    """Who sits there; `share` is this player's number for the dice."""

    kind: str = "open"
    person: str | None = None
    person_name: str = ""
    name: str | None = None
    level: int | None = None
    program: str | None = None
    share: str | None = None

    @property
    def automatic(self) -> bool:
        """Whether nobody needs to be there."""
        return self.kind in ("bot", "program")

    def called(self) -> str:
        """What the seat is called in words."""
        if self.kind == "person":
            return self.name or self.person_name
        if self.kind == "bot":
            return f"Bot {self.level}"
        return self.program or ""

    def seated(self) -> Seated:
        """For a record."""
        kinds = {"bot": f"bot:{self.level}", "program": f"program:{self.program}"}
        return Seated(self.called(), kinds.get(self.kind, "human"))


@dataclass(slots=True)
class TakebackAsked:
    """A seat asks to go back to where the match had `length` actions."""

    seat: int
    length: int
    agreed: list[int] = field(default_factory=list)
