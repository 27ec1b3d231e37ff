"""A network for any game with an encoding: it says of a position how likely each action is and what each player will get.

Observations go through layers of one width, each added to what came before. Plain numpy, for players and for learning without
PyTorch; how it learns is in `training`, who asks it in `guided_search`.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Evaluate: TypeAlias = Callable[[NDArray[np.int8]], tuple[Floats, Floats]]
"""Observations, a row each: the logits of all actions, and what each player gets, the one to move first."""

CONSTANTS: Final = 2
"""The first parts are measured, not learned."""
LEAST_SPREAD: Final = 0.3
"""A number that varies less is not scaled up further: it may vary more later."""


class PolicyNetwork(NamedTuple):
    """The weights, all float32."""

    shift: Floats
    """What is subtracted from each number of an observation, …"""
    scale: Floats
    """… and what it is multiplied by then."""
    first: Floats
    """(observation size, width)"""
    first_bias: Floats
    layers: Floats
    """(layers, width, width)"""
    layer_biases: Floats
    policy: Floats
    """(width, actions)"""
    policy_bias: Floats
    value: Floats
    """(width, players)"""
    value_bias: Floats
    direct: Floats
    """(observation size, actions): what each number of an observation says of each action, past all layers"""


def new_policy_network(inputs: int, width: int, layers: int, actions: int, players: int, seed: int) -> PolicyNetwork:
    """A network that has learned nothing: all actions are as likely, all values one half."""
    random = np.random.default_rng(seed)

    def normal(*shape: int, spread: float) -> Floats:
        return (spread * random.standard_normal(shape)).astype(np.float32)

    return PolicyNetwork(
        np.zeros(inputs, np.float32),
        np.ones(inputs, np.float32),
        normal(inputs, width, spread=(1.0 / inputs) ** 0.5),
        np.zeros(width, np.float32),
        normal(layers, width, width, spread=(1.0 / width) ** 0.5),
        np.zeros((layers, width), np.float32),
        np.zeros((width, actions), np.float32),
        np.zeros(actions, np.float32),
        np.zeros((width, players), np.float32),
        np.zeros(players, np.float32),
        np.zeros((inputs, actions), np.float32),
    )


def measured(network: PolicyNetwork, observations: NDArray[np.int8]) -> PolicyNetwork:
    """The same network for observations that vary like these."""
    mean = observations.mean(axis=0, dtype=np.float64)
    spread = np.maximum(observations.std(axis=0, dtype=np.float64), LEAST_SPREAD)
    return network._replace(shift=mean.astype(np.float32), scale=(1.0 / spread).astype(np.float32))


def evaluator(network: PolicyNetwork) -> Evaluate:
    """The network as a function, on this machine's cores."""
    width = network.first.shape[1]
    both = np.concatenate(
        (network.first, network.direct), axis=1
    )  # one product for all that observations are multiplied by
    both_bias = np.concatenate((network.first_bias, network.policy_bias)) - (network.shift * network.scale) @ both
    both *= network.scale[:, None]

    def evaluate(observations: NDArray[np.int8]) -> tuple[Floats, Floats]:
        seen = observations.astype(np.float32) @ both
        seen += both_bias
        hidden: Floats = np.maximum(seen[:, :width], 0)
        for layer, bias in zip(network.layers, network.layer_biases, strict=True):
            more = hidden @ layer
            more += bias
            np.maximum(more, 0, out=more)
            hidden += more
        values = hidden @ network.value
        values += network.value_bias
        logits: Floats = hidden @ network.policy
        logits += seen[:, width:]
        values *= np.float32(0.5)
        chances: Floats = np.float32(0.5) + np.float32(0.5) * np.tanh(values)  # the logistic function, without overflow
        return logits, chances

    return evaluate


def save_policy_network(file: Path, network: PolicyNetwork, about: str) -> None:
    """Write the weights in half precision, with facts about them as JSON."""
    weights: dict[str, Any] = {name: part.astype(np.float16) for name, part in network._asdict().items()}
    np.savez_compressed(file, allow_pickle=False, **weights, about=np.array(about))


def load_policy_network(file: Path) -> tuple[PolicyNetwork, dict[str, Any]]:
    """The network of a file and the facts about it; ValueError, KeyError or BadZipFile if it is damaged."""
    with np.load(file, allow_pickle=False) as kept:
        network = PolicyNetwork(*(kept[name].astype(np.float32) for name in PolicyNetwork._fields))
        about = json.loads(str(kept["about"]))
    if not isinstance(about, dict):
        raise ValueError("the facts about the weights are no object")
    inputs, width = network.first.shape
    layers, actions, players = len(network.layers), len(network.policy_bias), len(network.value_bias)
    expected = new_policy_network(inputs, width, layers, actions, players, 0)
    if any(part.shape != other.shape for part, other in zip(network, expected, strict=True)):
        raise ValueError("the parts of the network do not fit together")
    return network, about
