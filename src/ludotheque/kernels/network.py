"""A small network that judges positions inside compiled rules: a few active rows are added up, then two small layers.

Which rows a position has is its game's business, learning is training's. Rows are cheap to add and to take away, so that
positions that differ by little are judged quickly.
"""

import math
from collections.abc import Callable
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import part_of_rules

Floats: TypeAlias = NDArray[Any]
"""float32"""


class Network(NamedTuple):
    """The weights. `first` has one row for each thing that can be true of a position."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    third: Floats
    third_bias: Floats


def new_network(rows: int, width: int, inner: int, seed: int, active: int) -> Network:
    """A network that knows nothing yet; `active` is about how many rows a position has."""
    random = np.random.default_rng(seed)

    def normal(*shape: int, spread: float) -> Floats:
        return (spread * random.standard_normal(shape)).astype(np.float32)

    return Network(
        normal(rows, width, spread=(1.0 / active) ** 0.5),
        np.zeros(width, np.float32),
        normal(width, inner, spread=(2.0 / width) ** 0.5),
        np.zeros(inner, np.float32),
        normal(inner, spread=0.1 / inner**0.5),
        np.zeros(1, np.float32),
    )


def save_network(file: Path, network: Network, **about: Any) -> None:
    """Write the weights in half precision, with facts about them."""
    weights = {name: part.astype(np.float16) for name, part in network._asdict().items()}
    np.savez_compressed(file, allow_pickle=False, **weights, **about)


def load_network(file: Path) -> Network:
    """Read the weights again."""
    with np.load(file, allow_pickle=False) as parts:
        return Network(*(np.ascontiguousarray(parts[name], np.float32) for name in Network._fields))


class MadeByHand(Protocol):
    """A game's judge that nobody taught; a beginner's does not look at the others."""

    def __call__(self, *, sees_others: bool = True) -> Network:
        """Make it."""


def judges(package: str, by_hand: MadeByHand) -> tuple[Callable[[], Network], Callable[[int], Network]]:
    """What a game's bots judge with, each made when first needed: what self-play has taught (`ludotheque train`, weights.npz
    beside the game's code), and what each level has: a beginner's view, a rule of thumb, and from level 3 on what was taught.
    """

    @cache
    def learned() -> Network:
        with as_file(files(package) / "weights.npz") as file:
            return load_network(file)

    @cache
    def plain(sees_others: bool) -> Network:
        return by_hand(sees_others=sees_others)

    def judge_of(level: int) -> Network:
        return learned() if level > 2 else plain(level > 1)

    return learned, judge_of


@part_of_rules
def add_row(hidden: Floats, network: Network, row: int) -> None:
    """Something became true."""
    for unit in range(len(hidden)):
        hidden[unit] += network.first[row, unit]


@part_of_rules
def drop_row(hidden: Floats, network: Network, row: int) -> None:
    """Something is true no more."""
    for unit in range(len(hidden)):
        hidden[unit] -= network.first[row, unit]


@part_of_rules
def swap_row(hidden: Floats, network: Network, before: int, after: int) -> None:
    """One thing became true in place of another."""
    for unit in range(len(hidden)):
        hidden[unit] += network.first[after, unit] - network.first[before, unit]


@part_of_rules
def chance_of(network: Network, hidden: Floats, inner: Floats) -> float:
    """The chance to win of a position whose rows are added up in `hidden`, the bias included; `inner` is scratch."""
    inner[:] = network.second_bias
    for unit in range(len(hidden)):
        lit = hidden[unit]
        if lit > 0:
            for other in range(len(inner)):
                inner[other] += lit * network.second[unit, other]
    total = network.third_bias[0]
    for other in range(len(inner)):
        if inner[other] > 0:
            total += inner[other] * network.third[other]
    return 1.0 / (1.0 + math.exp(-float(total)))
