"""Who applies the rules: ours for dice and boards are quick and run here; physics and third parties' rules run in workers.

Positions of the latter are here only as what they show, so that nothing of theirs can hold up or break the server.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ludotheque.core import (
    Dice,
    Draw,
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
)
from ludotheque.kernels import DiscreteGame
from ludotheque.server.problems import come_later
from ludotheque.server.workers import Workers, WorkFailed, WorkLost

SECONDS: Final = 30.0  # for one action in a worker: a Yikerz turn is simulated to its end
Played = tuple[str, Json]


def runs_here(game: Game) -> bool:
    """Whether a game's rules take microseconds and are our own."""
    return isinstance(game, DiscreteGame) and game.package.startswith("ludotheque.games.")


@dataclass(frozen=True)
class Shown:
    """A position as it left its worker: everything that the server asks of it, and its pickle to go on from."""

    game: str
    players: int
    options: Options
    to_move: ToMove
    legal: Legal
    view: JsonObject
    returns: tuple[float, ...]
    pickle: bytes


def show(position: Position) -> Shown:
    """Everything that the server will ask of a position."""
    return Shown(
        position.game.name,
        position.players,
        dict(position.options),
        position.to_move,
        position.legal(),
        position.view(),
        position.returns(),
        pickle.dumps(position),
    )


class Distant(Position):
    """A position that lives in workers; here it only shows."""

    def __init__(self, game: Game, shown: Shown) -> None:
        self.game = game
        self.options = shown.options
        self.players = shown.players
        self.shown = shown

    @property
    def to_move(self) -> ToMove:
        """Whose turn it is."""
        return self.shown.to_move

    def legal(self) -> Legal:
        """What can be done."""
        return self.shown.legal

    def view(self) -> JsonObject:
        """The position as JSON."""
        return self.shown.view

    def returns(self) -> tuple[float, ...]:
        """What each seat got, when over."""
        return self.shown.returns

    def play(self, action: str, outcome: Json = None) -> Step:
        """Never here: the referee has a worker do it."""
        raise NotImplementedError

    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        """Nobody looks at a server."""
        raise NotImplementedError


# What workers do


def _played_there(position: bytes, actions: Sequence[Played]) -> list[tuple[Shown, Any, Json]]:
    """Some actions one after the other: each new position, its events and its outcome."""
    here: Position = pickle.loads(position)  # noqa: S301 - our own, from a moment ago
    results = []
    for action, outcome in actions:
        step = here.play(action, outcome)
        here = step.position
        results.append((show(here), step.events, step.outcome))
    return results


def _begun_there(
    game: str, players: int, options: Options, dice: Dice, setup: JsonObject | None, actions: Sequence[Played]
) -> tuple[Shown, tuple[Draw, ...], Shown]:
    """A match from its set-up on: its first position, its draws, and where its actions lead."""
    match = Match(find_game(game), players, dict(options), dice=dice, setup=setup)
    first = show(match.first)
    position = match.first
    for action, outcome in actions:
        position = position.play(action, outcome).position
    return first, match.setup_draws, show(position)


class Referee:
    """Applies the rules, here or in a worker."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def _there(self, function: Any, *arguments: Any) -> Any:
        try:
            return await self._workers.run(SECONDS, function, *arguments)
        except (WorkLost, WorkFailed) as error:
            raise come_later() from error

    async def begin(
        self,
        game: Game,
        players: int,
        options: Options,
        dice: Dice,
        setup: JsonObject | None,
        actions: Sequence[Played] = (),
    ) -> Match:
        """A match from its set-up, with the actions of its log played (its log itself is the table's business)."""
        if runs_here(game):
            match = Match(game, players, dict(options), dice=dice, setup=setup)
            for action, outcome in actions:
                match.play(action, outcome)
            return match
        first, draws, last = await self._there(_begun_there, game.name, players, options, dice, setup, actions)
        return Match.restore(Distant(game, first), dice=dice, setup_draws=draws, position=Distant(game, last))

    async def play(self, position: Position, action: str, outcome: Json = None) -> Step:
        """One action; IllegalAction changes nothing."""
        if not isinstance(position, Distant):
            return position.play(action, outcome)
        return (await self.play_all(position, [(action, outcome)]))[0]

    async def play_all(self, position: Position, actions: Sequence[Played]) -> list[Step]:
        """Some actions one after the other."""
        if not isinstance(position, Distant):
            steps = []
            for action, outcome in actions:
                steps.append(position.play(action, outcome))
                position = steps[-1].position
            return steps
        results = await self._there(_played_there, position.shown.pickle, list(actions))
        return [Step(Distant(position.game, shown), events, told) for shown, events, told in results]

    async def at(self, match: Match, length: int) -> Position:
        """The position after the first actions of a match."""
        if runs_here(match.game):
            return match.at(length)
        steps = await self.play_all(match.first, [(entry.action, entry.outcome) for entry in match.log[:length]])
        return steps[-1].position if steps else match.first
