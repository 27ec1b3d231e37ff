"""What everyone at a table is told: an entry as a message, the whole state, who is here."""

from collections.abc import Sequence
from typing import Final

from ludotheque.core import JsonObject, Step
from ludotheque.table.effects import Actor, Now, person_id
from ludotheque.table.entries import Change, Ended, Stepped
from ludotheque.table.presentation import show_position, tell, without_actions
from ludotheque.table.room import Room
from ludotheque.table.state import TableState

VERSION: Final = 1
"""Of the messages; docs/network.md describes them."""
APPLIED_TOLD: Final = 16  # of a person's requests, in a state


def shown_position(state: TableState) -> JsonObject | None:
    """The current position in messages."""
    match = state.match
    if match is None:
        return None
    shown = show_position(state.shown or match.position, len(match.log))
    return without_actions(shown) if state.status == "over" and not shown["over"] else shown


def shown_clocks(state: TableState, now: Now) -> JsonObject | None:
    """The clocks in messages."""
    return state.clocks.json(now.seconds, now.moment)


def step_message(state: TableState, room: Room, entry: Stepped, step: Step, now: Now) -> JsonObject:
    """An action that was played."""
    return {
        "what": "step",
        "number": state.number,
        "request": entry.request,
        "by": entry.by,
        "action": entry.action,
        "events": tell(state.game, step.events, state.names),
        "outcome": step.outcome,
        "position": shown_position(state),
        "clocks": shown_clocks(state, now) if state.clocks.used else None,
        "table": state.inside(room.present) if entry.end is not None else None,
    }


def table_message(state: TableState, room: Room, entry: Change, now: Now) -> JsonObject:
    """Any other entry."""
    return {
        "what": "table",
        "number": state.number,
        "request": entry.request,
        "why": entry.end.how if isinstance(entry, Ended) else entry.kind,
        "person": None if entry.person is None else room.person(entry.person),
        "table": state.inside(room.present),
        "position": shown_position(state),
        "clocks": shown_clocks(state, now),
    }


def state_message(
    state: TableState, room: Room, actor: Actor, now: Now, why: str, *, live: bool, request: str | None = None
) -> JsonObject:
    """Everything, for one reader."""
    person, match = person_id(actor), state.match
    applied = [] if person is None else list(state.requests.get(person, ()))
    return {
        "what": "state",
        "number": state.number,
        "you": {
            "person": actor.person,
            "seats": state.seats_of(person),
            "host": state.host is not None and state.host == person,
        },
        "table": state.inside(room.present),
        "position": shown_position(state),
        "log": [{"by": entry.by, "action": entry.action} for entry in match.log] if match else [],
        "clocks": shown_clocks(state, now),
        "here": room.people,
        "said": room.said_to(person),
        "applied": applied[-APPLIED_TOLD:],
        "live": live,
        "why": why,
        "id": request,
    }


def welcome_message(state: TableState, actor: Actor, now: Now) -> JsonObject:
    """The answer to hello."""
    return {
        "what": "welcome",
        "version": VERSION,
        "person": actor.person,
        "number": state.number,
        "now": now.moment,
    }


def here_message(state: TableState, room: Room) -> JsonObject:
    """Who is connected."""
    present = room.present
    seats: Sequence[bool] = [seat.automatic or seat.person in present for seat in state.seats]
    return {"what": "here", "people": room.people, "watching": len(room.actors), "seats": seats}
