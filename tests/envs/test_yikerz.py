"""Yikerz! as an environment of continuous actions: what is placed counts, what collapses is lost, a baseline beats chance."""

import random
from statistics import mean
from typing import Any

import numpy as np
import pytest

from ludotheque.core import BadOption, IllegalAction, Problem
from ludotheque.games.yikerz.magnets.path import STANDINGS, put_down
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.placing import (
    OBSERVATION_SIZE,
    Placing,
    Release,
    random_release,
    steady_release,
)


def placing(magnets: int = 6, turns: int = 8, seed: int = 1) -> Placing:
    made = Placing(magnets=magnets, turns=turns)
    made.reset(seed)
    return made


def test_a_piece_that_stays_counts_and_one_beside_the_mats_comes_back() -> None:
    task = placing()
    first, second = task.hand[:2]
    assert task.place(Release(0.0, 0.0)) == 1
    assert set(task.board) == {first}
    assert task.place(Release(500.0, 0.0)) == 0  # onto the table
    assert set(task.board) == {first}
    assert task.hand[-1] == second
    assert task.played == 2


def test_two_pieces_too_near_collapse_and_are_both_lost() -> None:
    task = placing()
    assert task.place(Release(0.0, 0.0)) == 1
    assert task.place(Release(9.0, 0.0)) == -1
    assert task.board == {}
    assert len(task.hand) == 6


def test_actions_and_releases_are_the_same_both_ways() -> None:
    task = placing()
    for standing in STANDINGS:
        release = Release(31.0, -20.0, standing, 75.0)
        again = task.release_of(task.action_of(release))
        assert again.standing == standing
        assert (again.x, again.y, again.angle) == pytest.approx((31.0, -20.0, 75.0), abs=0.02)


def test_a_path_does_what_its_release_does() -> None:
    one, other = placing(), placing()
    path = put_down(shape_of(one.hand[0]), 20.0, 10.0, "flat", 30.0)
    assert one.place(Release(20.0, 10.0, "flat", 30.0)) == 1
    assert (
        other.place_along([[time, *pose] for time, pose in zip(path.times, path.poses, strict=True)], path.release) == 1
    )
    assert one.board == other.board


def test_observations_tell_where_pieces_lie() -> None:
    task = placing()
    held = task.hand[1]
    (magnet,) = task.hand[:1]
    task.place(Release(30.0, -12.0))
    row = task.observe()
    assert row.shape == (OBSERVATION_SIZE,)
    assert np.abs(row).max() <= 1
    assert row[magnet * 8 : magnet * 8 + 3].tolist() == pytest.approx([1, 30 / 600, -12 / 600], abs=1e-3)
    assert np.flatnonzero(row[160:180]).tolist() == [held]
    assert row[-1] == pytest.approx(7 / 8)


def test_the_same_seed_gives_the_same_board() -> None:
    boards = []
    for seed in (1, 1, 2):
        task, chooser = placing(seed=seed), random.Random(3)
        for _ in range(3):
            task.place(random_release(task, chooser))
        boards.append((task.hand, dict(task.board)))
    assert boards[0] == boards[1] != boards[2]


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        (lambda task: task.release_of([0, 0, 1]), "5 finite numbers"),
        (lambda task: task.release_of([0, 0, 1, float("nan"), 0]), "5 finite numbers"),
        (lambda task: task.release_of("middle"), "5 finite numbers"),
        (lambda task: task.place_along([], 1), "list"),
        (lambda task: task.place_along([[0, 0, 0, 90, 1, 0, 0]], 1), "qw"),
        (lambda task: Placing("circle"), "The layouts are pyramid"),
        (lambda task: Placing(magnets=21), "`magnets` is a whole number from 1 to 20, not 21"),
        (lambda task: Placing(turns=0), "`turns` is a whole number from 1 to 1000, not 0"),
    ],
)
def test_a_mistake_gets_a_sentence_and_changes_nothing(mistake: Any, sentence: str) -> None:
    task = placing()
    task.place(Release(0.0, 0.0))
    board, hand = dict(task.board), task.hand
    with pytest.raises(Problem, match=sentence):
        mistake(task)
    assert (task.board, task.hand, task.played) == (board, hand, 1)


@pytest.mark.slow
def test_the_baseline_places_at_least_three_more_than_chance() -> None:
    """In 15 turns with 20 magnets; docs/envs/yikerz.md has the margin over more boards."""
    placed = {}
    for policy in (random_release, steady_release):
        found = []
        for seed in range(3):
            task, chooser = placing(20, 15, seed), random.Random(seed)
            while not (task.done or task.late):
                task.place(policy(task, chooser))
            found.append(len(task.board))
        placed[policy.__name__] = mean(found)
    assert placed["steady_release"] >= placed["random_release"] + 3, placed


def test_gymnasium_accepts_it() -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: make test-envs installs it")
    from gymnasium.utils.env_checker import check_env  # noqa: PLC0415

    from ludotheque.envs.yikerz import PlacingEnv  # noqa: PLC0415 - it registers the name

    env = gymnasium.make("ludotheque/Yikerz-v0", magnets=3, turns=2, render_mode="ansi")
    check_env(env.unwrapped)
    env.reset(seed=1)
    task = env.unwrapped.placing
    _, reward, terminated, truncated, info = env.step(task.action_of(Release(0.0, 0.0)))
    assert (reward, terminated, truncated, info["placed"], info["taken"]) == (1.0, False, False, 1, [])
    path = put_down(shape_of(task.hand[0]), 60.0, -40.0)
    samples = [[time, *pose] for time, pose in zip(path.times, path.poses, strict=True)]
    _, reward, terminated, truncated, info = env.unwrapped.step_path(samples, path.release)
    assert (reward, terminated, truncated, info["placed"]) == (1.0, False, True, 2)
    with pytest.raises(IllegalAction, match="The match is over"):
        env.unwrapped.step(np.zeros(5))
    with pytest.raises(BadOption, match="one of human, ansi"):
        PlacingEnv(render_mode="rgb_array")
