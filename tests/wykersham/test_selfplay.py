"""Wykersham against itself: what is noted of a game, and that a course learns from it."""

from pathlib import Path

import numpy as np
import pytest

from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.judge import LEFT_ROW, ROWS, SLOTS
from ludotheque.games.wykersham.selfplay import LESSONS, MIRRORS
from ludotheque.kernels import JIT
from ludotheque.kernels.lessons import Notes, Sitting
from ludotheque.kernels.network import load_network, new_network
from ludotheque.training.course import Course, Plan

pytestmark = pytest.mark.skipif(not JIT, reason="bots think with compiled rules")


def test_a_game_brings_a_lesson_for_every_turn_and_every_mirror_image() -> None:
    network = new_network(ROWS, 8, 4, 3, SLOTS)
    room = 3 * LESSONS.most_turns
    told = []
    for _ in range(2):
        rows, counts = np.full((room, SLOTS), -1, np.int64), np.zeros(room, np.int64)
        chances = np.zeros(room, np.float32)
        assert LESSONS.play(network, Sitting(5, 2, 0.5), Notes(rows, counts, chances)) == 2 * 30 * MIRRORS
        told.append((rows, counts, chances))
    for first, again in zip(*told, strict=True):
        assert np.array_equal(first, again)
    rows, counts, chances = told[0]
    for turn in range(2 * 30):
        lessons = range(MIRRORS * turn, MIRRORS * (turn + 1))
        assert len({float(chances[lesson]) for lesson in lessons}) == 1
        for lesson in lessons:
            seen = rows[lesson, : counts[lesson]]
            assert LEFT_ROW + 30 - turn % 30 in seen
            assert len(set(seen.tolist())) == len(seen)
            assert seen.min() >= 0
            assert seen.max() < ROWS
    assert chances.min() >= 0
    assert chances.max() <= 1


def test_a_course_of_wykersham_learns_and_writes_weights(tmp_path: Path) -> None:
    plan = Plan(rounds=3, games=8, batch=64, width=8, inner=4, threads=1, measure_every=3, measure_games=2)
    course = Course(GAME, tmp_path, plan)
    course.run(lambda _told: None)
    assert course.progress.lessons == 3 * 8 * 30 * MIRRORS
    weights = load_network(tmp_path / "weights.npz")
    assert weights.first.shape == (ROWS, 8)
    untaught = (weights.first == 0).all(axis=1)
    assert 0.3 < untaught.mean() < 1  # patterns that never came up say nothing
