"""The generalised sequential probability ratio test that stops a line-up, on whole seeds, as chess engines are tested.

The matches of one seed share their dice, so the mean of their points is one observation. Their variance is not assumed but taken
from the data (for two players: the pentanomial model of fishtest).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ludotheque.core import BadOption, JsonObject

RARE: Final = 1e-3  # weight of outcomes that were never observed
HALVINGS: Final = 60
MOST_ELO: Final = 2000  # beyond it a share of the points cannot be told from 1
FEWEST: Final = 5  # seeds before a verdict


@dataclass(frozen=True)
class Sprt:
    """The hypotheses, that the first player is stronger than the others by `elo0` or by `elo1`, and the error rates."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    """The probability of "stronger" by mistake."""
    beta: float = 0.05
    """The probability of "not stronger" by mistake."""

    def __post_init__(self) -> None:
        if not all(abs(elo) <= MOST_ELO for elo in (self.elo0, self.elo1)):
            raise BadOption("arena.elo-range", most=MOST_ELO, elo0=f"{self.elo0:g}", elo1=f"{self.elo1:g}")
        if not self.elo0 < self.elo1:
            raise BadOption("arena.elo-order", elo0=f"{self.elo0:g}", elo1=f"{self.elo1:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first, "not stronger" is accepted; above the second, "stronger"."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, by_seed: Iterable[Sequence[float]], seats: int) -> float:
        """The log likelihood ratio of `elo1` over `elo0`, given the points of each seed."""
        means = Counter(round(sum(points) / len(points), 9) for points in by_seed)
        return log_ratio(means, expected_share(self.elo0, seats), expected_share(self.elo1, seats))

    def verdict(self, by_seed: Sequence[Sequence[float]], seats: int) -> "Verdict":
        """The verdict on the first player's points so far."""
        ratio = self.ratio(by_seed, seats)
        low, high = self.bounds
        said = None if len(by_seed) < FEWEST else True if ratio >= high else False if ratio <= low else None
        return Verdict(self, ratio, said)


@dataclass(frozen=True)
class Verdict:
    """Whether the first player is stronger; None while it is not clear."""

    test: Sprt
    ratio: float
    stronger: bool | None

    def json(self) -> JsonObject:
        """For programs."""
        words = {True: "stronger", False: "not stronger", None: "not clear"}
        bounds = [round(bound, 4) for bound in self.test.bounds]
        return {
            "verdict": words[self.stronger],
            "llr": round(self.ratio, 4),
            "bounds": bounds,
            "elo0": self.test.elo0,
            "elo1": self.test.elo1,
        }


def expected_share(elo: float, seats: int) -> float:
    """The expected share of the points of a player with this Elo lead over each of the others."""
    return 1 / (1 + (seats - 1) * 10 ** (-elo / 400))


def elo_of(share: float, seats: int) -> float:
    """The Elo lead for a share of the points; shares are limited to 0.001 to 0.999."""
    part = min(max(share, 0.001), 0.999)
    return 400 * math.log10(part * (seats - 1) / (1 - part))


def log_ratio(means: Counter[float], share0: float, share1: float) -> float:
    """The log likelihood ratio of two expected shares, each by the most likely distribution with that mean."""
    if not means:
        return 0.0
    seen = {0.0: RARE, 1.0: RARE} | {mean: float(count) for mean, count in means.items()}
    total = sum(seen.values())
    parts = [(mean, count / total) for mean, count in seen.items()]
    tilt0, tilt1 = (_tilt(parts, share) for share in (share0, share1))
    return total * sum(
        part * math.log((1 + tilt0 * (mean - share0)) / (1 + tilt1 * (mean - share1))) for mean, part in parts
    )


def _tilt(parts: Sequence[tuple[float, float]], share: float) -> float:
    """The most likely distribution with that mean is each part divided by 1 + tilt · (its mean - share)."""
    low, high = -1 / (1 - share), 1 / share
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if sum(part * (mean - share) / (1 + middle * (mean - share)) for mean, part in parts) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
