"""Matches that are played one after the other in this terminal: rematches and series, their score, and who starts the next."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ludotheque.core import Dice, Json, Match, fresh_seed

Thing = TypeVar("Thing")


def _moved_on(things: Sequence[Thing]) -> list[Thing]:
    """Everybody one seat further, the last to the first."""
    return [*things[-1:], *things[:-1]]


class Series:
    """The score of the people and bots at the table, by their present seats.

    `games` matches make a series. It ends early when nobody can catch up with the leader; then another may begin. One match makes
    no series: the score of rematches just goes on.
    """

    def __init__(self, games: int = 1, seed: str | None = None) -> None:
        self.games = games
        self.played = 0
        self.score: list[float] = []
        self._seed = seed
        self._begun = 1

    def add(self, returns: Sequence[float]) -> None:
        """Count a match that is over."""
        if self.decided:
            self.played, self.score = 0, []
        self.played += 1
        self.score = [had + got for had, got in zip(self.score or [0.0] * len(returns), returns, strict=True)]

    @property
    def decided(self) -> bool:
        """Whether the series is over."""
        if self.games == 1 or not self.score:
            return False
        first, second = sorted((*self.score, 0.0), reverse=True)[:2]
        return self.played >= self.games or first - second > self.games - self.played

    @property
    def leaders(self) -> list[int]:
        """The seats with most points."""
        return [seat for seat, points in enumerate(self.score) if points == max(self.score)]

    def following(self, match: Match, seated: Sequence[Thing]) -> tuple[Match, tuple[Thing, ...]]:
        """The next match, and who sits where.

        M24: the player after the last starter starts. In a game without that option all move on by one seat, as at a table.
        """
        self._begun += 1
        dice = Dice(fresh_seed() if self._seed is None else f"{self._seed}.{self._begun}")
        options: Mapping[str, Json] = match.options
        name, last = match.game.starter_option, match.first.acting
        if name is None or last is None:
            seated, self.score = _moved_on(seated), _moved_on(self.score)
        else:
            options = {**options, name: (last + 1) % match.players}
        return Match(match.game, match.players, options, dice=dice), tuple(seated)
