"""Tables: how one is opened, and how it looks from outside and from inside.

What is on the board is positions.py's business.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from ludotheque.server.schemas.base import FreeObject, Model, Moment, Name, Person, Share


class NoClock(Model):
    """Time does not matter."""

    kind: Literal["none"] = "none"


class MoveClock(Model):
    """So long for every decision."""

    kind: Literal["move"]
    seconds: Annotated[float, Field(ge=1, le=604_800, allow_inf_nan=False)]


class GameClock(Model):
    """So long for the whole match, and an increment after each of one's actions."""

    kind: Literal["game"]
    seconds: Annotated[float, Field(ge=1, le=604_800, allow_inf_nan=False)]
    increment: Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = 0


Clock: TypeAlias = Annotated[NoClock | MoveClock | GameClock, Field(discriminator="kind")]


class Settings(Model):
    """How a table is played."""

    dice: Literal["asked", "auto"] = "asked"
    clock: Clock = NoClock()
    hints: bool = False
    takebacks: bool = True
    chat: bool = False
    pace: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.8
    claim_after: Annotated[float, Field(ge=10, le=86_400, allow_inf_nan=False)] = 60


class MySeat(Model):
    """For me, or for somebody else at my device."""

    kind: Literal["me"]
    name: Name | None = None


class OpenSeat(Model):
    """For whoever comes."""

    kind: Literal["open"]


class BotSeat(Model):
    """For a bot."""

    kind: Literal["bot"]
    level: Annotated[int, Field(ge=1, le=5, strict=True)] = 3


class ProgramSeat(Model):
    """For a program that the operator configured."""

    kind: Literal["program"]
    program: Annotated[str, Field(max_length=100)]


NewSeat: TypeAlias = Annotated[MySeat | OpenSeat | BotSeat | ProgramSeat, Field(discriminator="kind")]


class NewTable(Model):
    """A table to open."""

    game: Annotated[str, Field(max_length=100)]
    options: FreeObject = {}
    seats: Annotated[list[NewSeat], Field(max_length=10)] | None = None
    private: bool = False
    settings: Settings = Settings()
    series: Annotated[int, Field(ge=1, le=99, strict=True)] = 1
    number: Share | None = None
    setup: FreeObject | None = None


class Seat(Model):
    """Who sits there."""

    kind: Literal["open", "person", "bot", "program"]
    person: Person | None
    name: str
    level: int | None
    program: str | None
    present: bool


class Series(Model):
    """How the games of this table stand."""

    games: int
    played: int
    score: list[float]


class Card(Model):
    """A table from outside."""

    id: str
    game: str
    options: FreeObject
    private: bool
    host: Person | None
    seats: list[Seat]
    settings: Settings
    status: Literal["waiting", "playing", "over"]
    match: int
    series: Series
    created: Moment
    touched: Moment


class Cards(Model):
    """Some tables."""

    tables: list[Card]


class Ended(Model):
    """How a match ended."""

    how: Literal["played", "resigned", "time", "claimed"]
    seat: int | None
    returns: list[float]
    record: str


class Takeback(Model):
    """Somebody asks to take back a move, to where the match had `length` actions."""

    seat: int
    length: int
    agreed: list[int]


class FairDice(Model):
    """The dice's commitment, the players' shares, and at the end the seed and the next match's commitment."""

    commitment: str
    numbers: list[str | None]
    seed: str | None
    next: str | None


class Table(Model):
    """A table from inside."""

    id: str
    game: str
    options: FreeObject
    private: bool
    host: Person | None
    settings: Settings
    status: Literal["waiting", "playing", "over"]
    seats: list[Seat]
    match: int
    series: Series
    ended: Ended | None
    takeback: Takeback | None
    rematch: list[int]
    dice: FairDice


class Opened(Model):
    """A table that was opened, and its invitation."""

    table: Table
    url: str


class Clocks(Model):
    """What each seat has left at the moment `now`, and whose clock runs."""

    left: list[float]
    running: int | None
    now: Moment
