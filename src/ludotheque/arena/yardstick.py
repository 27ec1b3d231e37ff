"""The yardstick of a game: positions of its last turns with the exact value of every action, to mark any player by.

A game brings it as `capabilities.yardstick`; `tools/yardstick` makes it. Matches between players are in `series`.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from ludotheque.arena.distributed import Backend, distribute
from ludotheque.bots import SECONDS_A_DECISION, Forfeit, player_named
from ludotheque.core import BadRequest, Json, JsonObject, Position, Problem, Reader, find_game, parse

FORMAT: Final = 1
MILLION: Final = 1_000_000
"""Losses are stored as whole millionths of a win; choices nearer than that to the best one are best."""
POSITIONS_A_TASK: Final = 8
PLAYERS: Final = 2


class BadYardstick(Problem):
    """A yardstick that cannot be read, or that is of other rules."""

    code = "bad_yardstick"


@dataclass(frozen=True)
class Question:
    """A position of the yardstick. Values are chances to win of the player to move, a draw counted half."""

    position: Position
    left: int
    """How many turns are left, the one that is played included; in Twisty, rounds."""
    value: float
    """Of the best action."""
    losses: Mapping[str, float]
    """What each action gives away, in parts of a win."""


@dataclass(frozen=True)
class Answer:
    """What a player chose, and what it gave away. One that failed has given away the whole value."""

    left: int
    loss: float
    failed: bool = False


@dataclass(frozen=True)
class Mark:
    """How well a player has answered: the share of best choices, and what it gave away in parts of a win."""

    positions: int
    best: float
    mean_loss: float
    largest_loss: float
    failed: int

    def json(self) -> JsonObject:
        """For programs."""
        told: JsonObject = {
            "positions": self.positions,
            "best": round(self.best, 6),
            "mean_loss": round(self.mean_loss, 6),
            "largest_loss": round(self.largest_loss, 6),
        }
        return {**told, "failed": self.failed} if self.failed else told


@cache
def read_yardstick(name: str) -> tuple[Question, ...]:
    """The yardstick of a game; BadRequest if it has none."""
    game = find_game(name)
    if game.capabilities.yardstick is None:
        raise BadRequest("yardstick.none", game=game.title)
    first, *lines = game.capabilities.yardstick().splitlines()
    heading = Reader(parse(first), BadYardstick)
    heading.key("yardstick").integer(FORMAT, FORMAT)
    if heading.key("rules").integer(1, MILLION) != game.rules_version:
        raise BadYardstick("yardstick.other-rules", game=game.title)
    return tuple(
        _question(name, Reader(parse(line), BadYardstick, str(number))) for number, line in enumerate(lines, 2)
    )


def _question(name: str, read: Reader) -> Question:
    game = find_game(name)
    options = game.read_options(read.key("options").object(), PLAYERS)
    position = game.from_view(read.key("view").object(), PLAYERS, options)
    actions = position.legal().actions
    losses = [one.integer(0, MILLION) / MILLION for one in read.key("losses").items(len(actions))]
    return Question(
        position,
        read.key("left").integer(1, 1000),
        read.key("value").number(0, 1),
        dict(zip(actions, losses, strict=True)),
    )


def answer_some(
    game: str, name: str, seconds: float | None, newgame: bool, first: int, count: int
) -> list[tuple[int, Answer]]:
    """The answers of a player to some of the positions, each with its number. The number is also the seed."""
    limit = seconds if seconds is not None else SECONDS_A_DECISION
    player = player_named(name, find_game(game), seconds=limit, newgame=newgame)
    found: list[tuple[int, Answer]] = []
    try:
        for number, question in enumerate(read_yardstick(game)[first : first + count], first):
            seat = question.position.to_move
            assert isinstance(seat, int)
            try:
                player.new_game(question.position, seat, number)
                action = player.choose(question.position, seconds=seconds, seed=number).action
                answer = Answer(question.left, question.losses[action])
            except Forfeit:
                answer = Answer(question.left, question.value, failed=True)
            found.append((number, answer))
    finally:
        player.close()
    return found


def answers(
    game: str, name: str, backend: Backend | int = 1, *, seconds: float | None = None, newgame: bool = False
) -> Generator[list[tuple[int, Answer]], None, None]:
    """The answers of a player to all positions, some at a time and in any order."""
    tasks = [(first, POSITIONS_A_TASK) for first in range(0, len(read_yardstick(game)), POSITIONS_A_TASK)]
    yield from distribute(partial(answer_some, game, name, seconds, newgame), tasks, backend)


def mark(given: Sequence[Answer]) -> Mark:
    """The mark for some answers."""
    count = max(1, len(given))
    return Mark(
        len(given),
        sum(one.loss == 0 and not one.failed for one in given) / count,
        sum(one.loss for one in given) / count,
        max((one.loss for one in given), default=0.0),
        sum(one.failed for one in given),
    )


def marks_by_turns_left(given: Iterable[Answer]) -> dict[int, Mark]:
    """The mark for each number of turns left, fewest first."""
    by_left: dict[int, list[Answer]] = {}
    for one in given:
        by_left.setdefault(one.left, []).append(one)
    return {left: mark(by_left[left]) for left in sorted(by_left)}


def marks_json(given: Sequence[Answer]) -> Mapping[str, Json]:
    """The whole mark for programs."""
    by_left = marks_by_turns_left(given)
    return {**mark(given).json(), "by_turns_left": [{"left": left, **one.json()} for left, one in by_left.items()]}
