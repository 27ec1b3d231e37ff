"""PyTorch learns what the compiled learner learns. Needs the extra `torch`; `make test-torch` installs it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludotheque.core import BadRequest, find_game
from ludotheque.kernels.network import new_network
from ludotheque.kernels.self_play import Examples
from ludotheque.training.course import Course, Plan
from ludotheque.training.learner import KEPT, CompiledLearner
from ludotheque.training.torch_learner import TorchLearner

torch = pytest.importorskip("torch", reason="the extra torch is not installed; make test-torch installs it")

GAME = find_game("yam-master")
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
PLAN = Plan(rounds=2, games=8, batch=32, width=8, inner=4, threads=1, measure_every=1, measure_games=4, replay_size=300)


@pytest.mark.parametrize("device", DEVICES)
def test_the_same_examples_teach_the_same_network(device: str) -> None:
    """SelfPlay of different lengths, one of them empty; a hundred steps; all that is kept, and the mean error."""
    random = np.random.default_rng(5)
    features = random.integers(0, 40, (60, 7)).astype(np.int16)
    counts = random.integers(0, 8, 60).astype(np.int16)
    examples = Examples(features, counts, random.random(60).astype(np.float32))
    batches = [random.integers(0, 60, 16) for _ in range(100)]
    network = new_network(50, 12, 6, 2, 5)
    one, other = CompiledLearner(network, threads=1), TorchLearner(network, device)
    errors = [learner.learn(examples, batches, 0.003) for learner in (one, other)]
    assert errors[0] == pytest.approx(errors[1], abs=1e-5)
    assert one.steps == other.steps == 100
    for name in KEPT:
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=2e-4), name
    assert not np.allclose(one.weights, np.concatenate([part.ravel() for part in network]), atol=0.01)
    for part, same in zip(one.ema, other.ema, strict=True):
        assert part == pytest.approx(same, abs=2e-4)
    assert (other.ema.first[40:] == 0).all(), "features that no example had weigh nothing"


@pytest.mark.parametrize("device", DEVICES)
def test_a_course_begun_on_the_cores_goes_on_with_pytorch_and_back(tmp_path: Path, device: str) -> None:
    steps = [0]
    for rounds, where in ((2, ""), (4, device), (6, "")):
        course = Course(GAME, tmp_path, replace(PLAN, rounds=rounds, device=where))
        assert course.resume() == (rounds > 2)
        assert course.learner.steps == steps[-1]
        course.run(lambda _told: None)
        steps.append(course.learner.steps)
    assert steps == sorted(set(steps)), "every leg has learnt something"
    assert [entry["round"] for entry in course.progress.curve] == [1, 2, 3, 4, 5, 6]


def test_a_device_that_is_not_here_is_refused_in_words() -> None:
    for name in ("nonsense", "cuda:99"):
        with pytest.raises(BadRequest, match=r"it can on cpu"):
            TorchLearner(new_network(5, 4, 2, 1, 3), name)
