"""Ratings kept in a file and updated by every run: Bayesian, from the library openskill, on the Elo scale.

The model is Bradley-Terry, updated match by match (Weng and Lin 2011). A new player has 1500 ± 200; 400 points more mean ten times
the odds. Ratings compare players of one game and one number of seats.
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
LEAST_DEVIATION: Final = 0.001  # the model divides by it; files have three digits
VERSION: Final = 1
BETWEEN_WRITES: Final = 1.0  # seconds


class BadRatings(Problem):
    """A ratings file that cannot be read."""

    code = "bad_ratings"


@dataclass(frozen=True)
class Rating:
    """An estimate of strength, its standard deviation, and the number of matches behind it."""

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
    """The ratings after more matches, one after the other; each is the players' names, all different, and the match played.

    With three and four players each pair is compared unless both lost: losing together says nothing about the two.
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
    """Raises BadOption if one player takes several seats of a line-up, which cannot be rated."""
    for names in line_ups:
        if len(set(names)) < len(names):
            raise BadOption("arena.same-player-twice")


class RatingsFile:
    """The ratings of one game, kept between runs.

    It also records how many seeds of each run are counted, so that a resumed run counts every match once.
    """

    def __init__(self, file: Path, game: str, seats: int, run: str | None = None) -> None:
        """Read the file, if there is one; BadOption if it is of another game or number of seats.

        `run` identifies a run that can be resumed; without it every match counts as new.
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
        """Rate the matches played since the last call, and write the file, at most once a second unless `final`.

        Seeds are counted in order, each for all line-ups in order, so that ratings do not depend on the number of processes.
        Matches that wait for others in this order are counted by the final call.
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
        """Replace the file atomically."""
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
