"""Who may do what at a table: the checks that every wish goes through.

What a wish then does is in the module of its subject.
"""

from typing import Any

from ludotheque.core import BadRequest, Position
from ludotheque.server.log import Seat
from ludotheque.server.problems import NotAllowed
from ludotheque.server.schemas import wishes
from ludotheque.server.session.visitors import Visitor, person_id
from ludotheque.server.table import Table


def playing(table: Table) -> Position:
    """The position that is being played; BadRequest when none is."""
    position = table.position
    if position is None or table.status != "playing":
        raise BadRequest("No match is being played now.", "Aucune partie n'est en cours.")
    return position


def seat_of(table: Table, number: int) -> Seat:
    """A seat by its number."""
    if number >= len(table.seats):
        raise BadRequest("There is no such seat.", "Cette place n'existe pas.")
    return table.seats[number]


def must_sit(table: Table, visitor: Visitor, seat: int) -> None:
    """Only whoever sits there may go on."""
    person = person_id(visitor)
    if person is None or table.seats[seat].person != person:
        raise NotAllowed("It is not your turn.", "Ce n'est pas votre tour.")


def my_seats(table: Table, visitor: Visitor, wanted: int | None) -> list[int]:
    """A visitor's seats, or the one that they name; they must sit there."""
    seats = table.seats_of(person_id(visitor))
    if not seats or (wanted is not None and wanted not in seats):
        raise NotAllowed("You do not sit there.", "Vous n'êtes pas assis là.")
    return seats if wanted is None else [wanted]


def is_host(table: Table, visitor: Visitor) -> bool:
    """Whether a visitor opened this table."""
    return table.host is not None and table.host == person_id(visitor)


def must_host(table: Table, visitor: Visitor) -> None:
    """Only the host may go on."""
    if not is_host(table, visitor):
        raise NotAllowed("Only the table's host can do that.", "Seul l'hôte de la table peut faire cela.")


def by(visitor: Visitor, wish: wishes.Wish) -> dict[str, Any]:
    """Whose wish a line carries out."""
    return {"person": person_id(visitor), "wish": wish.id}
