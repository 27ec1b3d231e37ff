"""Tables: how one is opened, and how it looks from outside and from inside. Positions are in `positions`."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from ludotheque.core import BadJson, Reader
from ludotheque.server.schemas.base import FreeObject, Model, Moment, Name, NewModel, Person, Share, Words
from ludotheque.table import settings

Seconds: TypeAlias = Annotated[float, Field(ge=settings.SHORTEST_CLOCK, le=settings.LONGEST_CLOCK, allow_inf_nan=False)]


class NoClock(Model):
    """Time does not matter."""

    kind: Literal["none"] = "none"


class MoveClock(Model):
    """So long for every decision."""

    kind: Literal["move"]
    seconds: Seconds


class GameClock(Model):
    """So long for the whole match, and an increment after each of one's actions."""

    kind: Literal["game"]
    seconds: Seconds
    increment: Annotated[float, Field(ge=0, le=settings.LARGEST_INCREMENT, allow_inf_nan=False)] = 0


Clock: TypeAlias = Annotated[NoClock | MoveClock | GameClock, Field(discriminator="kind")]


class Settings(Model):
    """How a table is played."""

    dice: Literal["asked", "auto"] = "asked"
    clock: Clock = NoClock()
    hints: bool = False
    takebacks: bool = True
    chat: bool = False
    pace: Annotated[float, Field(ge=0, le=settings.SLOWEST_PACE, allow_inf_nan=False)] = 0.8
    claim_after: Annotated[float, Field(ge=settings.SHORTEST_CLAIM, le=settings.LONGEST_CLAIM, allow_inf_nan=False)] = (
        60
    )
    remind: Annotated[
        bool, Field(description="whether players are reminded of what they have to say by themselves")
    ] = False


class NewNoClock(NoClock, NewModel):
    """Time does not matter."""


class NewMoveClock(MoveClock, NewModel):
    """So long for every decision."""


class NewGameClock(GameClock, NewModel):
    """So long for the whole match, and an increment after each of one's actions."""


class NewSettings(Settings, NewModel):
    """How a table is to be played."""

    clock: Annotated[NewNoClock | NewMoveClock | NewGameClock, Field(discriminator="kind")] = NewNoClock()

    def for_the_table(self) -> settings.Settings:
        """The settings as the table takes them."""
        return settings.read_settings(Reader(self.model_dump(), BadJson, "settings"))


class MySeat(NewModel):
    """For me, or for somebody else at my device."""

    kind: Literal["me"]
    name: Name | None = None


class OpenSeat(NewModel):
    """For whoever comes."""

    kind: Literal["open"]


class BotSeat(NewModel):
    """For a bot."""

    kind: Literal["bot"]
    level: Annotated[int, Field(ge=1, le=5, strict=True)] = 3


class ProgramSeat(NewModel):
    """For a program that the operator configured."""

    kind: Literal["program"]
    program: Annotated[str, Field(max_length=100)]


NewSeat: TypeAlias = Annotated[MySeat | OpenSeat | BotSeat | ProgramSeat, Field(discriminator="kind")]


class NewTable(NewModel):
    """A table to open."""

    game: Annotated[str, Field(max_length=100)]
    options: FreeObject = {}
    seats: Annotated[list[NewSeat], Field(max_length=10)] | None = None
    private: bool = False
    settings: NewSettings = NewSettings()
    series: Annotated[int, Field(ge=1, le=99, strict=True)] = 1
    number: Annotated[
        Share | None, Field(deprecated=True, description="ignored: a number counts only after the commitment was shown")
    ] = None
    setup: FreeObject | None = None


Newcomers: TypeAlias = Annotated[bool, Field(description="whether others than those who are here may come")]


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
    newcomers: Newcomers = True
    host: Person | None
    seats: list[Seat]
    settings: Settings
    status: Literal["waiting", "playing", "over"]
    match: int
    series: Series
    created: Moment
    touched: Moment
    your_turn: Annotated[
        bool, Field(description="whether you are to act; false where another process holds the table")
    ] = False


class Cards(Model):
    """Some tables."""

    tables: list[Card]


class Ended(Model):
    """How a match ended."""

    how: Literal["played", "resigned", "time", "claimed", "closed"]
    seat: int | None
    returns: list[float]
    record: str


class Takeback(Model):
    """Somebody asks to take back a move, to where the match had `length` actions."""

    seat: int
    length: int
    agreed: list[int]


class FairDice(Model):
    """The dice's commitment, the players' numbers, and at the end the seed and the next match's commitment."""

    commitment: str
    numbers: list[str | None]
    awaited: Annotated[
        list[int], Field(description="the seats whose numbers are to come before the first match begins")
    ] = []
    seed: str | None
    next: str | None


class Table(Model):
    """A table from inside."""

    id: str
    game: str
    options: FreeObject
    private: bool
    newcomers: Newcomers = True
    host: Person | None
    settings: Settings
    status: Literal["waiting", "playing", "over"]
    seats: list[Seat]
    match: int
    series: Series
    ended: Ended | None
    takeback: Takeback | None
    rematch: list[int]
    starts_next: Annotated[
        int | None,
        Field(description="when over: the seat, as all sit now, of who starts the next match, if that is known"),
    ] = None
    dice: FairDice
    closed: Words | None = None
    """Why nothing can be played here any more."""


class Opened(Model):
    """A table that was opened, and its invitation."""

    table: Table
    url: str


class Glance(Model):
    """A table's match as a small board shows it."""

    game: str
    players: int
    options: FreeObject
    length: int
    view: FreeObject
    acting: int | None


class Clocks(Model):
    """What each seat has left at the moment `now`, and whose clock runs."""

    left: list[float]
    running: int | None
    now: Moment
