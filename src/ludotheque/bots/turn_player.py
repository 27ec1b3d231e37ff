"""A bot that plans whole turns over a learned evaluation, for games of two players with dice. Games derive their bots from it.

A game says how a turn is planned and how well its levels play (its `Skill`); choosing, telling chances and being graded by puzzles
are the same for all.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from ludotheque.bots.naming import LEVELS
from ludotheque.core import Decision, Player, Position, Thought, check_asked
from ludotheque.kernels import DiscretePosition
from ludotheque.kernels.weights import NetworkWeights

S = TypeVar("S")
STRONGEST = max(LEVELS)


class TurnPlayer(Player, Generic[S]):
    """A bot of one level. What noise makes it misjudge depends on the position alone, so that it keeps to one plan through a turn."""

    def __init__(self, level: int, skill: S, network: NetworkWeights) -> None:
        self.name = f"bot:{level}"
        self.level = level
        self.skill = skill
        self.network = network

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The best decision as this level sees it. Only the strongest level uses `seconds`, to look further ahead."""
        del seed
        check_asked(position)
        assert isinstance(position, DiscretePosition)
        fields, write = position.fields, position.game.write
        values, action = self.plan(position, seconds if self.level == STRONGEST else None)
        # A position that is as good as lost has many equals: what is chosen comes first among them.
        order = sorted(values, key=lambda one: (-values[one], one != action))
        considered = tuple(Thought(write(fields, one), values[one]) for one in order)
        return Decision(write(fields, action), values[action], considered)

    def standing(self, position: Position) -> tuple[float, ...]:
        """Every seat's chance to win at any moment, dice in the air or on the table, evaluated without noise."""
        if position.over:
            return position.returns()
        assert isinstance(position, DiscretePosition)
        value = self.value(position)
        return (value, 1.0 - value) if position.fields.player == 0 else (1.0 - value, value)

    def miss_rate(self, position: Position, answer: str, tries: int) -> float:
        """How often this level would miss an answer, over so many ways in which noise may mislead it: for grading puzzles."""
        assert isinstance(position, DiscretePosition)
        number = position.number_of(answer)
        chosen = self.choices(position, range(tries))
        return sum(action != number for action in chosen) / tries

    @abstractmethod
    def plan(self, position: DiscretePosition, seconds: float | None) -> tuple[dict[int, float], int]:
        """The value of each legal action without noise, and the action that this level takes."""

    @abstractmethod
    def value(self, position: DiscretePosition) -> float:
        """The chance to win of the player whose turn it is, evaluated without noise."""

    @abstractmethod
    def choices(self, position: DiscretePosition, noise_seeds: Iterable[int]) -> Iterator[int]:
        """The action that this level would take with each seed of its noise."""
