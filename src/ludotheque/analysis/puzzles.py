"""Puzzles of a game: reads them, picks the one of the day, judges an answer. They are made by `tools/puzzles` of the source tree."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from ludotheque.analysis.reasons import Comparison, compare
from ludotheque.core import (
    BadJson,
    BadRequest,
    BadView,
    Game,
    JsonObject,
    Options,
    Player,
    Position,
    Reader,
    languages,
    parse,
)

FILE: Final = "puzzles.json"
MOST: Final = 10_000
GRADES: Final = 5
GOOD: Final = 0.01  # of a win: an answer this close to the best is right, too


@dataclass(frozen=True)
class Puzzle:
    """A position with one clearly best, not obvious answer."""

    number: int
    """Its place in the file, from 1 on."""
    view: JsonObject
    players: int | None
    """How many play; None: as many as the position fits."""
    options: Options
    kind: str
    """What it asks for, in the game's own word; `puzzle.KIND` of its sentences asks it."""
    answer: str
    value: float
    """The chance to win by the answer, as a deep search has it."""
    next: str
    next_value: float
    missed: Mapping[str, float]
    """How often each level of bots misses the answer."""
    grade: int
    """From 1 to 5, by how often they do."""

    def position(self, game: Game) -> Position:
        """The position; raises a Problem if it is not a position of this game, or if the answers are not legal in it."""
        position = self._set_up(game)
        legal = position.legal().actions
        if not isinstance(position.to_move, int) or self.answer not in legal or self.next not in legal:
            raise BadJson("puzzle.answers-illegal", file=f"{game.package}/{FILE}", number=self.number)
        return position

    def _set_up(self, game: Game) -> Position:
        counts = game.seats if self.players is None else (self.players,)
        for players in counts[:-1]:
            try:
                return game.from_view(self.view, players, self.options)
            except BadView:
                continue  # a position for more players
        return game.from_view(self.view, counts[-1], self.options)

    def questions(self, game: Game) -> Mapping[str, str]:
        """What is asked, in every language; empty where the game's catalogue has no sentence for this kind."""
        seat = self.position(game).to_move
        assert isinstance(seat, int)
        name = f"puzzle.{self.kind}"
        if not game.catalogue.has(name):
            return {}
        return {
            language: game.catalogue.say(name, language, {"player": game.seat_name(seat, language)})
            for language in languages()
        }


def read_puzzles(game: Game) -> tuple[Puzzle, ...]:
    """All puzzles of a game, in the order of its file; none where it has no puzzles."""
    return _read(game, game.capabilities.puzzles) if game.capabilities.puzzles else ()


@cache
def _read(game: Game, puzzles: Callable[[], str]) -> tuple[Puzzle, ...]:
    return read_file(game, puzzles(), f"{game.package}/{FILE}")


def read_file(game: Game, content: bytes | str, name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file; BadJson names the place of whatever is wrong in it."""
    reader = Reader(parse(content), BadJson, name)
    if reader.key("game").text() != game.name:
        reader.key("game").fail("puzzle.other-game", game=game.name)
    version = reader.key("rules").integer(1, 1_000_000)
    if game.at_version(version) is not game:
        reader.key("rules").fail("puzzle.other-rules", version=game.rules_version)
    puzzles = reader.key("puzzles").items(most=MOST)
    return tuple(_puzzle(game, version, number, one) for number, one in enumerate(puzzles, 1))


def _puzzle(game: Game, version: int, number: int, reader: Reader) -> Puzzle:
    missed = reader.key("missed")
    options = game.options_of_version(version, reader.key("options").object() if reader.has("options") else {})
    puzzle = Puzzle(
        number=number,
        view=reader.key("position").object(),
        players=game.read_players(reader.key("players").value) if reader.has("players") else None,
        options=game.read_options(options),
        kind=reader.key("kind").text(40),
        answer=reader.key("answer").text(),
        value=reader.key("value").number(0, 1),
        next=reader.key("next").text(),
        next_value=reader.key("next_value").number(0, 1),
        missed={level: missed.key(level).number(0, 1) for level in missed.object()},
        grade=reader.key("grade").integer(1, GRADES),
    )
    if puzzle.value <= puzzle.next_value:
        reader.fail("puzzle.answer-worth")
    return puzzle


def puzzle_numbered(game: Game, number: int) -> Puzzle:
    """The puzzle of that number; BadRequest says which there are."""
    some = read_puzzles(game)
    if not some:
        raise BadRequest("puzzle.none", title=game.title)
    if not 1 <= number <= len(some):
        raise BadRequest("puzzle.no-number", title=game.title, count=len(some), number=number)
    return some[number - 1]


def puzzle_of_the_day(game: Game, day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody; every puzzle comes once before any is repeated.

    A hash fixes the order, which mixes easy and hard ones.
    """
    some = read_puzzles(game)
    if not some:
        raise BadRequest("puzzle.none", title=game.title)
    order = sorted(some, key=lambda one: hashlib.sha256(f"{game.name} {one.number}".encode()).digest())
    return order[day.toordinal() % len(order)]


@dataclass(frozen=True)
class JudgedAnswer:
    """The verdict on an answer."""

    right: bool
    action: str
    value: float | None
    """The chance to win by the chosen action; None if the judge did not consider it."""
    best: str
    best_value: float
    why: Comparison | None
    """What the best brings and the chosen does not; None if the answer is right."""


def judge_answer(game: Game, puzzle: Puzzle, action: str, judge: Player, seconds: float | None = None) -> JudgedAnswer:
    """Compare an answer with the best one; IllegalAction if the rules do not allow it."""
    position = puzzle.position(game)
    if action not in position.legal().actions:
        raise position.refuse(action)
    if action == puzzle.answer:
        return JudgedAnswer(True, action, puzzle.value, action, puzzle.value, None)
    if action == puzzle.next:
        value: float | None = puzzle.next_value
    else:
        values = {one.action: one.value for one in judge.choose(position, seconds=seconds).considered}
        value = values.get(action)
        if value is not None:  # never more than the deep search found for the second best
            value = min(value, puzzle.next_value)
    right = value is not None and puzzle.value - value < GOOD
    why = None if right else compare(position, puzzle.answer, action, judge, seconds)
    return JudgedAnswer(right, action, value, puzzle.answer, puzzle.value, why)
