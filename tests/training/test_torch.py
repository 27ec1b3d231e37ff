"""PyTorch learns what the compiled learner learns. Needs the extra `torch`; `make test-torch` installs it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludotheque.core import BadRequest, find_game
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.encoding import encoding_of
from ludotheque.kernels.guided_play import PolicyExamples
from ludotheque.kernels.network import new_network
from ludotheque.kernels.policy_network import evaluator, new_policy_network
from ludotheque.kernels.self_play import Examples
from ludotheque.training.course import Course, Plan
from ludotheque.training.learner import KEPT, CompiledLearner
from ludotheque.training.policy_course import PolicyCourse, PolicyPlan
from ludotheque.training.policy_learner import KEPT as POLICY_KEPT
from ludotheque.training.policy_learner import NumpyLearner, PolicyLearner, TorchPolicyLearner, turned
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


def policy_examples(count: int) -> PolicyExamples:
    """Twisty's sizes, random numbers; from one to five legal actions each."""
    random = np.random.default_rng(7)
    actions = np.argsort(random.random((count, 56)), axis=1)[:, :5].astype(np.int16)
    legal = np.arange(5) < random.integers(1, 6, (count, 1))
    policies = np.where(legal, random.random((count, 5)), 0)
    return PolicyExamples(
        random.integers(0, 4, (count, 1280)).astype(np.int8),
        np.where(legal, actions, -1).astype(np.int16),
        (policies / policies.sum(axis=1, keepdims=True)).astype(np.float32),
        random.random((count, 2)).astype(np.float32),
    )


@pytest.mark.parametrize("device", DEVICES)
def test_the_same_policy_and_values_are_learned_from_one_example(device: str) -> None:
    """One is kept, so that both draw the same: sixty steps; all that is kept, the mean error, and what the network answers."""
    network = new_policy_network(1280, 12, 2, 56, 2, 5)
    learners: list[PolicyLearner] = [NumpyLearner(network, 1), TorchPolicyLearner(network, 1, device)]
    for learner in learners:
        learner.add(policy_examples(50))
    errors = [learner.learn(60, 4, 0.003, 1) for learner in learners]
    assert errors[0] == pytest.approx(errors[1], abs=1e-4)
    kept, other = (learner.state() for learner in learners)
    assert kept["steps"] == other["steps"] == 60
    for name in POLICY_KEPT:
        assert kept[name] == pytest.approx(other[name], abs=1e-3), name
    assert not np.allclose(kept["weights"], NumpyLearner(network, 1).weights, atol=0.01)
    seen = policy_examples(9).observations
    for one, same, plain in zip(
        learners[0].evaluate()(seen), learners[1].evaluate()(seen), evaluator(learners[1].ema)(seen), strict=True
    ):
        assert one == pytest.approx(same, abs=2e-3)
        assert plain == pytest.approx(same, abs=2e-3)


@pytest.mark.parametrize("device", DEVICES)
def test_pytorch_turns_boards_as_numpy_does(device: str) -> None:
    """Its errors over many draws are those of examples that numpy has turned: on average over all eight ways."""
    game = find_game("twisty")
    symmetries = encoding_of(game).symmetries
    assert symmetries is not None
    examples = policy_examples(50)  # all say how observations vary, the first is kept
    network = new_policy_network(1280, 12, 1, 56, 2, 5)
    random = np.random.default_rng(1)
    network = network._replace(direct=(0.05 * random.standard_normal((1280, 56))).astype(np.float32))

    def error(learner: PolicyLearner, shown: PolicyExamples) -> float:
        learner.add(shown)
        return learner.learn(1, 4096, 0.0, 3)

    # Turned examples vary in other places: measure as the first way does.
    plain = NumpyLearner(network, 1)
    plain.add(examples)
    ways = []
    for which in range(8):
        one = NumpyLearner(plain.network, 1)
        one.steps = 1  # it has measured
        ways.append(error(one, turned(examples, symmetries, np.full(50, which))))
    assert max(ways) - min(ways) > 0.1, "the ways differ"
    for learner in (NumpyLearner(network, 1, symmetries), TorchPolicyLearner(network, 1, device, symmetries)):
        spread = float(np.std(ways)) / 64  # of the mean of 4,096 draws
        assert error(learner, examples) == pytest.approx(float(np.mean(ways)), abs=5 * spread)


@pytest.mark.parametrize("device", DEVICES)
def test_a_course_for_any_game_begun_on_the_cores_goes_on_with_pytorch_and_back(tmp_path: Path, device: str) -> None:
    game = find_game("twisty")
    assert isinstance(game, DiscreteGame)
    plan = PolicyPlan(
        games=4,
        matches=8,
        simulations=4,
        batch=32,
        width=8,
        layers=1,
        threads=1,
        measure_every=1,
        measure_games=2,
        replay_size=3000,
        opponent="random",
        options='{"max_rounds": 5}',
    )
    steps = [0]
    for rounds, where in ((1, ""), (2, device), (3, "")):
        course = PolicyCourse(game, tmp_path, replace(plan, rounds=rounds, device=where))
        assert course.resume() == (rounds > 1)
        assert course.learner.steps == steps[-1]
        course.run(lambda _told: None)
        steps.append(course.learner.steps)
    assert steps == sorted(set(steps)), "every leg has learnt something"
    assert [entry["round"] for entry in course.progress.curve] == [1, 2, 3]
