"""Learning with PyTorch, on a graphics card or wherever PyTorch can: the same network, lessons and steps as learner.py's.

PyTorch is an extra, needed here alone. What is kept between two courses is in learner.py's form: a course may go on with either.
"""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from ludotheque.core import BadRequest
from ludotheque.kernels.network import Floats, Network
from ludotheque.training.learner import Learner, Places, kept_of_average


def check_device(device: str) -> None:
    """BadRequest unless PyTorch is here and can compute on that device."""
    if find_spec("torch") is None:
        raise BadRequest(
            "Learning on a device needs PyTorch: install ludotheque[torch], or leave --device out to learn on the cores.",
            "Apprendre sur un appareil demande PyTorch : installez ludotheque[torch], ou omettez --device pour apprendre sur les "
            "cœurs.",
        )
    torch = import_module("torch")
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as refusal:  # an unknown name, and PyTorch built without that kind of device
        seen = ["cpu", *(f"cuda:{number}" for number in range(torch.cuda.device_count()))]
        raise BadRequest(
            f'PyTorch cannot compute on "{device}" here; it can on {", ".join(seen)}.',
            f"PyTorch ne peut pas calculer sur « {device} » ici ; il peut sur {', '.join(seen)}.",
        ) from refusal


class TorchLearner(Learner):
    """Learns on a device. On a graphics card sums are made in any order: two courses are alike, not the same to the last bit."""

    def __init__(self, network: Network, device: str, *, knows: bool = False) -> None:
        """BadRequest where that device cannot be used."""
        check_device(device)
        super().__init__(network, knows=knows)
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
            "exp_avg": there(self.mean),
            "exp_avg_sq": there(self.square),
        }

    def _fetch(self) -> None:
        """Everything from the device back."""
        remembered = self._adam.state[self._weights]
        self.weights[:] = self._weights.detach().cpu().numpy()
        self.average[:] = self._average.cpu().numpy()
        self.mean[:] = remembered["exp_avg"].cpu().numpy()
        self.square[:] = remembered["exp_avg_sq"].cpu().numpy()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a kept state."""
        super().restore(state)
        self._send()

    def learn(self, rows: Places, counts: Places, chances: Floats, batches: Sequence[Places], rate: float) -> float:
        """Learn from one batch of lessons after the other; returns their mean error before each step."""
        torch = self._torch
        self._adam.param_groups[0]["lr"] = rate
        error = torch.zeros((), device=self._device)
        for batch in batches:
            self.steps += 1
            lost = self._error(rows[batch], counts[batch], chances[batch])
            self._adam.zero_grad()
            lost.backward()
            self._adam.step()
            with torch.no_grad():
                self._average.lerp_(self._weights, 1.0 - kept_of_average(self.steps))
                error += lost.detach()
        self._fetch()
        return float(error) / max(1, len(batches))

    def _error(self, rows: Places, counts: Places, chances: Floats) -> Any:
        """The mean error (cross-entropy) of some lessons."""
        torch = self._torch
        layers = torch.nn.functional
        true = np.arange(rows.shape[1]) < counts[:, None]
        begins = np.cumsum(counts, dtype=np.int64) - counts
        parts = torch.split(self._weights, self._sizes)
        first, first_bias, second, second_bias, third, third_bias = (
            part.view(shape) for part, shape in zip(parts, self.shapes, strict=True)
        )
        active, starts, wanted = (
            torch.from_numpy(part).to(self._device) for part in (rows[true].astype(np.int64), begins, chances)
        )
        hidden = torch.relu(layers.embedding_bag(active, first, starts, mode="sum") + first_bias)
        inner = torch.relu(hidden @ second + second_bias)
        return layers.binary_cross_entropy_with_logits(inner @ third + third_bias, wanted)
