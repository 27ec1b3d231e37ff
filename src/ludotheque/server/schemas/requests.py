"""Requests: what a client sends over the socket. They mirror `ludotheque.table.requests`, for OpenAPI and for fast reading."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, TypeAlias

import orjson
from pydantic import Field, TypeAdapter

from ludotheque.core import parse
from ludotheque.server.schemas.base import FreeObject, Model, Name, Share
from ludotheque.table import requests

LONGEST_STEP: Final = 4  # keys; one with more is no ordinary step
NUL: Final = r"\u0000"
RequestId: TypeAlias = Annotated[str, Field(min_length=1, max_length=requests.LONGEST_ID)]
SeatNumber: TypeAlias = Annotated[int, Field(ge=0, le=requests.MOST_SEATS, strict=True)]
EntryNumber: TypeAlias = Annotated[int, Field(ge=0, le=requests.LARGEST_NUMBER, strict=True)]
Level: TypeAlias = Annotated[int, Field(ge=requests.LEVELS[0], le=requests.LEVELS[1], strict=True)]
PersonId: TypeAlias = Annotated[str, Field(max_length=requests.LONGEST_PERSON)]


class Hello(Model):
    """The first message: who I am, and what I have seen."""

    do: Literal["hello"]
    version: Annotated[int, Field(strict=True)]
    secret: Annotated[str, Field(max_length=200)] | None = None
    last: EntryNumber | None = None
    language: Annotated[str, Field(max_length=35)] = "en"


class Change(Model):
    """A request that changes the table: new by its id, based on a number."""

    id: RequestId
    at: EntryNumber


class Act(Change):
    """An action of the seat that is to move."""

    do: Literal["act"]
    action: Annotated[str, Field(max_length=requests.LONGEST_ACTION)]


class Roll(Change):
    """Let the dice roll."""

    do: Literal["roll"]


class Sit(Change):
    """Take an open seat."""

    do: Literal["sit"]
    seat: SeatNumber
    name: Name | None = None
    number: Share | None = None


class Contribute(Change):
    """My number for the dice of the first match: for one of my seats, or for all that have none."""

    do: Literal["contribute"]
    number: Annotated[Share, Field(min_length=1)]
    seat: SeatNumber | None = None


class SetNewcomers(Change):
    """Close the table to newcomers, or open it again."""

    do: Literal["newcomers"]
    on: Annotated[bool, Field(strict=True)]


class Stand(Change):
    """Leave a seat before the match."""

    do: Literal["stand"]
    seat: SeatNumber


class Bot(Change):
    """Give an open seat to a bot or to a program."""

    do: Literal["bot"]
    seat: SeatNumber
    level: Level = 3
    program: Annotated[str, Field(max_length=requests.LONGEST_PROGRAM)] | None = None


class AskTakeback(Change):
    """Ask to take back my last move."""

    do: Literal["takeback"]
    seat: SeatNumber | None = None


class AnswerTakeback(Change):
    """Agree to a takeback or not."""

    do: Literal["answer"]
    yes: Annotated[bool, Field(strict=True)]


class Resign(Change):
    """Give up."""

    do: Literal["resign"]
    seat: SeatNumber | None = None


class Claim(Change):
    """Claim the game from somebody who has left, or have a bot take the seat."""

    do: Literal["claim"]
    as_: Annotated[Literal["win", "bot"], Field(alias="as")]


class Rematch(Change):
    """Ready for the next match, or no longer."""

    do: Literal["rematch"]
    number: Share | None = None
    on: Annotated[bool, Field(strict=True)] = True


class Begin(Change):
    """Begin a live turn."""

    do: Literal["begin"]
    hand: FreeObject


class Hand(Model):
    """What the hand asks for now."""

    do: Literal["hand"]
    hand: FreeObject


class Ask(Model):
    """A question that changes nothing at the table."""

    id: RequestId


class Peek(Ask):
    """What would be if."""

    do: Literal["peek"]
    actions: Annotated[
        list[Annotated[str, Field(max_length=requests.LONGEST_PEEKED)]], Field(max_length=requests.MOST_PEEKED)
    ] = []


class AskHint(Ask):
    """What would a bot do?"""

    do: Literal["hint"]
    level: Level = 5


class AskStory(Ask):
    """The match so far in words."""

    do: Literal["story"]
    start: Annotated[int, Field(ge=0, le=requests.LARGEST_START, strict=True, alias="from")] = 0


class SayPhrase(Ask):
    """Say something friendly."""

    do: Literal["phrase"]
    phrase: Annotated[str, Field(max_length=requests.LONGEST_PHRASE)]


class SayText(Ask):
    """Chat."""

    do: Literal["chat"]
    text: Annotated[str, Field(min_length=1, max_length=requests.LONGEST_TEXT)]


class Mute(Ask):
    """Hear a person no more, or again."""

    do: Literal["mute"]
    person: PersonId
    on: Annotated[bool, Field(strict=True)]


class Remove(Ask):
    """Show a person out."""

    do: Literal["remove"]
    person: PersonId


class Ping(Ask):
    """Are you there?"""

    do: Literal["ping"]


TableRequest: TypeAlias = (
    Act
    | Roll
    | Sit
    | Contribute
    | SetNewcomers
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
AnyRequest: TypeAlias = Hello | TableRequest
REQUESTS: Final[TypeAdapter[AnyRequest]] = TypeAdapter(Annotated[AnyRequest, Field(discriminator="do")])
_VALIDATE: Final[Callable[[str], AnyRequest]] = REQUESTS.validator.validate_json  # it would be looked up at each call

_FOR_THE_TABLE: Final[Mapping[type[Model], Callable[[Any], requests.Request]]] = MappingProxyType(
    {
        Act: lambda one: requests.Act(one.id, one.at, one.action),
        Roll: lambda one: requests.Roll(one.id, one.at),
        Sit: lambda one: requests.Sit(one.id, one.at, one.seat, one.name, one.number),
        Contribute: lambda one: requests.Contribute(one.id, one.at, one.number, one.seat),
        SetNewcomers: lambda one: requests.SetNewcomers(one.id, one.at, one.on),
        Stand: lambda one: requests.Stand(one.id, one.at, one.seat),
        Bot: lambda one: requests.SeatBot(one.id, one.at, one.seat, one.level, one.program),
        AskTakeback: lambda one: requests.AskTakeback(one.id, one.at, one.seat),
        AnswerTakeback: lambda one: requests.AnswerTakeback(one.id, one.at, one.yes),
        Resign: lambda one: requests.Resign(one.id, one.at, one.seat),
        Claim: lambda one: requests.Claim(one.id, one.at, one.as_),
        Rematch: lambda one: requests.Rematch(one.id, one.at, one.number, one.on),
        Begin: lambda one: requests.BeginLive(one.id, one.at, one.hand),
        Hand: lambda one: requests.MoveHand(one.hand),
        Peek: lambda one: requests.Peek(one.id, tuple(one.actions)),
        AskHint: lambda one: requests.AskHint(one.id, one.level),
        AskStory: lambda one: requests.AskStory(one.id, one.start),
        SayPhrase: lambda one: requests.SayPhrase(one.id, one.phrase),
        SayText: lambda one: requests.SayText(one.id, one.text),
        Mute: lambda one: requests.Mute(one.id, one.person, one.on),
        Remove: lambda one: requests.Remove(one.id, one.person),
        Ping: lambda one: requests.Ping(one.id),
    }
)


def for_the_table(request: TableRequest) -> requests.Request:
    """A request as the table takes it."""
    return _FOR_THE_TABLE[type(request)](request)


def read_message(text: str) -> Hello | requests.Request:
    """A client's message; BadJson, or pydantic's ValidationError, says what is wrong with it.

    An ordinary step is read without pydantic, in half the time; whatever is odd about one is left to the slow way to find.
    """
    try:
        message = orjson.loads(text)
        request, at, do = message["id"], message["at"], message["do"]
        if len(message) > LONGEST_STEP or NUL in text:
            pass
        elif 0 < len(request) <= requests.LONGEST_ID and type(at) is int and 0 <= at <= requests.LARGEST_NUMBER:
            if do == "roll" and type(request) is str:
                return requests.Roll(request, at)
            if do == "act" and type(request) is str:
                action = message["action"]
                if type(action) is str and len(action) <= requests.LONGEST_ACTION:
                    return requests.Act(request, at, action)
    except (KeyError, TypeError, ValueError):  # no step, or malformed
        pass
    parse(text)  # refuses what pydantic lets pass: NaN, infinities, NUL, absurd nesting
    read = _VALIDATE(text)
    return read if isinstance(read, Hello) else for_the_table(read)
