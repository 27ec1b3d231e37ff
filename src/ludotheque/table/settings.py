"""How a table is played: its dice, clocks, hints, take-backs and pace. Clocks that run are in `clocks`."""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeAlias

from ludotheque.core import Json, JsonObject
from ludotheque.core.jsons import Reader

SHORTEST_CLOCK: Final = 1.0
LONGEST_CLOCK: Final = 604_800.0  # seconds: a week
LARGEST_INCREMENT: Final = 3600.0
SLOWEST_PACE: Final = 10.0
SHORTEST_CLAIM: Final = 10.0
LONGEST_CLAIM: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class NoClock:
    """Time does not matter."""

    kind: ClassVar[str] = "none"


@dataclass(frozen=True, slots=True)
class MoveClock:
    """Seconds for every decision and every roll."""

    kind: ClassVar[str] = "move"
    seconds: float


@dataclass(frozen=True, slots=True)
class GameClock:
    """Seconds for the whole match, and an increment after each of one's actions."""

    kind: ClassVar[str] = "game"
    seconds: float
    increment: float = 0.0


ClockSetting: TypeAlias = NoClock | MoveClock | GameClock


@dataclass(frozen=True, slots=True)
class Settings:
    """How a table is played. `pace` and `claim_after` are seconds."""

    dice: Literal["asked", "auto"] = "asked"
    clock: ClockSetting = NoClock()
    hints: bool = False
    takebacks: bool = True
    chat: bool = False
    pace: float = 0.8
    claim_after: float = 60.0
    remind: bool = False
    """Whether players are asked for what they have to say by themselves (`Position.pending_call`), in games that have such a thing."""
    typed_dice: bool = False
    """Whether people at the table may roll real dice and its host type what they show. Not offered over the network."""

    def json(self) -> JsonObject:
        """The settings as messages and logs have them."""
        settings: dict[str, Json] = {
            "dice": self.dice,
            "clock": write_clock(self.clock),
            "hints": self.hints,
            "takebacks": self.takebacks,
            "chat": self.chat,
            "pace": self.pace,
            "claim_after": self.claim_after,
        }
        if self.remind:
            settings["remind"] = True
        if self.typed_dice:
            settings["typed_dice"] = True
        return settings


def write_clock(clock: ClockSetting) -> JsonObject:
    """A clock's setting as JSON."""
    if isinstance(clock, NoClock):
        return {"kind": "none"}
    if isinstance(clock, MoveClock):
        return {"kind": "move", "seconds": clock.seconds}
    return {"kind": "game", "seconds": clock.seconds, "increment": clock.increment}


def _read_clock(reader: Reader) -> ClockSetting:
    kind = reader.key("kind").one_of(("none", "move", "game"))
    if kind == "none":
        return NoClock()
    seconds = reader.key("seconds").number(SHORTEST_CLOCK, LONGEST_CLOCK)
    if kind == "move":
        return MoveClock(seconds)
    return GameClock(
        seconds, reader.key("increment").number(0.0, LARGEST_INCREMENT) if reader.has("increment") else 0.0
    )


def read_settings(reader: Reader) -> Settings:
    """Settings from JSON; what is missing has its default."""
    usual = Settings()
    return Settings(
        dice="auto" if reader.has("dice") and reader.key("dice").one_of(("asked", "auto")) == "auto" else "asked",
        clock=_read_clock(reader.key("clock")) if reader.has("clock") else usual.clock,
        hints=reader.key("hints").boolean() if reader.has("hints") else usual.hints,
        takebacks=reader.key("takebacks").boolean() if reader.has("takebacks") else usual.takebacks,
        chat=reader.key("chat").boolean() if reader.has("chat") else usual.chat,
        pace=reader.key("pace").number(0.0, SLOWEST_PACE) if reader.has("pace") else usual.pace,
        claim_after=reader.key("claim_after").number(SHORTEST_CLAIM, LONGEST_CLAIM)
        if reader.has("claim_after")
        else usual.claim_after,
        remind=reader.key("remind").boolean() if reader.has("remind") else usual.remind,
        typed_dice=reader.key("typed_dice").boolean() if reader.has("typed_dice") else usual.typed_dice,
    )
