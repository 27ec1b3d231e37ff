"""Schemas of positions and of what led to them, at a table or asked about."""

from typing import Annotated, Any

from pydantic import Field

from ludotheque.server.schemas.base import FreeObject, Model, Mover, Name, Words


class LegalActions(Model):
    """What can be done; chance's outcomes with their odds only where a position was asked for."""

    actions: list[str]
    odds: list[float]
    open: list[str]


class Position(Model):
    """A moment of a match."""

    length: int
    to_move: Mover
    acting: int | None
    state: FreeObject
    over: bool
    returns: list[float]
    legal: LegalActions


class Event(Model):
    """Something that happened, with a text for people."""

    what: str
    facts: FreeObject
    words: Words


class Told(Model):
    """An action with what it did; in a `story`, without the position."""

    by: Mover
    action: str
    events: list[Event]
    outcome: Any = None
    position: Position | None = None


class Question(Model):
    """A position to look at: a set-up and what was played since; `"?"` lets the dice decide."""

    game: Annotated[str, Field(max_length=100)]
    players: Annotated[int, Field(ge=1, le=100, strict=True)] | None = None
    options: FreeObject = {}
    setup: FreeObject | None = None
    actions: Annotated[list[Annotated[str, Field(max_length=20_000)]], Field(max_length=2000)] = []
    outcomes: Annotated[list[Any], Field(max_length=2000)] | None = None
    names: Annotated[list[Name], Field(max_length=10)] = []
    seed: Annotated[str, Field(max_length=100)] = "position"
    start: Annotated[int, Field(ge=0, le=2000, strict=True, alias="from")] = 0
    level: Annotated[int, Field(ge=1, le=5, strict=True)] = 5
    seconds: Annotated[float, Field(gt=0, le=5, allow_inf_nan=False)] | None = None


class Answer(Model):
    """The position, and the steps that led to it."""

    position: Position
    steps: list[Told]


class Drawing(Model):
    """A position drawn in letters, in each language, as a terminal shows it."""

    words: Words


class Thought(Model):
    """An action that was considered."""

    action: str
    value: float


class Advice(Model):
    """What a bot would do."""

    action: str
    value: float | None
    considered: list[Thought]
    level: int
    reasons: list[Event]


class Odd(Model):
    """The chance of something that a player may hope for in this turn, such as a combination of dice."""

    name: str
    chance: float


class Odds(Model):
    """All of them, the likeliest first; empty if the game has none."""

    odds: list[Odd]
