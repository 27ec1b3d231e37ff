"""Every object that goes over the network, with its limits; the page's types are generated from `schema()`.

What the messages mean is told in docs/network.md; who may send them is decided in session.py.
"""

import json
import sys
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.json_schema import models_json_schema

VERSION: Final = 1
LARGEST_MESSAGE: Final = 65_536  # bytes in one socket message
LARGEST_BODY: Final = 65_536  # bytes in one HTTP body
LARGEST_RECORD: Final = 4 * 1024 * 1024

Moment: TypeAlias = Annotated[int, Field(description="milliseconds since 1970, on the server's clock")]
Mover: TypeAlias = int | Literal["chance"] | None
FreeObject: TypeAlias = dict[str, Any]
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=40)]
Share: TypeAlias = Annotated[str, Field(max_length=64, description="a player's share in the dice")]
WishId: TypeAlias = Annotated[str, Field(min_length=1, max_length=64)]
SeatNumber: TypeAlias = Annotated[int, Field(ge=0, le=99, strict=True)]
LineNumber: TypeAlias = Annotated[int, Field(ge=0, le=2**53, strict=True)]


class Model(BaseModel):
    """A message or a part of one: unknown keys are ignored, as the contract says."""

    model_config = ConfigDict(extra="ignore")


class Words(Model):
    """A text in both languages."""

    en: str
    fr: str


class ErrorDetail(Model):
    """What is wrong, for programs and for people."""

    code: str
    sentence: str


class ErrorBody(Model):
    """An HTTP error."""

    error: ErrorDetail


class Person(Model):
    """Somebody, as others see them."""

    id: str
    name: str


class NewPerson(Model):
    """Who somebody wants to be."""

    name: Name


class Identity(Model):
    """A person and the secret that proves it; it is told once."""

    person: Person
    secret: str


class Me(Model):
    """A person, as they see themselves."""

    person: Person
    devices: int


class Link(Model):
    """A one-time link that carries an identity to another device."""

    code: str
    url: str
    qr: str
    expires: Moment


class Phrase(Model):
    """A friendly thing to say."""

    phrase: str
    words: Words


class Site(Model):
    """What this server offers."""

    name: str
    version: str
    protocol: int
    languages: list[str]
    levels: list[int]
    programs: list[str]
    phrases: list[Phrase]
    table_days: int


class OptionCard(Model):
    """A choice before a game."""

    name: str
    kind: Literal["switch", "number", "choice", "counts"]
    default: Any
    clause: str
    words: Words
    low: int | None = None
    high: int | None = None
    choices: list[str] | None = None
    total: int | None = None


class Names(Model):
    """The seats' own names in both languages."""

    en: list[str]
    fr: list[str]


class Sentences(Model):
    """All sentences of a game by name, in both languages."""

    en: dict[str, str]
    fr: dict[str, str]


class LiveCard(Model):
    """How a game's live turns stream."""

    rate: int


class GameCard(Model):
    """A game that can be played here."""

    name: str
    title: str
    rules_version: int
    seats: list[int]
    options: list[OptionCard]
    seat_names: Names
    words: Sentences
    live: LiveCard | None
    board: str | None
    rules: bool


class Games(Model):
    """All games."""

    games: list[GameCard]


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


class LegalActions(Model):
    """What can be done; chance's outcomes with their odds only where a position was asked for."""

    actions: list[str]
    odds: list[float]
    open: list[str]


class Position(Model):
    """A moment of a match."""

    length: int
    to_move: Mover
    acting: int | None
    state: FreeObject
    over: bool
    returns: list[float]
    legal: LegalActions


class Event(Model):
    """Something that happened, to be animated and told."""

    what: str
    facts: FreeObject
    words: Words


class Told(Model):
    """An action with what it did; in a `story`, without the position."""

    by: Mover
    action: str
    events: list[Event]
    outcome: Any = None
    position: Position | None = None


class Clocks(Model):
    """What each seat has left at the moment `now`, and whose clock runs."""

    left: list[float]
    running: int | None
    now: Moment


class RecordPlayer(Model):
    """Who played."""

    name: str
    kind: str


class RecordCard(Model):
    """A record from outside."""

    id: str
    game: str
    players: list[RecordPlayer]
    returns: list[float]
    ended: Moment
    how: str
    actions: int
    uploaded: bool


class RecordCards(Model):
    """Some records, and from where to go on."""

    records: list[RecordCard]
    before: Moment | None


class Verdict(Model):
    """Whether dice were fair: yes, no, or cannot be told."""

    fair: bool | None
    words: Words


class Question(Model):
    """A position to look at: a set-up and what was played since; `"?"` lets the dice decide."""

    game: Annotated[str, Field(max_length=100)]
    players: Annotated[int, Field(ge=1, le=100, strict=True)] | None = None
    options: FreeObject = {}
    setup: FreeObject | None = None
    actions: Annotated[list[Annotated[str, Field(max_length=20_000)]], Field(max_length=2000)] = []
    outcomes: Annotated[list[Any], Field(max_length=2000)] | None = None
    names: Annotated[list[Name], Field(max_length=10)] = []
    seed: Annotated[str, Field(max_length=100)] = "position"
    start: Annotated[int, Field(ge=0, le=2000, strict=True, alias="from")] = 0
    level: Annotated[int, Field(ge=1, le=5, strict=True)] = 5
    seconds: Annotated[float, Field(gt=0, le=5, allow_inf_nan=False)] | None = None


class Answer(Model):
    """The position, and the steps that led to it."""

    position: Position
    steps: list[Told]


class Story(Model):
    """A whole game in words and positions."""

    first: Position
    steps: list[Told]


class Thought(Model):
    """An action that was considered."""

    action: str
    value: float


class Advice(Model):
    """What a bot would do."""

    action: str
    value: float | None
    considered: list[Thought]
    level: int


class Address(Model):
    """Where the server is in the local network."""

    url: str
    qr: str


class Addresses(Model):
    """All of them."""

    addresses: list[Address]


class Health(Model):
    """The server is well."""

    ok: bool


# Wishes: what a client sends over the socket.


class Hello(Model):
    """The first message: who I am, and what I have seen."""

    do: Literal["hello"]
    version: Annotated[int, Field(strict=True)]
    secret: Annotated[str, Field(max_length=200)] | None = None
    last: LineNumber | None = None
    language: Annotated[str, Field(max_length=35)] = "en"


class Wish(Model):
    """A wish that changes the table: new by its id, based on a number."""

    id: WishId
    at: LineNumber


class Act(Wish):
    """An action of the seat that is to move."""

    do: Literal["act"]
    action: Annotated[str, Field(max_length=60_000)]


class Roll(Wish):
    """Let the dice roll."""

    do: Literal["roll"]


class Sit(Wish):
    """Take an open seat."""

    do: Literal["sit"]
    seat: SeatNumber
    name: Name | None = None
    number: Share | None = None


class Stand(Wish):
    """Leave a seat before the match."""

    do: Literal["stand"]
    seat: SeatNumber


class Bot(Wish):
    """Give an open seat to a bot or to a program."""

    do: Literal["bot"]
    seat: SeatNumber
    level: Annotated[int, Field(ge=1, le=5, strict=True)] = 3
    program: Annotated[str, Field(max_length=100)] | None = None


class AskTakeback(Wish):
    """Ask to take back my last move."""

    do: Literal["takeback"]
    seat: SeatNumber | None = None


class AnswerTakeback(Wish):
    """Agree to a takeback or not."""

    do: Literal["answer"]
    yes: bool


class Resign(Wish):
    """Give up."""

    do: Literal["resign"]
    seat: SeatNumber | None = None


class Claim(Wish):
    """Claim the game from somebody who has left, or have a bot take the seat."""

    do: Literal["claim"]
    as_: Annotated[Literal["win", "bot"], Field(alias="as")]


class Rematch(Wish):
    """Ready for the next match."""

    do: Literal["rematch"]
    number: Share | None = None


class Begin(Wish):
    """Begin a live turn."""

    do: Literal["begin"]
    wish: FreeObject


class Hand(Model):
    """What the hand asks for now."""

    do: Literal["hand"]
    wish: FreeObject


class Ask(Model):
    """A question that changes nothing at the table."""

    id: WishId


class Peek(Ask):
    """What would be if."""

    do: Literal["peek"]
    actions: Annotated[list[Annotated[str, Field(max_length=20_000)]], Field(max_length=50)] = []


class AskHint(Ask):
    """What would a bot do?"""

    do: Literal["hint"]
    level: Annotated[int, Field(ge=1, le=5, strict=True)] = 5


class AskStory(Ask):
    """The match so far in words."""

    do: Literal["story"]
    start: Annotated[int, Field(ge=0, le=1_000_000, strict=True, alias="from")] = 0


class SayPhrase(Ask):
    """Say something friendly."""

    do: Literal["phrase"]
    phrase: Annotated[str, Field(max_length=40)]


class SayText(Ask):
    """Chat."""

    do: Literal["chat"]
    text: Annotated[str, Field(min_length=1, max_length=500)]


class Mute(Ask):
    """Hear a person no more, or again."""

    do: Literal["mute"]
    person: Annotated[str, Field(max_length=64)]
    on: bool


class Remove(Ask):
    """Show a person out."""

    do: Literal["remove"]
    person: Annotated[str, Field(max_length=64)]


class Ping(Ask):
    """Are you there?"""

    do: Literal["ping"]


AnyWish: TypeAlias = (
    Hello
    | Act
    | Roll
    | Sit
    | Stand
    | Bot
    | AskTakeback
    | AnswerTakeback
    | Resign
    | Claim
    | Rematch
    | Begin
    | Hand
    | Peek
    | AskHint
    | AskStory
    | SayPhrase
    | SayText
    | Mute
    | Remove
    | Ping
)
WISHES: Final[TypeAdapter[AnyWish]] = TypeAdapter(Annotated[AnyWish, Field(discriminator="do")])


# Messages: what the server sends over the socket.


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


class LogLine(Model):
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
    log: list[LogLine]
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
    wish: str | None
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
    "began",
    "takeback-asked",
    "takeback-refused",
    "takeback",
    "resigned",
    "time",
    "claimed",
    "taken-over",
    "rematch",
    "removed",
    "forgotten",
]


class TableMessage(Model):
    """Anything else changed."""

    what: Literal["table"]
    number: int
    wish: str | None
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


class RefusedMessage(Model):
    """Nothing was changed, and why."""

    what: Literal["refused"]
    id: str | None
    code: str
    sentence: str


class DoneMessage(Model):
    """A wish without another answer was carried out."""

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
    | RefusedMessage
    | DoneMessage
    | PongMessage
)
MESSAGES: Final[TypeAdapter[AnyMessage]] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="what")])


def schema() -> FreeObject:
    """One JSON Schema document with every model; `Wish` and `Message` are the unions over the socket."""
    wishes = WISHES.json_schema(ref_template="#/$defs/{model}")
    messages = MESSAGES.json_schema(ref_template="#/$defs/{model}", mode="serialization")
    models = [model for model in _models() if model not in (Model, Wish, Ask)]
    _, rest = models_json_schema([(model, "validation") for model in models], ref_template="#/$defs/{model}")
    definitions = {**rest.get("$defs", {})}
    definitions.update({"AnyWish": _without_definitions(wishes), "AnyMessage": _without_definitions(messages)})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ludothèque network protocol",
        "version": VERSION,
        "$defs": dict(sorted(definitions.items())),
    }


def _models() -> list[type[BaseModel]]:
    module = sys.modules[__name__]
    found = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Model)]
    return sorted(found, key=lambda model: model.__name__)


def _without_definitions(document: FreeObject) -> FreeObject:
    return {key: value for key, value in document.items() if key != "$defs"}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")
