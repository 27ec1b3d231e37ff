"""Noise for bots' evaluations, inside compiled rules: the same for the same key, so that a bot keeps to one plan through a turn."""

from ludotheque.kernels.jit import part_of_rules
from ludotheque.kernels.random import WORD, Random, next_word


@part_of_rules
def noise_of(words: int, count: int) -> float:
    """A number from -1 to 1 out of the sum of `count` random 32-bit words; the more words, the likelier small numbers are."""
    return (2.0 * words / WORD - count) / count


@part_of_rules
def uniform(random: Random) -> float:
    """A random number from 0 up to, not including, 1."""
    return next_word(random) / 4294967296.0
