"""Questions at a table, which change nothing: what would be if, the story so far, what a bot would do."""

from collections.abc import Sequence

from ludotheque.core import BadRequest, Decision, Json, Step
from ludotheque.table import requests
from ludotheque.table.context import Context, Handling
from ludotheque.table.effects import Advise, PlayAll
from ludotheque.table.presentation import show_position, tell, told
from ludotheque.table.problems import NotAllowed
from ludotheque.table.rights import playing

CONSIDERED_TOLD = 20


def ping(context: Context, request: requests.Ping) -> Handling:
    """Answer a ping."""
    context.tell({"what": "pong", "id": request.id, "now": context.now.moment}, context.asker())
    yield from ()


def peek(context: Context, request: requests.Peek) -> Handling:
    """What would be after some actions."""
    state, actor = context.state, context.asker()
    match = state.match
    if match is None:
        raise BadRequest("table.not-begun")
    calls, length, number = state.game.capabilities.calls, len(match.log), state.number
    says = calls is not None and request.actions[:1] == (calls.action,)
    position = match.position if says else state.shown or match.position
    steps: Sequence[Step] = yield PlayAll(position, [(action, None) for action in request.actions])
    shown: list[Json] = []
    for action, step in zip(request.actions, steps, strict=True):
        length += 1
        by, position = position.to_move, step.position
        shown.append(told(state.game, by, action, step, state.names, show_position(position, length)))
    context.tell(
        {
            "what": "preview",
            "id": request.id,
            "number": number,
            "steps": shown,
            "position": show_position(position, length, all_odds=True),
        },
        actor,
    )


def story(context: Context, request: requests.AskStory) -> Handling:
    """The match so far in words."""
    state, match, actor = context.state, context.state.match, context.asker()
    shown: Sequence[Json] = ()
    if match is not None and match.log:
        played = list(match.log)
        again = [(entry.action, entry.outcome) for entry in played]
        steps: Sequence[Step] = yield PlayAll(match.first, again)
        shown = [
            told(state.game, entry.by, entry.action, step, state.names, None)
            for entry, step in zip(played, steps, strict=True)
        ][request.start :]
    context.tell(
        {"what": "story", "id": request.id, "number": state.number, "from": request.start, "steps": shown}, actor
    )


def hint(context: Context, request: requests.AskHint) -> Handling:
    """What a bot would do."""
    state, actor = context.state, context.asker()
    others = [one for one in state.people if one != context.person]
    if others and state.status == "playing" and not state.settings.hints:
        raise NotAllowed("table.no-hints")
    playing(state)
    position = state.shown  # nobody is reminded by a hint
    assert position is not None
    if not isinstance(position.to_move, int):
        raise BadRequest("table.nothing-to-decide")
    number = state.number
    decision: Decision = yield Advise(position, request.level)
    context.tell(
        {
            "what": "hint",
            "id": request.id,
            "number": number,
            "action": decision.action,
            "value": decision.value,
            "considered": [{"action": one.action, "value": one.value} for one in decision.considered[:CONSIDERED_TOLD]],
            "level": request.level,
            "reasons": tell(state.game, decision.reasons, state.names),
        },
        actor,
    )
