"""A table: takes requests, and says what its host has to commit, publish and run. Handlers are in the modules of their subjects."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from ludotheque.core import BadRequest, Game, Json, JsonObject, Match, Problem
from ludotheque.table import entries as log
from ludotheque.table import live, moves, questions, requests, seating, speech
from ludotheque.table.automatic import Automatic
from ludotheque.table.context import CheckPlayer, Context, Handling
from ludotheque.table.effects import (
    Actor,
    Effects,
    Message,
    Now,
    PlayAll,
    ReplayTo,
    RulesTask,
    Start,
    person_id,
)
from ludotheque.table.entries import LogEntry, Opened
from ludotheque.table.messages import here_message, state_message, welcome_message
from ludotheque.table.problems import WhoAreYou
from ludotheque.table.requests import Request
from ludotheque.table.rights import may_enter
from ludotheque.table.room import Room
from ludotheque.table.state import TableState
from ludotheque.table.steps import begin_if_ready, ending, roll, rolls_at_once
from ludotheque.table.work import do_here

COMMITTED: Final = 1
"""The number of the entry that shows the commitment: whoever has not seen it gives no number yet."""
Handler = Callable[[Context, Any], Handling]
HANDLERS: Final[Mapping[type[Request], Handler]] = MappingProxyType(
    {
        requests.Act: moves.act,
        requests.Roll: moves.roll_dice,
        requests.AskTakeback: moves.ask_takeback,
        requests.AnswerTakeback: moves.answer_takeback,
        requests.Resign: moves.resign,
        requests.Claim: moves.claim,
        requests.Rematch: moves.rematch,
        requests.Sit: seating.sit,
        requests.Contribute: seating.contribute,
        requests.SetNewcomers: seating.set_newcomers,
        requests.Stand: seating.stand,
        requests.SeatBot: seating.seat_bot,
        requests.Remove: seating.remove,
        requests.BeginLive: live.begin_live,
        requests.MoveHand: live.move_hand,
        requests.Peek: questions.peek,
        requests.AskStory: questions.story,
        requests.AskHint: questions.hint,
        requests.Ping: questions.ping,
        requests.SayPhrase: speech.say,
        requests.SayText: speech.say,
        requests.Mute: speech.mute,
    }
)


def always(_game: Game) -> bool:
    """Every game's rules run in the host."""
    return True


def any_player(_game: Game, _level: int, _program: str | None) -> None:
    """The host has every bot and program."""


class Table:
    """One table. Its state is its log; whatever changes it goes request → check → entry → commit → publish.

    All methods return Effects. The host commits their entries, then publishes their messages, then runs their work. While
    there is awaited work (`Effects.awaited`), only `resume` may be called, and requests that change nothing of it
    (MoveHand, Ping, AskHint, Peek). A Problem means that nothing was changed.
    """

    def __init__(
        self,
        state: TableState,
        now: Now,
        runs_here: Callable[[Game], bool] = always,
        check_player: CheckPlayer = any_player,
        longest_here: int | None = None,
    ) -> None:
        self.state = state
        self._longest_here = longest_here
        self.room = Room(state.people, now.seconds)
        self.local = runs_here(state.game)
        self.broken = False  # an entry was applied that the host never got: the table has to be restored
        self._context = Context(state, self.room, check_player)
        self._automatic = Automatic()
        self._suspended: dict[
            int, tuple[Handling, bool]
        ] = {}  # by work: what goes on then, and whether to plan after it

    @classmethod
    def restore(
        cls,
        table_id: str,
        entries: Iterable[LogEntry],
        now: Now,
        *,
        games: Mapping[str, Game] | None = None,
        runs_here: Callable[[Game], bool] = always,
        check_player: CheckPlayer = any_player,
        longest_here: int | None = None,
    ) -> "Table":
        """The table that a log describes; `wake` sets it going.

        Games whose rules do not run here, and rules that are no longer installed, are not replayed. Take-backs to more than
        `longest_here` actions, and previews of more, are left to the host.
        """
        state, local = TableState(table_id, games), True
        for entry in entries:
            state.restore(entry, replay=local)
            if isinstance(entry.entry, log.Opened):
                local = runs_here(state.game)
        return cls(state, now, runs_here, check_player, longest_here)

    @classmethod
    def around(cls, match: Match, opened: Opened, now: Now) -> "Table":
        """A table for a match that was begun elsewhere, such as one from a record."""
        state = TableState("", {match.game.name: match.game})
        state.apply(LogEntry(1, opened, now.moment))
        state.apply(LogEntry(2, log.Began(match.first.view()), now.moment), match)
        return cls(state, now)

    # Requests

    def handle(self, request: Request, actor: Actor, now: Now) -> Effects:
        """Carry out a request of somebody connected; a Problem refuses it."""
        context = self._context
        context.begin(now, actor)
        handler = HANDLERS[type(request)]
        if isinstance(request, requests.Change):
            if not self._is_new(actor, request):
                return context.effects
            return self._drive(self._with_dice(handler(context, request)))
        return self._drive(handler(context, request))

    def _is_new(self, actor: Actor, request: requests.Change) -> bool:
        """Whether a request is neither carried out already nor out of date; otherwise it is answered with the state."""
        state, person = self.state, self._context.person
        if person is None:
            raise WhoAreYou("table.who-plays")
        if request.id in state.requests.get(person, ()):
            self._tell_state(actor, "again", request.id)
            return False
        since = state.position_number if request.about_position else state.began_number
        if isinstance(request, requests.Contribute):
            since = max(since, COMMITTED)
        if not since <= request.at <= state.number:
            self._tell_state(actor, "stale", request.id)
            return False
        return True

    def _tell_state(self, actor: Actor, why: str, request: str | None = None) -> None:
        context = self._context
        is_live = context.live is not None
        content = state_message(self.state, self.room, actor, context.now, why, live=is_live, request=request)
        context.tell(content, actor)

    def resume(self, work: int, result: Any, now: Now) -> Effects:
        """Go on with the result of some work; an exception as a result means that it failed."""
        context = self._context
        context.begin(now)
        suspended = self._suspended.pop(work, None)
        if suspended is not None:
            handling, plan = suspended
            return self._drive(handling, result, plan=plan)
        return self._drive(self._with_dice(self._automatic.chosen(context, work, result)))

    def tick(self, now: Now) -> Effects:
        """Do what is due at `deadline`."""
        self._context.begin(now)
        return self._drive(self._with_dice(self._automatic.tick(self._context)))

    @property
    def deadline(self) -> float | None:
        """When `tick` is to be called, in the host's seconds; None: not before the next change."""
        return self._automatic.deadline

    def wake(self, now: Now, *, frozen: bool = False) -> Effects:
        """Set a new or restored table going: find its position, begin a match that can begin, let bots and clocks run.

        `frozen`: only find its position, to be looked at.
        """
        self._context.begin(now)
        if frozen:
            return self._drive(self._find_position())
        return self._drive(self._with_dice(self._wake()), plan=True)

    def _wake(self) -> Handling:
        state, context = self.state, self._context
        if state.rules_newer:
            return
        if state.closed is not None:
            if state.status == "playing":
                context.add(log.Ended(ending(state, "closed", None, ())))
            elif state.status == "waiting":
                context.add(log.Closed())
            return
        yield from self._find_position()
        yield from begin_if_ready(context)

    def _find_position(self) -> Handling:
        """Replace stand-ins where the rules run elsewhere."""
        state = self.state
        match = state.match
        if match is not None and not self.local and state.closed is None:
            played = [(entry.action, entry.outcome) for entry in match.log]
            known = yield Start(state.game, match.players, match.options, match.dice, state.setup, played)
            state.replace_positions(known)

    def close(self, reason: str | None, now: Now) -> Effects:
        """The operator closes the table: its match ends without a winner, and its record is kept."""
        self._context.begin(now)
        return self._drive(self._close(reason))

    def _close(self, reason: str | None) -> Handling:
        state, context = self.state, self._context
        if state.closed is not None:
            raise BadRequest(state.closed)
        if state.status == "playing":
            context.add(log.Ended(ending(state, "closed", None, ())))
        context.add(log.Closed("operator", reason))
        yield from ()

    def forget(self, person: str, now: Now) -> Effects:
        """Take a person who wants to be forgotten out of the table."""
        self._context.begin(now)
        return self._drive(self._with_dice(seating.forget(self._context, person)))

    # People

    def enter(self, actor: Actor, now: Now, *, caught_up: bool = False) -> Effects:
        """Somebody comes. `caught_up`: the host has all numbered messages that they missed, and sends them after the first."""
        context = self._context
        context.begin(now)
        may_enter(self.state, person_id(actor))
        self.room.enter(actor)
        self._automatic.watch_numbers(context)
        context.tell(welcome_message(self.state, actor, now), actor)
        if not caught_up:
            self._tell_state(actor, "hello")
        context.tell_all(here_message(self.state, self.room))
        return context.effects

    def leave(self, actor: Actor, now: Now) -> Effects:
        """Somebody's connection has ended."""
        context = self._context
        context.begin(now)
        self.room.leave(actor, now.seconds)
        self._automatic.watch_numbers(context)
        if self.room.actors:
            context.tell_all(here_message(self.state, self.room))
        return context.effects

    # Live turns

    def frame(self, work: int, sample: int, frame: JsonObject) -> Message | None:
        """A frame of a live turn as a message; None if the turn no longer counts."""
        live = self._context.live
        if live is None or live.id != work:
            return None
        return Message({"what": "live", "seat": live.seat, "sample": sample, "frame": frame})

    def live_ended(self, work: int, result: tuple[str, Json] | None, now: Now) -> Effects:
        """A live turn has ended with its action and outcome, or was lost (None)."""
        context = self._context
        context.begin(now)
        turn = context.live
        if turn is None or turn.id != work:
            return context.effects
        context.live = None
        return self._drive(self._with_dice(live.end_live(context, turn, result)))

    # Carrying out

    def _with_dice(self, handling: Handling) -> Handling:
        """A change, and the rolls that follow by themselves."""
        return self._and_rolls(handling) if self.state.settings.dice == "auto" else handling

    def _and_rolls(self, handling: Handling) -> Handling:
        yield from handling
        while rolls_at_once(self.state):
            yield from roll(self._context)

    def _drive(self, handling: Handling, result: Any = None, *, plan: bool = False) -> Effects:
        """Carry on until it is done or has to wait. Work on rules that run here is done at once."""
        context = self._context
        effects = context.effects
        try:
            work = handling.throw(result) if isinstance(result, BaseException) else handling.send(result)
            while self.local and isinstance(work, RulesTask) and not self._is_long(work):
                try:
                    result = do_here(work)
                except Problem as problem:
                    work = handling.throw(problem)
                else:
                    work = handling.send(result)
            self._suspended[context.hand_out(work)] = handling, plan or bool(effects.entries)
            return effects
        except StopIteration:
            pass
        except BaseException:
            self.broken = bool(effects.entries)
            raise
        if effects.entries or plan:
            self._after_change()
        return effects

    def _is_long(self, work: RulesTask) -> bool:
        """Whether some work would hold up a host that has others to serve."""
        longest = self._longest_here
        return longest is not None and isinstance(work, ReplayTo | PlayAll) and len(work.actions) > longest

    def _after_change(self) -> None:
        """End a live turn that no longer counts, and plan what goes on by itself."""
        context, state = self._context, self.state
        turn = context.live
        if turn is not None and (
            state.status != "playing"
            or state.position_number != turn.number
            or state.seats[turn.seat].person != turn.person
        ):
            live.break_off(context)
        self._automatic.watch_numbers(context)
        if not state.by_hand or state.status != "playing":
            self._automatic.plan(context)
