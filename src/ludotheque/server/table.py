"""A table is its log: who sits where, the matches played and the series all follow from its lines, live and after a crash alike.

Who may add a line is decided in the session; where lines are stored, in store.py.
"""

from collections.abc import Collection
from typing import Final, Literal

from ludotheque.core import (
    CHANCE,
    Dice,
    Draw,
    Entry,
    Game,
    Json,
    JsonObject,
    Match,
    Position,
    Step,
    commitment,
    find_game,
    write_record,
)
from ludotheque.server.clocks import Clocks
from ludotheque.server.log import Body, Line, Seat, TakebackAsked
from ludotheque.server.schemas.tables import Settings
from ludotheque.server.seen import acting_seat, last_seat

REMEMBERED_WISHES: Final = 64

Status = Literal["waiting", "playing", "over"]


class Table:
    """A table as its lines so far make it."""

    def __init__(self, table_id: str) -> None:
        self.id = table_id
        self.number = 0
        self.position_number = 0  # the last line that changed the position: a wish based on an older one is stale
        self.game: Game
        self.options: JsonObject = {}
        self.private = False
        self.host: str | None = None
        self.host_name = ""
        self.settings = Settings()
        self.seats: list[Seat] = []
        self.status: Status = "waiting"
        self.match: Match | None = None
        self.matches = 0
        self.games_in_series = 1
        self.games_played = 0
        self.score: list[float] = []
        self.ended: Body | None = None
        self.takeback: TakebackAsked | None = None
        self.rematch: list[int] = []
        self.removed: set[str] = set()
        self.seed = ""
        self.next_seed: str | None = None
        self.setup: JsonObject | None = None
        self.clocks: Clocks
        self.wishes: dict[tuple[str | None, str], None] = {}  # the latest, by person and id, in order
        self.created = 0
        self.touched = 0
        self.last: int | None = None  # the seat that acted last
        self._names: dict[str, list[str]] = {}
        self._by_hand: bool | None = None

    # What the log says

    def apply(self, line: Line, ready: Step | Match | Position | None = None) -> Step | None:
        """Add one line. `ready` is what whoever checked it has worked out: the step played, the match that began,
        the position gone back to; without it, it is worked out here.
        """
        self.number, self.touched = line.number, line.at
        wish = line.body.get("wish")
        if wish is not None:
            self.wishes[line.body.get("person"), wish] = None
            if len(self.wishes) > REMEMBERED_WISHES:
                del self.wishes[next(iter(self.wishes))]
        if line.kind == "step":
            return self._step(line, ready if isinstance(ready, Step) else None)
        self._names, self._by_hand = {}, None
        match line.kind:
            case "opened":
                self._opened(line)
            case "sit":
                self.seats[line.body["seat"]] = Seat(
                    "person",
                    line.body["person"],
                    line.body["person_name"],
                    line.body.get("name"),
                    share=line.body["share"],
                )
            case "stand":
                self.seats[line.body["seat"]] = Seat()
            case "bot" | "taken-over":
                share = self.seats[line.body["seat"]].share or line.body.get("share")
                program = line.body.get("program")
                self.seats[line.body["seat"]] = Seat(
                    "program" if program else "bot", level=line.body.get("level"), program=program, share=share
                )
                self.takeback = None
            case "began":
                self._began(line, ready if isinstance(ready, Match) else None)
            case "takeback-asked":
                self.takeback = TakebackAsked(line.body["seat"], line.body["length"], list(line.body["agreed"]))
            case "takeback-refused":
                self.takeback = None
            case "takeback":
                self._taken_back(line, ready if isinstance(ready, Position) else None)
            case "ended":
                self._ended(line, line.body)
            case "rematch":
                for seat, share in line.body["shares"].items():
                    self.seats[int(seat)].share = share
                self.rematch = sorted({*self.rematch, *map(int, line.body["shares"])})
            case "removed" | "forgotten":
                self._gone(line)
        return None

    def _opened(self, line: Line) -> None:
        body = line.body
        self.game = find_game(body["game"])
        self.options, self.private, self.setup = body["options"], body["private"], body.get("setup")
        self.host, self.host_name = body["host"], body["host_name"]
        self.settings = Settings.model_validate(body["settings"])
        self.seats = [Seat(**seat) for seat in body["seats"]]
        self.games_in_series, self.score = body["series"], [0.0] * len(self.seats)
        self.seed, self.created = body["seed"], line.at
        self.clocks = Clocks(self.settings.clock, len(self.seats))

    def next_dice(self) -> Dice:
        """The dice of the match that is about to begin: the seed committed to and everybody's share, sides changed."""
        seats = self.seats[-1:] + self.seats[:-1] if self.matches else self.seats
        return Dice(self.next_seed or self.seed, tuple(seat.share or "" for seat in seats))

    def _began(self, line: Line, match: Match | None) -> None:
        dice = self.next_dice()
        if self.matches:  # sides change: everyone moves round by one seat, and the score with them
            self.seats = self.seats[-1:] + self.seats[:-1]
            self.score = self.score[-1:] + self.score[:-1]
            if self.games_in_series > 1 and self.games_played >= self.games_in_series:
                self.games_played, self.score = 0, [0.0] * len(self.seats)
        self.seed, self.next_seed = dice.seed, None
        self.match = match or Match(self.game, len(self.seats), self.options, dice=dice, setup=self.setup)
        self.clocks = Clocks(self.settings.clock, len(self.seats))
        self.matches += 1
        self.status, self.ended, self.rematch, self.takeback, self.last = "playing", None, [], None, None
        self.position_number = line.number

    def _step(self, line: Line, step: Step | None) -> Step:
        match, body = self.match, line.body
        assert match is not None
        by, action, draw = body["by"], body["action"], body.get("draw")
        step = match.apply(Entry(action, by, body.get("outcome"), Draw(*draw) if draw else None), step)
        if isinstance(by, int):
            self.last = by
        if "left" in body:
            self.clocks.restore(body["left"])
        self.takeback = None
        self.position_number = line.number
        if "end" in body:
            self._ended(line, body["end"])
        return step

    def _taken_back(self, line: Line, position: Position | None) -> None:
        match, length = self.match, line.body["length"]
        assert match is not None
        match.truncate(length, position)
        if "left" in line.body:
            self.clocks.restore(line.body["left"])
        self.last = last_seat(match)
        self.takeback = None
        self.position_number = line.number

    def _ended(self, line: Line, body: Body) -> None:
        self.status, self.takeback = "over", None
        self.ended = {key: body[key] for key in ("how", "seat", "returns", "record")}
        self.next_seed = body["next_seed"]
        self.games_played += 1
        self.score = [had + got for had, got in zip(self.score, body["returns"], strict=True)]
        self.position_number = line.number

    def _gone(self, line: Line) -> None:
        """A person was shown out, or wants to be forgotten: seats are free again, or a bot's while a match goes on."""
        person = line.body["person"]
        if line.kind == "removed":
            self.removed.add(person)
        for place, seat in enumerate(self.seats):
            if seat.person == person:
                self.seats[place] = Seat() if self.status == "waiting" else Seat("bot", level=3, share=seat.share)
        if self.host == person:
            self.host, self.host_name = None, ""
        self.takeback = None

    # What follows from it

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.kind != "open" for seat in self.seats)

    @property
    def position(self) -> Position | None:
        """The current position, once a match has begun."""
        return self.match.position if self.match else None

    @property
    def acting(self) -> int | None:
        """The seat that is to act now, if a match goes on."""
        position = self.position
        if position is None or self.status != "playing":
            return None
        to_move = position.to_move
        if to_move is None or isinstance(to_move, int):
            return to_move
        return acting_seat(position, position.view(), self.last)

    @property
    def rolling(self) -> bool:
        """Whether it is chance's turn."""
        return self.status == "playing" and self.position is not None and self.position.to_move == CHANCE

    @property
    def people(self) -> list[str]:
        """The ids of those who sit here, each once."""
        return list(dict.fromkeys(seat.person for seat in self.seats if seat.person is not None))

    @property
    def attended(self) -> bool:
        """Whether some process must hold this table while it is played: a bot is to act or a clock runs."""
        return self.status == "playing" and not self.by_hand

    @property
    def by_hand(self) -> bool:
        """Whether nothing goes by itself here: neither a bot, nor a clock, nor the dice."""
        if self._by_hand is None:
            automatic = any(seat.automatic for seat in self.seats)
            self._by_hand = not (automatic or self.clocks.used or self.settings.dice == "auto")
        return self._by_hand

    def seats_of(self, person: str | None) -> list[int]:
        """The seats of a person."""
        return [] if person is None else [place for place, seat in enumerate(self.seats) if seat.person == person]

    def names(self, language: str) -> list[str]:
        """What the seats are called in words; two of the same name are told apart by the seats' own names."""
        if language not in self._names:
            called = [seat.called() for seat in self.seats]
            self._names[language] = [
                name if called.count(name) == 1 else f"{name} ({self.game.seat_name(seat, language)})".strip()
                for seat, name in enumerate(called)
            ]
        return self._names[language]

    def record(self, *, reveal: bool) -> JsonObject:
        """The record of the current match; a match that was not played out says how it ended."""
        assert self.match is not None
        record = dict(write_record(self.match, [seat.seated() for seat in self.seats], reveal=reveal))
        if self.ended and self.ended["how"] != "played":
            record["ended"] = {key: self.ended[key] for key in ("how", "seat", "returns")}
        return record

    # How it is shown

    def inside(self, present: Collection[str]) -> JsonObject:
        """The table for those who sit at it or watch."""
        ended, takeback = self.ended, self.takeback
        return {
            **self._outline(present),
            "ended": dict(ended) if ended else None,
            "takeback": None
            if takeback is None
            else {"seat": takeback.seat, "length": takeback.length, "agreed": takeback.agreed},
            "rematch": self.rematch,
            "dice": {
                "commitment": commitment(self.seed),
                "numbers": [seat.share for seat in self.seats],
                "seed": self.seed if ended else None,
                "next": commitment(self.next_seed) if self.next_seed else None,
            },
        }

    def card(self) -> JsonObject:
        """The table from outside."""
        return {**self._outline(()), "created": self.created, "touched": self.touched}

    def _outline(self, present: Collection[str]) -> dict[str, Json]:
        return {
            "id": self.id,
            "game": self.game.name,
            "options": dict(self.options),
            "private": self.private,
            "host": None if self.host is None else {"id": self.host, "name": self.host_name},
            "settings": self.settings.model_dump(),
            "status": self.status,
            "seats": [
                {
                    "kind": seat.kind,
                    "person": None if seat.person is None else {"id": seat.person, "name": seat.person_name},
                    "name": seat.called(),
                    "level": seat.level,
                    "program": seat.program,
                    "present": seat.automatic or seat.person in present,
                }
                for seat in self.seats
            ],
            "match": self.matches,
            "series": {"games": self.games_in_series, "played": self.games_played, "score": self.score},
        }
