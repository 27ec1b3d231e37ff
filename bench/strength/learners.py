"""How fast a network learns: the compiled learner on the CPU beside PyTorch on a device, from the same self-play samples.

`python -m bench.strength.learners GAME [DEVICE] [THREADS] [WIDTH…]` prints one JSON line a learner and width: samples a second, and
the error after the same steps. DEVICE is `cpu`, or `cuda` on a machine with a graphics card; PyTorch is the extra `torch`.
"""

import argparse
import os
import time

import numpy as np

from bench.strength.measuring import tell
from ludotheque.core import find_game
from ludotheque.kernels.lessons import Sitting
from ludotheque.kernels.network import new_network
from ludotheque.training.course import Plan, find_lessons
from ludotheque.training.learner import CompiledLearner, Learner
from ludotheque.training.torch_learner import TorchLearner

GAMES, STEPS, ROUNDS, RATE = 256, 100, 3, 0.001


def main() -> None:
    """Play some games, then learn from them, each learner in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("device", nargs="?", default="cuda")
    parser.add_argument("threads", type=int, nargs="?", default=os.cpu_count() or 1)
    parser.add_argument("widths", type=int, nargs="*", default=[Plan.width, 4 * Plan.width])
    given = parser.parse_args()
    lessons = find_lessons(find_game(given.game))
    notes = lessons.notes_for(GAMES)
    noted = lessons.play(lessons.learned(), Sitting(1, GAMES, 0.2), notes)
    random = np.random.default_rng(1)
    batches = [random.integers(0, noted, Plan.batch) for _ in range(STEPS)]
    for width in given.widths:
        network = new_network(lessons.rows, width, Plan.inner, 1, lessons.most_active)
        learners: dict[str, Learner] = {
            f"{given.threads} threads": CompiledLearner(network, threads=given.threads),
            f"PyTorch on {given.device}": TorchLearner(network, given.device),
        }
        speeds: dict[str, list[float]] = {name: [] for name in learners}
        errors: dict[str, float] = {}
        for _ in range(ROUNDS + 1):  # the first warms up; in turns, so that other load falls on both alike
            for name, learner in learners.items():
                began = time.perf_counter()
                errors[name] = learner.learn(*notes, batches, RATE)
                speeds[name].append(STEPS * Plan.batch / (time.perf_counter() - began))
        for name, found in speeds.items():
            rates = [round(rate) for rate in found[1:]]
            facts = {"game": given.game, "width": width, "learner": name}
            tell(facts | {"samples/s": rates, "error": round(errors[name], 4)})


if __name__ == "__main__":
    main()
