"""Bots and configured programs: their decisions, made in workers."""

import pickle
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

from ludotheque.analysis import advise
from ludotheque.bots import Forfeit, ProgramPlayer, bot
from ludotheque.core import Decision, Position
from ludotheque.server.costs import Costs
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import busy
from ludotheque.server.remote_rules import pickled
from ludotheque.server.workers import Workers, WorkFailed, WorkLost

LONGEST: Final = 60.0  # seconds after which a worker is killed
ATTEMPTS: Final = 2
Decide: TypeAlias = Callable[[bytes, int, float | None, int], Decision]


def _choose(position: bytes, level: int, seconds: float | None, seed: int) -> Decision:
    here: Position = pickle.loads(position)  # noqa: S301 - our own, from a moment ago
    player = bot(here.game, level)
    try:
        return player.choose(here, seconds=seconds, seed=seed)
    finally:
        player.close()


def _advise(position: bytes, level: int, seconds: float | None, seed: int) -> Decision:
    del seed
    here: Position = pickle.loads(position)  # noqa: S301 - our own, from a moment ago
    player = bot(here.game, level)
    try:
        return advise(here, player, seconds)
    finally:
        player.close()


def _choose_program(position: bytes, command: str) -> Decision:
    here: Position = pickle.loads(position)  # noqa: S301 - our own, from a moment ago
    player = ProgramPlayer(command)
    try:
        return player.choose(here)
    finally:
        player.close()


class Bots:
    """Decisions of bots and programs."""

    def __init__(self, workers: Workers, questions: Workers, costs: Costs, metrics: Metrics) -> None:
        self._workers = workers  # for the tables' bots
        self._questions = questions  # for hints
        self._costs = costs
        self._metrics = metrics

    async def choose(self, position: Position, level: int, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The decision of a bot; tried again once if the worker dies."""
        return await self._decide(self._workers.run, _choose, position, level, seconds, seed)

    async def advise(self, position: Position, level: int, network: str, *, seconds: float | None = None) -> Decision:
        """A hint: the same with the game's reasons for it, at the cost of whoever asks. Later if too many ask."""
        ask = partial(self._questions.ask, self._costs.payer("question", network))
        return await self._decide(ask, _advise, position, level, seconds, 0)

    async def _decide(
        self,
        run: Callable[..., Awaitable[Decision]],
        decide: Decide,
        position: Position,
        level: int,
        seconds: float | None,
        seed: int,
    ) -> Decision:
        began = time.perf_counter()
        content = pickled(position)
        for attempt in range(ATTEMPTS):
            try:
                decision = await run(LONGEST, decide, content, level, seconds, seed + attempt)
            except (WorkLost, WorkFailed):
                continue
            self._metrics.bot_seconds.observe(time.perf_counter() - began)
            return decision
        raise busy()

    async def choose_program(self, position: Position, command: str) -> Decision:
        """The decision of a program; Forfeit if it fails."""
        try:
            return await self._workers.run(LONGEST, _choose_program, pickled(position), command)
        except (WorkLost, WorkFailed) as error:
            raise Forfeit("server.program.not-run") from error


def fallback(position: Position) -> str | None:
    """A legal action for a bot whose workers have died, so that the game goes on."""
    legal = position.legal().actions
    return legal[0] if legal else None
