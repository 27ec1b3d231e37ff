"""Networks of one game against each other, at a glance: which course has taught the stronger one.

`python bench/networks.py GAME GAMES THREADS WEIGHTS…` plays GAMES games a pair; WEIGHTS are files, or `hand` for the judge made by
hand and `shipped` for the game's own. Prints one JSON line a pair: the share of the first, within 95 %.
"""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np

from ludotheque.core import find_game
from ludotheque.kernels.lessons import Lessons
from ludotheque.kernels.network import Network, load_network
from ludotheque.training.course import find_lessons

PARTS: Final = 16  # each with a seed of its own, so that a match is the same on any number of threads


def contested(lessons: Lessons, one: Network, two: Network | int, games: int, threads: int) -> dict[str, float]:
    """A match against another network, or against the bot of a level."""
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(lambda seed: lessons.match(one, two, games // PARTS, seed), range(1000, 1000 + PARTS))
        won, drawn, lost = np.sum(list(parts), axis=0).tolist()
    played = won + drawn + lost
    share = (won + drawn / 2) / played
    spread = 1.96 * sqrt(max(0.0, (won + drawn / 4) / played - share**2) / played)
    return {"games": played, "share": round(share, 4), "±": round(spread, 4)}


def named(lessons: Lessons, names: list[str]) -> Iterator[tuple[str, Network]]:
    """The networks of these names."""
    for name in names:
        known = {"hand": lessons.by_hand, "shipped": lessons.learned}
        yield name, known[name]() if name in known else load_network(Path(name))


def main() -> None:
    """Play every pair."""
    game, games, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    lessons = find_lessons(find_game(game))
    for (one, network), (two, other) in combinations(named(lessons, sys.argv[4:]), 2):
        told = {"what": f"{one} v {two}"} | contested(lessons, network, other, games, threads)
        print(json.dumps(told, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
