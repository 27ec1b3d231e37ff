"""Questions at a table, which change nothing: what would be if, the story so far, what a bot would do.

Questions without a table are analysis.py's business.
"""

from typing import TYPE_CHECKING

from ludotheque.core import BadRequest, JsonObject
from ludotheque.server import store
from ludotheque.server.problems import NotAllowed
from ludotheque.server.schemas import wishes
from ludotheque.server.seen import show_position, told
from ludotheque.server.session.rights import playing
from ludotheque.server.session.visitors import Visitor, person_id, write

if TYPE_CHECKING:
    from ludotheque.server.session.session import Session


async def ping(_session: "Session", visitor: Visitor, wish: wishes.Ping) -> None:
    """Here I am."""
    visitor.send(write({"what": "pong", "id": wish.id, "now": store.moment()}))


async def peek(session: "Session", visitor: Visitor, wish: wishes.Peek) -> None:
    """What would be after some actions."""
    position = session.table.position
    if position is None:
        raise BadRequest("The match has not begun.", "La partie n'a pas commencé.")
    steps = await session.hall.referee.play_all(position, [(action, None) for action in wish.actions])
    shown, by, last = [], position.to_move, session.table.last
    match = session.table.match
    assert match is not None
    length = len(match.log)
    for action, step in zip(wish.actions, steps, strict=True):
        length += 1
        last = by if isinstance(by, int) else last
        place = show_position(step.position, length, last)
        shown.append(told(session.table.game, by, action, step, session.table.names, place))
        by, position = step.position.to_move, step.position
    visitor.send(
        write(
            {
                "what": "preview",
                "id": wish.id,
                "number": session.table.number,
                "steps": shown,
                "position": show_position(position, length, last, all_odds=True),
            }
        )
    )


async def story(session: "Session", visitor: Visitor, wish: wishes.AskStory) -> None:
    """The match so far in words."""
    match, names, game = session.table.match, session.table.names, session.table.game
    number = session.table.number
    log = [] if match is None else list(match.log)
    steps: list[JsonObject] = []
    if match is not None:
        played = await session.hall.referee.play_all(match.first, [(entry.action, entry.outcome) for entry in log])
        steps = [
            told(game, entry.by, entry.action, step, names, None) for entry, step in zip(log, played, strict=True)
        ][wish.start :]
    visitor.send(write({"what": "story", "id": wish.id, "number": number, "from": wish.start, "steps": steps}))


async def hint(session: "Session", visitor: Visitor, wish: wishes.AskHint) -> None:
    """What a bot would do; a thinking bot does not hold the table up."""
    session.must_hold()
    table, person = session.table, person_id(visitor)
    others = [one for one in table.people if one != person]
    if others and table.status == "playing" and not table.settings.hints:
        raise NotAllowed(
            "Hints are off while another person plays.", "Pas de conseils tant qu'une autre personne joue."
        )
    position = playing(session.table)
    if not isinstance(position.to_move, int):
        raise BadRequest("There is nothing to decide: the dice roll.", "Rien à décider : les dés roulent.")
    number = table.number
    decision = await session.hall.bots.choose(position, wish.level, seconds=1.0)
    visitor.send(
        write(
            {
                "what": "hint",
                "id": wish.id,
                "number": number,
                "action": decision.action,
                "value": decision.value,
                "considered": [{"action": one.action, "value": one.value} for one in decision.considered[:20]],
                "level": wish.level,
            }
        )
    )
