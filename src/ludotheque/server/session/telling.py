"""What everyone at a table is told: a line as a message, the whole state, who is here.

When it is told is the session's business; how positions look, seen.py's.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ludotheque.core import Json, JsonObject, Step
from ludotheque.server import store
from ludotheque.server.log import Line
from ludotheque.server.seen import show_position, tell
from ludotheque.server.session.rights import is_host
from ludotheque.server.session.visitors import Visitor, person_id, write

if TYPE_CHECKING:
    from ludotheque.server.session.session import Session

APPLIED_TOLD: Final = 16  # of a person's wishes, in a state


def shown_position(session: "Session") -> JsonObject | None:
    """The position for clients."""
    match = session.table.match
    if match is None:
        return None
    shown = show_position(match.position, len(match.log), session.table.last)
    return _silenced(shown) if session.table.status == "over" and not shown["over"] else shown


def shown_clocks(session: "Session") -> JsonObject | None:
    """The clocks for clients, where time matters."""
    return session.table.clocks.show(asyncio.get_running_loop().time(), store.moment())


def rendered(session: "Session", line: Line, step: Step | None) -> bytes:
    """A line as the message that everyone gets."""
    table, body = session.table, line.body
    if step is not None:
        return write(
            {
                "what": "step",
                "number": line.number,
                "wish": body.get("wish"),
                "by": body["by"],
                "action": body["action"],
                "events": tell(table.game, step.events, table.names),
                "outcome": step.outcome,
                "position": shown_position(session),
                "clocks": shown_clocks(session) if table.clocks.used else None,
                "table": table.inside(session.present) if "end" in body else None,
            }
        )
    return write(
        {
            "what": "table",
            "number": line.number,
            "wish": body.get("wish"),
            "why": body["how"] if line.kind == "ended" else line.kind,
            "person": _person(session, body.get("person")),
            "table": table.inside(session.present),
            "position": shown_position(session),
            "clocks": shown_clocks(session),
        }
    )


def _person(session: "Session", person: str | None) -> JsonObject | None:
    if person is None:
        return None
    for visitor in session.visitors:
        if visitor.person is not None and visitor.person["id"] == person:
            return visitor.person
    return {"id": person, "name": ""}


def send_state(session: "Session", visitor: Visitor, why: str, wish: str | None = None) -> None:
    """Everything, for one visitor."""
    table, person = session.table, person_id(visitor)
    muted = session.muted.get(person or "", ())
    match = table.match
    applied = [one for who, one in table.wishes if who == person and person is not None]
    visitor.send(
        write(
            {
                "what": "state",
                "number": table.number,
                "you": {
                    "person": visitor.person,
                    "seats": table.seats_of(person),
                    "host": is_host(session.table, visitor),
                },
                "table": table.inside(session.present),
                "position": shown_position(session),
                "log": [{"by": entry.by, "action": entry.action} for entry in match.log] if match else [],
                "clocks": shown_clocks(session),
                "here": people_here(session),
                "said": [one for one in session.said if _speaker(one) not in muted],
                "applied": applied[-APPLIED_TOLD:],
                "live": session.live is not None,
                "why": why,
                "id": wish,
            }
        )
    )


def people_here(session: "Session") -> list[Mapping[str, Json]]:
    """Those who are connected, each once."""
    here = {str(visitor.person["id"]): visitor.person for visitor in session.visitors if visitor.person is not None}
    return list(here.values())


def tell_here(session: "Session") -> None:
    """Tell everyone who is here."""
    present = session.present
    text = write(
        {
            "what": "here",
            "people": people_here(session),
            "watching": len(session.visitors),
            "seats": [seat.automatic or seat.person in present for seat in session.table.seats],
        }
    )
    for visitor in session.visitors:
        visitor.send(text)


def _silenced(shown: JsonObject) -> JsonObject:
    """Once a match has been given up, nothing is legal and nobody acts."""
    return {**shown, "acting": None, "legal": {"actions": (), "odds": (), "open": ()}}


def _speaker(said: JsonObject) -> Json:
    person = said["person"]
    return person["id"] if isinstance(person, Mapping) else None
