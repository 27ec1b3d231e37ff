"""Rules that run in worker processes: physics and third parties' games. Their positions are here only as snapshots.

Our own rules for dice and boards take microseconds and run in the table itself.
"""

import asyncio
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from ludotheque.core import (
    Call,
    Draw,
    Entry,
    Game,
    Json,
    JsonObject,
    Legal,
    Match,
    Options,
    Paint,
    Position,
    Step,
    ToMove,
    find_game,
    plain,
    simulating_at_most,
)
from ludotheque.kernels import DiscreteGame
from ludotheque.server.costs import Costs, Payer
from ludotheque.server.problems import busy
from ludotheque.server.workers import Workers, WorkFailed, WorkLost
from ludotheque.table import Play, PlayAll, ReplayTo, Start
from ludotheque.table.effects import Played
from ludotheque.table.presentation import told
from ludotheque.table.work import RulesWork, do_here, play_all, start

SECONDS: Final = 30.0  # for one action in a worker: a Yikerz turn is simulated to its end
MOST_SIMULATED: Final = 120.0
"""Seconds of physics that one request at a table may ask for; live turns are no such request, they take their own time."""


def runs_here(game: Game) -> bool:
    """Whether a game's rules take microseconds and are our own."""
    return isinstance(game, DiscreteGame) and game.package.startswith("ludotheque.games.")


@dataclass(frozen=True)
class PositionSnapshot:
    """A position as it left its worker: everything that a table asks of it, and its pickle to go on from."""

    game: str
    players: int
    options: Options
    to_move: ToMove
    acting: int | None
    legal: Legal
    view: JsonObject
    returns: tuple[float, ...]
    call: "tuple[int, int, str | None, PositionSnapshot | None] | None"
    """`Position.pending_call`, with the snapshot of the position that it shows; None if that is the position itself."""
    pickle: bytes


def take_snapshot(position: Position) -> PositionSnapshot:
    """The snapshot of a position."""
    return PositionSnapshot(
        position.game.name,
        position.players,
        dict(position.options),
        position.to_move,
        position.acting,
        position.legal(),
        position.view(),
        position.returns(),
        _call_of(position),
        pickle.dumps(position),
    )


def _call_of(position: Position) -> tuple[int, int, str | None, PositionSnapshot | None] | None:
    call = position.pending_call
    if call is None:
        return None
    shown = None if call.shown is position else take_snapshot(call.shown)
    return call.by, call.next, call.unsaid, shown


class RemotePosition(Position):
    """A position that lives in worker processes; here is its snapshot."""

    def __init__(self, game: Game, snapshot: PositionSnapshot) -> None:
        self.game = game
        self.options = snapshot.options
        self.players = snapshot.players
        self.snapshot = snapshot

    @property
    def to_move(self) -> ToMove:
        """Whose turn it is."""
        return self.snapshot.to_move

    @property
    def acting(self) -> int | None:
        """The seat to move, or whose dice they are."""
        return self.snapshot.acting

    @property
    def pending_call(self) -> Call | None:
        """What the player to move has to say."""
        if self.snapshot.call is None:
            return None
        by, then, unsaid, shown = self.snapshot.call
        return Call(by, then, unsaid, self if shown is None else RemotePosition(self.game, shown))

    def legal(self) -> Legal:
        """What can be done."""
        return self.snapshot.legal

    def view(self) -> JsonObject:
        """The position as JSON."""
        return self.snapshot.view

    def returns(self) -> tuple[float, ...]:
        """What each seat got, when over."""
        return self.snapshot.returns

    def play(self, action: str, outcome: Json = None) -> Step:
        """Never here: RulesRunner has a worker do it."""
        raise NotImplementedError

    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        """Never here."""
        raise NotImplementedError


# In the workers


@simulating_at_most(MOST_SIMULATED)
def _play(position: bytes, actions: Sequence[Played]) -> list[tuple[PositionSnapshot, Any, Json]]:
    """Some actions one after the other: each new position, its events and its outcome."""
    here: Position = pickle.loads(position)  # noqa: S301 - our own, from a moment ago
    return [(take_snapshot(step.position), step.events, step.outcome) for step in play_all(here, actions)]


def _replay(position: bytes, actions: Sequence[Played]) -> PositionSnapshot:
    """Where some actions lead."""
    here: Position = pickle.loads(position)  # noqa: S301 - our own, from a moment ago
    steps = play_all(here, actions)
    return take_snapshot(steps[-1].position if steps else here)


def _tell_story(position: bytes, log: Sequence[Entry], names: Mapping[str, Sequence[str]], start: int) -> bytes:
    """The steps of a match in words, as JSON."""
    here: Position = pickle.loads(position)  # noqa: S301 - our own, from a moment ago
    steps = play_all(here, [(entry.action, entry.outcome) for entry in log])
    return orjson.dumps(
        [
            told(here.game, entry.by, entry.action, step, lambda language: names[language], None)
            for entry, step in zip(log[start:], steps[start:], strict=True)
        ]
    )


def _start(name: str, rules: int, work: dict[str, Any]) -> tuple[PositionSnapshot, tuple[Draw, ...], PositionSnapshot]:
    """A match from its set-up on: its first position, its draws, and where its actions lead."""
    game = find_game(name).at_version(rules)
    assert game is not None
    match = start(Start(game, **work))
    return take_snapshot(match.first), match.setup_draws, take_snapshot(match.position)


class RulesRunner:
    """Applies rules in workers."""

    def __init__(self, workers: Workers, questions: Workers, costs: Costs) -> None:
        self._workers = workers  # for the tables
        self._questions = questions  # for stories and previews
        self._costs = costs

    async def run(self, work: RulesWork, network: str | None = None) -> Match | Step | list[Step] | Position:
        """The result of some work; a Problem if the rules do not allow it. `network`: whoever asks for it pays."""
        game = work.game if isinstance(work, Start) else work.position.game
        if runs_here(game):
            return await asyncio.to_thread(do_here, work)
        payer = None if network is None else self._costs.payer("action", network)
        if payer is not None:
            payer.must_afford()
        try:
            return await self._run_there(game, work, payer)
        except (WorkLost, WorkFailed) as error:
            raise busy() from error

    async def preview(self, work: PlayAll, network: str) -> list[Step]:
        """What some actions would lead to: a question, which holds up no table."""
        payer, game = self._costs.payer("question", network), work.position.game
        try:
            played = await self._questions.ask(payer, SECONDS, _play, pickled(work.position), list(work.actions))
        except (WorkLost, WorkFailed) as error:
            raise busy() from error
        return _steps(game, played)

    async def start(self, work: Start) -> Match:
        """A match from its set-up, with some actions played."""
        match = await self.run(work)
        assert isinstance(match, Match)
        return match

    async def tell_story(
        self, first: Position, log: Sequence[Entry], names: Mapping[str, Sequence[str]], start: int, network: str
    ) -> bytes:
        """The steps of a match in words, as JSON: replaying and telling a long one takes a worker, whatever the game."""
        payer = self._costs.payer("question", network)
        try:
            return await self._questions.ask(payer, SECONDS, _tell_story, pickled(first), log, names, start)
        except (WorkLost, WorkFailed) as error:
            raise busy() from error

    async def _run_there(
        self, game: Game, work: RulesWork, payer: Payer | None
    ) -> Match | Step | list[Step] | Position:
        run = self._workers.run_for
        if isinstance(work, Play | PlayAll):
            actions = [(work.action, work.outcome)] if isinstance(work, Play) else list(work.actions)
            played = await run(payer, SECONDS, _play, pickled(work.position), actions)
            steps = _steps(game, played)
            return steps[0] if isinstance(work, Play) else steps
        if isinstance(work, ReplayTo):
            return RemotePosition(game, await run(payer, SECONDS, _replay, pickled(work.position), list(work.actions)))
        given = {
            "players": work.players,
            "options": dict(work.options),
            "dice": work.dice,
            "setup": work.setup,
            "actions": list(work.actions),
        }
        first, draws, last = await run(payer, SECONDS, _start, game.name, game.rules_version, given)
        return Match.restore(
            RemotePosition(game, first), dice=work.dice, setup_draws=draws, position=RemotePosition(game, last)
        )


def _steps(game: Game, played: Sequence[tuple[PositionSnapshot, Any, Json]]) -> list[Step]:
    return [Step(RemotePosition(game, snapshot), events, told) for snapshot, events, told in played]


def pickled(position: Position) -> bytes:
    """A position for a worker."""
    return position.snapshot.pickle if isinstance(position, RemotePosition) else pickle.dumps(position)
