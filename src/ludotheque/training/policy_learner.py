"""Gradient descent for the network of any game (`kernels.policy_network`): with numpy on the cores, or with PyTorch on a device.

Both learn the same network by the same steps of Adam and keep the examples that they draw from. Examples come from `policy_course`.
"""

from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.encoding import Symmetries
from ludotheque.kernels.guided_play import PolicyExamples
from ludotheque.kernels.policy_network import CONSTANTS, Evaluate, Floats, PolicyNetwork, evaluator, measured
from ludotheque.training.learner import ema_decay
from ludotheque.training.torch_learner import check_device

WEIGHT_DECAY: Final = 1e-4
"""How much of a weight is lost in a step, by the pace of learning (I. Loshchilov and F. Hutter, 2019)."""
KEPT: Final = ("weights", "first_moment", "second_moment", "average", "shift", "scale")


class PolicyLearner(ABC):
    """A network that learns, and the examples that it learns from."""

    def __init__(self, network: PolicyNetwork, replay_size: int, symmetries: Symmetries | None = None) -> None:
        self.network = network
        self.symmetries = symmetries
        """Every example is learned from in any of these ways, drawn anew each time."""
        self.replay_size = replay_size
        self.steps = 0
        self.filled = 0
        """Examples to draw from."""
        self._next = 0

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of what is learned."""
        return [part.shape for part in self.network[CONSTANTS:]]

    def _network_of(self, flat: Floats) -> PolicyNetwork:
        """The network with other weights, which lie one after the other."""
        parts, begin = [], 0
        for shape in self.shapes:
            size = int(np.prod(shape))
            parts.append(flat[begin : begin + size].reshape(shape))
            begin += size
        return PolicyNetwork(*self.network[:CONSTANTS], *parts)

    def add(self, examples: PolicyExamples) -> None:
        """Keep examples in the place of the oldest ones. The first ones say how observations vary."""
        if self.steps == 0 and self.filled == 0 and len(examples.values):
            self.network = measured(self.network, examples.observations)
            self._measured()
        count = min(len(examples.values), self.replay_size)
        where = (self._next + np.arange(count)) % self.replay_size
        self._keep(where, PolicyExamples(*(part[:count] for part in examples)))
        self._next = (self._next + count) % self.replay_size
        self.filled = min(self.replay_size, self.filled + count)

    @abstractmethod
    def _measured(self) -> None:
        """The constants of the network have changed."""

    @abstractmethod
    def _keep(self, where: NDArray[np.int64], examples: PolicyExamples) -> None:
        """Keep examples in these places."""

    @abstractmethod
    def learn(self, batches: int, size: int, rate: float, seed: int) -> float:
        """Learn from that many batches, drawn at random; returns the mean error before each step."""

    @abstractmethod
    def evaluate(self) -> Evaluate:
        """The averaged network as a function, as it is now."""

    @abstractmethod
    def room(self, shape: tuple[int, ...]) -> NDArray[np.int8]:
        """Memory for observations, from where the network gets them fast."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Everything that must be kept to go on later."""

    @abstractmethod
    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a kept state."""

    @property
    @abstractmethod
    def ema(self) -> PolicyNetwork:
        """The averaged network: what to play with."""

    def without_unused(self) -> PolicyNetwork:
        """The averaged network without the weights of numbers that were the same in all examples: they say nothing, and its file is
        smaller.
        """
        network = self.ema
        never_learned = ~self._network_of(self.state()["second_moment"]).first.any(axis=1)
        network.first[never_learned] = 0.0
        return network


def flat_weights(network: PolicyNetwork) -> Floats:
    """What is learned, in one row."""
    return np.concatenate([part.ravel() for part in network[CONSTANTS:]])


class NumpyLearner(PolicyLearner):
    """Learns on the cores of this machine; it needs nothing but what playing needs."""

    def __init__(self, network: PolicyNetwork, replay_size: int, symmetries: Symmetries | None = None) -> None:
        super().__init__(network, replay_size, symmetries)
        self.weights = flat_weights(network)
        self.first_moment = np.zeros_like(self.weights)
        self.second_moment = np.zeros_like(self.weights)
        self.average = self.weights.copy()
        self._replay: PolicyExamples | None = None

    def _measured(self) -> None:
        return  # they are read anew each time

    def _keep(self, where: NDArray[np.int64], examples: PolicyExamples) -> None:
        if self._replay is None:
            self._replay = PolicyExamples(
                *(np.zeros((self.replay_size, *part.shape[1:]), part.dtype) for part in examples)
            )
        for kept, fresh in zip(self._replay, examples, strict=True):
            kept[where] = fresh

    def learn(self, batches: int, size: int, rate: float, seed: int) -> float:
        """Learn from that many batches, drawn at random; returns the mean error before each step."""
        random = np.random.default_rng(seed)
        assert self._replay is not None
        error = 0.0
        for _ in range(batches):
            drawn = random.integers(0, self.filled, size)
            examples = PolicyExamples(*(part[drawn] for part in self._replay))
            if self.symmetries is not None:
                examples = turned(examples, self.symmetries, random.integers(0, len(self.symmetries.places), size))
            part, gradient = loss_and_gradient(self._network_of(self.weights), examples)
            error += part
            self._adam(gradient, rate)
        return error / max(1, batches)

    def _adam(self, gradient: Floats, rate: float) -> None:
        self.steps += 1
        self.first_moment += 0.1 * (gradient - self.first_moment)
        self.second_moment += 0.001 * (gradient * gradient - self.second_moment)
        root = np.sqrt(self.second_moment / (1.0 - 0.999**self.steps)) + 1e-8
        self.weights *= 1.0 - rate * WEIGHT_DECAY
        self.weights -= (rate / (1.0 - 0.9**self.steps)) * self.first_moment / root
        self.average += (1.0 - ema_decay(self.steps)) * (self.weights - self.average)

    def evaluate(self) -> Evaluate:
        """The averaged network as a function, as it is now."""
        return evaluator(self.ema)

    def room(self, shape: tuple[int, ...]) -> NDArray[np.int8]:
        """Memory for observations."""
        return np.zeros(shape, np.int8)

    def state(self) -> dict[str, Any]:
        """Everything that must be kept to go on later."""
        kept = {name: getattr(self, name) for name in KEPT[:4]}
        return kept | {"shift": self.network.shift, "scale": self.network.scale, "steps": self.steps}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a kept state."""
        for name in KEPT[:4]:
            getattr(self, name)[:] = state[name]
        self.network = self.network._replace(shift=state["shift"], scale=state["scale"])
        self.steps = int(state["steps"])

    @property
    def ema(self) -> PolicyNetwork:
        """The averaged network: what to play with."""
        return self._network_of(self.average.copy())


def loss_and_gradient(network: PolicyNetwork, examples: PolicyExamples) -> tuple[float, Floats]:
    """The mean error (cross-entropy of the policy, and of all values) of some examples, and its gradient as one row."""
    size, players = examples.values.shape
    inputs = (examples.observations.astype(np.float32) - network.shift) * network.scale
    hidden = [np.maximum(inputs @ network.first + network.first_bias, 0)]
    added = []
    for layer, bias in zip(network.layers, network.layer_biases, strict=True):
        added.append(np.maximum(hidden[-1] @ layer + bias, 0))
        hidden.append(hidden[-1] + added[-1])
    last = hidden[-1]
    values = 0.5 + 0.5 * np.tanh(0.5 * (last @ network.value + network.value_bias))
    logits = last @ network.policy + network.policy_bias + inputs @ network.direct
    legal = examples.actions >= 0
    chosen = np.where(legal, np.take_along_axis(logits, np.maximum(examples.actions, 0).astype(np.int64), 1), -1e30)
    chosen -= chosen.max(axis=1, keepdims=True)
    policy = np.exp(chosen)
    policy /= policy.sum(axis=1, keepdims=True)
    wanted = examples.values
    error = -float((examples.policies * np.log(policy + 1e-9)).sum()) / size
    error -= float((wanted * np.log(values + 1e-9) + (1 - wanted) * np.log(1 - values + 1e-9)).sum()) / (size * players)

    value_gradient = (values - wanted) / np.float32(size * players)
    policy_gradient = np.zeros((size, logits.shape[1] + 1), np.float32)  # the last column takes what is not legal
    places = np.where(legal, examples.actions, logits.shape[1]).astype(np.int64)
    np.put_along_axis(policy_gradient, places, (policy - examples.policies) / np.float32(size), 1)
    policy_gradient = policy_gradient[:, :-1]
    back = value_gradient @ network.value.T + policy_gradient @ network.policy.T
    layers, layer_biases = np.empty_like(network.layers), np.empty_like(network.layer_biases)
    for which in range(len(network.layers) - 1, -1, -1):
        inner = back * (added[which] > 0)
        layers[which] = hidden[which].T @ inner
        layer_biases[which] = inner.sum(axis=0)
        back = back + inner @ network.layers[which].T
    back = back * (hidden[0] > 0)
    parts = (
        inputs.T @ back,
        back.sum(axis=0),
        layers,
        layer_biases,
        last.T @ policy_gradient,
        policy_gradient.sum(axis=0),
        last.T @ value_gradient,
        value_gradient.sum(axis=0),
        inputs.T @ policy_gradient,
    )
    return error, np.concatenate([part.ravel() for part in parts]).astype(np.float32)


def turned(examples: PolicyExamples, symmetries: Symmetries, which: NDArray[np.int64]) -> PolicyExamples:
    """Examples of other positions that are worth the same, each by the symmetry of that number."""
    observations = np.take_along_axis(examples.observations, symmetries.places[which], axis=1)
    known = np.concatenate((symmetries.actions, np.full((len(symmetries.actions), 1), -1)), axis=1)
    # Where there is no action, -1, the last column says so again.
    actions = known[which[:, None], examples.actions].astype(examples.actions.dtype)
    return examples._replace(observations=observations, actions=actions)


class TorchPolicyLearner(PolicyLearner):
    """Learns with PyTorch; examples, weights and the network's answers stay on the device as long as they can."""

    def __init__(
        self, network: PolicyNetwork, replay_size: int, device: str, symmetries: Symmetries | None = None
    ) -> None:
        """BadRequest where that device cannot be used."""
        check_device(device)
        super().__init__(network, replay_size, symmetries)
        self._torch: Any = import_module("torch")
        self._torch.set_float32_matmul_precision("high")
        self._device = device
        self._replay: list[Any] = []
        self._sizes = [int(np.prod(shape)) for shape in self.shapes]
        if symmetries is not None:
            nothing = np.full((len(symmetries.actions), 1), -1)
            self._places = self._there(symmetries.places)
            self._actions = self._there(np.concatenate((symmetries.actions, nothing), axis=1))
        flat = flat_weights(network)
        self._send({"weights": flat, "first_moment": 0 * flat, "second_moment": 0 * flat, "average": flat, "steps": 0})

    def _there(self, numbers: NDArray[Any]) -> Any:
        return self._torch.tensor(numbers, device=self._device)

    def _send(self, state: dict[str, Any]) -> None:
        """Everything from here to the device."""
        torch = self._torch
        self._weights = torch.nn.Parameter(self._there(state["weights"]))
        self._average = self._there(state["average"])
        self._adam = torch.optim.AdamW(
            [self._weights], betas=(0.9, 0.999), eps=1e-8, weight_decay=WEIGHT_DECAY, fused=self._device != "cpu"
        )
        step = torch.tensor(float(state["steps"]), device=self._device if self._device != "cpu" else None)
        self._adam.state[self._weights] = {
            "step": step,
            "exp_avg": self._there(state["first_moment"]),
            "exp_avg_sq": self._there(state["second_moment"]),
        }
        self.steps = int(state["steps"])
        self._measured()

    def _measured(self) -> None:
        self._shift, self._scale = self._there(self.network.shift), self._there(self.network.scale)

    def _keep(self, where: NDArray[np.int64], examples: PolicyExamples) -> None:
        torch = self._torch
        if not self._replay:
            self._replay = [
                torch.zeros(
                    (self.replay_size, *part.shape[1:]),
                    dtype=torch.from_numpy(part[:0].copy()).dtype,
                    device=self._device,
                )
                for part in examples
            ]
        places = self._there(where)
        for kept, fresh in zip(self._replay, examples, strict=True):
            kept[places] = torch.from_numpy(np.ascontiguousarray(fresh)).to(self._device)

    def _forward(self, flat: Any, observations: Any) -> tuple[Any, Any]:
        """The logits of actions and of values."""
        torch = self._torch
        first, first_bias, layers, biases, policy, policy_bias, value, value_bias, direct = (
            part.view(shape) for part, shape in zip(torch.split(flat, self._sizes), self.shapes, strict=True)
        )
        inputs = (observations.float() - self._shift) * self._scale
        hidden = torch.relu(inputs @ first + first_bias)
        for layer, bias in zip(layers, biases, strict=True):
            hidden = hidden + torch.relu(hidden @ layer + bias)
        return hidden @ policy + policy_bias + inputs @ direct, hidden @ value + value_bias

    def _loss(self, observations: Any, actions: Any, policies: Any, wanted: Any) -> Any:
        torch = self._torch
        logits, values = self._forward(self._weights, observations)
        legal = actions >= 0
        chosen = torch.gather(logits, 1, actions.long().clamp(min=0)).masked_fill(~legal, -1e30)
        loss = -(policies * torch.log_softmax(chosen, dim=1).clamp(min=-30)).sum(dim=1).mean()
        return loss + torch.nn.functional.binary_cross_entropy_with_logits(values, wanted)

    def learn(self, batches: int, size: int, rate: float, seed: int) -> float:
        """Learn from that many batches, drawn at random; returns the mean error before each step."""
        torch = self._torch
        random = torch.Generator(device=self._device)
        random.manual_seed(seed)
        self._adam.param_groups[0]["lr"] = rate
        error = torch.zeros((), device=self._device)
        for _ in range(batches):
            self.steps += 1
            drawn = torch.randint(0, self.filled, (size,), device=self._device, generator=random)
            observations, actions, policies, wanted = (part[drawn] for part in self._replay)
            if self.symmetries is not None:
                which = torch.randint(0, len(self._places), (size,), device=self._device, generator=random)
                observations = torch.gather(observations, 1, self._places[which])
                actions = self._actions[which[:, None], actions.long()]
            loss = self._loss(observations, actions, policies, wanted)
            self._adam.zero_grad()
            loss.backward()
            self._adam.step()
            with torch.no_grad():
                self._average.lerp_(self._weights, 1.0 - ema_decay(self.steps))
                error += loss.detach()
        return float(error) / max(1, batches)

    def evaluate(self) -> Evaluate:
        """The averaged network as a function, as it is now."""
        torch = self._torch
        average = self._average.clone()

        def evaluate(observations: NDArray[np.int8]) -> tuple[Floats, Floats]:
            with torch.inference_mode():
                seen = torch.from_numpy(observations).to(self._device, non_blocking=True)
                logits, values = self._forward(average, seen)
                both = torch.cat((logits, torch.sigmoid(values)), dim=1).cpu().numpy()
            actions = logits.shape[1]
            return np.ascontiguousarray(both[:, :actions]), np.ascontiguousarray(both[:, actions:])

        return evaluate

    def room(self, shape: tuple[int, ...]) -> NDArray[np.int8]:
        """Memory for observations; for a graphics card, pinned, so that it fetches them by itself."""
        torch = self._torch
        pinned: NDArray[np.int8] = torch.zeros(
            shape, dtype=torch.int8, pin_memory=self._device.startswith("cuda")
        ).numpy()
        return pinned

    def state(self) -> dict[str, Any]:
        """Everything that must be kept to go on later."""
        remembered = self._adam.state[self._weights]
        return {
            "weights": self._weights.detach().cpu().numpy(),
            "first_moment": remembered["exp_avg"].cpu().numpy(),
            "second_moment": remembered["exp_avg_sq"].cpu().numpy(),
            "average": self._average.cpu().numpy(),
            "shift": self.network.shift,
            "scale": self.network.scale,
            "steps": self.steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a kept state."""
        self.network = self.network._replace(shift=state["shift"], scale=state["scale"])
        self._send(state)

    @property
    def ema(self) -> PolicyNetwork:
        """The averaged network: what to play with."""
        return self._network_of(self._average.cpu().numpy().copy())
