"""A course of `ludotheque train --method alphazero` with any plan, and the strength of its weights, on many cores.

`python -m bench.strength.any_game train GAME FOLDER [NAME=NUMBER …]` trains from nothing, or goes on; NAME is a field of `PolicyPlan`.
`python -m bench.strength.any_game measure GAME ONE OTHER GAMES PROCESSES` plays pairs of games, seats exchanged; ONE and OTHER are
players such as `bot:4@training/weights.npz` and `bot:3`. Each measurement is a JSON line.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from bench.strength.measuring import play_pair, tell
from ludotheque.arena import interval
from ludotheque.bots import player_named
from ludotheque.core import find_game
from ludotheque.kernels import DiscreteGame
from ludotheque.training.policy_course import PolicyCourse, PolicyPlan


def plan_of(changes: list[str]) -> PolicyPlan:
    """The usual plan with changes such as `games=1024`."""
    usual = asdict(PolicyPlan())
    changed = dict(change.split("=", 1) for change in changes)
    return PolicyPlan(**{name: type(usual[name])(value) for name, value in changed.items()})


def train(game: str, folder: Path, changes: list[str]) -> None:
    """Train, and tell how long it took."""
    found = find_game(game)
    assert isinstance(found, DiscreteGame)
    course = PolicyCourse(found, folder, plan_of(changes))
    course.resume()
    began, used = time.perf_counter(), time.process_time()
    course.run(lambda told: print(told, flush=True))
    tell(
        {
            "games": course.progress.games,
            "seconds": round(time.perf_counter() - began, 1),
            "processor": round(time.process_time() - used, 1),
        }
    )


def points(game: str, one: str, other: str, games: int, seed: str) -> list[float]:
    """What a player gets against another one in some games."""
    found = find_game(game)
    players = (player_named(one, found), player_named(other, found))
    return [played.points for played in play_pair(found, players, games, seed)]


def measure(game: str, one: str, other: str, games: int, processes: int) -> None:
    """The share of the points with its 95 % interval."""
    pairs = [games // 2 // processes + (part < games // 2 % processes) for part in range(processes)]
    began = time.perf_counter()
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        parts = [
            pool.submit(points, game, one, other, 2 * count, f"measure {part}") for part, count in enumerate(pairs)
        ]
        every = [point for part in parts for point in part.result()]
    low, high = interval([[point] for point in every])
    tell(
        {
            "match": f"{one} – {other}",
            "games": len(every),
            "share": round(sum(every) / len(every), 4),
            "interval": [round(low, 4), round(high, 4)],
            "seconds": round(time.perf_counter() - began, 1),
        }
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["train", name, into, *changes]:
            train(name, Path(into), changes)
        case ["measure", name, one, other, games, processes]:
            measure(name, one, other, int(games), int(processes))
        case _:
            sys.exit(__doc__)
