"""Round robins and ladders of any number of players; each line-up stops as soon as its test has a verdict.

Every line-up plays the same seeds. Its results are taken in the order of the seeds, so that they do not depend on the number of
processes or machines. One series is in `series`, the test in `sprt`.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, pairwise

from ludotheque.arena.distributed import Backend, distribute
from ludotheque.arena.series import Played, Series, play_task
from ludotheque.arena.sprt import Sprt, Verdict
from ludotheque.core import BadOption


def round_robin(players: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """All combinations of as many players as a match has seats."""
    _check_different(players)
    _check_enough(players, seats)
    return list(combinations(players, seats))


def ladder(players: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Each player, from the second on, against the one named before it, who takes all other seats."""
    _check_different(players)
    _check_enough(players, 2)
    return [(upper, *[lower] * (seats - 1)) for lower, upper in pairwise(players)]


def _check_different(players: Sequence[str]) -> None:
    twice = next((name for name in players if players.count(name) > 1), None)
    if twice is not None:
        raise BadOption("arena.named-twice", name=twice)


def _check_enough(players: Sequence[str], least: int) -> None:
    if len(players) < least:
        raise BadOption("arena.too-few-players", least=least)


@dataclass
class Standing:
    """The matches of one line-up so far, in the order of the seeds, and the verdict of its test."""

    series: Series
    test: Sprt | None = None
    played: list[Played] = field(default_factory=list)
    verdict: Verdict | None = None

    def add(self, some: Sequence[Played]) -> None:
        """Add the matches of the next seed."""
        self.played.extend(replace(one, record=None) if one.record else one for one in some)  # records are long
        if self.test is not None:
            seats = len(self.series.players)
            whole = [self.played[first : first + seats] for first in range(0, len(self.played), seats)]
            by_seed = [[one.points[0] for one in seed] for seed in whole if len(seed) == seats]
            self.verdict = self.test.verdict(by_seed, seats)

    @property
    def clear(self) -> bool:
        """Whether the test has a verdict."""
        return self.verdict is not None and self.verdict.stronger is not None

    @property
    def finished(self) -> bool:
        """Whether all its matches are played."""
        return self.clear or len(self.played) == self.series.games

    @property
    def next_number(self) -> int:
        """The number of the next seed."""
        return self.played[-1].number + 1 if self.played else 0


def play_tournament(
    standings: Sequence[Standing],
    backend: Backend | int = 1,
    uninterrupted: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Generator[tuple[int, list[Played]]]:
    """Play the remaining matches; yields a line-up's number and the matches of its next seed, already added to its standing.

    Adding them and what the caller does with them form one critical section (`uninterrupted`), so that files and counts agree.
    """
    waiting: list[dict[int, list[Played]]] = [{} for _ in standings]
    series = tuple(one.series for one in standings)
    for which, number, some in distribute(partial(_play_one, series), _tasks(standings), backend):
        waiting[which][number] = some
        standing = standings[which]
        while not standing.clear and (following := waiting[which].pop(standing.next_number, None)):
            with uninterrupted():
                standing.add(following)
                yield which, following


def _tasks(standings: Sequence[Standing]) -> Iterator[tuple[int, int, int]]:
    """Seed by seed, for every line-up without a verdict at the time the task is taken."""
    firsts = [one.next_number for one in standings]
    tasks = [one.series.tasks() for one in standings]
    for place in range(max(map(len, tasks), default=0)):
        for which, standing in enumerate(standings):
            if firsts[which] <= place < len(tasks[which]) and not standing.clear:
                yield which, *tasks[which][place]


def _play_one(series: Sequence[Series], which: int, number: int, rotations: int) -> tuple[int, int, list[Played]]:
    return which, number, play_task(series[which], number, rotations)


def matches_of(standings: Sequence[Standing], player: str) -> list[Played]:
    """All matches of one player, reordered so that it is the first; if it has several seats, its first counts."""
    found: list[Played] = []
    for standing in standings:
        if player in standing.series.players:
            who = standing.series.players.index(player)
            found += [_first(one, who) for one in standing.played]
    return found


def _first(one: Played, who: int) -> Played:
    forfeit = one.forfeit if one.forfeit is None else (0 if one.forfeit[0] == who else 1, one.forfeit[1])
    others = tuple(seat for seat in range(len(one.points)) if seat != who)
    order = (who, *others)
    return Played(
        one.number,
        one.rotation,
        tuple(one.points[seat] for seat in order),
        tuple(one.decisions[seat] for seat in order),
        tuple(one.seconds[seat] for seat in order),
        forfeit,
        one.evidence,
        tuple(one.restarts[seat] for seat in order) if one.restarts else (),
    )


def player_names(standings: Sequence[Standing]) -> Mapping[str, None]:
    """Every player once, in the order of the line-ups."""
    return dict.fromkeys(name for one in standings for name in one.series.players)
