"""A table at a glance: what a small board on another page shows of it. Play itself goes over the table's connection."""

from ludotheque.answers.problems import not_found
from ludotheque.core import JsonObject
from ludotheque.table import TableState


def glance_at(state: TableState) -> JsonObject:
    """The position of a table's match, as everybody there sees it; NotFound before there is a match."""
    match = state.match
    if match is None:
        raise not_found("match")
    position = state.shown or match.position
    return {
        "game": state.game.name,
        "players": match.players,
        "options": dict(match.options),
        "length": len(match.log),
        "view": position.view(),
        "acting": None if state.ended is not None else position.acting,
    }
