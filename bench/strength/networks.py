"""Networks of one game against each other, without search: which training has given the stronger one.

`python -m bench.strength.networks GAME GAMES THREADS WEIGHTS…` plays GAMES games a pair; WEIGHTS are files, `hand` for the evaluation
written by hand, or `shipped` for the game's own. Prints one JSON line a pair: the share of the first, with its 95 % interval.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from bench.strength.measuring import match_result, tell
from ludotheque.core import find_game
from ludotheque.kernels.network import Network, load_network
from ludotheque.kernels.self_play import SelfPlay
from ludotheque.training.course import find_self_play

PARTS: Final = 16  # each with a seed of its own, so that a match is the same on any number of threads


def play_match(self_play: SelfPlay, one: Network, two: Network | int, games: int, threads: int) -> dict[str, object]:
    """A match against another network, or against the bot of a level."""
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(lambda seed: self_play.match(one, two, games // PARTS, seed), range(1000, 1000 + PARTS))
        won, drawn, lost = np.sum(list(parts), axis=0).tolist()
    return match_result(won, drawn, lost)


def named(self_play: SelfPlay, names: Sequence[str]) -> Iterator[tuple[str, Network]]:
    """The networks of these names."""
    for name in names:
        known = {"hand": self_play.baseline, "shipped": self_play.learned}
        yield name, known[name]() if name in known else load_network(Path(name))


def main() -> None:
    """Play every pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("games", type=int)
    parser.add_argument("threads", type=int)
    parser.add_argument("weights", nargs="+")
    given = parser.parse_args()
    self_play = find_self_play(find_game(given.game))
    for (one, network), (two, other) in combinations(named(self_play, given.weights), 2):
        tell({"what": f"{one} v {two}"} | play_match(self_play, network, other, given.games, given.threads))


if __name__ == "__main__":
    main()
