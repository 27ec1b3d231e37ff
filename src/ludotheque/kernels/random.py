"""Fast random numbers for playouts and search: the generator sfc32, bit for bit the same compiled, interpreted and on a GPU.

It works on 32-bit numbers inside 64-bit integers, so that nothing overflows. Dice that people trust are in core.dice.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import part_of_rules, whole

Random: TypeAlias = NDArray[Any]
"""The generator's state: four 32-bit numbers, as int64."""

WORD = 0xFFFFFFFF
SEEDING_STEPS = 15  # the author's way to mix the seed in


def seeded(seed: int) -> Random:
    """A generator whose numbers depend on the seed alone."""
    low, high = seed & WORD, (seed >> 32) & WORD
    random = np.array([low, high, 0x9E3779B9, 1], np.int64)
    for _ in range(SEEDING_STEPS):
        next_word(random)
    return random


def seeded_many(first: int, count: int) -> NDArray[np.int64]:
    """Generators for that many seeds, from `first` on, in rows: the same as `seeded` makes of each, at once."""
    seeds = np.arange(count, dtype=np.uint64) + np.uint64(first & (1 << 64) - 1)
    low, high = (seeds & np.uint64(WORD)).astype(np.int64), (seeds >> np.uint64(32)).astype(np.int64)
    random = np.stack([low, high, np.full_like(low, 0x9E3779B9), np.full_like(low, 1)])
    for _ in range(SEEDING_STEPS):
        next_word(random)
    return np.ascontiguousarray(random.T)


@part_of_rules
def next_word(random: Random) -> int:
    """The next 32 random bits."""
    first, second, third, counter = random[0], random[1], random[2], random[3]
    word = (first + second + counter) & WORD
    random[0] = second ^ (second >> 9)
    random[1] = (third + (third << 3)) & WORD
    random[2] = ((((third << 21) | (third >> 11)) & WORD) + word) & WORD
    random[3] = (counter + 1) & WORD
    return whole(word)


@part_of_rules
def below(random: Random, limit: int) -> int:
    """A number from 0 up to, not including, `limit` (at most 2^31)."""
    return (next_word(random) * limit) >> 32


@part_of_rules
def mixed(number: int) -> int:
    """Some 32 bits that look random, the same for the same number."""
    number = (number ^ (number >> 16)) & WORD
    number = (number * 0x45D9F3B) & WORD
    number = (number ^ (number >> 16)) & WORD
    number = (number * 0x45D9F3B) & WORD
    return whole(number ^ (number >> 16))
