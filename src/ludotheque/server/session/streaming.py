"""Live turns at a table: a hand's poses go in, frames go out to everyone, and the finished turn becomes a step.

The turn itself runs in a worker, live.py's business.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from ludotheque.core import BadRequest, IllegalAction, Json, JsonObject, Problem
from ludotheque.server.live import LiveHand
from ludotheque.server.schemas import wishes
from ludotheque.server.session.additions import step_line
from ludotheque.server.session.rights import must_sit, playing
from ludotheque.server.session.visitors import Visitor, person_id, write
from ludotheque.server.writer import LeaseLost

if TYPE_CHECKING:
    from ludotheque.server.session.session import Session


async def begin_live(session: "Session", visitor: Visitor, wish: wishes.Begin) -> None:
    """Begin a live turn."""
    position = playing(session.table)
    game = session.table.game
    if game.live is None:
        raise BadRequest(f"{game.title} has no live turns.", f"{game.title} n'a pas de tours en direct.")
    seat = position.to_move
    if not isinstance(seat, int):
        raise BadRequest("The dice are to roll first.", "Il faut d'abord lancer les dés.")
    must_sit(session.table, visitor, seat)
    if session.live is not None:
        raise BadRequest("A turn is going on.", "Un tour est en cours.")
    hand = await session.hall.live.begin(position, wish.wish, partial(show_frame, session), partial(live_over, session))
    session.live = hand
    hand.seat, hand.wish, hand.person, hand.number = seat, wish.id, person_id(visitor), session.table.position_number
    visitor.send(write({"what": "done", "id": wish.id}))


async def hand(session: "Session", visitor: Visitor, wish: wishes.Hand) -> None:
    """What the hand asks for now; only from whose turn it is."""
    if session.live is not None and session.live.person == person_id(visitor):
        session.live.ask(wish.wish)


def show_frame(session: "Session", hand: LiveHand, sample: int, frame: JsonObject) -> None:
    """A frame for everyone. A slow reader misses some, but never one in which something happened."""
    if hand is not session.live:
        return
    text = write({"what": "live", "seat": hand.seat, "sample": sample, "frame": frame})
    for visitor in session.visitors:
        if frame.get("events"):
            visitor.send(text)
        else:
            visitor.send_frame(text)


def live_over(session: "Session", hand: LiveHand, result: tuple[str, Json] | None) -> None:
    """A turn has ended, or was lost with its worker."""
    task = asyncio.ensure_future(_end_live(session, hand, result))
    session.hall.keep(task)


async def _end_live(session: "Session", hand: LiveHand, result: tuple[str, Json] | None) -> None:
    async with session.lock:
        if hand is not session.live or session.dropped:
            return
        session.live = None
        position = session.table.position
        if session.table.position_number != hand.number or session.table.status != "playing" or position is None:
            return
        try:
            if result is None:
                raise IllegalAction("The turn was broken off.", "Le tour a été interrompu.")
            action, outcome = result
            step = await session.hall.referee.play(position, action, outcome)
            await session.add([step_line(session, hand.seat, action, step, wish=hand.wish, person=hand.person)])
        except LeaseLost:
            session.drop()
        except Problem as problem:
            _tell_stopped(session, problem)


def _tell_stopped(session: "Session", problem: Problem) -> None:
    text = write({"what": "live-stopped", "words": problem.text.translations()})
    for visitor in session.visitors:
        visitor.send(text)
