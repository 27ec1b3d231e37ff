"""Reads what a page asks for when it opens a table. Unknown keys are refused by their names, as on the server."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from ludotheque.browser.people import Person
from ludotheque.core import BadJson, BadRequest, Dice, Game, Json, JsonObject, Match, Reader, find_game, fresh_seed
from ludotheque.core.jsons import readable_name
from ludotheque.table import Seat, Settings
from ludotheque.table.requests import LEVELS, LONGEST_NAME
from ludotheque.table.settings import read_settings

KEYS: Final = ("game", "options", "seats", "private", "settings", "series", "number", "setup")
MOST_SEATS: Final = 10
LONGEST_SERIES: Final = 99
USUAL_LEVEL: Final = 3


class NewTable(NamedTuple):
    """A table to open."""

    game: Game
    options: JsonObject
    seats: list[Seat]
    settings: Settings
    private: bool
    series: int
    setup: JsonObject | None


def read_new_table(wanted: Json, games: Mapping[str, Game], person: Person) -> NewTable:
    """What is asked for, checked: a set-up from which no match could begin is refused now."""
    reader = Reader(wanted, BadJson)
    for name in reader.object():
        if name not in KEYS:
            reader.fail("browser.unknown-key", name=name, known=", ".join(KEYS))
    game = find_game(reader.key("game").text(), games)
    seats = _seats(reader, game, person)
    players = game.read_players(len(seats))
    options = game.read_options(reader.key("options").object() if reader.has("options") else {}, players)
    setup = reader.key("setup").object() if reader.has("setup") and not reader.key("setup").is_null() else None
    if setup is not None:
        Match(game, players, dict(options), dice=Dice(fresh_seed()), setup=setup)
    return NewTable(
        game,
        dict(options),
        seats,
        read_settings(reader.key("settings")) if reader.has("settings") else Settings(),
        reader.key("private").boolean() if reader.has("private") else False,
        reader.key("series").integer(1, LONGEST_SERIES) if reader.has("series") else 1,
        setup,
    )


def _seats(reader: Reader, game: Game, person: Person) -> list[Seat]:
    if not reader.has("seats") or reader.key("seats").is_null():
        return [Seat("person", person.id, person.name), *[Seat("bot", level=USUAL_LEVEL)] * (game.seats[0] - 1)]
    return [_seat(one, person) for one in reader.key("seats").items(most=MOST_SEATS)]


def _seat(reader: Reader, person: Person) -> Seat:
    kind = reader.key("kind").one_of(("me", "bot", "open", "program"))
    if kind == "me":
        given = reader.has("name") and not reader.key("name").is_null()
        name = readable_name(reader.key("name").text(LONGEST_NAME)) if given else None
        return Seat("person", person.id, person.name, name or None)
    if kind == "bot":
        return Seat("bot", level=reader.key("level").integer(*LEVELS) if reader.has("level") else USUAL_LEVEL)
    raise BadRequest("browser.friends")
