"""How fast a network learns: on the cores with the compiled learner, beside PyTorch on a device, from the same lessons of a game.

`python bench/learners.py GAME [DEVICE] [THREADS] [WIDTH…]` prints one JSON line a learner and width: lessons learnt a second, and
the error after the same steps. `cpu`, or `cuda` on a machine with a graphics card; PyTorch is the extra `torch`.
"""

import json
import os
import sys
import time

import numpy as np

from ludotheque.core import find_game
from ludotheque.kernels.lessons import Sitting
from ludotheque.kernels.network import new_network
from ludotheque.training.course import Plan, find_lessons
from ludotheque.training.learner import CompiledLearner, Learner
from ludotheque.training.torch_learner import TorchLearner

GAMES, STEPS, ROUNDS, RATE = 256, 100, 3, 0.001


def main() -> None:
    """Play some games, then learn from them."""
    game, device = sys.argv[1], (sys.argv[2:] or ["cuda"])[0]
    threads = int((sys.argv[3:] or [str(os.cpu_count() or 1)])[0])
    widths = [int(width) for width in sys.argv[4:]] or [Plan.width, 4 * Plan.width]
    lessons = find_lessons(find_game(game))
    notes = lessons.notes_for(GAMES)
    noted = lessons.play(lessons.learned(), Sitting(1, GAMES, 0.2), notes)
    random = np.random.default_rng(1)
    batches = [random.integers(0, noted, Plan.batch) for _ in range(STEPS)]
    for width in widths:
        network = new_network(lessons.rows, width, Plan.inner, 1, lessons.most_active)
        learners: dict[str, Learner] = {
            f"{threads} threads": CompiledLearner(network, threads=threads),
            f"PyTorch on {device}": TorchLearner(network, device),
        }
        speeds: dict[str, list[float]] = {name: [] for name in learners}
        errors: dict[str, float] = {}
        for _ in range(ROUNDS + 1):  # the first is to get warm; in turns, so that whatever else goes on falls on both
            for name, learner in learners.items():
                began = time.perf_counter()
                errors[name] = learner.learn(*notes, batches, RATE)
                speeds[name].append(STEPS * Plan.batch / (time.perf_counter() - began))
        for name, found in speeds.items():
            speed = [round(lessons_a_second) for lessons_a_second in found[1:]]
            told = {"game": game, "width": width, "learner": name, "lessons/s": speed, "error": round(errors[name], 4)}
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
