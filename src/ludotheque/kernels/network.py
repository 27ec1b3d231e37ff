"""A small network that evaluates positions inside compiled rules: sparse features are summed up, then come two small layers.

Features are cheap to add and to remove, so that positions that differ by little are evaluated quickly (as in NNUE). Which features a
position has is said in its game's `evaluation`; learning is in `training`, weights as plain numbers are in `weights`.
"""

import math
from array import array
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import part_of_rules
from ludotheque.kernels.weights import NetworkWeights, read_network

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


def save_network(file: Path, network: Network, **about: Any) -> None:
    """Write the weights in half precision, with facts about them."""
    weights = {name: part.astype(np.float16) for name, part in network._asdict().items()}
    np.savez_compressed(file, allow_pickle=False, **weights, **about)


def load_network(file: Path) -> Network:
    """Read the weights again."""
    return as_network(read_network(file))


def as_network(weights: NetworkWeights) -> Network:
    """Weights as arrays; the numbers are shared."""
    numbers = np.frombuffer(weights.numbers, np.float32)
    return network_in(numbers, weights.features, weights.width, weights.inner)


def weights_of(network: Network) -> NetworkWeights:
    """The weights of a network as plain numbers."""
    numbers = array("f")
    for part in network:
        numbers.frombytes(np.ascontiguousarray(part, np.float32).tobytes())
    features, width = network.first.shape
    return NetworkWeights(features, width, len(network.third), numbers)


@part_of_rules
def network_in(numbers: Floats, features: int, width: int, inner: int) -> Network:
    """The network of this size whose weights lie one after the other in an array (`NetworkWeights`)."""
    first = features * width
    second = first + width
    second_bias = second + width * inner
    third = second_bias + inner
    return Network(
        numbers[:first].reshape((features, width)),
        numbers[first:second],
        numbers[second:second_bias].reshape((width, inner)),
        numbers[second_bias:third],
        numbers[third : third + inner],
        numbers[third + inner : third + inner + 1],
    )


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
