"""Wishes about the match: act, roll, take back, resign, claim, play again.

Seats are seating.py's business, live turns streaming.py's.
"""

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

from ludotheque.core import CHANCE, BadRequest, Position
from ludotheque.server.problems import NotAllowed
from ludotheque.server.schemas import wishes
from ludotheque.server.session.additions import Addition, begin, hand_over, lose, roll_line, rolled, step_line
from ludotheque.server.session.rights import by, must_sit, my_seats, playing
from ludotheque.server.session.visitors import Visitor, person_id

if TYPE_CHECKING:
    from ludotheque.server.session.session import Session


def _may_act(session: "Session", visitor: Visitor) -> tuple[Position, int]:
    """The position and the seat that is to move in it, if the visitor sits there."""
    position = playing(session.table)
    seat = position.to_move
    if not isinstance(seat, int):
        raise BadRequest("The dice are to roll first.", "Il faut d'abord lancer les dés.")
    must_sit(session.table, visitor, seat)
    if session.live is not None:
        raise BadRequest("A turn is going on.", "Un tour est en cours.")
    return position, seat


async def act(session: "Session", visitor: Visitor, wish: wishes.Act) -> None:
    """An action of the seat that is to move."""
    position, seat = _may_act(session, visitor)
    step = await session.hall.referee.play(position, wish.action)
    await session.add([step_line(session, seat, wish.action, step, wish=wish.id, person=person_id(visitor))])


def step_here(session: "Session", visitor: Visitor, wish: wishes.Act | wishes.Roll) -> Addition:
    """What acting or rolling adds at a table whose rules run here: nothing has to be waited for."""
    if isinstance(wish, wishes.Act):
        position, seat = _may_act(session, visitor)
        step = position.play(wish.action)
        return step_line(session, seat, wish.action, step, wish=wish.id, person=person_id(visitor))
    _may_roll(session, visitor)
    match = session.table.match
    assert match is not None
    action, draw = match.next_draw()
    return roll_line(session, action, draw, match.position.play(action), wish=wish.id, person=person_id(visitor))


def _may_roll(session: "Session", visitor: Visitor) -> None:
    """Whether the dice are to roll, and for the visitor."""
    if playing(session.table).to_move != CHANCE:
        raise BadRequest("There is nothing to roll now.", "Il n'y a rien à lancer maintenant.")
    acting = session.table.acting
    if acting is not None:
        must_sit(session.table, visitor, acting)
    elif not session.table.seats_of(person_id(visitor)):
        raise NotAllowed("Only players roll.", "Seuls les joueurs lancent les dés.")


async def roll(session: "Session", visitor: Visitor, wish: wishes.Roll) -> None:
    """Let the dice roll."""
    _may_roll(session, visitor)
    await session.add([await rolled(session, wish=wish.id, person=person_id(visitor))])


async def ask_takeback(session: "Session", visitor: Visitor, wish: wishes.AskTakeback) -> None:
    """Ask to take back my last move; where nobody else need agree, it is done at once."""
    playing(session.table)
    table = session.table
    if not table.settings.takebacks:
        raise NotAllowed("At this table moves stand.", "À cette table, un coup joué est joué.")
    if table.takeback is not None:
        raise BadRequest("A takeback is already asked for.", "Une reprise est déjà demandée.")
    if session.live is not None:
        raise BadRequest("A turn is going on.", "Un tour est en cours.")
    seats = my_seats(session.table, visitor, wish.seat)
    match = table.match
    assert match is not None
    length = next((place for place in range(len(match.log) - 1, -1, -1) if match.log[place].by in seats), None)
    if length is None:
        raise BadRequest("You have not moved yet.", "Vous n'avez pas encore joué.")
    seat = match.log[length].by
    person = person_id(visitor)
    agreed = [place for place, one in enumerate(table.seats) if one.automatic or one.person == person]
    whose = by(visitor, wish)
    if len(agreed) == len(table.seats):
        await _take_back(session, length, whose)
    else:
        await session.add([("takeback-asked", {"seat": seat, "length": length, "agreed": agreed, **whose}, None)])


async def answer_takeback(session: "Session", visitor: Visitor, wish: wishes.AnswerTakeback) -> None:
    """Agree or not; when all have agreed, the match goes back."""
    table, asked = session.table, session.table.takeback
    if asked is None:
        raise BadRequest("No takeback is asked for.", "Aucune reprise n'est demandée.")
    seats = table.seats_of(person_id(visitor))
    if not seats:
        raise NotAllowed("Only players answer.", "Seuls les joueurs répondent.")
    whose = by(visitor, wish)
    if not wish.yes:
        await session.add([("takeback-refused", whose, None)])
        return
    agreed = sorted({*asked.agreed, *seats})
    if len(agreed) == len(table.seats):
        await _take_back(session, asked.length, whose)
    else:
        body = {"seat": asked.seat, "length": asked.length, "agreed": agreed, **whose}
        await session.add([("takeback-asked", body, None)])


async def _take_back(session: "Session", length: int, whose: dict[str, Any]) -> None:
    match = session.table.match
    assert match is not None
    position = await session.hall.referee.at(match, length)
    body: dict[str, Any] = {"length": length, **whose}
    if session.table.clocks.used:
        session.table.clocks.stop(asyncio.get_running_loop().time())
        body["left"] = list(session.table.clocks.left)
    await session.add([("takeback", body, position)])


async def resign(session: "Session", visitor: Visitor, wish: wishes.Resign) -> None:
    """Give up."""
    playing(session.table)
    seats = my_seats(session.table, visitor, wish.seat)
    acting = session.table.acting
    seat = acting if acting in seats else seats[0]
    await lose(session, seat, "resigned", by(visitor, wish))


async def claim(session: "Session", visitor: Visitor, wish: wishes.Claim) -> None:
    """Claim the game of somebody who has been away for too long."""
    playing(session.table)
    table = session.table
    my_seats(session.table, visitor, None)
    acting = table.acting
    absent = table.seats[acting].person if acting is not None else None
    away = session.away.get(absent) if absent is not None else None
    wait = table.settings.claim_after
    if acting is None or away is None or asyncio.get_running_loop().time() - away < wait:
        raise BadRequest(
            f"A game can be claimed when the player whose turn it is has been away for {wait:g} seconds.",
            f"On peut réclamer la partie quand le joueur dont c'est le tour est absent depuis {wait:g} secondes.",
        )
    if wish.as_ == "win" and len(table.seats) == 2:
        await lose(session, acting, "claimed", by(visitor, wish))
    else:
        await hand_over(session, acting, by(visitor, wish))


async def rematch(session: "Session", visitor: Visitor, wish: wishes.Rematch) -> None:
    """Ready for the next match; when all are, it begins."""
    if session.table.status != "over":
        raise BadRequest("The match is not over.", "La partie n'est pas finie.")
    seats = my_seats(session.table, visitor, None)
    shares = {str(seat): wish.number or secrets.token_hex(8) for seat in seats}
    await session.add([("rematch", {"shares": shares, **by(visitor, wish)}, None)])
    if all(seat.automatic or place in session.table.rematch for place, seat in enumerate(session.table.seats)):
        await begin(session)
