"""Ratings that are kept in a file and grow with every run: Bayesian, from the library openskill, on the scale of Elo.

The model is Bradley and Terry's, learned match by match (Weng and Lin 2011). A new player has 1500 ± 200; 400 points more mean ten
times the odds. Ratings compare players of one game and one number of seats.
"""

import math
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

from openskill.models import BradleyTerryFull

from ludotheque.arena.results import read_json
from ludotheque.arena.series import Played
from ludotheque.arena.tournament import Standing
from ludotheque.core import BadOption, Json, Problem, Reader, write_json
from ludotheque.core.problems import unwritable

START: Final = 1500.0
DEVIATION: Final = 200.0
ELO_SCALE: Final = 400 / math.log(10)
QUANTILE: Final = 1.96
LEAST_DEVIATION: Final = 0.001  # nobody is known for certain, and the model divides by it; files have three digits
VERSION: Final = 1
BETWEEN_WRITES: Final = 1.0  # seconds


class BadRatings(Problem):
    """A ratings file that cannot be read."""

    code = "bad_ratings"


@dataclass(frozen=True)
class Rating:
    """How strong a player seems, how sure that is (a standard deviation), and from how many matches it is known."""

    value: float = START
    deviation: float = DEVIATION
    games: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """95 %."""
        return self.value - QUANTILE * self.deviation, self.value + QUANTILE * self.deviation


# Bots do not change from match to match: tau 0. With this beta the chance of one against another is that of Elo.
MODEL: Final = BradleyTerryFull(mu=START, sigma=DEVIATION, beta=ELO_SCALE / math.sqrt(2), tau=0.0)


def rate(ratings: Mapping[str, Rating], matches: Iterable[tuple[Sequence[str], Played]]) -> dict[str, Rating]:
    """The ratings after more matches, one after the other; each is the players' names in order, all different, and what was played.

    With three and four players only one wins, and losing together says nothing: whoever got more is compared with whoever got less,
    and those who share the points with each other.
    """
    now = dict(ratings)
    for names, played in matches:
        known = [MODEL.rating(mu=one.value, sigma=one.deviation) for one in (now.get(name, Rating()) for name in names)]
        for one, other in combinations(range(len(names)), 2):
            points = [played.points[one], played.points[other]]
            if any(points):
                [known[one]], [known[other]] = MODEL.rate([[known[one]], [known[other]]], scores=points)
        for name, new in zip(names, known, strict=True):
            now[name] = Rating(float(new.mu), float(new.sigma), now.get(name, Rating()).games + 1)
    return now


def check_rateable(line_ups: Iterable[Sequence[str]]) -> None:
    """Whether matches of these line-ups can be rated: not where a player sits at several seats."""
    for names in line_ups:
        if len(set(names)) < len(names):
            raise BadOption("arena.same-player-twice")


class RatingsFile:
    """The ratings of one game, kept between runs.

    It also says how far each run's seeds are counted, so that a run that was killed and goes on counts every match once: what its
    results file has and the ratings have not is counted then.
    """

    def __init__(self, file: Path, game: str, seats: int, run: str | None = None) -> None:
        """Read the file, if there is one; BadOption where it is of another game or number of seats.

        `run` names what can be gone on with; without it everything counts as new.
        """
        self._file, self._game, self._seats, self._run = file, game, seats, run
        self.ratings: dict[str, Rating] = {}
        self._runs: dict[str, list[int]] = {}
        self._written = -math.inf
        if file.exists():
            self._read(read_json(file.read_bytes(), BadRatings, str(file)))
        self._counted = list(self._runs.get(run, ())) if run is not None else []

    def _read(self, reader: Reader) -> None:
        reader.key("ratings").integer(VERSION, VERSION)
        game, seats = reader.key("game").text(), reader.key("seats").integer(2, 100)
        if (game, seats) != (self._game, self._seats):
            raise BadOption(
                "arena.other-ratings",
                file=str(self._file),
                game=game,
                seats=seats,
                wanted=self._game,
                wanted_seats=self._seats,
            )
        players = reader.key("players")
        for name in players.object():
            one = players.key(name)
            self.ratings[name] = Rating(
                one.key("rating").number(-1e6, 1e6),
                one.key("deviation").number(LEAST_DEVIATION, 1e6),
                one.key("games").integer(0, 1 << 40),
            )
        if reader.has("counted"):
            runs = reader.key("counted")
            for run in runs.object():
                self._runs[run] = [one.integer(0, 1 << 40) for one in runs.key(run).items()]

    def count(self, standings: Sequence[Standing], *, final: bool = False) -> None:
        """Rate what has been played since the last time, and write it down, at most once a second but for the `final` time.

        Seeds are counted in their order, each for all line-ups in theirs, so that ratings are the same however many processes play;
        what has to wait for others in this order counts at last in the final time.
        """
        self._counted += [0] * (len(standings) - len(self._counted))
        fresh: list[tuple[Sequence[str], Played]] = []
        waiting = list(range(len(standings)))
        while waiting:
            which = min(waiting, key=lambda one: (self._counted[one], one))
            standing, seed = standings[which], self._counted[which]
            if seed < standing.next_number:
                matches = standing.played[seed * self._seats : (seed + 1) * self._seats]
                fresh += [(standing.series.players, one) for one in matches]
                self._counted[which] += 1
            elif standing.finished or final:
                waiting.remove(which)
            else:
                break
        self.ratings = rate(self.ratings, fresh)
        if final or time.monotonic() > self._written + BETWEEN_WRITES:
            self._write()

    def _write(self) -> None:
        """The whole file or nothing."""
        if self._run is not None:
            self._runs[self._run] = self._counted
        best_first = sorted(self.ratings.items(), key=lambda one: -one[1].value)
        told: dict[str, Json] = {
            "ratings": VERSION,
            "game": self._game,
            "seats": self._seats,
            "players": {
                name: {
                    "rating": round(one.value, 3),
                    "deviation": max(LEAST_DEVIATION, round(one.deviation, 3)),
                    "games": one.games,
                }
                for name, one in best_first
            },
        }
        if self._runs:
            told["counted"] = {run: list(counted) for run, counted in self._runs.items()}
        fresh = self._file.with_name(self._file.name + ".new")
        try:
            with fresh.open("wb") as stream:
                stream.write(write_json(told).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
            fresh.replace(self._file)
        except OSError as error:
            raise unwritable(self._file, error) from error
        self._written = time.monotonic()
