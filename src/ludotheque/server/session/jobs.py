"""What is written beside a table's entries: its card, who sat there, and the record of a match that ended."""

from collections.abc import Sequence
from functools import partial

from sqlalchemy.engine import Connection

from ludotheque.server import store
from ludotheque.server.clock import SiteClock
from ludotheque.server.writer import Job
from ludotheque.table import LogEntry, TableState
from ludotheque.table.entries import Ended, Sat, Stepped


def jobs_for(state: TableState, entries: Sequence[LogEntry], clock: SiteClock) -> list[Job]:
    """What goes into the same transaction as some entries that were just applied; nothing for an ordinary step."""
    jobs: list[Job] = []
    changed = False  # whether the card has
    for line in entries:
        entry = line.entry
        if isinstance(entry, Stepped):
            if entry.end is None:
                continue
            jobs.append(_record_job(state))
        elif isinstance(entry, Ended):
            jobs.append(_record_job(state))
        elif isinstance(entry, Sat):
            jobs.append(partial(store.attend, table=state.id, person=entry.person))
        changed = True
    if changed:
        touched = clock.moment()
        jobs.append(partial(store.update_table, card=state.card(), attended=state.attended, touched=touched))
    return jobs


def _record_job(state: TableState) -> Job:
    """Keep the record of the match that has ended."""
    end = state.ended
    assert end is not None

    def job(connection: Connection) -> None:
        """In the writer's thread: a long record takes long to make. The table changes only after the commit."""
        assert state.match is not None
        body = state.record(reveal=True)
        card = {
            "id": end.record,
            "game": state.game.name,
            "players": body["players"],
            "returns": list(end.returns),
            "ended": state.touched,
            "how": end.how,
            "actions": len(state.match.log),
            "uploaded": False,
        }
        seats = {place: seat.person for place, seat in enumerate(state.seats) if seat.person is not None}
        store.add_record(connection, card, body, private=state.private, seats=seats)

    return job
