"""The statistics of a study: length, the starter's advantage, points by playing order, frequency of each special rule.

All intervals are for 95 %: Wilson's for shares of points, the normal one for means of other numbers.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ludotheque.analysis.study import Observed, Study
from ludotheque.arena import interval
from ludotheque.core import Json, JsonObject

QUANTILE = 1.959964


@dataclass(frozen=True)
class Length:
    """How many actions matches have, chance's included."""

    mean: float
    median: float
    shortest: int
    longest: int
    usual: tuple[float, float]
    """Nine of ten matches lie within."""


@dataclass(frozen=True)
class Order:
    """What the players got who were first, second, … in playing order."""

    share: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Fact:
    """One of the game's own numbers: its mean over the matches that have it, the mean's interval, and the share where it is not 0.

    One match alone gives no interval.
    """

    name: str
    matches: int
    mean: float
    interval: tuple[float, float] | None
    occurs: float


@dataclass(frozen=True)
class Summary:
    """A study in numbers."""

    study: Study
    matches: int
    draws: float
    length: Length
    order: tuple[Order, ...]
    facts: tuple[Fact, ...]

    @property
    def advantage(self) -> float:
        """What the player who starts gets beyond an even share."""
        return self.order[0].share - 1 / self.study.players

    @property
    def advantage_interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        low, high = self.order[0].interval
        return low - 1 / self.study.players, high - 1 / self.study.players

    def json(self) -> JsonObject:
        """For programs."""
        facts: list[Json] = [
            {
                "name": fact.name,
                "matches": fact.matches,
                "mean": round(fact.mean, 6),
                "interval": [round(end, 6) for end in fact.interval] if fact.interval else None,
                "occurs": round(fact.occurs, 6),
            }
            for fact in self.facts
        ]
        return {
            "game": self.study.game,
            "players": self.study.players,
            "level": self.study.level,
            "seed": self.study.seed,
            "options": self.study.options,
            "games": self.matches,
            "draws": round(self.draws, 6),
            "length": {
                "mean": round(self.length.mean, 3),
                "median": self.length.median,
                "shortest": self.length.shortest,
                "longest": self.length.longest,
                "usual": list(self.length.usual),
            },
            "order": [
                {"share": round(one.share, 6), "interval": [round(end, 6) for end in one.interval]}
                for one in self.order
            ],
            "first_player_advantage": round(self.advantage, 6),
            "first_player_advantage_interval": [round(end, 6) for end in self.advantage_interval],
            "facts": facts,
        }


def summarise(study: Study, observed: Sequence[Observed]) -> Summary:
    """The statistics of a study of at least one match."""
    lengths = sorted(one.actions for one in observed)
    order = []
    for place in range(study.players):
        points = [one.in_order[place] for one in observed]
        order.append(Order(statistics.fmean(points), interval([[share] for share in points])))
    latest: dict[str, int] = {}  # facts keep the game's order; not every match has all of them
    for one in observed:
        for place, name in enumerate(one.facts):
            latest[name] = max(place, latest.get(name, 0))
    names = sorted(latest, key=lambda name: latest[name])
    return Summary(
        study,
        len(observed),
        sum(max(one.points) < 1 for one in observed) / len(observed),
        Length(
            statistics.fmean(lengths),
            statistics.median(lengths),
            lengths[0],
            lengths[-1],
            (_quantile(lengths, 0.05), _quantile(lengths, 0.95)),
        ),
        tuple(order),
        tuple(_fact(name, [one.facts[name] for one in observed if name in one.facts]) for name in names),
    )


def _quantile(ordered: Sequence[int], part: float) -> float:
    """The value below which this part of them lies."""
    return float(ordered[min(len(ordered) - 1, int(part * len(ordered)))])


def _fact(name: str, values: Sequence[float]) -> Fact:
    mean = statistics.fmean(values)
    within: tuple[float, float] | None = None
    if all(0 <= value <= 1 for value in values):
        within = interval([[value] for value in values])
    elif len(values) > 1:
        half = QUANTILE * statistics.stdev(values) / math.sqrt(len(values))
        within = mean - half, mean + half
    return Fact(name, len(values), mean, within, sum(value != 0 for value in values) / len(values))
