"""Wishes: what a client sends over the socket.

Who may wish what is the session's business.
"""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from ludotheque.server.schemas.base import FreeObject, LineNumber, Model, Name, SeatNumber, Share, WishId


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
