"""Log entries of a table, one class a kind, and their stored form. What they add up to is in `state`.

An entry is stored as its kind and a JSON body. The body's `v` is the version of its form: a change of the form raises VERSION
and teaches `read_entry` the old one. An unknown kind, a newer version or a malformed body is an error.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias, cast

from ludotheque.core import CHANCE, Draw, Json, JsonObject, Problem
from ludotheque.core.jsons import Reader
from ludotheque.table.seats import Seat, SeatKind
from ludotheque.table.settings import Settings, read_settings

VERSION: Final = 3
"""Since 2: who is named to start a rematch, and take-backs after which other dice are drawn. Since 3: the end of a match
reveals its seed, a match says whose numbers are in its dice, and the operator may close a table."""
MOST_SEATS: Final = 100
LONGEST: Final = 1_000_000  # letters of an action, a name or an id in a log


class BadEntry(Problem):
    """A log entry that this version cannot read."""

    code = "bad-entry"


By: TypeAlias = int | Literal["chance"]
EndedHow: TypeAlias = Literal["played", "resigned", "time", "claimed", "closed"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended: its record's id, and the seed of the match after it.

    `seat` is who resigned, ran out of time or was away. `returns` is empty where nobody won or lost (`closed`). `seed` is
    that of the match that ended, no longer a secret (None in older logs). `next_seed` is empty where the host can no longer read it;
    `next_commitment` is what was shown of it.
    """

    how: EndedHow
    seat: int | None
    returns: tuple[float, ...]
    record: str
    next_seed: str
    seed: str | None = None
    next_commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The table was opened. `rules` is the version of the game's rules, `setup` a view to start from.

    `seed` is empty where the host can no longer read it; `commitment` is what was shown of it.
    """

    kind: ClassVar[str] = "opened"
    game: str
    rules: int
    options: JsonObject
    private: bool
    host: str | None
    host_name: str
    settings: Settings
    seats: tuple[Seat, ...]
    series: int
    seed: str
    setup: JsonObject | None = None
    commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Sat:
    """A person took a seat. `share` is their number for the dice, if it came with them."""

    kind: ClassVar[str] = "sit"
    seat: int
    person: str
    person_name: str
    share: str | None = None
    name: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Stood:
    """A seat was left before the match."""

    kind: ClassVar[str] = "stand"
    seat: int
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot of a level, or a program, got an open seat."""

    kind: ClassVar[str] = "bot"
    seat: int
    level: int | None = None
    program: str | None = None
    share: str | None = None
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A bot took a player's seat over."""

    kind: ClassVar[str] = "taken-over"
    seat: int
    level: int
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Contributed:
    """The numbers of some seats for the dice of the first match came; None: it begins without one of that seat."""

    kind: ClassVar[str] = "contributed"
    shares: Mapping[int, str | None]
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class NewcomersSet:
    """The host closed the table to newcomers, or opened it again. Those `present` may come back."""

    kind: ClassVar[str] = "newcomers"
    on: bool
    present: tuple[str, ...] = ()
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Began:
    """A match began. `setup` is the view of its first position (None in logs older than this field).

    `first` is the seat that was named to start; None where the table's options say who starts. `order` has the seats, as
    they are in this match, whose numbers are in its dice, as they came after the commitment. None in logs older than this
    field: all shares are in the dice, in the order of the seats.
    """

    kind: ClassVar[str] = "began"
    setup: JsonObject | None = None
    person: str | None = None
    request: str | None = None
    first: int | None = None
    order: tuple[int, ...] | None = None


class Stepped(NamedTuple):
    """An action was played, by a seat or by chance. `left` are the clocks after it, `end` is there if the match ended.

    A NamedTuple, since one is made for every action, and a frozen dataclass takes several times as long.
    """

    by: By
    action: str
    outcome: Json = None
    draw: Draw | None = None
    left: tuple[float, ...] | None = None
    end: Ending | None = None
    person: str | None = None
    request: str | None = None

    @property
    def kind(self) -> str:
        """The entry's kind."""
        return "step"


@dataclass(frozen=True, slots=True)
class TakebackAsked:
    """A seat asks to go back to where the match had `length` actions; the seats in `agreed` have agreed."""

    kind: ClassVar[str] = "takeback-asked"
    seat: int
    length: int
    agreed: tuple[int, ...]
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class TakebackRefused:
    """The take-back was refused or withdrawn."""

    kind: ClassVar[str] = "takeback-refused"
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The match went back to its first `length` actions.

    `redraws`: what is drawn from there on is another draw. In logs of version 1 the same dice were drawn again.
    """

    kind: ClassVar[str] = "takeback"
    length: int
    left: tuple[float, ...] | None = None
    person: str | None = None
    request: str | None = None
    redraws: bool = True


@dataclass(frozen=True, slots=True)
class Ended:
    """The match ended otherwise than by an action."""

    kind: ClassVar[str] = "ended"
    end: Ending
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class RematchAgreed:
    """Some seats are ready for the next match, with these numbers for its dice (None: without one)."""

    kind: ClassVar[str] = "rematch"
    shares: Mapping[int, str | None]
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class RematchWithdrawn:
    """Some seats are no longer ready for the next match; their numbers for its dice are gone."""

    kind: ClassVar[str] = "rematch-withdrawn"
    seats: tuple[int, ...]
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """The host removed a person from the table."""

    kind: ClassVar[str] = "removed"
    person: str
    request: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A person asked to be forgotten."""

    kind: ClassVar[str] = "forgotten"
    person: str
    request: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class Closed:
    """The table was closed: by the operator, or while it waited, since the rules that it was opened with are no longer there."""

    kind: ClassVar[str] = "closed"
    by: Literal["operator"] | None = None
    reason: str | None = None
    person: ClassVar[None] = None
    request: ClassVar[None] = None


Change: TypeAlias = (
    Sat
    | Stood
    | BotSeated
    | TakenOver
    | Contributed
    | NewcomersSet
    | Began
    | Stepped
    | TakebackAsked
    | TakebackRefused
    | TakenBack
    | Ended
    | RematchAgreed
    | RematchWithdrawn
    | Removed
    | Forgotten
    | Closed
)
Entry: TypeAlias = Opened | Change


class LogEntry(NamedTuple):
    """An entry in its place in a table's log; `at` is a moment in milliseconds since 1970."""

    number: int
    entry: Entry
    at: int

    @property
    def kind(self) -> str:
        """The entry's kind."""
        return self.entry.kind


# Reading


def _optional_text(reader: Reader, name: str) -> str | None:
    return reader.key(name).text(LONGEST) if reader.has(name) and not reader.key(name).is_null() else None


def _optional_integer(reader: Reader, name: str, high: int) -> int | None:
    return reader.key(name).integer(0, high) if reader.has(name) and not reader.key(name).is_null() else None


def _optional_object(reader: Reader, name: str) -> JsonObject | None:
    return reader.key(name).object() if reader.has(name) and not reader.key(name).is_null() else None


def _seat_number(reader: Reader) -> int:
    return reader.integer(0, MOST_SEATS - 1)


def _length(reader: Reader) -> int:
    return reader.integer(0, LONGEST)


def _left(reader: Reader) -> tuple[float, ...] | None:
    if not reader.has("left"):
        return None
    return tuple(one.number(0.0, 1e9) for one in reader.key("left").items(most=MOST_SEATS))


def _who(reader: Reader) -> tuple[str | None, str | None]:
    """The person whose request an entry carries out, and the request's id."""
    return _optional_text(reader, "person"), _optional_text(reader, "request")


def _read_seat(reader: Reader) -> Seat:
    kind = reader.key("kind").one_of(("open", "person", "bot", "program"))
    return Seat(
        cast("SeatKind", kind),
        _optional_text(reader, "person"),
        _optional_text(reader, "person_name") or "",
        _optional_text(reader, "name"),
        _optional_integer(reader, "level", 5),
        _optional_text(reader, "program"),
        _optional_text(reader, "share"),
    )


def _read_ending(reader: Reader) -> Ending:
    how = reader.key("how").one_of(("played", "resigned", "time", "claimed", "closed"))
    return Ending(
        cast("EndedHow", how),
        _optional_integer(reader, "seat", MOST_SEATS),
        tuple(one.number(0.0, 1.0) for one in reader.key("returns").items(most=MOST_SEATS)),
        reader.key("record").text(),
        reader.key("next_seed").text(),
        _optional_text(reader, "seed"),
        _optional_text(reader, "next_commitment"),
    )


def _read_opened(reader: Reader) -> Opened:
    return Opened(
        game=reader.key("game").text(),
        rules=reader.key("rules").integer(1, LONGEST),
        options=reader.key("options").object(),
        private=reader.key("private").boolean(),
        host=_optional_text(reader, "host"),
        host_name=_optional_text(reader, "host_name") or "",
        settings=read_settings(reader.key("settings")),
        seats=tuple(_read_seat(seat) for seat in reader.key("seats").items(most=MOST_SEATS)),
        series=reader.key("series").integer(1, 99),
        seed=reader.key("seed").text(),
        setup=_optional_object(reader, "setup"),
        commitment=_optional_text(reader, "commitment"),
    )


def _read_sat(reader: Reader) -> Sat:
    return Sat(
        seat=_seat_number(reader.key("seat")),
        person=reader.key("person").text(),
        person_name=reader.key("person_name").text(),
        share=_optional_text(reader, "share"),
        name=_optional_text(reader, "name"),
        request=_optional_text(reader, "request"),
    )


def _read_bot(reader: Reader) -> BotSeated:
    return BotSeated(
        _seat_number(reader.key("seat")),
        _optional_integer(reader, "level", 5),
        _optional_text(reader, "program"),
        _optional_text(reader, "share"),
        *_who(reader),
    )


def _read_step(reader: Reader) -> Stepped:
    by = reader.key("by")
    draw: Draw | None = None
    if reader.has("draw"):
        place, total, number = reader.key("draw").items(3)
        most = (1 << 64) - 1
        draw = Draw(place.text(), total.integer(1, most), number.integer(0, most))
    person, request = _who(reader)
    return Stepped(
        CHANCE if by.value == CHANCE else _seat_number(by),
        reader.key("action").text(LONGEST),
        reader.key("outcome").value if reader.has("outcome") else None,
        draw,
        _left(reader),
        _read_ending(reader.key("end")) if reader.has("end") else None,
        person,
        request,
    )


def _read_takeback_asked(reader: Reader) -> TakebackAsked:
    return TakebackAsked(
        _seat_number(reader.key("seat")),
        _length(reader.key("length")),
        tuple(_seat_number(seat) for seat in reader.key("agreed").items(most=MOST_SEATS)),
        *_who(reader),
    )


def _read_closed(reader: Reader) -> Closed:
    by = reader.key("by").one_of(("operator",)) if reader.has("by") else None
    return Closed(cast('Literal["operator"] | None', by), _optional_text(reader, "reason"))


def _read_shares(reader: Reader) -> dict[int, str | None]:
    shares = reader.key("shares")
    read: dict[int, str | None] = {}
    for seat in shares.object():
        if not seat.isdecimal() or int(seat) >= MOST_SEATS:
            Reader(seat, BadEntry, "shares").one_of(map(str, range(MOST_SEATS)))
        read[int(seat)] = _optional_text(shares, seat)
    return read


def _read_newcomers(reader: Reader) -> NewcomersSet:
    present = tuple(one.text() for one in reader.key("present").items(most=LONGEST)) if reader.has("present") else ()
    return NewcomersSet(reader.key("on").boolean(), present, *_who(reader))


def _read_began(reader: Reader) -> Began:
    order = reader.key("order").items(most=MOST_SEATS) if reader.has("order") else None
    return Began(
        _optional_object(reader, "setup"),
        *_who(reader),
        _optional_integer(reader, "first", MOST_SEATS - 1),
        None if order is None else tuple(_seat_number(seat) for seat in order),
    )


_READ: Final[Mapping[str, Callable[[Reader], Entry]]] = MappingProxyType(
    {
        "opened": _read_opened,
        "sit": _read_sat,
        "stand": lambda reader: Stood(_seat_number(reader.key("seat")), *_who(reader)),
        "bot": _read_bot,
        "taken-over": lambda reader: TakenOver(
            _seat_number(reader.key("seat")), reader.key("level").integer(1, 5), *_who(reader)
        ),
        "contributed": lambda reader: Contributed(_read_shares(reader), *_who(reader)),
        "newcomers": _read_newcomers,
        "began": _read_began,
        "step": _read_step,
        "takeback-asked": _read_takeback_asked,
        "takeback-refused": lambda reader: TakebackRefused(*_who(reader)),
        "takeback": lambda reader: TakenBack(
            _length(reader.key("length")),
            _left(reader),
            *_who(reader),
            reader.has("redraws") and reader.key("redraws").boolean(),
        ),
        "ended": lambda reader: Ended(_read_ending(reader), *_who(reader)),
        "rematch": lambda reader: RematchAgreed(_read_shares(reader), *_who(reader)),
        "rematch-withdrawn": lambda reader: RematchWithdrawn(
            tuple(_seat_number(seat) for seat in reader.key("seats").items(most=MOST_SEATS)), *_who(reader)
        ),
        "removed": lambda reader: Removed(reader.key("person").text()),
        "forgotten": lambda reader: Forgotten(reader.key("person").text()),
        "closed": _read_closed,
    }
)
KINDS: Final = tuple(_READ)


def read_entry(kind: str, body: Json) -> Entry:
    """An entry from its kind and its body; BadEntry names the place of whatever is wrong."""
    Reader(kind, BadEntry, "kind").one_of(KINDS)
    reader = Reader(body, BadEntry, kind)
    reader.key("v").integer(1, VERSION)
    return _READ[kind](reader)


# Writing


def _write_ending(end: Ending) -> dict[str, Json]:
    return {
        "how": end.how,
        "seat": end.seat,
        "returns": list(end.returns),
        "record": end.record,
        "next_seed": end.next_seed,
        **_given(end, ("seed", "next_commitment")),
    }


def _write_step(entry: Stepped) -> JsonObject:
    by, action, outcome, draw, left, end, person, request = entry
    body: dict[str, Json] = {"v": VERSION, "action": action, "by": by}
    if person is not None:
        body["person"] = person
    if request is not None:
        body["request"] = request
    if outcome is not None:
        body["outcome"] = outcome
    if draw is not None:
        body["draw"] = list(draw)
    if left is not None:
        body["left"] = list(left)
    if end is not None:
        body["end"] = _write_ending(end)
    return body


def _write_opened(entry: Opened) -> dict[str, Json]:
    return {
        "game": entry.game,
        "rules": entry.rules,
        "options": entry.options,
        "private": entry.private,
        "host": entry.host,
        "host_name": entry.host_name,
        "settings": entry.settings.json(),
        "seats": [
            _given(seat, ("kind", "person", "person_name", "name", "level", "program", "share")) for seat in entry.seats
        ],
        "series": entry.series,
        "seed": entry.seed,
        "setup": entry.setup,
        **_given(entry, ("commitment",)),
    }


def _given(thing: object, names: tuple[str, ...]) -> dict[str, Json]:
    """The fields of those names that are not None; tuples as lists."""
    given = {name: value for name in names if (value := getattr(thing, name)) is not None}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


_FIELDS: Final[Mapping[type[Entry], tuple[str, ...]]] = MappingProxyType(
    {
        Sat: ("seat", "person", "person_name", "name", "share", "request"),
        Stood: ("seat", "person", "request"),
        BotSeated: ("seat", "level", "program", "share", "person", "request"),
        TakenOver: ("seat", "level", "person", "request"),
        NewcomersSet: ("on", "present", "person", "request"),
        Began: ("setup", "person", "request", "first", "order"),
        TakebackAsked: ("seat", "length", "agreed", "person", "request"),
        TakebackRefused: ("person", "request"),
        TakenBack: ("length", "left", "person", "request", "redraws"),
        RematchWithdrawn: ("seats", "person", "request"),
        Removed: ("person",),
        Forgotten: ("person",),
        Closed: ("by", "reason"),
    }
)


def write_entry(entry: Entry) -> JsonObject:
    """An entry's body, ready for any JSON writer; `read_entry` reads it back."""
    if isinstance(entry, Stepped):
        return _write_step(entry)
    if isinstance(entry, Opened):
        body = _write_opened(entry)
    elif isinstance(entry, Ended):
        body = {**_write_ending(entry.end), **_given(entry, ("person", "request"))}
    elif isinstance(entry, RematchAgreed | Contributed):
        shares: dict[str, Json] = {str(seat): share for seat, share in entry.shares.items()}
        body = {"shares": shares, **_given(entry, ("person", "request"))}
    else:
        body = _given(entry, _FIELDS[type(entry)])
    return {"v": VERSION, **body}
