"""One match with numbered actions: players' are played by number, chance is drawn. Adapters put their interface around it."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.core import CHANCE, BadOption, Dice, IllegalAction, Json, Match, fresh_seed, shortened
from ludotheque.kernels import DiscreteGame, DiscretePosition
from ludotheque.kernels.encoding import Encoding, encoding_of


def rewards_of(returns: Sequence[float]) -> tuple[float, ...]:
    """What each seat is rewarded with at the end: 1 for the winner, in sum 0; with two players -1 for the loser, 0 for a draw."""
    players = len(returns)
    return tuple((players * share - 1.0) / (players - 1) for share in returns)


def checked_seed(seed: object) -> int | None:
    """A seed as a number; BadOption for anything else."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise BadOption("batch.seed", seed=shortened(str(seed)))
    return int(seed)


class SeatedMatch:
    """A match of a discrete game that waits for a player, or is over."""

    match: Match

    def __init__(self, game: DiscreteGame, players: int | None = None, options: Json = None) -> None:
        self.encoding: Final[Encoding] = encoding_of(game)
        self.game: Final = game
        self.players: Final = game.read_players(players)
        self.options: Final = game.read_options(options, self.players)
        self.start(0)

    def start(self, seed: int | None = None) -> None:
        """Begin a match; the same seed and the same actions give the same match."""
        dice = Dice(fresh_seed() if seed is None else f"environment {seed}")
        self.match = Match(self.game, self.players, dict(self.options), dice=dice)
        self._roll()

    @property
    def position(self) -> DiscretePosition:
        """The current position."""
        position = self.match.position
        assert isinstance(position, DiscretePosition)
        return position

    @property
    def seat(self) -> int | None:
        """The seat that decides; None when it is over."""
        mover = self.match.to_move
        return mover if isinstance(mover, int) else None

    @property
    def over(self) -> bool:
        """Whether it is over."""
        return self.match.over

    def play(self, action: object) -> None:
        """Play an action of the seat to move, by its number; IllegalAction changes nothing."""
        if self.over:
            raise IllegalAction("envs.over")
        self.match.play(self.encoding.action_text(action, self.position))
        self._roll()

    def play_text(self, action: str) -> None:
        """Play an action of the seat to move, by its text; IllegalAction changes nothing."""
        if self.over:
            raise IllegalAction("envs.over")
        self.match.play(action)
        self._roll()

    def _roll(self) -> None:
        while self.match.to_move == CHANCE:
            self.match.draw()

    def observe(self, seat: int) -> NDArray[np.int8]:
        """What a seat sees."""
        return self.encoding.observe(self.position, seat)

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for each action that the seat can play now; all 0 while another decides."""
        if self.seat != seat:
            return np.zeros(self.encoding.num_actions, np.int8)
        return self.encoding.mask(self.position)

    def rewards(self) -> tuple[float, ...]:
        """When over, each seat's reward; 0 before."""
        return rewards_of(self.position.returns()) if self.over else (0.0,) * self.players
