"""Fair dice: a secret seed is committed to before the match, numbers from the players are mixed in, and every draw
follows from both and from its place in the match, so that anyone can check them afterwards. Odds come from the game.
"""

import hashlib
import hmac
import secrets
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeVar

Thing = TypeVar("Thing")

LARGEST = 1 << 64


class Draw(NamedTuple):
    """One number drawn: at a place of the match, below a total."""

    place: str
    total: int
    number: int


def fresh_seed() -> str:
    """A secret seed that nobody can guess."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """What is shown to the players before the match; it gives nothing away and leaves no choice afterwards."""
    return "sha256:" + hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Dice:
    """The dice of one match, decided by the seed and by the players' own numbers."""

    seed: str = field(repr=False)
    numbers: tuple[str, ...] = ()

    @property
    def commitment(self) -> str:
        """What the players saw before the match."""
        return commitment(self.seed)

    def __reduce__(self) -> "tuple[type[Dice], tuple[str, tuple[str, ...]]]":
        return Dice, (self.seed, self.numbers)  # without the mixture, which cannot go to another process

    @cached_property
    def _mixture(self) -> hmac.HMAC:
        """The seed and the players' numbers, mixed: every draw is made from a copy."""
        mixed = "ludotheque dice 1\n" + self.seed + "".join("\n" + number for number in self.numbers)
        return hmac.new(hashlib.sha256(mixed.encode("utf-8", "surrogatepass")).digest(), digestmod="sha256")

    def draw(self, place: str, total: int) -> Draw:
        """A number from 0 up to, not including, `total`; every one equally likely, always the same at the same place."""
        if not 0 < total < LARGEST:
            raise ValueError(f"a draw needs a total from 1 to 2^64, not {total}")
        fair_part = LARGEST - LARGEST % total  # above it some numbers would come up once more than others
        attempt = 0
        while True:
            mixture = self._mixture.copy()
            mixture.update(f"{place}/{attempt}".encode())
            candidate = int.from_bytes(mixture.digest()[:8], "big")
            if candidate < fair_part:
                return Draw(place, total, candidate % total)
            attempt += 1


def chosen(weights: Sequence[int], number: int) -> int:
    """Which of several outcomes a number drawn below the sum of their weights means."""
    return next(outcome for outcome, reached in enumerate(accumulate(weights)) if number < reached)


class SetupDice:
    """The dice as a game's set-up uses them: one draw after the other, at the places setup.0, setup.1, …"""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.draws: list[Draw] = []

    def below(self, total: int) -> int:
        """A number from 0 up to, not including, `total`."""
        draw = self._dice.draw(f"setup.{len(self.draws)}", total)
        self.draws.append(draw)
        return draw.number

    def shuffle(self, things: MutableSequence[Thing]) -> None:
        """Put things into a random order, every one equally likely."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
