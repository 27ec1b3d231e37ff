"""Normally distributed numbers for bots' errors, without numpy: those that `numpy.random.default_rng(seed)` draws, but for rounding.

The seed is mixed as by numpy's SeedSequence, the words are those of PCG64 (M. E. O'Neill, pcg-random.org), and a word becomes a number
by the ziggurat method (G. Marsaglia, W. W. Tsang, "The Ziggurat Method for Generating Random Variables", 2000) with 256 layers.
"""

import math
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

WORD: Final = (1 << 32) - 1
LONG: Final = (1 << 64) - 1
HUGE: Final = (1 << 128) - 1

POOL: Final = 4  # words
INIT_A, FACTOR_A = 0x43B0D7E5, 0x931E8875
INIT_B, FACTOR_B = 0x8B51F9DD, 0x58F38DED
MIX_LEFT, MIX_RIGHT = 0xCA01F9DD, 0x4973F715
PCG_FACTOR: Final = 0x2360ED051FC65DA44385DF649FCCF645

LAYERS: Final = 256
STEPS: Final = 1 << 52  # within a layer
EDGE: Final = 3.6541528853610088
"""Where the tail begins if so many layers have the same area."""


class Ziggurat(NamedTuple):
    """Layers of the same area under the curve exp(-x²/2): the first with the tail, the others from the narrowest to the widest."""

    widths: tuple[float, ...]
    """The width of one of the STEPS of each layer."""
    inner: tuple[int, ...]
    """So many steps of each layer lie under the curve at any height."""
    heights: tuple[float, ...]
    """The height of the curve where the layer ends."""


@cache
def ziggurat() -> Ziggurat:
    """The layers, worked out from the widest to the narrowest."""
    height = math.exp(-EDGE * EDGE / 2)
    area = EDGE * height + math.sqrt(math.pi / 2) * math.erfc(EDGE / math.sqrt(2))
    edges = [EDGE]
    for _ in range(LAYERS - 2):
        edges.append(math.sqrt(-2 * math.log(math.exp(-edges[-1] * edges[-1] / 2) + area / edges[-1])))
    edges.reverse()
    ratios = [EDGE * height / area, 0.0, *(one / other for one, other in pairwise(edges))]
    return Ziggurat(
        tuple(edge / STEPS for edge in (area / height, *edges)),
        tuple(int(ratio * STEPS) for ratio in ratios),
        (1.0, *(math.exp(-edge * edge / 2) for edge in edges)),
    )


class NormalNumbers:
    """A generator whose numbers depend on the seed alone; the mean is 0, the variance 1."""

    def __init__(self, seed: int) -> None:
        first, second, third, fourth = _mixed_seed(seed)
        self._step = (third << 65 | fourth << 1 | 1) & HUGE
        self._state = ((self._step + (first << 64 | second)) * PCG_FACTOR + self._step) & HUGE

    def _word(self) -> int:
        """The next 64 random bits."""
        state = self._state = (self._state * PCG_FACTOR + self._step) & HUGE
        word, turned = (state >> 64) ^ (state & LONG), state >> 122
        return (word >> turned | word << (64 - turned)) & LONG

    def _uniform(self) -> float:
        """A number from 0 up to, not including, 1."""
        return (self._word() >> 11) / (1 << 53)

    def draw(self) -> float:
        """The next number."""
        widths, inner, heights = ziggurat()
        while True:
            word = self._word()
            layer, steps = word & 0xFF, word >> 9 & STEPS - 1
            number = steps * widths[layer] * (-1 if word & 0x100 else 1)
            if steps < inner[layer]:
                return number
            if layer == 0:
                return self._from_tail(negative=bool(steps & 0x100))
            height = (heights[layer - 1] - heights[layer]) * self._uniform() + heights[layer]
            if height < math.exp(-number * number / 2):
                return number

    def _from_tail(self, *, negative: bool) -> float:
        while True:
            beyond = -math.log1p(-self._uniform()) / EDGE
            if -2 * math.log1p(-self._uniform()) > beyond * beyond:
                return -(EDGE + beyond) if negative else EDGE + beyond


def _mixed_seed(seed: int) -> list[int]:
    """Four words of 64 bits out of a seed of at most 128, as numpy's SeedSequence mixes them."""
    factor = INIT_A

    def hashed(value: int) -> int:
        nonlocal factor
        value ^= factor
        factor = factor * FACTOR_A & WORD
        value = value * factor & WORD
        return value ^ value >> 16

    pool = [hashed(seed >> (32 * place) & WORD) for place in range(POOL)]
    for source in range(POOL):
        for other in range(POOL):
            if other != source:
                value = (MIX_LEFT * pool[other] - MIX_RIGHT * hashed(pool[source])) & WORD
                pool[other] = value ^ value >> 16
    words: list[int] = []
    factor = INIT_B
    for place in range(2 * POOL):
        value = pool[place % POOL] ^ factor
        factor = factor * FACTOR_B & WORD
        value = value * factor & WORD
        words.append(value ^ value >> 16)
    return [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]
