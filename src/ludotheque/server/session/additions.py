"""Lines that follow from what the rules have allowed: a step, a roll, a match's beginning and its end.

Who may ask for them is checked before; storing and telling them is the session's business.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludotheque.core import Draw, Json, Match, Position, Step, fresh_seed
from ludotheque.server import store

if TYPE_CHECKING:
    from ludotheque.server.session.session import Session

Ready = Step | Match | Position | None
Addition = tuple[str, dict[str, Any], Ready]


def step_line(session: "Session", by: Json, action: str, step: Step, **more: Any) -> Addition:
    """A line for an action that the rules have allowed."""
    body: dict[str, Any] = {"action": action, "by": by, **more}
    if step.outcome is not None:
        body["outcome"] = step.outcome
    table = session.table
    if table.clocks.used and (acting := table.acting) is not None:
        now = asyncio.get_running_loop().time()
        if isinstance(by, int):
            table.clocks.acted(acting, now)
        else:
            table.clocks.rolled(acting, now)
        body["left"] = list(table.clocks.left)
    if step.position.to_move is None:
        body["end"] = ending("played", None, step.position.returns())
    return "step", body, step


async def rolled(session: "Session", **more: Any) -> Addition:
    """A line for what the dice decide now."""
    match = session.table.match
    assert match is not None
    action, number = match.next_draw()
    step = await session.hall.referee.play(match.position, action)
    return roll_line(session, action, number, step, **more)


def roll_line(session: "Session", action: str, draw: Draw, step: Step, **more: Any) -> Addition:
    """A line for what the dice have decided."""
    return step_line(session, "chance", action, step, draw=(draw.place, draw.total, draw.number), **more)


def ending(how: str, seat: int | None, returns: Sequence[float]) -> dict[str, Any]:
    """How a match ended, for its last line: its record gets a name, and the next match a seed."""
    return {
        "how": how,
        "seat": seat,
        "returns": list(returns),
        "record": store.new_id(),
        "next_seed": fresh_seed(),
    }


async def lose(session: "Session", seat: int, how: str, by: dict[str, Any]) -> None:
    """A seat gives up, runs out of time or is claimed: with two the other wins, with more a bot takes over."""
    if len(session.table.seats) > 2:
        await hand_over(session, seat, by)
        return
    session.break_off_live()
    returns = [0.0 if place == seat else 1.0 for place in range(len(session.table.seats))]
    await session.add([("ended", {**ending(how, seat, returns), **by}, None)])


async def hand_over(session: "Session", seat: int, by: dict[str, Any]) -> None:
    """A bot takes a seat over."""
    session.hall.check_player(session.table.game, 3, None)
    session.break_off_live()
    if session.table.clocks.used:  # the bot starts with what the clock gives everyone
        session.table.clocks.fill(seat)
    await session.add([("taken-over", {"seat": seat, "level": 3, **by}, None)])


async def begin_if_full(session: "Session") -> None:
    """Begin the match once every seat is taken."""
    if session.table.status == "waiting" and session.table.full:
        await begin(session)


async def begin(session: "Session") -> None:
    """Begin a match."""
    table = session.table
    match = await session.hall.referee.begin(
        table.game, len(table.seats), table.options, table.next_dice(), table.setup
    )
    await session.add([("began", {}, match)])
