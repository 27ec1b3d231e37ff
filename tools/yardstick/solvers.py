"""The exact value of every action in the last turns of our discrete games, by the solvers that the bots have for them.

tests/arena/test_yardstick.py checks them by another way, through the rules alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ludotheque.core import JsonObject
from ludotheque.games.twisty.player import beginnings, prepared
from ludotheque.games.twisty.turn_search import solve
from ludotheque.games.wykersham.player import exact_values, turns_left
from ludotheque.games.yam_master.player import action_values
from ludotheque.games.yam_master.player import turns_left as yam_turns_left
from ludotheque.kernels import DiscretePosition

MOST_SOLVED: Final = 400_000  # positions of Twisty


@dataclass(frozen=True)
class Solver:
    """How a game's yardstick is made."""

    options: tuple[JsonObject, ...]
    """The options of its games, one after the other."""
    most_left: int
    """In how many last turns (Twisty: rounds) positions are taken."""
    left: Callable[[DiscretePosition], int]
    """How many turns, or rounds, are left, the one that is played included."""
    values: Callable[[DiscretePosition], Mapping[str, float] | None]
    """The exact value of every action for the player to move; None where it is unknown."""


def _yam_values(position: DiscretePosition) -> Mapping[str, float]:
    values = action_values(position, yam_turns_left(position) - 1)  # so deep that no board is evaluated
    return {position.game.write(position.fields, action): value for action, value in values.items()}


def _twisty_left(position: DiscretePosition) -> int:
    return int(position.fields.max_rounds - position.fields.this_round) + 1


def _twisty_values(position: DiscretePosition) -> Mapping[str, float] | None:
    turns = solve(position.game.kernels, prepared(position), MOST_SOLVED)
    if turns is None:
        return None
    return {action: max(turns[turn] for turn in reached) for action, reached in beginnings(position)}


SOLVERS: Final = {
    "yam-master": Solver(tuple({"max_turns": turns} for turns in range(6, 12)), 4, yam_turns_left, _yam_values),
    "wykersham": Solver(({},), 2, turns_left, exact_values),
    "twisty": Solver(tuple({"max_rounds": rounds} for rounds in range(8, 15)), 4, _twisty_left, _twisty_values),
}
