"""The command line of the puzzle makers: make a file of puzzles, or grade one anew."""

import argparse
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from ludotheque.core import Game, JsonObject
from tools.puzzles.grading import CountMisses, grade_again, write_puzzles


def make_or_grade(game: Game, puzzles: Callable[[int], Iterator[JsonObject]], missed: CountMisses) -> None:
    """`FILE [COUNT] [SEED]` makes so many puzzles out of `puzzles(seed)`, `FILE grade` grades those of the file anew."""
    parser = argparse.ArgumentParser(description=f"Puzzles of {game.title}.")
    parser.add_argument("file", type=Path)
    parser.add_argument("count", nargs="?", default="240", help="how many to make, or `grade`")
    parser.add_argument("seed", type=int, nargs="?", default=1)
    given = parser.parse_args()
    if given.count == "grade":
        grade_again(game, given.file, missed)
    else:
        write_puzzles(game, given.file, islice(puzzles(given.seed), int(given.count)))
