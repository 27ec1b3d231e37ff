"""Requests about the match: act, roll, take back, resign, claim, play again."""

from ludotheque.core import CHANCE, BadRequest, Call, Calls, IllegalAction, JsonObject
from ludotheque.table import entries as log
from ludotheque.table import requests
from ludotheque.table.context import Context, Handling
from ludotheque.table.effects import ReplayTo
from ludotheque.table.problems import NotAllowed
from ludotheque.table.rights import is_host, must_be_open, must_sit, my_seats, playing
from ludotheque.table.steps import begin, hand_over, lose, play, roll


def no_live_turn(context: Context) -> None:
    """Refuse what cannot be done while a live turn goes on."""
    if context.live is not None:
        raise BadRequest("table.live-turn")


def seat_to_move(context: Context) -> int:
    """The seat that is to move, if whoever asks sits there."""
    seat = playing(context.state).to_move
    if not isinstance(seat, int):
        raise BadRequest("table.roll-first")
    must_sit(context.state, context.person, seat)
    no_live_turn(context)
    return seat


def act(context: Context, request: requests.Act) -> Handling:
    """An action of the seat that is to move, or what real dice show."""
    by: log.By
    calls = context.state.game.capabilities.calls
    if calls is not None:
        if request.action == calls.action:
            _must_be_timely(context, calls)
        elif (call := unsaid_before(context)) is not None and not _keeps_silent(context, call, request.action):
            return catch(context, call, request.action, request.id)
        elif (call := context.state.call) is not None and call.unsaid not in (None, request.action):
            raise NotAllowed("table.not-your-turn")  # and no word of what would be possible
    if context.state.settings.typed_dice and playing(context.state).to_move == CHANCE:
        _may_roll(context)
        by = CHANCE
    else:
        by = seat_to_move(context)
    return play(context, by, request.action, None, None, context.person, request.id)


def _must_be_timely(context: Context, calls: Calls) -> None:
    """Tell whoever says something at the wrong time that it means nothing."""
    state = context.state
    position = playing(state)
    seat = position.to_move
    if (
        seat not in state.seats_of(context.person)
        or context.live is not None
        or calls.action not in position.legal().actions
    ):
        raise IllegalAction(calls.untimely)


def _keeps_silent(context: Context, call: Call, action: str) -> bool:
    """Whether this is the action of the one who has something to say, at a device that several share."""
    return action == call.unsaid and context.state.seats[call.by].person == context.person


def unsaid_before(context: Context) -> Call | None:
    """What somebody else has not said yet, if whoever asks sits where its time is ended by beginning."""
    call = context.state.call
    if call is None or call.unsaid is None or context.state.seats[call.next].person != context.person:
        return None
    return call


def catch(context: Context, call: Call, begun: JsonObject | str, request: str) -> Handling:
    """The next player begins, and something has not been said: it counts as unsaid, and the beginning as none."""
    calls = context.state.game.capabilities.calls
    assert calls is not None
    assert call.unsaid is not None
    no_live_turn(context)
    calls.check_begin(call.shown, begun)
    return play(context, call.by, call.unsaid, None, None, context.person, request)


def roll_dice(context: Context, request: requests.Roll) -> Handling:
    """Let the dice roll."""
    if playing(context.state).to_move != CHANCE:
        raise BadRequest("table.nothing-to-roll")
    _may_roll(context)
    return roll(context, context.person, request.id)


def _may_roll(context: Context) -> None:
    """Refuse whoever may not roll the dice now."""
    state = context.state
    acting = state.acting
    if state.settings.typed_dice and is_host(state, context.person):
        return
    if acting is not None:
        must_sit(state, context.person, acting)
    elif not state.seats_of(context.person):
        raise NotAllowed("table.only-players-roll")


def ask_takeback(context: Context, request: requests.AskTakeback) -> Handling:
    """Ask to take back my last move; where nobody else need agree, it is done at once."""
    state = context.state
    playing(state)
    if not state.settings.takebacks:
        raise NotAllowed("table.no-takebacks")
    if state.takeback is not None:
        raise BadRequest("table.takeback-pending")
    no_live_turn(context)
    seats = my_seats(state, context.person, request.seat)
    assert state.match is not None
    played = state.match.log
    length = next((place for place in range(len(played) - 1, -1, -1) if played[place].by in seats), None)
    if length is None:
        raise BadRequest("table.not-moved-yet")
    seat, person = played[length].by, context.person
    assert isinstance(seat, int)
    agreed = tuple(place for place, one in enumerate(state.seats) if one.automatic or one.person == person)
    if len(agreed) == len(state.seats):
        yield from _take_back(context, length, person, request.id)
    else:
        context.add(log.TakebackAsked(seat, length, agreed, person, request.id))


def answer_takeback(context: Context, request: requests.AnswerTakeback) -> Handling:
    """Agree or not; when all have agreed, the match goes back."""
    state, person = context.state, context.person
    asked = state.takeback
    if asked is None:
        raise BadRequest("table.no-takeback")
    seats = state.seats_of(person)
    if not seats:
        raise NotAllowed("table.only-players-answer")
    if not request.yes:
        context.add(log.TakebackRefused(person, request.id))
        return
    agreed = tuple(sorted({*asked.agreed, *seats}))
    if len(agreed) == len(state.seats):
        yield from _take_back(context, asked.length, person, request.id)
    else:
        context.add(log.TakebackAsked(asked.seat, asked.length, agreed, person, request.id))


def _take_back(context: Context, length: int, person: str | None, request: str) -> Handling:
    state = context.state
    match = state.match
    assert match is not None
    kept = tuple((entry.action, entry.outcome) for entry in match.log[:length])
    position = yield ReplayTo(match.first, kept)
    left = None
    if state.clocks.used:
        state.clocks.stop(context.now.seconds)
        left = tuple(state.clocks.left)
    context.add(log.TakenBack(length, left, person, request), position)


def resign(context: Context, request: requests.Resign) -> Handling:
    """Give up."""
    playing(context.state)
    seats = my_seats(context.state, context.person, request.seat)
    acting = context.state.acting
    lose(context, acting if acting in seats else seats[0], "resigned", context.person, request.id)
    yield from ()


def claim(context: Context, request: requests.Claim) -> Handling:
    """Claim the game of somebody who has been away for too long."""
    state = context.state
    playing(state)
    my_seats(state, context.person, None)
    acting = state.acting
    absent = state.seats[acting].person if acting is not None else None
    away = context.room.away.get(absent) if absent is not None else None
    wait = state.settings.claim_after
    if acting is None or away is None or context.now.seconds - away < wait:
        raise BadRequest("table.claim-later", seconds=f"{wait:g}")
    if request.claimed_as == "win" and len(state.seats) == 2:
        lose(context, acting, "claimed", context.person, request.id)
    else:
        hand_over(context, acting, context.person, request.id)
    yield from ()


def rematch(context: Context, request: requests.Rematch) -> Handling:
    """Ready for the next match, or no longer; when all are, it begins."""
    state = context.state
    if state.status != "over":
        raise BadRequest("table.not-over")
    must_be_open(state)
    seats = my_seats(state, context.person, None)
    if not request.on:
        ready = tuple(seat for seat in seats if seat in state.rematch)
        if not ready:
            raise BadRequest("table.no-rematch")
        context.add(log.RematchWithdrawn(ready, context.person, request.id))
        return
    shares = dict.fromkeys(seats, request.number or None)
    context.add(log.RematchAgreed(shares, context.person, request.id))
    if all(seat.automatic or place in state.rematch for place, seat in enumerate(state.seats)):
        yield from begin(context)
