"""A small network that evaluates positions inside compiled rules: sparse features are summed up, then come two small layers.

Features are cheap to add and to remove, so that positions that differ by little are evaluated quickly (as in NNUE). Which features a
position has is said in its game's `evaluation`; learning is in `training`.
"""

import math
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import part_of_rules

Floats: TypeAlias = NDArray[Any]
"""float32"""


class Network(NamedTuple):
    """The weights. `first` has one row for each feature that a position can have."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    third: Floats
    third_bias: Floats


def new_network(features: int, width: int, inner: int, seed: int, active: int) -> Network:
    """A network with random weights; `active` is about how many features a position has."""
    random = np.random.default_rng(seed)

    def normal(*shape: int, spread: float) -> Floats:
        return (spread * random.standard_normal(shape)).astype(np.float32)

    return Network(
        normal(features, width, spread=(1.0 / active) ** 0.5),
        np.zeros(width, np.float32),
        normal(width, inner, spread=(2.0 / width) ** 0.5),
        np.zeros(inner, np.float32),
        normal(inner, spread=0.1 / inner**0.5),
        np.zeros(1, np.float32),
    )


def linear_network(weights: Floats, scale: float, bias: float) -> Network:
    """A network that weighs each feature by hand, without learning: the logit is `scale` times the sum of the weights, plus `bias`."""
    return Network(
        np.stack([weights, -weights], axis=1),  # both signs, since the layer after it drops what is negative
        np.zeros(2, np.float32),
        np.eye(2, dtype=np.float32),
        np.zeros(2, np.float32),
        np.array([scale, -scale], np.float32),
        np.array([bias], np.float32),
    )


def save_network(file: Path, network: Network, **about: Any) -> None:
    """Write the weights in half precision, with facts about them."""
    weights = {name: part.astype(np.float16) for name, part in network._asdict().items()}
    np.savez_compressed(file, allow_pickle=False, **weights, **about)


def load_network(file: Path) -> Network:
    """Read the weights again."""
    with np.load(file, allow_pickle=False) as parts:
        return Network(*(np.ascontiguousarray(parts[name], np.float32) for name in Network._fields))


@part_of_rules
def add_feature(accumulator: Floats, network: Network, feature: int) -> None:
    """Add a feature's weights to the first layer's sums."""
    for unit in range(len(accumulator)):
        accumulator[unit] += network.first[feature, unit]


@part_of_rules
def remove_feature(accumulator: Floats, network: Network, feature: int) -> None:
    """Subtract a feature's weights from the first layer's sums."""
    for unit in range(len(accumulator)):
        accumulator[unit] -= network.first[feature, unit]


@part_of_rules
def replace_feature(accumulator: Floats, network: Network, before: int, after: int) -> None:
    """Replace one feature by another in the first layer's sums."""
    for unit in range(len(accumulator)):
        accumulator[unit] += network.first[after, unit] - network.first[before, unit]


@part_of_rules
def win_probability(network: Network, accumulator: Floats, hidden: Floats) -> float:
    """The chance to win of a position whose features are summed up in `accumulator`, the bias included; `hidden` is scratch."""
    hidden[:] = network.second_bias
    for unit in range(len(accumulator)):
        lit = accumulator[unit]
        if lit > 0:
            for other in range(len(hidden)):
                hidden[other] += lit * network.second[unit, other]
    total = network.third_bias[0]
    for other in range(len(hidden)):
        if hidden[other] > 0:
            total += hidden[other] * network.third[other]
    return 1.0 / (1.0 + math.exp(-float(total)))
