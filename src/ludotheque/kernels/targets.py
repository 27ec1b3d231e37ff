"""What a game's rules run on: the interface that every target has. Which one a game uses is `DiscreteGame.target`.

*Native* (compiled by numba) and *interpreted* (the same source as plain Python) are in `native`. Others are given from outside
by `DiscreteGame.use_target`: a recording in tests, WebAssembly in a browser. States cross this border as bytes, in the
game's `Layout`.
A GPU plays whole batches: it takes the place of `batch.BatchFunctions`.
"""

from collections.abc import Sequence
from typing import Final, Protocol

CHANCE: Final = -1
"""What `to_move` answers when the dice are to be rolled …"""
OVER: Final = -2
"""… and when the game is over."""


class RulesTarget(Protocol):
    """A game's rules on one target. Actions and chance's outcomes are numbers; states are bytes and never change."""

    def to_move(self, state: bytes) -> int:
        """Whose turn it is: a seat, CHANCE or OVER."""

    def legal(self, state: bytes) -> list[int]:
        """Every legal action or, on chance's turn, every outcome; not asked when over."""

    def weights(self, state: bytes, outcomes: Sequence[int]) -> list[int]:
        """On chance's turn, the integer weights of outcomes."""

    def advance(self, state: bytes, action: int) -> tuple[bytes, int, list[int]]:
        """One legal action: the state after it, whose turn it is then and, unless it is chance's, what is legal."""

    def returns(self, state: bytes) -> list[float]:
        """When over, what each seat gets; seats that nobody has included."""

    def prepare(self, state: bytes) -> bytes:
        """The state with its derived fields filled in; once, when a position is set up."""

    def call(self, name: str, state: bytes, *arguments: int) -> int:
        """The answer of a further function of the rules module, one that it names in EXPORTS."""
