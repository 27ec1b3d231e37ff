"""Difficulty of a puzzle, by how often lower levels of bots miss its answer; writes the file in which a game's puzzles are kept.

How puzzles are found, and how the levels are asked, is in the module of each game; the file is read by `ludotheque.analysis.puzzles`.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Final

from ludotheque.analysis.puzzles import read_file
from ludotheque.core import Decision, Game, JsonObject, Options, Position, parse, write_json

ASKED: Final = (2, 3, 4)  # levels
SEEDS: Final = 8  # how often each level is asked, each time with other noise
OBVIOUS: Final = 0.25  # missed less often than this, on average over the levels: no puzzle
LEAST_MISSED: Final = (0.4, 0.55, 0.7, 0.85)  # from this share on: grade 2, 3, 4, 5

Misses = Mapping[int, float]
"""How often each level misses an answer."""
CountMisses = Callable[[Position, str], Misses]


def gap(decision: Decision) -> float:
    """By how much the best action beats the next."""
    return decision.considered[0].value - max(one.value for one in decision.considered[1:])


def obvious(misses: Misses) -> bool:
    """Whether too many see the answer."""
    return fmean(misses.values()) < OBVIOUS


def graded(misses: Misses) -> JsonObject:
    """The fields `missed` and `grade` (1 to 5) of a puzzle."""
    grade = 1 + sum(fmean(misses.values()) >= least for least in LEAST_MISSED)
    return {"missed": {str(level): part for level, part in misses.items()}, "grade": grade}


def puzzle(position: Position, kind: str, deep: Decision, misses: Misses) -> JsonObject:
    """A puzzle as its file has it; `deep` is the result of a deep search of the position."""
    answer, *others = deep.considered
    following = max(others, key=lambda one: one.value)
    return {
        "position": position.view(),
        "players": position.players,
        **_options(position.game, position.options),
        "kind": kind,
        "answer": answer.action,
        "value": round(answer.value, 4),
        "next": following.action,
        "next_value": round(following.value, 4),
        **graded(misses),
    }


def _options(game: Game, options: Options) -> JsonObject:
    """The field `options` of a puzzle, where they are not the defaults."""
    return {"options": dict(options)} if options != game.read_options() else {}


def write_puzzles(game: Game, file: Path, made: Iterable[JsonObject]) -> None:
    """Write a file of puzzles, the easiest first."""
    in_order = sorted(made, key=lambda one: (int(str(one["grade"])), str(one["kind"])))
    lines = ",\n".join(write_json(one) for one in in_order)
    file.write_text(f'{{"game":"{game.name}","rules":{game.rules_version},"puzzles":[\n{lines}\n]}}\n', "utf-8")


def grade_again(game: Game, file: Path, missed: CountMisses) -> None:
    """Grade the puzzles of a file with the bots as they are now; drops those that have become obvious."""
    content = file.read_bytes()
    puzzles = read_file(game, content, file.name)
    raw = parse(content)
    assert isinstance(raw, dict)
    assert isinstance(raw["puzzles"], list)
    kept: list[JsonObject] = []
    for number, (one, former) in enumerate(zip(puzzles, raw["puzzles"], strict=True), 1):
        assert isinstance(former, dict)
        misses = missed(one.position(game), one.answer)
        if not obvious(misses):
            kept.append({**former, **_options(game, one.options), **graded(misses)})
        if number % 20 == 0 or number == len(puzzles):
            sys.stdout.write(f"\r{number} of {len(puzzles)}, {len(kept)} stay")
            sys.stdout.flush()
    sys.stdout.write("\n")
    write_puzzles(game, file, kept)
