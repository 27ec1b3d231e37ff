"""Messages: what the server sends over the socket. `ludotheque.table` makes them."""

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from ludotheque.server.schemas.base import FreeObject, Model, Moment, Mover, Person, Words
from ludotheque.server.schemas.positions import Advice, Event, Position, Told
from ludotheque.server.schemas.tables import Clocks, Table


class Welcome(Model):
    """Hello is accepted."""

    what: Literal["welcome"]
    version: int
    person: Person | None
    number: int
    now: Moment


class You(Model):
    """Who the reader is at this table."""

    person: Person | None
    seats: list[int]
    host: bool


class LogAction(Model):
    """An action of the log."""

    by: Mover
    action: str


class SaidMessage(Model):
    """Somebody said something."""

    what: Literal["said"]
    person: Person
    phrase: str | None
    text: str | None
    at: Moment


class StateMessage(Model):
    """Everything."""

    what: Literal["state"]
    number: int
    you: You
    table: Table
    position: Position | None
    log: list[LogAction]
    clocks: Clocks | None
    here: list[Person]
    said: list[SaidMessage]
    applied: list[str]
    live: bool
    why: Literal["hello", "stale", "again"]
    id: str | None


class StepMessage(Model):
    """One action was played."""

    what: Literal["step"]
    number: int
    request: str | None
    by: Mover
    action: str
    events: list[Event]
    outcome: Any
    position: Position
    clocks: Clocks | None
    table: Table | None


Why: TypeAlias = Literal[
    "opened",
    "sit",
    "stand",
    "bot",
    "contributed",
    "newcomers",
    "began",
    "takeback-asked",
    "takeback-refused",
    "takeback",
    "resigned",
    "time",
    "claimed",
    "taken-over",
    "rematch",
    "rematch-withdrawn",
    "removed",
    "forgotten",
    "closed",
]


class TableMessage(Model):
    """Anything else changed."""

    what: Literal["table"]
    number: int
    request: str | None
    why: Why
    person: Person | None
    table: Table
    position: Position | None
    clocks: Clocks | None


class HereMessage(Model):
    """Who is connected now."""

    what: Literal["here"]
    people: list[Person]
    watching: int
    seats: list[bool]


class PreviewMessage(Model):
    """What would be."""

    what: Literal["preview"]
    id: str
    number: int
    steps: list[Told]
    position: Position


class HintMessage(Advice):
    """What a bot would do."""

    what: Literal["hint"]
    id: str
    number: int


class StoryMessage(Model):
    """The match so far."""

    what: Literal["story"]
    id: str
    number: int
    start: Annotated[int, Field(alias="from")]
    steps: list[Told]


class LiveMessage(Model):
    """A frame of a live turn."""

    what: Literal["live"]
    seat: int
    sample: int
    frame: FreeObject


class LiveStoppedMessage(Model):
    """The live turn was broken off."""

    what: Literal["live-stopped"]
    words: Words


class NoticeMessage(Model):
    """What the operator tells everybody; nothing any more if `words` is null."""

    what: Literal["notice"]
    words: Words | None
    until: Moment | None


class RefusedMessage(Model):
    """Nothing was changed, and why."""

    what: Literal["refused"]
    id: str | None
    code: str
    sentence: str


class DoneMessage(Model):
    """A request without another answer was carried out."""

    what: Literal["done"]
    id: str


class PongMessage(Model):
    """Here I am."""

    what: Literal["pong"]
    id: str
    now: Moment


AnyMessage: TypeAlias = (
    Welcome
    | StateMessage
    | StepMessage
    | TableMessage
    | HereMessage
    | SaidMessage
    | PreviewMessage
    | HintMessage
    | StoryMessage
    | LiveMessage
    | LiveStoppedMessage
    | NoticeMessage
    | RefusedMessage
    | DoneMessage
    | PongMessage
)
MESSAGES: Final[TypeAdapter[AnyMessage]] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="what")])
