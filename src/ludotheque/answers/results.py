"""How finished games went for one person: results, and what reviews say of their play. What is stored, and where, is the hosts'."""

from collections.abc import Sequence

from ludotheque.core import BadJson, Json, JsonObject, Reader, parse

AT_ONCE = 50


def result_of(card: JsonObject, seats: Sequence[int], review: str | None) -> JsonObject:
    """A finished game, as a card has it, for the person who sat at some seats; `review` is a finished review's JSON."""
    reader = Reader(card, BadJson)
    players = reader.key("players").items()
    return {
        "record": reader.key("id").text(),
        "game": reader.key("game").text(),
        "ended": reader.key("ended").integer(0, 2**53),
        "seats": list(seats),
        "players": [one.key("kind").text() for one in players],
        "names": [one.key("name").text() for one in players],
        "returns": [one.number(0, 1) for one in reader.key("returns").items()],
        "review": None if review is None or len(seats) != 1 else _judged(review, seats[0]),
    }


def _judged(review: str, seat: int) -> Json:
    one = Reader(parse(review), BadJson).key("players").items()[seat]
    luck = one.key("luck")
    return {
        "decisions": one.key("decisions").integer(0, 2**31),
        "lost": one.key("lost").number(0, 1_000_000),
        "luck": None if luck.value is None else luck.number(-1_000_000, 1_000_000),
    }


def page_of(results: Sequence[JsonObject]) -> JsonObject:
    """A page of results, the latest first, and where the next one begins."""
    return {"results": list(results), "before": results[-1]["ended"] if len(results) == AT_ONCE else None}
