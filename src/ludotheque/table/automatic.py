"""What goes on by itself at a table: bots act and say what they have to, their dice roll, clocks run out, and a match begins
without the number of somebody who sends none.
"""

import secrets
from dataclasses import dataclass, replace
from typing import Final

from ludotheque.core import Call, Problem
from ludotheque.table import entries as log
from ludotheque.table.context import Context, Handling
from ludotheque.table.effects import Cancel, Choose, Forfeited
from ludotheque.table.seats import Seat
from ludotheque.table.steps import begin_if_ready, lose, play, roll

CLOCK_SLACK: Final = 0.01  # seconds after which a clock has surely run out
SILENCE: Final = 5.0
"""Seconds that a person who is here has for their number, once every seat is taken; then the match begins without it. The
host makes up none in its place: nobody could tell it from one that was chosen to go with the seed."""
LISTENS: Final = 3.0  # seconds that a bot gives others who may have something to say, before it begins
SPEAKS: Final = (1.0, 3.0)  # seconds after which a bot says what it has to, at least and at most


@dataclass(frozen=True, slots=True)
class Plan:
    """The next automatic step: `work` chooses it, or it is due at a time with a known action (None: a roll).

    It is made for a position, by its number, and for whoever sits at the seats that it depends on.
    """

    number: int
    acting: int | None
    seats: tuple[Seat, ...]
    work: int | None = None
    due: float | None = None
    action: str | None = None
    begins: float | None = None
    """When the next player, a bot, begins if the bot that `work` asks has nothing to say."""


class Automatic:
    """Plans what goes on by itself; the host is told by work and by a deadline."""

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._clock_due: float | None = None
        self._silent: dict[int, float] = {}  # until when, by seat: those who are here and whose numbers are awaited

    @property
    def deadline(self) -> float | None:
        """When `tick` is to be called, in the host's seconds."""
        due = None if self._plan is None else self._plan.due
        if self._silent:
            return min(self._silent.values())  # nothing else goes on before the first match
        if due is None or self._clock_due is None:
            return self._clock_due if due is None else due
        return min(due, self._clock_due)

    def watch_numbers(self, context: Context) -> None:
        """Somebody came or went, or something changed: see for whose numbers the match waits now."""
        state = context.state
        if state.status != "waiting":
            self._silent = {}
            return
        here = [seat for seat in state.awaited if state.seats[seat].person in context.room.present]
        due = context.now.seconds + SILENCE
        self._silent = {seat: self._silent.get(seat, due) for seat in here} if state.full else {}

    def plan(self, context: Context) -> None:
        """Plan anew after a change."""
        state, now = context.state, context.now.seconds
        self._clock_due = None
        if state.status != "playing":
            self._replace(context, None)
            return
        acting = state.acting
        if state.clocks.used:
            state.clocks.run(state.timed, now)
            left = state.clocks.remaining(now)
            if left is not None:
                self._clock_due = now + max(0.0, left) + CLOCK_SLACK
        call = state.call
        if call is not None and call.unsaid is not None:
            self._plan_call(context, call)
            return
        automatic = all(seat.automatic for seat in state.seats) if acting is None else state.seats[acting].automatic
        rolling = state.rolling
        if not automatic and not (rolling and state.settings.dice == "auto"):
            self._replace(context, None)
            return
        seat = None if acting is None else state.seats[acting]
        if not self._is_planned(context, () if seat is None else (seat,)):
            self._replace(context, self._next(context, acting, seat))

    def _is_planned(self, context: Context, seats: tuple[Seat, ...]) -> bool:
        old = self._plan
        return old is not None and (old.number, old.seats) == (context.state.position_number, seats)

    def _next(self, context: Context, acting: int | None, seat: Seat | None) -> Plan | None:
        state, position = context.state, context.state.position
        assert position is not None
        number, due = state.position_number, context.now.seconds + state.settings.pace
        if state.rolling:
            return Plan(number, acting, () if seat is None else (seat,), due=due)
        if seat is None or acting is None:
            return None
        legal = position.legal()
        if seat.program is None and len(legal.actions) == 1 and not legal.open:
            return Plan(number, acting, (seat,), due=due, action=legal.actions[0])
        if legal.open and state.follows_a_turn:
            # The same pause after every turn, so that it does not remind of anything.
            due = max(due, context.now.seconds + LISTENS)
        return Plan(number, acting, (seat,), self._choose(context, acting, due))

    def _choose(self, context: Context, acting: int, not_before: float, seed: int | None = None) -> int:
        """Have a bot or a program decide for its seat; returns the work's id."""
        state = context.state
        assert state.position is not None
        seat, given = state.seats[acting], secrets.randbits(31) if seed is None else seed
        return context.hand_out(
            Choose(acting, state.position, seat.level or 3, seat.program, given, not_before=not_before)
        )

    def _plan_call(self, context: Context, call: Call) -> None:
        """A bot says what it has to after a while, if it thinks of it. The bot that is next begins after a longer while."""
        state, now = context.state, context.now.seconds
        seats = state.seats[call.by], state.seats[call.next]
        if self._is_planned(context, seats):
            return
        number = state.position_number
        begins = now + max(LISTENS, state.settings.pace) if seats[1].automatic else None
        if seats[0].automatic:
            soonest, latest = SPEAKS
            seed = secrets.randbits(31)
            not_before = now + soonest + (latest - soonest) * seed / (1 << 31)
            work = self._choose(context, call.by, not_before, seed)
            self._replace(context, Plan(number, call.by, seats, work, None, call.unsaid, begins))
        else:
            self._replace(context, Plan(number, call.by, seats, due=begins, action=call.unsaid))

    def _replace(self, context: Context, plan: Plan | None) -> None:
        old, self._plan = self._plan, plan
        if old is not None and old.work is not None:
            context.effects.work = [*context.effects.work, Cancel(old.work)]

    def chosen(self, context: Context, work: int, result: str | Forfeited | Problem) -> Handling:
        """A bot has decided; a decision for an earlier position is ignored. Where no bot could decide, the game goes on."""
        plan, position = self._plan, context.state.position
        if plan is None or plan.work != work or plan.acting is None or position is None:
            return
        call = context.state.call
        if call is not None and result == call.unsaid:  # forgotten: the next player has to begin
            self._plan = replace(plan, work=None, due=plan.begins)
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
        silent = [seat for seat, until in self._silent.items() if now >= until]
        if silent:
            context.add(log.Contributed(dict.fromkeys(silent)))
            yield from begin_if_ready(context)
        elif plan is not None and plan.due is not None and now >= plan.due:
            self._plan = None
            if plan.action is None:
                yield from roll(context)
            elif plan.acting is not None:
                yield from play(context, plan.acting, plan.action)
        elif self._clock_due is not None and now >= self._clock_due:
            self._clock_due = None
            seat, left = state.clocks.running, state.clocks.remaining(now)
            call = state.call
            if call is not None and call.unsaid is None:
                seat = call.by  # who pays for a call keeps the next player waiting
            if seat is not None and left is not None and left <= 0:
                lose(context, seat, "time")
