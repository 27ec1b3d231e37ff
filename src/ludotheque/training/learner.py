"""Gradient descent (Adam) on batches of training examples, on all cores, compiled by numba.

Examples come from `course`; learning with PyTorch is in `torch_learner`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels import rule
from ludotheque.kernels.network import Floats, Network, add_feature, win_probability
from ludotheque.kernels.self_play import Examples

Integers = NDArray[Any]
"""int16 or int64"""

KEPT: Final = ("weights", "first_moment", "second_moment", "average")
"""What a learner keeps of every weight: its value, Adam's moments of its gradient, and its exponential moving average."""


def ema_decay(steps: int) -> float:
    """The decay of the exponential moving average at a step: small at first, while the weights are still random."""
    return min(0.999, steps / (steps + 10.0))


@rule
def backpropagate(
    network: Network, second_transposed: Floats, examples: Examples, batch: Integers, gradients: Network
) -> float:
    """Add the gradients of a batch's error to `gradients`; returns the error (cross-entropy) summed up.

    `second_transposed` is the second layer with its axes swapped: memory that is walked along is fast.
    """
    accumulator = np.empty_like(network.first_bias)
    hidden = np.empty_like(network.second_bias)
    accumulator_gradient = np.empty_like(accumulator)
    error = 0.0
    for example in batch:
        accumulator[:] = network.first_bias
        for which in range(examples.counts[example]):
            add_feature(accumulator, network, examples.features[example, which])
        output = win_probability(network, accumulator, hidden)
        target = float(examples.targets[example])
        error -= target * math.log(output + 1e-9) + (1.0 - target) * math.log(1.0 - output + 1e-9)
        gradient = np.float32(output - target)  # of the cross-entropy, before the sigmoid
        gradients.third_bias[0] += gradient
        accumulator_gradient[:] = 0
        for other in range(len(hidden)):
            if hidden[other] > 0:
                gradients.third[other] += gradient * hidden[other]
                hidden[other] = gradient * network.third[other]  # from here on: the gradient in this unit
                gradients.second_bias[other] += hidden[other]
                for unit in range(len(accumulator)):
                    accumulator_gradient[unit] += hidden[other] * second_transposed[other, unit]
            else:
                hidden[other] = 0
        for unit in range(len(accumulator)):
            lit = accumulator[unit]
            if lit > 0:
                for other in range(len(hidden)):
                    gradients.second[unit, other] += lit * hidden[other]
            else:
                accumulator_gradient[unit] = 0
        for unit in range(len(accumulator)):
            gradients.first_bias[unit] += accumulator_gradient[unit]
        for which in range(examples.counts[example]):
            feature = examples.features[example, which]
            for unit in range(len(accumulator)):
                gradients.first[feature, unit] += accumulator_gradient[unit]
    return error


class AdamState(NamedTuple):
    """The weights and what Adam keeps of each, in one row of numbers."""

    weights: Floats
    first_moment: Floats
    second_moment: Floats
    average: Floats
    """The exponential moving average of the weights: it varies less than they do and is what plays in the end."""


@rule
def adam(
    state: AdamState, gradients: Floats, size: float, rate: float, steps: int, decay: float, begin: int, end: int
) -> None:
    """One step of Adam (Kingma and Ba, 2015) for the weights from `begin` to `end`, over a batch of that size.

    Sums up and clears the gradients of all threads. `decay` is that of the moving average.
    """
    first_correction = np.float32(1.0 / (1.0 - 0.9**steps))
    second_correction = np.float32(1.0 / (1.0 - 0.999**steps))
    part = np.float32(1.0 / size)
    pace = np.float32(rate)
    held = np.float32(decay)
    weights, first_moment, second_moment, average = (
        state.weights,
        state.first_moment,
        state.second_moment,
        state.average,
    )
    for which in range(begin, end):
        gradient = np.float32(0.0)
        for thread in range(len(gradients)):
            gradient += gradients[thread, which]
            gradients[thread, which] = 0
        gradient *= part
        first_moment[which] += np.float32(0.1) * (gradient - first_moment[which])
        second_moment[which] += np.float32(0.001) * (gradient * gradient - second_moment[which])
        root = np.sqrt(second_correction * second_moment[which]) + np.float32(1e-8)
        weights[which] -= pace * first_correction * first_moment[which] / root
        average[which] += (np.float32(1.0) - held) * (weights[which] - average[which])


class Learner(ABC):
    """A network that learns: its weights, Adam's moments and the moving average, each in one row of numbers.

    What is kept between two courses is the same for all kinds of learner.
    """

    def __init__(self, network: Network, *, warm_start: bool = False) -> None:
        """With a warm start the network has learned already: features that no example has keep their weights."""
        self.warm_start = warm_start
        self.shapes = [part.shape for part in network]
        self.weights = np.concatenate([part.ravel() for part in network])
        self.first_moment = np.zeros_like(self.weights)
        self.second_moment = np.zeros_like(self.weights)
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
    def ema(self) -> Network:
        """A copy of the averaged network: what to play with. Without a warm start, features that no example had weigh nothing."""
        network = Network(*(part.copy() for part in self._as_network(self.average)))
        if not self.warm_start:
            network.first[(self._as_network(self.second_moment).first == 0).all(axis=1)] = 0
        return network

    @abstractmethod
    def learn(self, examples: Examples, batches: Sequence[Integers], rate: float) -> float:
        """Learn from one batch of examples after the other; returns their mean error before each step."""

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

    The same examples, seed and number of threads give the same network.
    """

    def __init__(self, network: Network, threads: int, *, warm_start: bool = False) -> None:
        """Each thread has gradients of its own."""
        super().__init__(network, warm_start=warm_start)
        self.threads = threads
        self._gradients = np.zeros((threads, len(self.weights)), np.float32)

    def learn(self, examples: Examples, batches: Sequence[Integers], rate: float) -> float:
        """Learn from one batch of examples after the other; returns their mean error before each step."""
        with ThreadPoolExecutor(self.threads) as pool:
            return sum(self._step(pool, examples, batch, rate) for batch in batches) / max(1, len(batches))

    def _step(self, pool: ThreadPoolExecutor, examples: Examples, batch: Integers, rate: float) -> float:
        self.steps += 1
        transposed = np.ascontiguousarray(self.network.second.T)
        parts = np.array_split(batch, self.threads)
        cuts = np.linspace(0, len(self.weights), self.threads + 1).astype(int).tolist()
        state = AdamState(self.weights, self.first_moment, self.second_moment, self.average)

        def gradients_of_part(thread: int) -> float:
            gradients = self._as_network(self._gradients[thread])
            return backpropagate(self.network, transposed, examples, parts[thread], gradients)

        def descend(thread: int) -> None:
            begin, end, decay = cuts[thread], cuts[thread + 1], ema_decay(self.steps)
            adam(state, self._gradients, float(len(batch)), rate, self.steps, decay, begin, end)

        error = sum(pool.map(gradients_of_part, range(self.threads))) / len(batch)
        list(pool.map(descend, range(self.threads)))
        return float(error)
