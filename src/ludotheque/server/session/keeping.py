"""What is written beside a table's lines: its card, who sat there, and the record of a match that ended.

When it is written is the session's business.
"""

from ludotheque.server import store
from ludotheque.server.table import Table
from ludotheque.server.writer import Job


def record_job(table: Table) -> Job:
    """Keep the record of the match that has ended."""
    ended = table.ended
    assert ended is not None
    assert table.match is not None
    body = table.record(reveal=True)
    card = {
        "id": ended["record"],
        "game": table.game.name,
        "players": body["players"],
        "returns": ended["returns"],
        "ended": table.touched,
        "how": ended["how"],
        "actions": len(table.match.log),
        "uploaded": False,
    }
    seats = {place: seat.person for place, seat in enumerate(table.seats) if seat.person is not None}
    private = table.private
    return lambda connection: store.add_record(connection, card, body, private=private, seats=seats)


def card_job(table: Table) -> Job:
    """Keep how the table looks from outside."""
    card, attended = table.card(), table.attended
    return lambda connection: store.update_table(connection, card, attended)


def attendance_job(table: Table, person: str) -> Job:
    """Keep that a person sat here."""
    return lambda connection: store.attend(connection, table.id, person)
