"""Live turns at a table: the hand's poses go in, frames go out to everyone, and the finished turn becomes a step."""

from ludotheque.core import BadRequest, IllegalAction, Json, Problem
from ludotheque.table import requests
from ludotheque.table.context import Context, Handling, LiveTurn
from ludotheque.table.effects import Cancel, Live, Steer
from ludotheque.table.moves import catch, seat_to_move, unsaid_before
from ludotheque.table.problems import NotAllowed
from ludotheque.table.rights import playing
from ludotheque.table.steps import play


def begin_live(context: Context, request: requests.BeginLive) -> Handling:
    """Begin a live turn."""
    state, actor, person = context.state, context.asker(), context.person
    position = playing(state)
    if state.game.capabilities.live is None:
        raise BadRequest("table.no-live-turns", title=state.game.title)
    if (call := unsaid_before(context)) is not None:
        yield from catch(context, call, request.hand, request.id)
        return
    if state.call is not None and state.call.unsaid is not None:
        raise NotAllowed("table.not-your-turn")
    seat = seat_to_move(context)
    work = Live(position, request.hand)
    yield work
    context.live = LiveTurn(work.id, seat, person, request.id, state.position_number)
    context.done(actor, request.id)


def move_hand(context: Context, request: requests.MoveHand) -> Handling:
    """What the hand does now; only whoever's turn it is moves it."""
    live = context.live
    if live is not None and live.person == context.person:
        context.effects.work = [Steer(live.id, request.hand)]
    yield from ()


def break_off(context: Context) -> None:
    """Stop a live turn that no longer counts."""
    if context.live is not None:
        context.effects.work = [*context.effects.work, Cancel(context.live.id)]
        context.live = None


def end_live(context: Context, live: LiveTurn, result: tuple[str, Json] | None) -> Handling:
    """A live turn has ended with an action and its outcome, or was lost with its worker (None)."""
    state = context.state
    if state.position_number != live.number or state.status != "playing":
        return
    try:
        if result is None:
            raise IllegalAction("table.turn-broken-off")
        action, outcome = result
        yield from play(context, live.seat, action, outcome, None, live.person, live.request)
    except Problem as problem:
        context.tell_all({"what": "live-stopped", "words": problem.text.translations()})
