"""How Yikerz! plays with either magnetisation of its pieces: `python -m bench.physics.yikerz_magnetisation`.

For each magnetisation, along the length or through the thickness, and level: pieces that a bot alone places before something
collapses or falls, and the length of a round of two such bots. Bots put pieces on either face where it matters. Prints the table
of docs/magnets.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from bench.strength.measuring import mean_of
from bench.strength.yikerz import GAME, play, table_of
from ludotheque.core import Dice, Match
from ludotheque.games.yikerz.magnets.shapes import MAGNETISATIONS
from ludotheque.games.yikerz.player import MagnetPlayer

LEVELS = (1, 2, 3)


def before_first_collapse(magnetisation: str, level: int, seed: int) -> int:
    """Pieces that one bot places on an empty board before something collapses or falls."""
    match = Match(GAME, 1, {"magnetisation": magnetisation}, dice=Dice(f"study {seed}"))
    while not match.over:
        if play(match, [MagnetPlayer(level)], seed, [[]]):
            return table_of(match).turns[0] - 1
    return table_of(match).turns[0]


def round_length(magnetisation: str, level: int, seed: int) -> int:
    """Turns of both players until one of two bots of a level has won the first round."""
    match = Match(GAME, 2, {"magnetisation": magnetisation}, dice=Dice(f"study {seed}"))
    players = [MagnetPlayer(level), MagnetPlayer(level)]
    turns = 0
    while not match.over and not sum(table_of(match).rounds_won):
        turns += table_of(match).phase == "turn"
        play(match, list(players), seed, [[], []])
    return turns


def measured(measure: Callable[[int], int], count: int, seconds: float) -> tuple[list[int], str]:
    """The values of so many seeds, or as many as there is time for, and their mean with its 95 % interval."""
    end = time.monotonic() + seconds
    values: list[int] = []
    while len(values) < count and (len(values) < 2 or time.monotonic() < end):
        values.append(measure(len(values)))
    return values, told(values)


def told(values: Sequence[int]) -> str:
    """Mean, half the width of its interval, and range."""
    mean, half = mean_of(values)
    return f"{mean:.1f} ± {half:.1f} ({min(values)} to {max(values)}, n = {len(values)})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=40.0, help="the most for one cell of the table")
    asked = parser.parse_args()
    print("| magnetised | level | pieces before the first collapse | turns of a round of two |\n|---|---|---|---|")
    for magnetisation in MAGNETISATIONS:
        for level in LEVELS:

            def placed(seed: int, how: str = magnetisation, level: int = level) -> int:
                return before_first_collapse(how, level, seed)

            def turns(seed: int, how: str = magnetisation, level: int = level) -> int:
                return round_length(how, level, seed)

            cells = [measured(placed, asked.boards, asked.seconds)[1], measured(turns, asked.rounds, asked.seconds)[1]]
            print(f"| {magnetisation} | {level} | {cells[0]} | {cells[1]} |", flush=True)


if __name__ == "__main__":
    main()
