"""Schemas of records: cards, stories, and whether dice were fair. A record's own format is in `core.record`."""

from ludotheque.server.schemas.base import Model, Moment, Words
from ludotheque.server.schemas.positions import Position, Told


class RecordPlayer(Model):
    """Who played."""

    name: str
    kind: str


class RecordCard(Model):
    """A record from outside."""

    id: str
    game: str
    players: list[RecordPlayer]
    returns: list[float]
    ended: Moment
    how: str
    actions: int
    uploaded: bool


class RecordCards(Model):
    """A page of records; `before` asks for the next one."""

    records: list[RecordCard]
    before: Moment | None


class Verdict(Model):
    """Whether dice were fair: yes, no, or cannot be told."""

    fair: bool | None
    words: Words
    order: Words | None = None
    """What came first before the match, where the record tells."""


class Story(Model):
    """A whole game in words and positions."""

    first: Position
    steps: list[Told]
