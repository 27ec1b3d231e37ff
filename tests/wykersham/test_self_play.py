"""Wykersham against itself: what is noted of a game, and that a course learns from it."""

from pathlib import Path

import numpy as np
import pytest

from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.features import FEATURES, LEFT_FEATURE, SLOTS
from ludotheque.games.wykersham.self_play import MIRRORS, SELF_PLAY
from ludotheque.kernels import JIT
from ludotheque.kernels.network import load_network, new_network
from ludotheque.kernels.self_play import Batch
from ludotheque.training.course import Course, Plan

pytestmark = pytest.mark.skipif(not JIT, reason="bots think with compiled rules")


def test_a_game_brings_an_example_for_every_turn_and_every_mirror_image() -> None:
    network = new_network(FEATURES, 8, 4, 3, SLOTS)
    told = []
    for _ in range(2):
        examples = SELF_PLAY.examples_for(2)
        assert SELF_PLAY.play(network, Batch(5, 2, 0.5), examples) == 2 * 30 * MIRRORS
        told.append(examples)
    for first, again in zip(*told, strict=True):
        assert np.array_equal(first, again)
    features, counts, targets = told[0]
    for turn in range(2 * 30):
        versions = range(MIRRORS * turn, MIRRORS * (turn + 1))
        assert len({float(targets[version]) for version in versions}) == 1
        for version in versions:
            seen = features[version, : counts[version]]
            assert LEFT_FEATURE + 30 - turn % 30 in seen
            assert len(set(seen.tolist())) == len(seen)
            assert seen.min() >= 0
            assert seen.max() < FEATURES
    assert targets.min() >= 0
    assert targets.max() <= 1


def test_a_course_of_wykersham_learns_and_writes_weights(tmp_path: Path) -> None:
    plan = Plan(rounds=3, games=8, batch=64, width=8, inner=4, threads=1, measure_every=3, measure_games=2)
    course = Course(GAME, tmp_path, plan)
    course.run(lambda _told: None)
    assert course.progress.examples == 3 * 8 * 30 * MIRRORS
    weights = load_network(tmp_path / "weights.npz")
    assert weights.first.shape == (FEATURES, 8)
    untaught = (weights.first == 0).all(axis=1)
    assert 0.3 < untaught.mean() < 1  # patterns that never came up say nothing
