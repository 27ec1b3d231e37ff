"""Schemas of what concerns one person alone: the search for an opponent, and results of finished games."""

from typing import Annotated, Literal

from pydantic import Field

from ludotheque.server.schemas.base import Model, Moment, NewModel


class NewSearch(NewModel):
    """I look for an opponent."""

    game: Annotated[str, Field(max_length=100)]


class Search(Model):
    """How the search for an opponent stands."""

    state: Literal["waiting", "found"]
    table: Annotated[str | None, Field(description="where the opponent is met; sit down there")]
    others: Annotated[int, Field(description="how many others wait for this game")]


class JudgedPlay(Model):
    """What a review says of one seat."""

    decisions: int
    lost: Annotated[float, Field(description="what the decisions cost together, in chances to win")]
    luck: Annotated[
        float | None, Field(description="what the dice gave, in chances to win; null where it is not known")
    ]


class GameResult(Model):
    """How a finished game went for me."""

    record: str
    game: str
    ended: Moment
    seats: Annotated[list[int], Field(description="mine; several where people shared a screen")]
    players: Annotated[list[str], Field(description="what played at each seat: human, bot:3, a program")]
    names: list[str]
    returns: list[float]
    review: Annotated[JudgedPlay | None, Field(description="of my seat; null before there is a review")]


class GameResults(Model):
    """A page of results, the latest first; `before` asks for the next one."""

    results: list[GameResult]
    before: Moment | None
