"""Pig in plain Python, for tables without kernels: roll as often as you dare; a 1 loses the turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ludotheque.core import (
    CHANCE,
    BadView,
    Event,
    First,
    Game,
    Json,
    JsonObject,
    Legal,
    Number,
    Option,
    Options,
    Paint,
    Position,
    SetupDice,
    Step,
    ToMove,
    plain,
    starting_seat,
    whole_option,
)
from ludotheque.core.jsons import Reader

FACES = ("1", "2", "3", "4", "5", "6")


@dataclass(frozen=True)
class PigPosition(Position):
    """One moment of the game."""

    game: "PlainPig"
    players: int
    options: Options
    banked: tuple[int, ...]
    player: int
    turn: int = 0
    rolling: bool = False

    @property
    def to_move(self) -> ToMove:
        if max(self.banked) >= whole_option(self.options, "goal"):
            return None
        return CHANCE if self.rolling else self.player

    @property
    def acting(self) -> int | None:
        return None if self.to_move is None else self.player

    def legal(self) -> Legal:
        if self.to_move is None:
            return Legal(())
        return Legal(FACES, (1,) * 6) if self.rolling else Legal(("hold", "roll") if self.turn else ("roll",))

    def play(self, action: str, outcome: Json = None) -> Step:
        if action not in self.legal().actions:
            raise self.refuse(action)
        event = Event("face" if self.rolling else action, {"player": self.player, "action": action})
        return Step(self._after(action), (event,))

    def _after(self, action: str) -> "PigPosition":
        following = (self.player + 1) % self.players
        if self.rolling and action == self.game.losing:
            return replace(self, player=following, turn=0, rolling=False)
        if self.rolling:
            return replace(self, turn=self.turn + int(action), rolling=False)
        if action == "roll":
            return replace(self, rolling=True)
        banked = list(self.banked)
        banked[self.player] += self.turn
        return replace(self, banked=tuple(banked), player=following, turn=0)

    def view(self) -> JsonObject:
        return {"banked": list(self.banked), "player": self.player, "turn": self.turn, "rolling": self.rolling}

    def returns(self) -> tuple[float, ...]:
        best = max(self.banked)
        return tuple(float(score == best) for score in self.banked) if self.over else ()

    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        return str(self.view())


class PlainPig(Game):
    """Two to four players and one die."""

    name = "plain-pig"
    title = "Plain Pig"
    rules_version: ClassVar[int] = 1
    seats = (2, 3, 4)
    package = "ludotheque"
    declared_options: ClassVar[Sequence[Option]] = (Number("goal", 20, "P1", low=5, high=1000),)
    losing = "1"

    def position(self, view: JsonObject, players: int, options: Options) -> PigPosition:
        reader = Reader(view, BadView)
        banked = tuple(one.integer(0, 2000) for one in reader.key("banked").items(players))
        return PigPosition(
            self,
            players,
            options,
            banked,
            reader.key("player").integer(0, players - 1),
            reader.key("turn").integer(0, 2000),
            reader.key("rolling").boolean(),
        )

    def start(self, players: int, options: Options, dice: SetupDice) -> Position:
        return PigPosition(self, players, options, (0,) * players, dice.below(players))

    def from_view(self, view: JsonObject, players: int, options: Options) -> Position:
        return self.position(view, players, options)

    def seat_name(self, seat: int, language: str) -> str:
        return f"{'Place' if language == 'fr' else 'Seat'} {seat + 1}"

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        seat = event.facts["player"]
        assert isinstance(seat, int)
        return f"{names[seat]}: {event.what} {event.facts['action']}"


class ChangedPig(PlainPig):
    """The rules have changed: now a 6 loses the turn. The old rules are no longer offered."""

    rules_version = 2
    losing = "6"


class PatientPig(ChangedPig):
    """The rules have changed, and the old ones are still offered."""

    def at_version(self, version: int) -> Game | None:
        return PIG if version == 1 else super().at_version(version)


class OptionPig(PlainPig):
    """The rules have changed: everybody begins with some points. Played with none, they are the old rules."""

    rules_version = 2
    declared_options = (*PlainPig.declared_options, Number("head_start", 3, "P2", low=0, high=10))

    def at_version(self, version: int) -> Game | None:
        return self if version == 1 else super().at_version(version)

    def options_of_version(self, version: int, given: Mapping[str, Json]) -> Mapping[str, Json]:
        return {**given, "head_start": 0} if version == 1 else given

    def start(self, players: int, options: Options, dice: SetupDice) -> Position:
        banked = (whole_option(options, "head_start"),) * players
        return PigPosition(self, players, options, banked, dice.below(players))


class StarterPig(PlainPig):
    """A table may name who starts."""

    declared_options = (*PlainPig.declared_options, First(clause="P3"))

    def start(self, players: int, options: Options, dice: SetupDice) -> Position:
        return PigPosition(self, players, options, (0,) * players, starting_seat(options, players, dice))


PIG = PlainPig()
