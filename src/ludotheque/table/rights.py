"""Who may do what at a table: the checks that requests go through."""

from ludotheque.core import BadRequest, Position
from ludotheque.table.problems import NotAllowed
from ludotheque.table.seats import Seat
from ludotheque.table.state import TableState


def playing(state: TableState) -> Position:
    """The position that is being played; BadRequest when none is, or when its rules are not here."""
    must_be_open(state)
    position = state.position
    if position is None or state.status != "playing":
        raise BadRequest("table.no-match")
    return position


def must_be_open(state: TableState) -> None:
    """Refuse whatever needs rules that are no longer there."""
    if state.closed is not None:
        raise BadRequest(state.closed)


def seat_of(state: TableState, number: int) -> Seat:
    """A seat by its number."""
    if number >= len(state.seats):
        raise BadRequest("table.no-such-seat")
    return state.seats[number]


def must_sit(state: TableState, person: str | None, seat: int) -> None:
    """Refuse whoever does not sit there."""
    if person is None or state.seats[seat].person != person:
        raise NotAllowed("table.not-your-turn")


def my_seats(state: TableState, person: str | None, wanted: int | None) -> list[int]:
    """A person's seats, or the one that they name; they must sit there."""
    seats = state.seats_of(person)
    if not seats or (wanted is not None and wanted not in seats):
        raise NotAllowed("table.not-seated-there")
    return seats if wanted is None else [wanted]


def may_enter(state: TableState, person: str | None) -> None:
    """Refuse to show the table to whoever was removed, and to newcomers where it is closed to them.

    Where somebody was removed from a private table, nobody watches without a name: it could be them.
    """
    if person is not None and person in state.removed:
        raise NotAllowed("table.removed")
    if state.private and state.removed and person is None:
        raise NotAllowed("table.names-only")
    if not state.newcomers and not _belongs(state, person) and person not in state.admitted:
        raise NotAllowed("table.closed-to-newcomers")


def may_sit(state: TableState, person: str | None) -> None:
    """Refuse a seat where the table is closed to newcomers, unless they have one already."""
    if not state.newcomers and not _belongs(state, person):
        raise NotAllowed("table.closed-to-newcomers")


def _belongs(state: TableState, person: str | None) -> bool:
    return is_host(state, person) or bool(state.seats_of(person))


def is_host(state: TableState, person: str | None) -> bool:
    """Whether a person opened this table."""
    return state.host is not None and state.host == person


def must_host(state: TableState, person: str | None) -> None:
    """Refuse whoever did not open this table."""
    if not is_host(state, person):
        raise NotAllowed("table.only-the-host")
