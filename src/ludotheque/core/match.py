"""A match is its log: a set-up and the actions since, chance's included. Playing, undoing, replaying and branching all
come from that. Who may act, clocks and seats are in `ludotheque.table`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ludotheque.core.dice import Dice, Draw, SetupDice, fresh_seed
from ludotheque.core.game import CHANCE, Event, Game, Position, Step, ToMove
from ludotheque.core.jsons import Json, JsonObject
from ludotheque.core.options import Options
from ludotheque.core.problems import BadRequest


class Entry(NamedTuple):
    """One line of the log. `by` is who acted; `draw` tells how chance's outcome came about, if our dice made it."""

    action: str
    by: ToMove
    outcome: Json = None
    draw: Draw | None = None


class Match:
    """A game being played: its set-up, its log, and the position that they lead to."""

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Json = None,
        *,
        dice: Dice | None = None,
        setup: JsonObject | None = None,
    ) -> None:
        self.game = game
        self.players = game.read_players(players)
        self.options: Options = game.read_options(options)
        self.dice = dice or Dice(fresh_seed())
        self.setup_draws: tuple[Draw, ...] = ()
        if setup is None:
            setup_dice = SetupDice(self.dice)
            self.first = game.start(self.players, self.options, setup_dice)
            self.setup_draws = tuple(setup_dice.draws)
        else:
            self.first = game.from_view(setup, self.players, self.options)
        self.position: Position = self.first
        self.log: list[Entry] = []

    def __repr__(self) -> str:
        return f"<Match {self.game.name}, {self.players} players, {len(self.log)} actions, {self.position.to_move!r} to move>"

    @property
    def to_move(self) -> ToMove:
        """Whose turn it is."""
        return self.position.to_move

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.over

    @property
    def draws(self) -> list[Draw]:
        """Every number that our dice gave in this match, in order."""
        return [*self.setup_draws, *(entry.draw for entry in self.log if entry.draw is not None)]

    def play(self, action: str, outcome: Json = None) -> Step:
        """One action of whoever is to move, chance included; IllegalAction changes nothing."""
        return self._log(action, outcome, None)

    def next_draw(self) -> tuple[str, Draw]:
        """What the dice decide on chance's turn, not played yet: the outcome, and the number that it came from."""
        if self.position.to_move != CHANCE:
            raise BadRequest("match.not-chance")
        draw = self.dice.draw(str(len(self.log)), self.position.total_weight())
        return self.position.outcome_at(draw.number), draw

    def draw(self) -> Step:
        """Let the dice decide on chance's turn."""
        action, draw = self.next_draw()
        return self._log(action, None, draw)

    def _log(self, action: str, outcome: Json, draw: Draw | None) -> Step:
        by = self.position.to_move
        step = self.position.play(action, outcome)
        self.log.append(Entry(action, by, step.outcome, draw))
        self.position = step.position
        return step

    def undo(self, count: int = 1) -> None:
        """Take back the last actions, one by default."""
        if not 0 < count <= len(self.log):
            raise BadRequest("match.nothing-to-undo")
        kept = self.log[:-count]
        self.position = self.at(len(kept))
        self.log = kept

    def at(self, length: int) -> Position:
        """The position after the first `length` actions."""
        position = self.first
        for entry in self.log[:length]:
            position = position.play(entry.action, entry.outcome).position
        return position

    def steps(self) -> Iterable[tuple[Entry, Step]]:
        """The whole match again, step by step."""
        position = self.first
        for entry in self.log:
            step = position.play(entry.action, entry.outcome)
            yield entry, step
            position = step.position

    def events(self) -> list[Event]:
        """Everything that happened."""
        return [event for _, step in self.steps() for event in step.events]

    def branch(self, length: int | None = None) -> "Match":
        """Another match that begins with the same set-up and actions, all of them or the first `length`."""
        other = Match.__new__(Match)
        other.game, other.players, other.options = self.game, self.players, self.options
        other.dice, other.first, other.setup_draws = self.dice, self.first, self.setup_draws
        other.log = self.log[:length]
        other.position = self.position if len(other.log) == len(self.log) else self.at(len(other.log))
        return other
