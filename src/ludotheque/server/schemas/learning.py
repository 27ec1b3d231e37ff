"""Schemas for learning: puzzles and their answers, reviews of finished games and their progress."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from ludotheque.server.schemas.base import FreeObject, Model, Mover, Words

MistakeSize: TypeAlias = Literal["blunder", "mistake", "inaccuracy"]


class PuzzleCard(Model):
    """A puzzle from outside; grades go from 1 to 5."""

    number: int
    kind: str
    grade: int


class PuzzleCards(Model):
    """All puzzles of a game."""

    puzzles: list[PuzzleCard]


class Puzzle(Model):
    """A puzzle to solve: a position, and a question in the game's own words where it has one."""

    game: str
    number: int
    count: int
    kind: str
    grade: int
    question: Words | None
    players: int
    options: FreeObject
    position: FreeObject


class PuzzleAnswer(Model):
    """What somebody would play."""

    action: Annotated[str, Field(max_length=20_000)]


class Why(Model):
    """What the better action brings and what the chosen one does, until the turn is over; and what speaks for the better one."""

    better: Words
    chosen: Words
    reasons: list[Words]


class PuzzleVerdict(Model):
    """An answer, judged; values are chances to win."""

    right: bool
    action: str
    value: float | None
    best: str
    best_value: float
    why: Why | None


class MistakeCounts(Model):
    """How many decisions gave away so much."""

    blunder: int
    mistake: int
    inaccuracy: int


class ReviewedSeat(Model):
    """What a seat's match comes to, in whole wins: what the dice gave (null: cannot be told), what decisions cost."""

    luck: float | None
    lost: float
    decisions: int
    mistakes: MistakeCounts


class ReviewedMoment(Model):
    """One action of the log, judged: every seat's chance after it, or only that of whoever decided (`value`)."""

    place: int
    by: Mover
    action: str
    chances: list[float] | None = None
    luck: list[float] | None = None
    value: float | None = None
    lost: float = 0.0
    best: str | None = None
    size: MistakeSize | None = None
    why: Why | None = None


class Review(Model):
    """A whole match, judged."""

    judge: str
    players: list[ReviewedSeat]
    moments: list[ReviewedMoment]


class ReviewState(Model):
    """How far a review has come; `ahead` counts those that are done first."""

    state: Literal["none", "waiting", "working", "done", "stopped", "failed"]
    done: int
    total: int
    ahead: int
    mine: bool
    review: Review | None
