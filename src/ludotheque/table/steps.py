"""Steps, beginnings and ends of matches. Who may ask for them is checked before."""

import secrets
from collections.abc import Sequence

from ludotheque.core import CHANCE, Draw, Json, Step, fresh_seed
from ludotheque.table import entries as log
from ludotheque.table.context import Context, Handling
from ludotheque.table.effects import Play, Start
from ludotheque.table.state import TAKEOVER_LEVEL, TableState


def play(
    context: Context,
    by: log.By,
    action: str,
    outcome: Json = None,
    draw: Draw | None = None,
    person: str | None = None,
    request: str | None = None,
) -> Handling:
    """Play one action of a seat or of chance, and log it; IllegalAction changes nothing."""
    state = context.state
    assert state.match is not None
    step: Step = yield Play(state.match.position, action, outcome)
    context.add(_entry(context, by, action, step, draw, person, request), step)


def roll(context: Context, person: str | None = None, request: str | None = None) -> Handling:
    """Play what the dice decide."""
    match = context.state.match
    assert match is not None
    action, draw = match.next_draw()
    return play(context, CHANCE, action, None, draw, person, request)


def _entry(
    context: Context,
    by: log.By,
    action: str,
    step: Step,
    draw: Draw | None,
    person: str | None,
    request: str | None,
) -> log.Stepped:
    state, left = context.state, None
    if state.clocks.used and (acting := state.acting) is not None:
        call = state.call
        if call is not None and call.unsaid is None:
            state.clocks.pause()  # the next player does not pay for the time in which somebody else pays
        elif call is not None:
            state.clocks.stop(context.now.seconds)
        elif by == CHANCE:
            state.clocks.rolled(acting, context.now.seconds)
        else:
            state.clocks.acted(acting, context.now.seconds)
        left = tuple(state.clocks.left)
    end = ending(state, "played", None, step.position.returns()) if step.position.to_move is None else None
    return log.Stepped(by, action, step.outcome, draw, left, end, person, request)


def ending(state: TableState, how: log.EndedHow, seat: int | None, returns: Sequence[float]) -> log.Ending:
    """How a match ended: its record gets an id, its seed is revealed, and the next match gets one, unless the table closes."""
    next_seed = "" if state.seed_lost else fresh_seed()
    return log.Ending(how, seat, tuple(returns), secrets.token_urlsafe(16), next_seed, state.seed or None)


def rolls_at_once(state: TableState) -> bool:
    """Whether the dice roll at once: the table wants it so, and no bot is to be watched doing it."""
    if state.settings.dice != "auto" or not state.rolling:
        return False
    acting = state.acting
    return acting is None or not state.seats[acting].automatic


def lose(context: Context, seat: int, how: log.EndedHow, person: str | None = None, request: str | None = None) -> None:
    """A seat gives up, runs out of time or is claimed: with two the other wins, with more a bot takes over."""
    seats = len(context.state.seats)
    if seats > 2:
        hand_over(context, seat, person, request)
        return
    returns = [0.0 if place == seat else 1.0 for place in range(seats)]
    context.add(log.Ended(ending(context.state, how, seat, returns), person, request))


def hand_over(context: Context, seat: int, person: str | None = None, request: str | None = None) -> None:
    """A bot takes a seat over."""
    context.check_player(context.state.game, TAKEOVER_LEVEL, None)
    if context.state.clocks.used:
        context.state.clocks.fill(seat)
    context.add(log.TakenOver(seat, TAKEOVER_LEVEL, person, request))


def begin(context: Context) -> Handling:
    """Begin a match; from the second on the start goes round."""
    state = context.state
    first, order = state.next_starter(), state.next_order()
    match = yield Start(state.game, len(state.seats), state.options_for(first), state.next_dice(order), state.setup)
    context.add(log.Began(match.first.view(), first=first, order=order), match)


def begin_if_ready(context: Context) -> Handling:
    """Begin the first match once every seat is taken and every person's number is there."""
    state = context.state
    if state.status == "waiting" and state.full and not state.awaited:
        yield from begin(context)
