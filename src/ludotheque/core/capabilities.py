"""What a game can do beyond being played: one typed object, `Game.capabilities`. A capability that is None is missing.

Everything heavy is behind a function, so that asking what a game can do imports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from ludotheque.core.catalogue import Text
from ludotheque.core.jsons import Json, JsonObject
from ludotheque.core.player import Player

if TYPE_CHECKING:  # within core only: a game has capabilities, and they speak of its positions and matches
    from pathlib import Path

    from ludotheque.core.game import Event, Position
    from ludotheque.core.match import Match


FIRST_LEARNED: Final = 3
"""The first level that plays by what was learned, in games whose bots learn."""


class LiveTurn(Protocol):
    """A turn that is played in real time, one sample after the other; the action and its outcome are known at its end."""

    def sample(self, hand: JsonObject | None) -> JsonObject:
        """Advance by one sample. `hand` is what the hand asks for (None: as before); returns the frame that everybody sees."""

    @property
    def over(self) -> bool:
        """Whether the turn has ended."""

    def action(self) -> tuple[str, Json]:
        """When over: the action's text and its outcome, to be played and logged like any other."""


class Live(Protocol):
    """Turns that stream, such as a hand with a magnet."""

    rate: int
    """Samples a second."""

    def begin(self, position: Position, hand: JsonObject) -> LiveTurn:
        """Begin a turn, for instance with the magnet that is taken in hand; IllegalAction if it cannot begin so."""

    def example(self, position: Position) -> Sequence[JsonObject]:
        """The hands of a whole turn, for tests: the first begins it, the last is repeated until it is over.

        None where no live turn can begin.
        """


@runtime_checkable
class MergesHands(Protocol):
    """Live turns whose hands do not simply replace each other when several come before the next sample."""

    def merged(self, before: JsonObject, after: JsonObject) -> JsonObject:
        """One hand that says what both say."""


def merged_hands(live: object, before: JsonObject, after: JsonObject) -> JsonObject:
    """Two hands of a live turn as one: as the game merges them or, by default, each key as it was said last."""
    return live.merged(before, after) if isinstance(live, MergesHands) else {**before, **after}


@dataclass(frozen=True)
class Hints:
    """What helps a player to decide."""

    reasons: Callable[[Position, Sequence[str], Sequence[str]], Sequence[Event]] | None = None
    """`reasons(position, better, chosen)`: what speaks for one way to play a turn over another, as events with sentences.
    Both are the actions of the player to move, until the dice or somebody else act. What they bring is told anyhow."""
    odds: Callable[[Position], Mapping[str, float]] | None = None
    """The chances of what a player may hope for in the turn that is played, by name: combinations of dice, for instance."""


class SelfPlay(Protocol):
    """A game that a network can learn by playing itself; `kernels.self_play.SelfPlay` implements it."""

    features: int
    """How many features a position can have: the size of the network's input."""


@dataclass(frozen=True)
class BenchmarkCase:
    """Something of a game's own to be timed, beside playouts and search."""

    name: str
    call: Callable[[], object]
    calls: int
    """How many calls make one round."""


@dataclass(frozen=True)
class Weights:
    """What a game's bots have learned, as a file that another can take the place of."""

    shipped: Callable[[], bytes]
    """The content of the file that the bots play with."""
    bot: Callable[[int, Path], Player]
    """The bot of a level with the weights of another file; BadOption if they are not this game's."""
    first_level: int = FIRST_LEARNED
    """The first level that uses them."""


@dataclass(frozen=True)
class EngineExtras:
    """What a game adds to the engine protocol."""

    requests: Mapping[str, Callable[[JsonObject], JsonObject]] = field(default_factory=dict)
    """Further requests that this game answers, with or without a match; a Problem refuses."""
    tells_events: bool = False
    """Whether the answers to `play` and `chance` carry the events, as the protocol asks of Yikerz."""


@dataclass(frozen=True)
class Calls:
    """Something that players have to say by themselves (`Position.pending_call` has when). A table may remind them of it."""

    action: str
    """The action that says it; a player may try it at any time."""
    about: Text
    """What it is, in a few words."""
    untimely: Text
    """What a player hears who says it at another time; nothing else comes of it."""
    check_begin: Callable[[Position, JsonObject | str], None]
    """`check_begin(position, begun)`: IllegalAction if the player to move cannot begin with such a hand or such an action."""


@dataclass(frozen=True)
class Capabilities:
    """What a game can do beyond being played."""

    bots: Callable[[int], Player] | None = None
    """The bot of a level, from 1 (gentle) to 5; without it the generic bots play."""
    weights: Weights | None = None
    """What the bots have learned, where it is a file."""
    live: Live | None = None
    """Turns that stream."""
    calls: Calls | None = None
    """What players have to say by themselves, if there is anything."""
    hints: Hints = Hints()
    """Reasons and odds, for reviews, puzzles and hints."""
    study: Callable[[Match], Mapping[str, float]] | None = None
    """Numbers about a match that is over, by name; one that does not apply to a match is left out."""
    self_play: Callable[[], SelfPlay] | None = None
    """What `ludotheque train` needs."""
    encoding: str | None = None
    """The full name of the module with its encoding for learning programs (`kernels.encoding.Encoding` has what it defines)."""
    puzzles: Callable[[], str] | None = None
    """The game's puzzles as JSON text (`analysis.puzzles` reads it)."""
    yardstick: Callable[[], str] | None = None
    """Positions with exact values as text (`arena.yardstick` reads it)."""
    benchmark: Callable[[], Sequence[BenchmarkCase]] | None = None
    """The game's own benchmark cases."""
    warm_up: Callable[[], None] | None = None
    """Compiles ahead whatever else a first turn needs, beside the rules."""
    engine: EngineExtras = EngineExtras()
    """Additions to the engine protocol."""
    board: Path | None = None
    """A folder with the game's own page files (`board.js`), if they are not built into the page."""


def resource(package: str, name: str) -> Callable[[], str]:
    """A capability's text file beside the game's code, read when it is asked for."""
    return lambda: (files(package) / name).read_text("utf-8")
