"""Requests: what people and programs ask of a table, and their form in JSON (docs/network.md).

Who may ask what is in `rights`; what a request does is in the module of its subject.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final, Literal, TypeAlias, cast

from ludotheque.core import BadJson, Json, JsonObject, readable_name
from ludotheque.core.jsons import Reader

LONGEST_ID: Final = 64
LONGEST_ACTION: Final = 60_000
LONGEST_PEEKED: Final = 20_000  # letters of an action in a peek
MOST_PEEKED: Final = 50
LONGEST_NAME: Final = 40
LONGEST_SHARE: Final = 64
LONGEST_PROGRAM: Final = 100
LONGEST_PHRASE: Final = 40
LONGEST_TEXT: Final = 500
LONGEST_PERSON: Final = 64
MOST_SEATS: Final = 99
LARGEST_NUMBER: Final = 2**53
LARGEST_START: Final = 1_000_000
LEVELS: Final = (1, 5)


@dataclass(slots=True)
class Change:
    """A request that changes the table: its id is new, and `at` is the last number that its sender had seen."""

    do: ClassVar[str]
    about_position: ClassVar[bool] = True
    """Whether it is out of date once the position has changed; otherwise, once another match has begun."""
    id: str
    at: int


@dataclass(slots=True)
class Question:
    """A request that is answered and changes no log, except `Remove`."""

    do: ClassVar[str]
    id: str


@dataclass(slots=True)
class Act(Change):
    """An action of the seat that is to move."""

    do: ClassVar[str] = "act"
    action: str


@dataclass(slots=True)
class Roll(Change):
    """Let the dice roll."""

    do: ClassVar[str] = "roll"


@dataclass(slots=True)
class Sit(Change):
    """Take an open seat. `number` is the person's number for the dice."""

    do: ClassVar[str] = "sit"
    seat: int
    name: str | None = None
    number: str | None = None


@dataclass(slots=True)
class Contribute(Change):
    """My number for the dice, now that the table has shown its commitment: for one of my seats, or for all without one."""

    do: ClassVar[str] = "contribute"
    about_position: ClassVar[bool] = False
    number: str
    seat: int | None = None


@dataclass(slots=True)
class SetNewcomers(Change):
    """Close the table to newcomers, or open it again."""

    do: ClassVar[str] = "newcomers"
    about_position: ClassVar[bool] = False
    on: bool


@dataclass(slots=True)
class Stand(Change):
    """Leave a seat before the match."""

    do: ClassVar[str] = "stand"
    seat: int


@dataclass(slots=True)
class SeatBot(Change):
    """Give an open seat to a bot or to a program."""

    do: ClassVar[str] = "bot"
    seat: int
    level: int = 3
    program: str | None = None


@dataclass(slots=True)
class AskTakeback(Change):
    """Ask to take back my last move."""

    do: ClassVar[str] = "takeback"
    about_position: ClassVar[bool] = False  # one's last move stays the same when others act
    seat: int | None = None


@dataclass(slots=True)
class AnswerTakeback(Change):
    """Agree to a take-back or not."""

    do: ClassVar[str] = "answer"
    yes: bool


@dataclass(slots=True)
class Resign(Change):
    """Give up."""

    do: ClassVar[str] = "resign"
    about_position: ClassVar[bool] = False
    seat: int | None = None


@dataclass(slots=True)
class Claim(Change):
    """Claim the game from somebody who has left, or have a bot take the seat."""

    do: ClassVar[str] = "claim"
    claimed_as: Literal["win", "bot"]


@dataclass(slots=True)
class Rematch(Change):
    """Ready for the next match, or (`on` False) no longer. `number` is the person's number for its dice."""

    do: ClassVar[str] = "rematch"
    number: str | None = None
    on: bool = True


@dataclass(slots=True)
class BeginLive(Change):
    """Begin a live turn."""

    do: ClassVar[str] = "begin"
    hand: JsonObject


@dataclass(slots=True)
class MoveHand:
    """What the hand of a live turn does now; never answered."""

    do: ClassVar[str] = "hand"
    id: ClassVar[None] = None
    hand: JsonObject


@dataclass(slots=True)
class Peek(Question):
    """What would be after some actions?"""

    do: ClassVar[str] = "peek"
    actions: tuple[str, ...] = ()


@dataclass(slots=True)
class AskHint(Question):
    """What would a bot do?"""

    do: ClassVar[str] = "hint"
    level: int = 5


@dataclass(slots=True)
class AskStory(Question):
    """The match so far in words, from an action on."""

    do: ClassVar[str] = "story"
    start: int = 0


@dataclass(slots=True)
class SayPhrase(Question):
    """Say one of the site's phrases."""

    do: ClassVar[str] = "phrase"
    phrase: str


@dataclass(slots=True)
class SayText(Question):
    """Chat."""

    do: ClassVar[str] = "chat"
    text: str


@dataclass(slots=True)
class Mute(Question):
    """Hear a person no more, or again."""

    do: ClassVar[str] = "mute"
    person: str
    on: bool


@dataclass(slots=True)
class Remove(Question):
    """Remove a person from the table."""

    do: ClassVar[str] = "remove"
    person: str


@dataclass(slots=True)
class Ping(Question):
    """Are you there?"""

    do: ClassVar[str] = "ping"


AnyChange: TypeAlias = (
    Act
    | Roll
    | Sit
    | Contribute
    | Stand
    | SeatBot
    | SetNewcomers
    | AskTakeback
    | AnswerTakeback
    | Resign
    | Claim
    | Rematch
    | BeginLive
)
AnyQuestion: TypeAlias = Peek | AskHint | AskStory | SayPhrase | SayText | Mute | Remove | Ping
Request: TypeAlias = AnyChange | AnyQuestion | MoveHand


# Reading


def _change(reader: Reader) -> tuple[str, int]:
    return _id(reader), reader.key("at").integer(0, LARGEST_NUMBER)


def _id(reader: Reader) -> str:
    return _full(reader.key("id"), LONGEST_ID)


def _full(reader: Reader, longest: int) -> str:
    """A text of at least one letter."""
    return reader.text(longest) or reader.fail("table.empty-text")


def _name(reader: Reader) -> str:
    """A name that can be seen."""
    return readable_name(reader.text(LONGEST_NAME)) or reader.fail("table.empty-text")


def _given(reader: Reader, name: str) -> bool:
    return reader.has(name) and not reader.key(name).is_null()


def _text(reader: Reader, name: str, longest: int) -> str | None:
    return reader.key(name).text(longest) if _given(reader, name) else None


def _seat(reader: Reader) -> int:
    return reader.key("seat").integer(0, MOST_SEATS)


def _optional_seat(reader: Reader) -> int | None:
    return _seat(reader) if _given(reader, "seat") else None


def _level(reader: Reader, usual: int) -> int:
    return reader.key("level").integer(*LEVELS) if reader.has("level") else usual


def _read_sit(reader: Reader) -> Sit:
    name = _name(reader.key("name")) if _given(reader, "name") else None
    return Sit(*_change(reader), _seat(reader), name, _text(reader, "number", LONGEST_SHARE))


def _read_contribute(reader: Reader) -> Contribute:
    return Contribute(*_change(reader), _full(reader.key("number"), LONGEST_SHARE), _optional_seat(reader))


def _read_bot(reader: Reader) -> SeatBot:
    return SeatBot(*_change(reader), _seat(reader), _level(reader, 3), _text(reader, "program", LONGEST_PROGRAM))


def _read_claim(reader: Reader) -> Claim:
    claimed = cast("Literal['win', 'bot']", reader.key("as").one_of(("win", "bot")))
    return Claim(*_change(reader), claimed)


def _read_rematch(reader: Reader) -> Rematch:
    on = reader.key("on").boolean() if reader.has("on") else True
    return Rematch(*_change(reader), _text(reader, "number", LONGEST_SHARE), on)


def _read_peek(reader: Reader) -> Peek:
    actions = reader.key("actions").items(most=MOST_PEEKED) if reader.has("actions") else []
    return Peek(_id(reader), tuple(action.text(LONGEST_PEEKED) for action in actions))


def _read_story(reader: Reader) -> AskStory:
    return AskStory(_id(reader), reader.key("from").integer(0, LARGEST_START) if reader.has("from") else 0)


_READ: Final[Mapping[str, Callable[[Reader], Request]]] = MappingProxyType(
    {
        "act": lambda reader: Act(*_change(reader), reader.key("action").text(LONGEST_ACTION)),
        "roll": lambda reader: Roll(*_change(reader)),
        "sit": _read_sit,
        "contribute": _read_contribute,
        "newcomers": lambda reader: SetNewcomers(*_change(reader), reader.key("on").boolean()),
        "stand": lambda reader: Stand(*_change(reader), _seat(reader)),
        "bot": _read_bot,
        "takeback": lambda reader: AskTakeback(*_change(reader), _optional_seat(reader)),
        "answer": lambda reader: AnswerTakeback(*_change(reader), reader.key("yes").boolean()),
        "resign": lambda reader: Resign(*_change(reader), _optional_seat(reader)),
        "claim": _read_claim,
        "rematch": _read_rematch,
        "begin": lambda reader: BeginLive(*_change(reader), reader.key("hand").object()),
        "hand": lambda reader: MoveHand(reader.key("hand").object()),
        "peek": _read_peek,
        "hint": lambda reader: AskHint(_id(reader), _level(reader, 5)),
        "story": _read_story,
        "phrase": lambda reader: SayPhrase(_id(reader), reader.key("phrase").text(LONGEST_PHRASE)),
        "chat": lambda reader: SayText(_id(reader), _full(reader.key("text"), LONGEST_TEXT)),
        "mute": lambda reader: Mute(_id(reader), reader.key("person").text(LONGEST_PERSON), reader.key("on").boolean()),
        "remove": lambda reader: Remove(_id(reader), reader.key("person").text(LONGEST_PERSON)),
        "ping": lambda reader: Ping(_id(reader)),
    }
)
REQUESTS: Final = tuple(_READ)
"""The values of `do`."""


def read_request(value: Json) -> Request:
    """A request from JSON; BadJson names the place of whatever is wrong. Unknown keys are ignored."""
    reader = Reader(value, BadJson)
    return _READ[reader.key("do").one_of(REQUESTS)](reader)
