"""Learning by small steps: the network's error on a batch of lessons is traced back to every weight (Adam), on all cores.

Where lessons come from is course.py's business, learning on a graphics card torch_learner.py's.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels import rule
from ludotheque.kernels.network import Floats, Network, add_row, chance_of

Places = NDArray[Any]
"""Whole numbers"""

KEPT: Final = ("weights", "mean", "square", "average")
"""What a learner keeps of every weight"""


def kept_of_average(steps: int) -> float:
    """How much of the slow average stays at a step: little at first, when the weights still know nothing."""
    return min(0.999, steps / (steps + 10.0))


@rule
def trace(
    network: Network,
    turned: Floats,
    rows: Places,
    counts: Places,
    chances: Floats,
    batch: Places,
    slopes: Network,
) -> float:
    """Add to `slopes` how the error of a batch changes with each weight; returns the error (cross-entropy) summed up.

    `turned` is the second layer with its axes swapped: rows that are walked along are fast.
    """
    hidden = np.empty_like(network.first_bias)
    inner = np.empty_like(network.second_bias)
    hidden_slope = np.empty_like(hidden)
    error = 0.0
    for lesson in batch:
        hidden[:] = network.first_bias
        for which in range(counts[lesson]):
            add_row(hidden, network, rows[lesson, which])
        guess = chance_of(network, hidden, inner)
        wanted = float(chances[lesson])
        error -= wanted * math.log(guess + 1e-9) + (1.0 - wanted) * math.log(1.0 - guess + 1e-9)
        slope = np.float32(guess - wanted)
        slopes.third_bias[0] += slope
        hidden_slope[:] = 0
        for other in range(len(inner)):
            if inner[other] > 0:
                slopes.third[other] += slope * inner[other]
                inner[other] = slope * network.third[other]  # from here on: the error's slope in this unit
                slopes.second_bias[other] += inner[other]
                for unit in range(len(hidden)):
                    hidden_slope[unit] += inner[other] * turned[other, unit]
            else:
                inner[other] = 0
        for unit in range(len(hidden)):
            lit = hidden[unit]
            if lit > 0:
                for other in range(len(inner)):
                    slopes.second[unit, other] += lit * inner[other]
            else:
                hidden_slope[unit] = 0
        for unit in range(len(hidden)):
            slopes.first_bias[unit] += hidden_slope[unit]
        for which in range(counts[lesson]):
            row = rows[lesson, which]
            for unit in range(len(hidden)):
                slopes.first[row, unit] += hidden_slope[unit]
    return error


@rule
def adam(
    weights: Floats,
    mean: Floats,
    square: Floats,
    average: Floats,
    slopes: Floats,
    size: float,
    rate: float,
    steps: int,
    keep: float,
    begin: int,
    end: int,
) -> None:
    """One step of Adam for the weights from `begin` to `end`; adds up and clears the slopes of all threads.

    `average` follows the weights slowly: it is steadier than they are and is what plays in the end.
    """
    first = np.float32(1.0 / (1.0 - 0.9**steps))
    second = np.float32(1.0 / (1.0 - 0.999**steps))
    part = np.float32(1.0 / size)
    pace = np.float32(rate)
    held = np.float32(keep)
    for which in range(begin, end):
        slope = np.float32(0.0)
        for thread in range(len(slopes)):
            slope += slopes[thread, which]
            slopes[thread, which] = 0
        slope *= part
        mean[which] += np.float32(0.1) * (slope - mean[which])
        square[which] += np.float32(0.001) * (slope * slope - square[which])
        step = pace * first * mean[which] / (np.sqrt(second * square[which]) + np.float32(1e-8))
        weights[which] -= step
        average[which] += (np.float32(1.0) - held) * (weights[which] - average[which])


class Learner(ABC):
    """A network that learns: its weights, what Adam remembers of them, and their slow average, each in one row of numbers.

    How a step is computed is its kind's business; what is kept between two courses is the same for all kinds.
    """

    def __init__(self, network: Network, *, knows: bool = False) -> None:
        """A network that `knows` something already keeps what no lesson speaks of."""
        self.knows = knows
        self.shapes = [part.shape for part in network]
        self.weights = np.concatenate([part.ravel() for part in network])
        self.mean = np.zeros_like(self.weights)
        self.square = np.zeros_like(self.weights)
        self.average = self.weights.copy()
        self.steps = 0

    def _as_network(self, flat: Floats) -> Network:
        """The weights in their shapes; shares their memory."""
        parts, begin = [], 0
        for shape in self.shapes:
            size = int(np.prod(shape))
            parts.append(flat[begin : begin + size].reshape(shape))
            begin += size
        return Network(*parts)

    @property
    def network(self) -> Network:
        """The network as it is now; it goes on changing."""
        return self._as_network(self.weights)

    @property
    def steady(self) -> Network:
        """A copy of the averaged network: what to play with. Rows that no lesson had say what they said before, or nothing."""
        network = Network(*(part.copy() for part in self._as_network(self.average)))
        if not self.knows:
            network.first[(self._as_network(self.square).first == 0).all(axis=1)] = 0
        return network

    @abstractmethod
    def learn(self, rows: Places, counts: Places, chances: Floats, batches: Sequence[Places], rate: float) -> float:
        """Learn from one batch of lessons after the other; returns their mean error before each step."""

    def state(self) -> dict[str, Any]:
        """Everything that must be kept to go on later."""
        return {name: getattr(self, name) for name in KEPT} | {"steps": self.steps}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a kept state."""
        for name in KEPT:
            getattr(self, name)[:] = state[name]
        self.steps = int(state["steps"])


class CompiledLearner(Learner):
    """Learns on the cores of this machine, compiled by numba: it needs nothing but what playing needs.

    The same lessons, seed and number of threads give the same network.
    """

    def __init__(self, network: Network, threads: int, *, knows: bool = False) -> None:
        """Each thread has slopes of its own."""
        super().__init__(network, knows=knows)
        self.threads = threads
        self._slopes = np.zeros((threads, len(self.weights)), np.float32)
        self._pool = ThreadPoolExecutor(threads)

    def learn(self, rows: Places, counts: Places, chances: Floats, batches: Sequence[Places], rate: float) -> float:
        """Learn from one batch of lessons after the other; returns their mean error before each step."""
        return sum(self._step(rows, counts, chances, batch, rate) for batch in batches) / max(1, len(batches))

    def _step(self, rows: Places, counts: Places, chances: Floats, batch: Places, rate: float) -> float:
        self.steps += 1
        turned = np.ascontiguousarray(self.network.second.T)
        parts = np.array_split(batch, self.threads)
        errors = self._pool.map(
            lambda thread: trace(
                self.network, turned, rows, counts, chances, parts[thread], self._as_network(self._slopes[thread])
            ),
            range(self.threads),
        )
        error = sum(errors) / len(batch)
        cuts = np.linspace(0, len(self.weights), self.threads + 1).astype(int).tolist()
        list(
            self._pool.map(
                lambda thread: adam(
                    self.weights,
                    self.mean,
                    self.square,
                    self.average,
                    self._slopes,
                    float(len(batch)),
                    rate,
                    self.steps,
                    kept_of_average(self.steps),
                    cuts[thread],
                    cuts[thread + 1],
                ),
                range(self.threads),
            )
        )
        return float(error)
