"""What the measurements of strength share: arguments, matches between two players, shares with intervals, Elo, JSON lines."""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, variance
from typing import Final, NamedTuple

from ludotheque.arena import elo_of
from ludotheque.core import CHANCE, Dice, Game, Match, Player

QUANTILE: Final = 1.96  # 95 %


def read_arguments(description: str | None, required: Sequence[str] = (), **optional: object) -> argparse.Namespace:
    """Positional arguments of the command line: those required, then those with a default; a list takes all that is left."""
    parser = argparse.ArgumentParser(description=description)
    for name in required:
        parser.add_argument(name)
    for name, usual in optional.items():
        if isinstance(usual, list):
            kind = type(usual[0]) if usual else str
            parser.add_argument(name, nargs="*", type=kind, default=usual)
        else:
            parser.add_argument(name, nargs="?", type=type(usual), default=usual)
    return parser.parse_args()


def tell(measurement: Mapping[str, object]) -> None:
    """Print one measurement as a JSON line."""
    print(json.dumps(measurement, ensure_ascii=False), flush=True)


def share_of(won: int, drawn: int, lost: int) -> tuple[float, float]:
    """The share of the points, and half of its 95 % interval (normal approximation)."""
    games = won + drawn + lost
    share = (won + drawn / 2) / games
    return share, QUANTILE * sqrt(max(0.0, (won + drawn / 4) / games - share**2) / games)


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % interval (normal approximation)."""
    return fmean(values), QUANTILE * sqrt(variance(values) / len(values)) if len(values) > 1 else 0.0


def elo_range(low: float, share: float, high: float, seats: int = 2) -> list[int]:
    """The Elo lead for a share of the points, between those for the ends of its interval."""
    return [round(elo_of(one, seats)) for one in (low, share, high)]


def match_result(won: int, drawn: int, lost: int) -> dict[str, object]:
    """A match as it is told: games, share of the points and Elo, with 95 % intervals."""
    share, half = share_of(won, drawn, lost)
    return {
        "games": won + drawn + lost,
        "share": round(share, 4),
        "±": round(half, 4),
        "elo": elo_range(share - half, share, share + half),
    }


class Played(NamedTuple):
    """One game of a pair: the first player's points, and the processor seconds of both."""

    points: float
    seconds: tuple[float, float]


def play_pair(game: Game, players: tuple[Player, Player], games: int, seed: str) -> Iterator[Played]:
    """Games between two players on the dice `SEED k`, each dice twice with the seats exchanged."""
    for number in range(games):
        first_seat = 1 - number % 2  # of the first player
        match = Match(game, dice=Dice(f"{seed} {number // 2}"))
        seconds = [0.0, 0.0]
        while not match.over:
            if match.to_move == CHANCE:
                match.draw()
                continue
            who = int(match.to_move != first_seat)
            began = time.process_time()
            action = players[who].choose(match.position, seed=len(match.log)).action
            seconds[who] += time.process_time() - began
            match.play(action)
        yield Played(match.position.returns()[first_seat], (seconds[0], seconds[1]))
