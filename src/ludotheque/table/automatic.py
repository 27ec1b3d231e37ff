"""What goes on by itself at a table: bots act, their dice roll, clocks run out."""

import secrets
from dataclasses import dataclass
from typing import Final

from ludotheque.core import Problem
from ludotheque.table.context import Context, Handling
from ludotheque.table.effects import Cancel, Choose, Forfeited
from ludotheque.table.seats import Seat
from ludotheque.table.steps import lose, play, roll

CLOCK_SLACK: Final = 0.01  # seconds after which a clock has surely run out


@dataclass(frozen=True, slots=True)
class Plan:
    """The next automatic step: `work` chooses it, or it is due at a time with a known action (None: a roll)."""

    number: int
    acting: int | None
    seat: Seat | None
    work: int | None = None
    due: float | None = None
    action: str | None = None


class Automatic:
    """Plans what goes on by itself; the host is told by work and by a deadline."""

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._clock_due: float | None = None

    @property
    def deadline(self) -> float | None:
        """When `tick` is to be called, in the host's seconds."""
        due = None if self._plan is None else self._plan.due
        if due is None or self._clock_due is None:
            return self._clock_due if due is None else due
        return min(due, self._clock_due)

    def plan(self, context: Context) -> None:
        """Plan anew after a change."""
        state, now = context.state, context.now.seconds
        self._clock_due = None
        if state.status != "playing":
            self._replace(context, None)
            return
        acting = state.acting
        if state.clocks.used:
            state.clocks.run(acting, now)
            left = state.clocks.remaining(now)
            if left is not None:
                self._clock_due = now + max(0.0, left) + CLOCK_SLACK
        automatic = all(seat.automatic for seat in state.seats) if acting is None else state.seats[acting].automatic
        rolling = state.rolling
        if not automatic and not (rolling and state.settings.dice == "auto"):
            self._replace(context, None)
            return
        seat = None if acting is None else state.seats[acting]
        old = self._plan
        if old is None or (old.number, old.seat) != (state.position_number, seat):
            self._replace(context, self._next(context, acting, seat))

    def _next(self, context: Context, acting: int | None, seat: Seat | None) -> Plan | None:
        state, position = context.state, context.state.position
        assert position is not None
        due = context.now.seconds + state.settings.pace
        if state.rolling:
            return Plan(state.position_number, acting, seat, due=due)
        if seat is None or acting is None:
            return None
        legal = position.legal()
        if seat.program is None and len(legal.actions) == 1 and not legal.open:
            return Plan(state.position_number, acting, seat, due=due, action=legal.actions[0])
        work = context.hand_out(
            Choose(acting, position, seat.level or 3, seat.program, secrets.randbits(31), not_before=due)
        )
        return Plan(state.position_number, acting, seat, work)

    def _replace(self, context: Context, plan: Plan | None) -> None:
        old, self._plan = self._plan, plan
        if old is not None and old.work is not None:
            context.effects.work = [*context.effects.work, Cancel(old.work)]

    def chosen(self, context: Context, work: int, result: str | Forfeited | Problem) -> Handling:
        """A bot has decided; a decision for an earlier position is ignored. Where no bot could decide, the game goes on."""
        plan, position = self._plan, context.state.position
        if plan is None or plan.work != work or plan.acting is None or position is None:
            return
        self._plan = None
        if isinstance(result, Forfeited):
            lose(context, plan.acting, "resigned")
            return
        action = next(iter(position.legal().actions), None) if isinstance(result, Problem) else result
        if action is not None:
            yield from play(context, plan.acting, action)

    def tick(self, context: Context) -> Handling:
        """Do what is due: an automatic step, or a clock that has run out."""
        now, state, plan = context.now.seconds, context.state, self._plan
        if plan is not None and plan.due is not None and now >= plan.due:
            self._plan = None
            if plan.action is None:
                yield from roll(context)
            elif plan.acting is not None:
                yield from play(context, plan.acting, plan.action)
        elif self._clock_due is not None and now >= self._clock_due:
            self._clock_due = None
            seat, left = state.clocks.running, state.clocks.remaining(now)
            if seat is not None and left is not None and left <= 0:
                lose(context, seat, "time")
