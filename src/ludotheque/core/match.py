"""A match is its log: a set-up and the actions since, chance's included. Playing, undoing, replaying and branching all
come from that. `Match` alone changes its position and its log. Seats, clocks and take-backs are in `ludotheque.table`.
"""

from collections.abc import Iterable, Sequence
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
        self.options: Options = game.read_options(options, self.players)
        self.dice = dice or Dice(fresh_seed())
        self.setup_draws: tuple[Draw, ...] = ()
        if setup is None:
            setup_dice = SetupDice(self.dice)
            self._first = game.start(self.players, self.options, setup_dice)
            self.setup_draws = tuple(setup_dice.draws)
        else:
            self._first = game.from_view(setup, self.players, self.options)
        self._position: Position = self._first
        self._log: list[Entry] = []
        self._takebacks: tuple[int, ...] = ()

    @classmethod
    def restore(
        cls,
        first: Position,
        *,
        dice: Dice,
        setup_draws: Sequence[Draw] = (),
        log: Iterable[Entry] = (),
        position: Position | None = None,
        takebacks: Sequence[int] = (),
    ) -> "Match":
        """A match from its first position and its log.

        `position` is where the log leads, for whoever knows it already; without it the log is replayed. Positions may be
        stand-ins for positions that live elsewhere, such as in another process.
        """
        match = cls.__new__(cls)
        match.game, match.players, match.options = first.game, first.players, first.options
        match.dice, match.setup_draws = dice, tuple(setup_draws)
        match._first, match._log, match._takebacks = first, list(log), tuple(takebacks)
        match._position = match.at(len(match._log)) if position is None else position
        return match

    def __repr__(self) -> str:
        return f"<Match {self.game.name}, {self.players} players, {len(self.log)} actions, {self.position.to_move!r} to move>"

    @property
    def first(self) -> Position:
        """The position after the set-up."""
        return self._first

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    @property
    def log(self) -> Sequence[Entry]:
        """Every action played, in order; not to be changed."""
        return self._log

    @property
    def takebacks(self) -> tuple[int, ...]:
        """To how many actions the players have gone back, each time that they took something back at a table."""
        return self._takebacks

    @property
    def to_move(self) -> ToMove:
        """Whose turn it is."""
        return self._position.to_move

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
        return self._play(action, outcome, None)

    def draw_place(self, length: int) -> str:
        """Where the dice are asked after `length` actions: that number and, after take-backs, how many there had been."""
        count = max((number for number, back_to in enumerate(self._takebacks, 1) if back_to <= length), default=0)
        return f"{length}.{count}" if count else str(length)

    def next_draw(self) -> tuple[str, Draw]:
        """What the dice decide on chance's turn, not played yet: the outcome, and the number that it came from."""
        if self.position.to_move != CHANCE:
            raise BadRequest("match.not-chance")
        draw = self.dice.draw(self.draw_place(len(self.log)), self.position.total_weight())
        return self.position.outcome_at(draw.number), draw

    def bot_seed(self) -> int:
        """A seed for a bot that is to act here. It follows from the dice, so that the same match gets the same decision."""
        return self.dice.draw(f"bot.{len(self._log)}", 1 << 63).number

    def draw(self) -> Step:
        """Let the dice decide on chance's turn."""
        action, draw = self.next_draw()
        return self._play(action, None, draw)

    def _play(self, action: str, outcome: Json, draw: Draw | None) -> Step:
        by = self._position.to_move
        return self.apply(Entry(action, by, outcome, draw))

    def apply(self, entry: Entry, step: Step | None = None) -> Step:
        """Add one entry to the log; IllegalAction changes nothing.

        `step` is what playing the entry's action here gave, for whoever has played it already; without it the action is
        played now.
        """
        if step is None:
            step = self._position.play(entry.action, entry.outcome)
        self._log.append(entry if step.outcome is entry.outcome else entry._replace(outcome=step.outcome))
        self._position = step.position
        return step

    def undo(self, count: int = 1) -> None:
        """Go back by some actions, one by default; the same actions then give the same draws again."""
        if not 0 < count <= len(self.log):
            raise BadRequest("match.nothing-to-undo")
        self.truncate(len(self._log) - count)

    def truncate(self, length: int, position: Position | None = None) -> None:
        """Go back to the first `length` actions; `position` is where they lead, for whoever knows it already."""
        self._position = self.at(length) if position is None else position
        del self._log[length:]

    def take_back(self, length: int, position: Position | None = None) -> None:
        """Go back as players at a table do: what is drawn from here on is another draw, so nobody can peek at the dice."""
        self.truncate(length, position)
        self._takebacks = (*self._takebacks, length)

    def attach_draws(self, draws: Sequence[Draw], takebacks: Sequence[int] = ()) -> None:
        """Give a replayed match the draws that its set-up and chance's actions came from, and the take-backs between them.

        What is not listed has no draw.
        """
        self._takebacks = tuple(takebacks)
        by_place = {draw.place: draw for draw in draws}
        self.setup_draws = tuple(draw for draw in draws if draw.place.startswith("setup."))
        self._log = [
            entry._replace(draw=by_place.get(self.draw_place(place)) if entry.by == CHANCE else None)
            for place, entry in enumerate(self._log)
        ]

    def at(self, length: int) -> Position:
        """The position after the first `length` actions."""
        position = self._first
        for entry in self._log[:length]:
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
        log = self._log[:length]
        position = self._position if len(log) == len(self._log) else self.at(len(log))
        return Match.restore(
            self._first,
            dice=self.dice,
            setup_draws=self.setup_draws,
            log=log,
            position=position,
            takebacks=self._takebacks,
        )
