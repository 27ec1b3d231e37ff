"""Requests about seats: sit down, give a number for the dice, stand up, give a seat to a bot, remove somebody, close the table."""

from ludotheque.core import BadRequest
from ludotheque.table import entries as log
from ludotheque.table import requests
from ludotheque.table.context import Context, Handling
from ludotheque.table.effects import person_id
from ludotheque.table.problems import NotAllowed
from ludotheque.table.rights import is_host, may_sit, must_be_open, must_host, my_seats, seat_of
from ludotheque.table.steps import begin_if_ready


def sit(context: Context, request: requests.Sit) -> Handling:
    """Take an open seat; when it was the last one, and every number is there, the match begins."""
    must_be_open(context.state)
    may_sit(context.state, context.person)
    if seat_of(context.state, request.seat).kind != "open":
        raise NotAllowed("table.seat-taken")
    person = context.asker().person
    assert person is not None
    context.add(
        log.Sat(
            request.seat,
            str(person["id"]),
            str(person["name"]),
            (request.number or None) if request.at else None,  # a number counts from when the commitment was seen
            request.name,
            request.id,
        )
    )
    yield from begin_if_ready(context)


def contribute(context: Context, request: requests.Contribute) -> Handling:
    """A person's number for the dice; when it was the last one, and every seat is taken, the match begins."""
    state = context.state
    must_be_open(state)
    if state.status != "waiting":
        raise BadRequest("table.number-late")
    seats = [seat for seat in my_seats(state, context.person, request.seat) if seat in state.awaited]
    if not seats:
        raise BadRequest("table.number-given")
    context.add(log.Contributed(dict.fromkeys(seats, request.number), context.person, request.id))
    yield from begin_if_ready(context)


def stand(context: Context, request: requests.Stand) -> Handling:
    """Leave a seat before the match; the host may send a bot away."""
    state, person = context.state, context.person
    seat = seat_of(state, request.seat)
    if state.status != "waiting":
        raise BadRequest("table.match-begun")
    mine = seat.person is not None and seat.person == person
    if not mine and not (seat.automatic and is_host(state, context.person)):
        raise NotAllowed("table.not-your-seat")
    context.add(log.Stood(request.seat, person, request.id))
    yield from ()


def seat_bot(context: Context, request: requests.SeatBot) -> Handling:
    """Give an open seat to a bot or to a program."""
    must_host(context.state, context.person)
    must_be_open(context.state)
    if seat_of(context.state, request.seat).kind != "open":
        raise NotAllowed("table.seat-taken")
    context.check_player(context.state.game, request.level, request.program)
    level = None if request.program else request.level
    context.add(log.BotSeated(request.seat, level, request.program, None, context.person, request.id))
    yield from begin_if_ready(context)


def set_newcomers(context: Context, request: requests.SetNewcomers) -> Handling:
    """Close the table to newcomers, or open it again; those who are here stay."""
    must_host(context.state, context.person)
    present = () if request.on else tuple(sorted(context.room.present))
    context.add(log.NewcomersSet(request.on, present, context.person, request.id))
    yield from ()


def remove(context: Context, request: requests.Remove) -> Handling:
    """Remove somebody from the table."""
    must_host(context.state, context.person)
    if request.person == context.person:
        raise BadRequest("table.not-oneself")
    if request.person not in context.state.removed:  # a repetition changes nothing
        context.add(log.Removed(request.person))
    nameless = (None,) if context.state.private else ()  # they might be the same person
    gone = {request.person, *nameless}
    context.effects.dismissed = [one for one in context.room.actors if person_id(one) in gone]
    context.done(context.asker(), request.id)
    yield from ()


def forget(context: Context, person: str) -> Handling:
    """A person wants to be forgotten: a bot takes their seats."""
    if person in context.state.people or context.state.host == person:
        context.add(log.Forgotten(person))
    yield from ()
