"""How fast a network learns: the compiled learner on the CPU beside PyTorch on a device, from the same self-play samples.

`python -m bench.strength.learners GAME [DEVICE] [THREADS] [WIDTH…]` prints one JSON line a learner and width: samples a second, and
the error after the same steps. DEVICE is `cpu`, or `cuda` on a machine with a graphics card; PyTorch is the extra `torch`.
"""

import os
import time

import numpy as np

from bench.strength.measuring import read_arguments, tell
from ludotheque.core import find_game
from ludotheque.kernels.network import new_network
from ludotheque.kernels.self_play import Batch
from ludotheque.training.course import Plan, find_self_play
from ludotheque.training.learner import CompiledLearner, Learner
from ludotheque.training.torch_learner import TorchLearner

GAMES, STEPS, ROUNDS, RATE = 256, 100, 3, 0.001


def main() -> None:
    """Play some games, then learn from them, each learner in turn."""
    usual = [Plan.width, 4 * Plan.width]
    given = read_arguments(__doc__, ["game"], device="cuda", threads=os.cpu_count() or 1, widths=usual)
    self_play = find_self_play(find_game(given.game))
    examples = self_play.examples_for(GAMES)
    noted = self_play.play(self_play.learned(), Batch(1, GAMES, 0.2), examples)
    random = np.random.default_rng(1)
    batches = [random.integers(0, noted, Plan.batch) for _ in range(STEPS)]
    for width in given.widths:
        network = new_network(self_play.features, width, Plan.inner, 1, self_play.max_active)
        learners: dict[str, Learner] = {
            f"{given.threads} threads": CompiledLearner(network, threads=given.threads),
            f"PyTorch on {given.device}": TorchLearner(network, given.device),
        }
        speeds: dict[str, list[float]] = {name: [] for name in learners}
        errors: dict[str, float] = {}
        for _ in range(ROUNDS + 1):  # the first warms up; in turns, so that other load falls on both alike
            for name, learner in learners.items():
                began = time.perf_counter()
                errors[name] = learner.learn(examples, batches, RATE)
                speeds[name].append(STEPS * Plan.batch / (time.perf_counter() - began))
        for name, found in speeds.items():
            rates = [round(rate) for rate in found[1:]]
            facts = {"game": given.game, "width": width, "learner": name}
            tell(facts | {"samples/s": rates, "error": round(errors[name], 4)})


if __name__ == "__main__":
    main()
