"""Learning with PyTorch, on a graphics card or wherever PyTorch can: the same network, examples and steps as in `learner`.

PyTorch is an extra, needed here alone. Checkpoints are the same: a course may go on with either.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ludotheque.core import BadRequest
from ludotheque.extras import is_installed, line_that_adds
from ludotheque.kernels.network import Floats, Network
from ludotheque.kernels.self_play import Examples
from ludotheque.training.learner import Integers, Learner, ema_decay


def check_device(device: str) -> None:
    """BadRequest unless PyTorch is here and can compute on that device."""
    if not is_installed("torch"):
        raise BadRequest("train.no-pytorch", line=line_that_adds("torch"))
    torch = import_module("torch")
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as refusal:  # an unknown name, and PyTorch built without that kind of device
        seen = ["cpu", *(f"cuda:{number}" for number in range(torch.cuda.device_count()))]
        raise BadRequest("train.no-device", device=device, devices=", ".join(seen)) from refusal


class TorchLearner(Learner):
    """Learns on a device. On a graphics card sums are made in any order: two courses are alike, not the same to the last bit."""

    def __init__(self, network: Network, device: str, *, warm_start: bool = False) -> None:
        """BadRequest where that device cannot be used."""
        check_device(device)
        super().__init__(network, warm_start=warm_start)
        self._torch: Any = import_module("torch")
        self._device = device
        self._sizes = [int(np.prod(shape)) for shape in self.shapes]
        self._send()

    def _send(self) -> None:
        """Everything from here to the device."""
        torch = self._torch

        def there(flat: Floats) -> Any:
            return torch.tensor(flat, device=self._device)

        self._weights = torch.nn.Parameter(there(self.weights))
        self._average = there(self.average)
        self._adam = torch.optim.Adam([self._weights], betas=(0.9, 0.999), eps=1e-8)
        self._adam.state[self._weights] = {
            "step": torch.tensor(float(self.steps)),
            "exp_avg": there(self.first_moment),
            "exp_avg_sq": there(self.second_moment),
        }

    def _fetch(self) -> None:
        """Everything from the device back."""
        remembered = self._adam.state[self._weights]
        self.weights[:] = self._weights.detach().cpu().numpy()
        self.average[:] = self._average.cpu().numpy()
        self.first_moment[:] = remembered["exp_avg"].cpu().numpy()
        self.second_moment[:] = remembered["exp_avg_sq"].cpu().numpy()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a kept state."""
        super().restore(state)
        self._send()

    def learn(self, examples: Examples, batches: Sequence[Integers], rate: float) -> float:
        """Learn from one batch of examples after the other; returns their mean error before each step."""
        torch = self._torch
        self._adam.param_groups[0]["lr"] = rate
        error = torch.zeros((), device=self._device)
        for batch in batches:
            self.steps += 1
            lost = self._error(Examples(*(part[batch] for part in examples)))
            self._adam.zero_grad()
            lost.backward()
            self._adam.step()
            with torch.no_grad():
                self._average.lerp_(self._weights, 1.0 - ema_decay(self.steps))
                error += lost.detach()
        self._fetch()
        return float(error) / max(1, len(batches))

    def _error(self, examples: Examples) -> Any:
        """The mean error (cross-entropy) of some examples."""
        features, counts, targets = examples
        torch = self._torch
        layers = torch.nn.functional
        true = np.arange(features.shape[1]) < counts[:, None]
        begins = np.cumsum(counts, dtype=np.int64) - counts
        parts = torch.split(self._weights, self._sizes)
        first, first_bias, second, second_bias, third, third_bias = (
            part.view(shape) for part, shape in zip(parts, self.shapes, strict=True)
        )
        active, starts, wanted = (
            torch.from_numpy(part).to(self._device) for part in (features[true].astype(np.int64), begins, targets)
        )
        hidden = torch.relu(layers.embedding_bag(active, first, starts, mode="sum") + first_bias)
        inner = torch.relu(hidden @ second + second_bias)
        return layers.binary_cross_entropy_with_logits(inner @ third + third_bias, wanted)
