"""Finding an opponent: pairs people who wait for the same game, and opens a table for both. The list is in `store.seekers`.

It is in the database, so people are paired whichever process of a site they ask.
"""

from ludotheque.core import BadRequest, JsonObject, Problem, find_game
from ludotheque.server.problems import draining, read_only
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.tables import MySeat, NewTable, OpenSeat
from ludotheque.server.store import seekers

PAIR = 2


async def look_for_opponent(registry: TableRegistry, person: JsonObject, game: str) -> seekers.Seeking:
    """Wait for an opponent, or go on waiting. Whoever completes a pair opens its table and is its host."""
    if registry.operation.read_only:
        raise read_only()
    if registry.operation.draining:
        raise draining()
    found = find_game(game)
    if PAIR not in found.seats:
        raise BadRequest("server.opponent.not-two", title=found.title)
    identity, now = str(person["id"]), registry.clock.moment()
    seeking = await registry.writer.do(lambda connection: seekers.seek(connection, identity, found.name, now))
    if seeking.other is None:
        return seeking
    return await _open_for_both(registry, person, seeking.other, found.name)


async def _open_for_both(registry: TableRegistry, person: JsonObject, other: str, game: str) -> seekers.Seeking:
    identity = str(person["id"])
    try:
        wanted = NewTable(game=game, seats=[MySeat(kind="me"), OpenSeat(kind="open")], private=True)
        table = (await registry.open(wanted, person)).state.id
    except Problem:
        await registry.writer.do(lambda connection: seekers.release(connection, identity))
        raise
    met = await registry.writer.do(lambda connection: seekers.meet(connection, identity, other, table))
    return seekers.Seeking(table=table if met else None)


async def stop_looking(registry: TableRegistry, person: JsonObject) -> None:
    """Leave the list."""
    identity = str(person["id"])
    await registry.writer.do(lambda connection: seekers.leave(connection, identity))
