"""A table's state as its log makes it: seats, matches, series. It follows from the entries alone, live and restored alike.

Who may add an entry is decided by the handlers (`moves`, `seating` …); what people hear of it is in `messages`.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final, Literal, TypeAlias

from ludotheque.core import (
    CHANCE,
    Call,
    Dice,
    Entry,
    Game,
    Json,
    JsonObject,
    Match,
    Position,
    Step,
    Text,
    UnknownGame,
    commitment,
    find_game,
    text,
    write_record,
)
from ludotheque.table import entries as log
from ludotheque.table.clocks import Clocks
from ludotheque.table.entries import LogEntry
from ludotheque.table.seats import Seat
from ludotheque.table.settings import Settings
from ludotheque.table.standin import MissingGame, StandIn, missing_game

REMEMBERED_REQUESTS: Final = 64  # of each person, at least
TAKEOVER_LEVEL: Final = 3

Status: TypeAlias = Literal["waiting", "playing", "over"]
Ready: TypeAlias = Step | Match | Position | None
"""What whoever checked an entry has worked out already: the step played, the match begun, the position gone back to."""


class TableState:
    """A table as its entries so far make it."""

    def __init__(self, table_id: str, games: Mapping[str, Game] | None = None) -> None:
        self.id = table_id
        self._games = games
        self.number = 0
        self.began_number = 0  # the entry that began the match
        self.position_number = 0  # the last entry that changed the position: a request based on an older one is stale
        self.game: Game
        self.rules = 0  # the version of the rules that the table was opened with
        self.rules_gone = False  # whether the game no longer offers that version
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
        self.ended: log.Ending | None = None
        self.takeback: log.TakebackAsked | None = None
        self.rematch: list[int] = []
        self.removed: set[str] = set()
        self._closed: log.Closed | None = None  # by the operator
        self.newcomers = True  # whether others than those who sit here or are `admitted` may come
        self.admitted: set[str] = set()
        self.numbers: dict[int, str | None] = {}  # by seat, for the next match, as they came; None: it gives none
        self.order: tuple[int, ...] | None = (
            None  # the seats whose numbers are in the current match's dice, as they came
        )
        self.seed = ""
        self._commitment, self._next_commitment = "", ""  # to seeds that are not known
        self.next_seed: str | None = None
        self.setup: JsonObject | None = None
        self.clocks: Clocks
        self._has_calls = False  # whether players have to say something by themselves, unreminded
        self._call: tuple[Position, Call | None] | None = None  # of the position that was last asked for
        self.requests: dict[str | None, dict[str, int]] = {}  # by person: their latest, in order (see `_remember`)
        self.created = 0
        self.touched = 0
        self._names: dict[str, list[str]] = {}
        self._by_hand: bool | None = None

    # What the log says

    def apply(self, line: LogEntry, ready: Ready = None) -> Step | None:
        """Add one entry; returns the step if it was one. What is not `ready` is worked out here."""
        number, entry, at = line
        self.number, self.touched = number, at
        if isinstance(entry, log.Stepped):
            self._remember(entry.person, entry.request, 0)
            return self._step(number, entry, ready if isinstance(ready, Step) else None)
        self._names, self._by_hand = {}, None
        if isinstance(entry, log.Opened):
            self._opened(entry, at)
            return None
        self._remember(entry.person, entry.request, number)
        match entry:
            case log.Sat():
                self.seats[entry.seat] = Seat("person", entry.person, entry.person_name, entry.name)
                if entry.share:
                    self._contributed({entry.seat: entry.share})
            case log.Contributed():
                self._contributed(entry.shares)
            case log.NewcomersSet():
                self.newcomers, self.admitted = entry.on, set(entry.present)
            case log.Stood():
                self.seats[entry.seat] = Seat()
                self.numbers.pop(entry.seat, None)
            case log.BotSeated():
                share = self.seats[entry.seat].share or entry.share
                kind: Literal["bot", "program"] = "program" if entry.program else "bot"
                self.seats[entry.seat] = Seat(kind, level=entry.level, program=entry.program, share=share)
                self.numbers.pop(entry.seat, None)
                self.takeback = None
            case log.TakenOver():
                self.seats[entry.seat] = Seat("bot", level=entry.level, share=self.seats[entry.seat].share)
                self.numbers.pop(entry.seat, None)
                self.takeback = None
            case log.Began():
                self._began(line.number, entry, ready if isinstance(ready, Match) else None)
            case log.TakebackAsked():
                self.takeback = entry
            case log.TakebackRefused():
                self.takeback = None
            case log.TakenBack():
                self._taken_back(line.number, entry, ready if isinstance(ready, Position) else None)
            case log.Ended():
                self._ended(line.number, entry.end)
            case log.RematchAgreed():
                self._contributed(entry.shares)
                self.rematch = sorted({*self.rematch, *entry.shares})
            case log.RematchWithdrawn():
                self._withdrawn(entry.seats)
            case log.Removed() | log.Forgotten():
                self._gone(entry)
            case log.Closed():
                self.status, self.position_number = "over", line.number
                self._closed = entry if entry.by == "operator" else None
        return None

    def _contributed(self, shares: Mapping[int, str | None]) -> None:
        """Numbers for the next match have come."""
        for place, share in shares.items():
            self.seats[place] = replace(self.seats[place], share=share)
            self.numbers[place] = share

    def _withdrawn(self, seats: Collection[int]) -> None:
        """Some are no longer ready for the next match, and their numbers for it are gone."""
        self.rematch = [place for place in self.rematch if place not in seats]
        for place in seats:
            self.seats[place] = replace(self.seats[place], share=None)
            self.numbers.pop(place, None)

    def restore(self, line: LogEntry, *, replay: bool) -> None:
        """Apply a stored entry. Without `replay` no rule is applied: positions are stand-ins."""
        entry = line.entry
        if replay and not self.rules_gone and not self._set_up_is_lost(entry):
            self.apply(line)
            return
        if isinstance(entry, log.Began):
            first = StandIn(self.game, len(self.seats), self.options_for(entry.first), entry.setup)
            self.apply(line, Match.restore(first, dice=self.next_dice(entry.order), position=first))
        elif isinstance(entry, log.Stepped):
            self.apply(line, Step(self._stand_in(), (), entry.outcome))
        else:
            self.apply(line, self._stand_in() if isinstance(entry, log.TakenBack) else None)

    def _set_up_is_lost(self, entry: log.Entry) -> bool:
        """Whether a match cannot be replayed: its seed is not known, and its log has no set-up."""
        if isinstance(entry, log.Began):
            return entry.setup is None and self.setup is None and self.seed_lost
        return self.match is not None and isinstance(self.match.first, StandIn) and not isinstance(entry, log.Opened)

    def _stand_in(self) -> StandIn:
        assert self.match is not None
        return StandIn(self.game, len(self.seats), self.match.options)

    def replace_positions(self, known: Match) -> None:
        """Put the positions of a replayed match in the place of stand-ins."""
        assert self.match is not None
        self.match = Match.restore(
            known.first,
            dice=self.match.dice,
            setup_draws=known.setup_draws,
            log=self.match.log,
            position=known.position,
            takebacks=self.match.takebacks,
        )

    def _remember(self, person: str | None, request: str | None, number: int) -> None:
        """Remember a request that was carried out, so that it is not again when it is repeated.

        A person's last ones are remembered, and those before as long as a repetition would not be out of date: that of a
        step (number 0) is so at once, others are when the next match begins. They are sorted out now and then, not at each.
        """
        if request is None:
            return
        mine = self.requests.get(person)
        if mine is None:
            mine = self.requests[person] = {}
        mine[request] = number
        if len(mine) > 2 * REMEMBERED_REQUESTS:
            old = islice(mine.items(), len(mine) - REMEMBERED_REQUESTS)
            for outdated in [one for one, at in old if at <= self.began_number]:
                del mine[outdated]

    def _opened(self, entry: log.Opened, at: int) -> None:
        try:
            current = find_game(entry.game, self._games)
        except UnknownGame:
            current = missing_game(entry.game)
        own = current.at_version(entry.rules)
        self.game, self.rules, self.rules_gone = own or current, entry.rules, own is None
        self.options = entry.options if own is None else dict(own.options_of_version(entry.rules, entry.options))
        self.private, self.setup = entry.private, entry.setup
        self.host, self.host_name = entry.host, entry.host_name
        self.settings = entry.settings
        self._has_calls = self.game.capabilities.calls is not None and not self.settings.remind
        self.seats = list(entry.seats)
        self.games_in_series, self.score = entry.series, [0.0] * len(self.seats)
        self.seed, self.created = entry.seed, at
        self._commitment = entry.commitment or ""
        self.clocks = Clocks(self.settings.clock, len(self.seats))

    def next_order(self) -> tuple[int, ...]:
        """The seats, as they are in the match that is about to begin, whose numbers came after the commitment, as they came."""
        moved = 1 if self.matches else 0
        return tuple((place + moved) % len(self.seats) for place, number in self.numbers.items() if number)

    def next_dice(self, order: Collection[int] | None) -> Dice:
        """The dice of the match that is about to begin: the seed committed to and the players' numbers, sides changed.

        Whatever came before the commitment, or from the host, is left out: the host could have chosen it, or the seed to go
        with it. Only logs of matches that began before there was an order (None) have such shares.
        """
        seats = self.seats[-1:] + self.seats[:-1] if self.matches else self.seats
        given = [seat.share or "" if order is None or place in order else "" for place, seat in enumerate(seats)]
        shares = tuple(given) if any(given) else ()
        return Dice(self.seed if self.next_seed is None else self.next_seed, shares)

    @property
    def starts_next(self) -> int | None:
        """M24: the seat, as all sit now, of who starts the next match: the player after the last starter.

        None where the table's options say who starts: in the first match, from a given position, and in games without the
        option.
        """
        if self.match is None or self.setup is not None or self.game.starter_option is None:
            return None
        last = self.match.first.acting
        return None if last is None else (last + 1) % len(self.seats)

    def next_starter(self) -> int | None:
        """The same by the seats of the next match: everyone moves on by one."""
        now = self.starts_next
        return None if now is None else (now + 1) % len(self.seats)

    def options_for(self, first: int | None) -> JsonObject:
        """The options of a match that a seat is named to start; None: as the table has them."""
        name = self.game.starter_option
        return self.options if first is None or name is None else {**self.options, name: first}

    def _began(self, number: int, entry: log.Began, match: Match | None) -> None:
        dice = self.next_dice(entry.order)
        if self.matches:  # sides change: everyone moves round by one seat, and the score with them
            self._commitment = self._next_commitment
            self.seats = self.seats[-1:] + self.seats[:-1]
            self.score = self.score[-1:] + self.score[:-1]
            if self.games_in_series > 1 and self.games_played >= self.games_in_series:
                self.games_played, self.score = 0, [0.0] * len(self.seats)
        if entry.order is not None:
            self.seats = [
                seat if place in entry.order else replace(seat, share=None) for place, seat in enumerate(self.seats)
            ]
        self.numbers, self.order = {}, entry.order
        self.seed, self.next_seed = dice.seed, None
        options = self.options_for(entry.first)
        setup = entry.setup if self.seed_lost and self.setup is None else self.setup
        self.match = match or Match(self.game, len(self.seats), options, dice=dice, setup=setup)
        self.clocks = Clocks(self.settings.clock, len(self.seats))
        self.matches += 1
        self.status, self.ended, self.rematch, self.takeback = "playing", None, [], None
        self.began_number = self.position_number = number

    def _step(self, number: int, entry: log.Stepped, step: Step | None) -> Step:
        match = self.match
        assert match is not None
        step = match.apply(Entry(entry.action, entry.by, entry.outcome, entry.draw), step)
        if entry.left is not None:
            self.clocks.restore(entry.left)
        self.takeback = None
        self.position_number = number
        if entry.end is not None:
            self._ended(number, entry.end)
        return step

    def _taken_back(self, number: int, entry: log.TakenBack, position: Position | None) -> None:
        assert self.match is not None
        if entry.redraws:
            self.match.take_back(entry.length, position)
        else:
            self.match.truncate(entry.length, position)
        if entry.left is not None:
            self.clocks.restore(entry.left)
        self.takeback = None
        self.position_number = number

    def _ended(self, number: int, end: log.Ending) -> None:
        self.status, self.takeback, self.ended = "over", None, end
        self.next_seed, self._next_commitment = end.next_seed, end.next_commitment or ""
        if end.returns:
            self.games_played += 1
            self.score = [had + got for had, got in zip(self.score, end.returns, strict=True)]
        self.position_number = number

    def _gone(self, entry: log.Removed | log.Forgotten) -> None:
        """A person was removed, or wants to be forgotten: seats are free again, or a bot's while a match goes on."""
        person = entry.person
        self.admitted.discard(person)
        if isinstance(entry, log.Removed):
            self.removed.add(person)
        for place, seat in enumerate(self.seats):
            if seat.person == person:
                self.numbers.pop(place, None)
                waiting = self.status == "waiting"
                self.seats[place] = Seat() if waiting else Seat("bot", level=TAKEOVER_LEVEL, share=seat.share)
        if self.host == person:
            self.host, self.host_name = None, ""
        self.takeback = None

    # What follows from it

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.kind != "open" for seat in self.seats)

    @property
    def awaited(self) -> list[int]:
        """The seats of people whose numbers are still to come before the first match can begin."""
        if self.status != "waiting":
            return []
        return [place for place, seat in enumerate(self.seats) if seat.kind == "person" and place not in self.numbers]

    @property
    def position(self) -> Position | None:
        """The current position, once a match has begun."""
        return self.match.position if self.match else None

    @property
    def acting(self) -> int | None:
        """The seat that is to act now, if a match goes on; while a call may be said, the next player's."""
        position = self.shown
        return position.acting if position is not None and self.status == "playing" else None

    @property
    def acting_person(self) -> str | None:
        """The person who is to act now, if it is one."""
        acting = self.acting
        return None if acting is None else self.seats[acting].person

    @property
    def call(self) -> Call | None:
        """What a player has to say by themselves now, or pays for; None where the table reminds of it."""
        if not self._has_calls or self.match is None or self.status != "playing":
            return None
        position = self.match.position
        if self._call is None or self._call[0] is not position:
            self._call = position, position.pending_call
        return self._call[1]

    @property
    def shown(self) -> Position | None:
        """The current position as everybody sees it: while a call may be said, the next player's turn."""
        call = self.call
        return self.position if call is None else call.shown

    @property
    def timed(self) -> int | None:
        """The seat whose clock runs: of the seat to act; while a call may be said or is being paid for, of the next player."""
        call = self.call
        return self.acting if call is None else call.next

    @property
    def follows_a_turn(self) -> bool:
        """Whether somebody has acted before who may have something to say, unreminded, at a table of people."""
        return self._last_turn is not None and bool(self.people)

    @property
    def follows_a_person(self) -> bool:
        """Whether a person has acted last who may have something to say, unreminded."""
        last = self._last_turn
        return last is not None and not self.seats[last].automatic

    @property
    def _last_turn(self) -> int | None:
        if not self._has_calls or self.match is None:
            return None
        return next((entry.by for entry in reversed(self.match.log) if isinstance(entry.by, int)), None)

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

    @property
    def rules_newer(self) -> bool:
        """Whether a program with more rules opened this table: it is left as it is until that one is back."""
        return self.rules_gone and self.rules > self.game.rules_version

    @property
    def seed_lost(self) -> bool:
        """Whether the host no longer knows the seed of the match that goes on or comes next."""
        return not (self.seed if self.next_seed is None else self.next_seed)

    @property
    def commitment(self) -> str:
        """What was shown of the current match's seed before the match."""
        return commitment(self.seed) if self.seed else self._commitment

    @property
    def closed(self) -> Text | None:
        """Why nothing can be played here any more."""
        if self._closed is not None:
            reason = self._closed.reason
            if reason is None:
                return text("table.closed-by-operator")
            return text("table.closed-by-operator-because", reason=reason)
        if not self.rules_gone:
            return text("table.seed-lost") if self.seed_lost else None
        if isinstance(self.game, MissingGame):
            return text("table.game-gone", title=self.game.title)
        if self.rules_newer:
            return text("table.rules-newer", title=self.game.title, version=self.rules, current=self.game.rules_version)
        return text("table.rules-changed", title=self.game.title, version=self.rules, current=self.game.rules_version)

    def seats_of(self, person: str | None) -> list[int]:
        """The seats of a person."""
        return [] if person is None else [place for place, seat in enumerate(self.seats) if seat.person == person]

    def names(self, language: str) -> list[str]:
        """What the seats are called in words; two of the same name are told apart by the seats' own names."""
        known = self._names.get(language)
        if known is None:
            called = [seat.called(self.game) for seat in self.seats]
            known = self._names[language] = [
                name if called.count(name) == 1 else f"{name} ({self.game.seat_name(seat, language)})".strip()
                for seat, name in enumerate(called)
            ]
        return known

    def record(self, *, reveal: bool) -> JsonObject:
        """The record of the current match; a match that was not played out says how it ended."""
        assert self.match is not None
        seated = [seat.seated(self.game) for seat in self.seats]
        record = dict(write_record(self.match, seated, reveal=reveal, order=self.order))
        if self.rules_gone:
            record["rules"] = self.rules
        if not self.seed and isinstance(dice := record["dice"], dict):
            record["dice"] = {name: value for name, value in dice.items() if name != "seed"} | {
                "commitment": self.commitment
            }
        end = self.ended
        if end is not None and end.how != "played":
            record["ended"] = {"how": end.how, "seat": end.seat, "returns": list(end.returns)}
        return record

    # How it is shown

    def inside(self, present: Collection[str]) -> dict[str, Json]:
        """The table for those who sit at it or watch."""
        end, takeback, closed, awaited = self.ended, self.takeback, self.closed, self.awaited
        return {
            **self._outline(present),
            **({} if closed is None else {"closed": closed.translations()}),
            "ended": None
            if end is None
            else {"how": end.how, "seat": end.seat, "returns": list(end.returns), "record": end.record},
            "takeback": None
            if takeback is None
            else {"seat": takeback.seat, "length": takeback.length, "agreed": list(takeback.agreed)},
            "rematch": self.rematch,
            "starts_next": None if end is None or closed is not None else self.starts_next,
            "dice": {
                "commitment": self.commitment,
                "numbers": [None if place in awaited else seat.share for place, seat in enumerate(self.seats)],
                "awaited": awaited,
                "seed": (self.seed or None) if end else None,
                "next": commitment(self.next_seed) if self.next_seed else None,
            },
        }

    def card(self) -> dict[str, Json]:
        """The table from outside; `removed` is for the host's eyes, not for the readers of cards."""
        card = {**self._outline(()), "created": self.created, "touched": self.touched}
        return {**card, "removed": sorted(self.removed)} if self.removed else card

    def _outline(self, present: Collection[str]) -> dict[str, Json]:
        return {
            "id": self.id,
            "game": self.game.name,
            "options": dict(self.match.options if self.match else self.options),
            "private": self.private,
            "newcomers": self.newcomers,
            "host": None if self.host is None else {"id": self.host, "name": self.host_name},
            "settings": self.settings.json(),
            "status": self.status,
            "seats": [seat.json(self.game, present=seat.automatic or seat.person in present) for seat in self.seats],
            "match": self.matches,
            "series": {"games": self.games_in_series, "played": self.games_played, "score": self.score},
        }
