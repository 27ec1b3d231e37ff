"""Seats of a table: who sits there, and what a seat is called."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ludotheque.core import Game, Json, Seated

SeatKind: TypeAlias = Literal["open", "person", "bot", "program"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there; `share` is this player's number for the dice, if there is one."""

    kind: SeatKind = "open"
    person: str | None = None
    person_name: str = ""
    name: str | None = None
    level: int | None = None
    program: str | None = None
    share: str | None = None

    @property
    def automatic(self) -> bool:
        """Whether a bot or a program plays here."""
        return self.kind in ("bot", "program")

    def called(self, game: Game) -> str:
        """What the seat is called in words; a bot has the name that the game gives it."""
        if self.kind == "person":
            return self.name or self.person_name
        if self.kind == "bot":
            return game.bot_name(self.level or 0)
        return self.program or ""

    def seated(self, game: Game) -> Seated:
        """The seat in a record."""
        kinds = {"bot": f"bot:{self.level}", "program": f"program:{self.program}"}
        return Seated(self.called(game), kinds.get(self.kind, "human"))

    def json(self, game: Game, *, present: bool) -> dict[str, Json]:
        """The seat in messages."""
        return {
            "kind": self.kind,
            "person": None if self.person is None else {"id": self.person, "name": self.person_name},
            "name": self.called(game),
            "level": self.level,
            "program": self.program,
            "present": present,
        }
