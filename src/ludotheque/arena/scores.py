"""The results of a series: wins, draws, losses, the share of all points with its 95 % interval, the time of a decision.

The interval is Wilson's for the share. Matches with the same dice are not independent, so the number of matches is replaced
by the number of independent ones with the same variance as the means of the seeds, once there are enough seeds to tell.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Final

from ludotheque.arena.series import Played, Series
from ludotheque.bots import Evidence
from ludotheque.core import Json, JsonObject, Text

QUANTILE: Final = 1.959964
ENOUGH_SEEDS: Final = 30
MOST_REASONS: Final = 5


@dataclass(frozen=True)
class Score:
    """The result of one player."""

    player: str
    wins: int
    draws: int
    losses: int
    share: float
    interval: tuple[float, float]
    seconds_per_decision: float
    forfeits: tuple[tuple[Text, int], ...] = ()
    """Why games were lost by default, and how often; the most frequent first, and only those."""
    lost_by_default: int = 0
    """For any reason."""
    evidence: tuple[Evidence | None, ...] = ()
    """For each of `forfeits`, what there is to mend it by: of the first match that was lost so."""
    restarts: int = 0
    """How often it had to be started again, because it had died or failed."""

    def json(self) -> JsonObject:
        """As docs/protocol.md shows it."""
        told: dict[str, Json] = {
            "player": self.player,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "share": round(self.share, 6),
            "interval": [round(end, 6) for end in self.interval],
            "seconds_per_decision": round(self.seconds_per_decision, 9),
        }
        if self.forfeits:
            told["forfeits"] = [
                {"why": str(why), "games": games, **({} if shown is None else evidence_json(shown))}
                for (why, games), shown in zip_longest(self.forfeits, self.evidence)
            ]
            told["lost_by_default"] = self.lost_by_default
        if self.restarts:
            told["restarts"] = self.restarts
        return told


def evidence_json(shown: Evidence) -> JsonObject:
    """Evidence for programs and files: only what there is."""
    told: JsonObject = {"asked": shown.asked, "answered": shown.answered, "stderr": list(shown.stderr)}
    return {name: part for name, part in told.items() if part}


def scores(series: Series, played: Iterable[Played]) -> list[Score]:
    """The results of all players, in the order in which the series names them."""
    matches = sorted(played, key=lambda one: (one.number, one.rotation))
    return [score_of(name, who, matches) for who, name in enumerate(series.players)]


def score_of(name: str, who: int, matches: Sequence[Played]) -> Score:
    """The result of the player at place `who` of a line-up in some matches, ordered by seed."""
    points = [match.points[who] for match in matches]
    reasons = {str(match.forfeit[1]): match.forfeit[1] for match in matches if match.forfeit}
    defaults = [match for match in matches if match.forfeit and match.forfeit[0] == who]
    losses_by_default = Counter(str(match.forfeit[1]) for match in defaults if match.forfeit)
    evidence = {str(match.forfeit[1]): match.evidence for match in reversed(defaults) if match.forfeit}
    lost = len(defaults)
    won_by_default = sum(bool(match.forfeit and match.forfeit[0] != who) for match in matches)
    own = [match.points[who] for match in matches if not match.forfeit]
    decisions = sum(match.decisions[who] for match in matches)
    wins = sum(share == 1 for share in own) + won_by_default
    losses = sum(share == 0 for share in own) + lost
    return Score(
        name,
        wins,
        len(matches) - wins - losses,
        losses,
        sum(points) / len(points) if points else 0.0,
        interval([[match.points[who] for match in group] for _, group in groupby(matches, lambda one: one.number)]),
        sum(match.seconds[who] for match in matches) / decisions if decisions else 0.0,
        tuple((reasons[why], games) for why, games in losses_by_default.most_common(MOST_REASONS)),
        lost,
        tuple(evidence[why] for why, _ in losses_by_default.most_common(MOST_REASONS)),
        sum(match.restarts[who] for match in matches if match.restarts),
    )


def interval(by_seed: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The 95 % interval for the mean of points from 0 to 1, given seed by seed."""
    points = [share for seed in by_seed for share in seed]
    if not points:
        return 0.0, 1.0
    share = sum(points) / len(points)
    independent = float(len(points))
    even = [seed for seed in by_seed if len(seed) == len(by_seed[0])]
    if len(even) >= ENOUGH_SEEDS and 0 < share < 1:
        means = [sum(seed) / len(seed) for seed in even]
        middle = sum(means) / len(means)
        spread = sum((mean - middle) ** 2 for mean in means) / (len(means) - 1) / len(means)
        # Within limits: a small sample may vary too little by luck.
        most, least = 4.0 * len(points), float(len(even)) / 2
        independent = min(most, max(least, share * (1 - share) / spread)) if spread > 0 else most
    square = QUANTILE**2
    centre = (share + square / (2 * independent)) / (1 + square / independent)
    half = QUANTILE * math.sqrt(share * (1 - share) / independent + square / (4 * independent**2))
    half /= 1 + square / independent
    return max(0.0, centre - half), min(1.0, centre + half)
