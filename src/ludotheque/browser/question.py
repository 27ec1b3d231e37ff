"""A question about a position, read from JSON: what the server's schema of the same name says."""

from collections.abc import Sequence
from dataclasses import dataclass

from ludotheque.core import BadJson, Json, JsonObject, Reader
from ludotheque.core.jsons import readable_name
from ludotheque.table.requests import LEVELS, LONGEST_NAME

MOST_ACTIONS = 2000
LONGEST_ACTION = 20_000
MOST_PLAYERS = 100
LONGEST_SEED = 100
LONGEST_THOUGHT = 5.0


@dataclass(frozen=True)
class AskedPosition:
    """A position to look at."""

    game: str
    players: int | None
    options: JsonObject
    setup: JsonObject | None
    actions: Sequence[str]
    outcomes: Sequence[Json] | None
    names: Sequence[str]
    seed: str
    start: int
    level: int
    seconds: float | None


def read_question(body: Json) -> AskedPosition:
    """A question; BadJson names the place of whatever is wrong."""
    reader = Reader(body, BadJson)

    def given(name: str) -> Reader | None:
        return reader.key(name) if reader.has(name) and not reader.key(name).is_null() else None

    players, options, setup, actions = given("players"), given("options"), given("setup"), given("actions")
    outcomes, names, seed, start = given("outcomes"), given("names"), given("seed"), given("from")
    level, seconds = given("level"), given("seconds")
    return AskedPosition(
        game=reader.key("game").text(),
        players=None if players is None else players.integer(1, MOST_PLAYERS),
        options={} if options is None else options.object(),
        setup=None if setup is None else setup.object(),
        actions=[] if actions is None else [one.text(LONGEST_ACTION) for one in actions.items(most=MOST_ACTIONS)],
        outcomes=None if outcomes is None else [one.value for one in outcomes.items(most=MOST_ACTIONS)],
        names=[] if names is None else [readable_name(one.text(LONGEST_NAME)) for one in names.items(most=10)],
        seed="position" if seed is None else seed.text(LONGEST_SEED),
        start=0 if start is None else start.integer(0, MOST_ACTIONS),
        level=LEVELS[1] if level is None else level.integer(*LEVELS),
        seconds=None if seconds is None else seconds.number(0.0, LONGEST_THOUGHT),
    )
