"""Wishes about seats: sit down, stand up, give a seat to a bot, show somebody out.

What is played is moves.py's business.
"""

import secrets
from typing import TYPE_CHECKING, Any

from ludotheque.core import BadRequest
from ludotheque.server.problems import NotAllowed
from ludotheque.server.schemas import wishes
from ludotheque.server.session.additions import begin_if_full
from ludotheque.server.session.keeping import attendance_job
from ludotheque.server.session.rights import by, is_host, must_host, seat_of
from ludotheque.server.session.visitors import REMOVED, Visitor, person_id, write

if TYPE_CHECKING:
    from ludotheque.server.session.session import Session


async def sit(session: "Session", visitor: Visitor, wish: wishes.Sit) -> None:
    """Take an open seat; when it was the last one, the match begins."""
    seat = seat_of(session.table, wish.seat)
    if seat.kind != "open":
        raise NotAllowed("This seat is taken.", "Cette place est prise.")
    person = visitor.person
    assert person is not None
    body = {
        "seat": wish.seat,
        "person": person["id"],
        "person_name": person["name"],
        "name": wish.name,
        "share": wish.number or secrets.token_hex(8),
        "wish": wish.id,
    }
    await session.add([("sit", body, None)], [attendance_job(session.table, str(person["id"]))])
    await begin_if_full(session)


async def stand(session: "Session", visitor: Visitor, wish: wishes.Stand) -> None:
    """Leave a seat before the match; the host may send a bot away."""
    seat = seat_of(session.table, wish.seat)
    if session.table.status != "waiting":
        raise BadRequest("The match has begun; you can resign.", "La partie a commencé ; vous pouvez abandonner.")
    mine = seat.person is not None and seat.person == person_id(visitor)
    if not mine and not (seat.automatic and is_host(session.table, visitor)):
        raise NotAllowed("This is not your seat.", "Ce n'est pas votre place.")
    await session.add([("stand", {"seat": wish.seat, **by(visitor, wish)}, None)])


async def bot(session: "Session", visitor: Visitor, wish: wishes.Bot) -> None:
    """Give an open seat to a bot or to a program."""
    must_host(session.table, visitor)
    if seat_of(session.table, wish.seat).kind != "open":
        raise NotAllowed("This seat is taken.", "Cette place est prise.")
    body: dict[str, Any] = {
        "seat": wish.seat,
        "level": None if wish.program else wish.level,
        "program": wish.program,
        "share": secrets.token_hex(8),
        **by(visitor, wish),
    }
    session.hall.check_player(session.table.game, wish.level, wish.program)
    await session.add([("bot", body, None)])
    await begin_if_full(session)


async def remove(session: "Session", visitor: Visitor, wish: wishes.Remove) -> None:
    """Show somebody out."""
    must_host(session.table, visitor)
    if wish.person == person_id(visitor):
        raise BadRequest("You cannot show yourself out.", "On ne se met pas soi-même à la porte.")
    await session.add([("removed", {"person": wish.person}, None)])
    for other in [one for one in session.visitors if person_id(one) == wish.person]:
        other.leave(REMOVED, "removed")
    visitor.send(write({"what": "done", "id": wish.id}))
