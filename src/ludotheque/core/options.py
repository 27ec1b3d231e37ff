"""The options of a game: declared with their defaults, read from outside with clear errors.

What an option changes is written in the game's rules.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from ludotheque.core.catalogue import text
from ludotheque.core.dice import SetupDice
from ludotheque.core.jsons import Json, JsonObject, Reader, write
from ludotheque.core.problems import BadOption, nearest, shortened

Options: TypeAlias = Mapping[str, Json]
LOT: Final = "lot"
MOST_SEATS: Final = 100


@dataclass(frozen=True)
class Option(ABC):
    """One choice that a group makes before a game. `clause` names the ruling that it belongs to."""

    kind: ClassVar[str]
    name: str
    default: Json
    clause: str

    @abstractmethod
    def read(self, given: Reader) -> Json:
        """The value, if the option takes it; BadOption otherwise."""

    def check_players(self, given: Reader, players: int) -> None:
        """Refuse, with BadOption, a value that does not go with so many players; `read` then checks the rest."""
        del given, players

    def limits(self) -> JsonObject:
        """What values are within, by name; nothing where the kind says it all."""
        return {}

    def describe(self) -> JsonObject:
        """What the option takes, for forms and help: `kind` and its limits."""
        default = dict(self.default) if isinstance(self.default, Mapping) else self.default
        return {"name": self.name, "kind": self.kind, "default": default, **self.limits(), "clause": self.clause}


@dataclass(frozen=True)
class Switch(Option):
    """On or off."""

    kind = "switch"
    default: bool

    def read(self, given: Reader) -> Json:
        """True or false."""
        return given.boolean()


@dataclass(frozen=True)
class Number(Option):
    """A whole number within limits, or where it is optional also none (null)."""

    kind = "number"
    default: int | None
    low: int = 1
    high: int = 1000
    optional: bool = False
    one_a_player: bool = False
    """Whether it is at least the number of players."""

    def check_players(self, given: Reader, players: int) -> None:
        """Not below the number of players, where there is one a player."""
        if self.one_a_player:
            given.integer(max(self.low, players), self.high)

    def read(self, given: Reader) -> Json:
        """A whole number from low to high."""
        return None if self.optional and given.is_null() else given.integer(self.low, self.high)

    def limits(self) -> JsonObject:
        """The least and the most, both included, and whether there may be none."""
        limits: JsonObject = {"low": self.low, "high": self.high}
        return {**limits, "optional": True} if self.optional else limits


@dataclass(frozen=True)
class Choice(Option):
    """One of some words."""

    kind = "choice"
    default: str
    choices: tuple[str, ...] = ()

    def read(self, given: Reader) -> Json:
        """One of the words."""
        return given.one_of(self.choices)

    def limits(self) -> JsonObject:
        """The words."""
        return {"choices": self.choices}


@dataclass(frozen=True)
class Counts(Option):
    """How many of each of some things; together always `total`."""

    kind = "counts"
    default: Mapping[str, int]
    total: int = 0

    def read(self, given: Reader) -> Json:
        """An object with a count for every thing."""
        things = tuple(self.default)
        for thing in given.object():
            if thing not in things:
                given.fail("option.unknown-key", key=shortened(thing), keys=", ".join(things))
        counts = {thing: given.key(thing).integer(0, self.total) for thing in things}
        if sum(counts.values()) != self.total:
            given.fail("option.counts", sum=sum(counts.values()), total=self.total)
        return counts

    def limits(self) -> JsonObject:
        """Their total; the things are those of the default."""
        return {"total": self.total}


@dataclass(frozen=True)
class First(Option):
    """Who starts: drawn by lot, or a seat that the table names."""

    kind = "first"
    name: str = "first"
    default: str = LOT
    clause: str = ""

    def read(self, given: Reader) -> Json:
        """The word "lot", or a seat; whether there is such a seat is for `check_players`."""
        return given.value if given.value == LOT else self._seat(given, MOST_SEATS)

    def check_players(self, given: Reader, players: int) -> None:
        """A seat below the number of players."""
        if given.value != LOT:
            self._seat(given, players)

    def _seat(self, given: Reader, players: int) -> int:
        value = given.value
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < players:
            given.fail("option.first", lot=LOT, last=players - 1, found=shortened(write(value), 20))
        return value


def starting_seat(options: Options, players: int, dice: SetupDice) -> int:
    """The seat that the option `first` names, or one drawn by lot; with a named seat nothing is drawn."""
    named = options["first"]
    return named if isinstance(named, int) else dice.below(players)


def read_options(declared: Sequence[Option], given: Json, players: int | None = None) -> Options:
    """All options of a game: what was given, checked, and the defaults for the rest.

    Without a number of players, values that depend on it are not fully checked.
    """
    reader = Reader(given if given is not None else {}, BadOption, "options")
    names = [option.name for option in declared]
    for name in reader.object():
        if name not in names:
            near = nearest(name, names)
            there_are = text("option.there-are", names=", ".join(names)) if names else text("option.none")
            if near is None:
                raise BadOption("option.unknown", name=shortened(name), there_are=there_are)
            raise BadOption("option.unknown-near", name=shortened(name), near=near, there_are=there_are)
    options: dict[str, Json] = {}
    for option in declared:
        if not reader.has(option.name):
            options[option.name] = option.default
            continue
        one = reader.key(option.name)
        if players is not None:
            option.check_players(one, players)
        options[option.name] = option.read(one)
    return options


def whole_option(options: Options, name: str) -> int:
    """The value of an option that is a whole number, or 0 and 1 for off and on."""
    value = options[name]
    assert isinstance(value, int)
    return int(value)
