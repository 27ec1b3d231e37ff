"""Gymnasium's own checks over our environments, one match and many."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from ludotheque.core import BadOption, IllegalAction

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: make test-envs installs it")
from gymnasium.utils.env_checker import check_env

from ludotheque.envs.gymnasium import NAMES, OpponentEnv, OpponentVectorEnv

each_name = pytest.mark.parametrize("name", NAMES)


@each_name
def test_it_passes_gymnasiums_check(name: str) -> None:
    env = gymnasium.make(f"ludotheque/{name}-v0", opponent="random", render_mode="ansi")
    check_env(env.unwrapped)


@pytest.mark.slow
def test_it_is_found_without_an_import_of_ones_own() -> None:
    """Gymnasium imports the module that stands before the colon."""
    script = (
        "import gymnasium; env = gymnasium.make('ludotheque.envs.gymnasium:ludotheque/YamMaster-v0', opponent='bot:3'); "
        "env.reset(seed=1); print(env.unwrapped.opponent.name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.split()


def play_out(env: Any, seed: int) -> tuple[float, int]:
    """A random match of the agent: its reward and its decisions."""
    _, info = env.reset(seed=seed)
    chooser = np.random.default_rng(seed)
    for decisions in range(1, 10_000):
        action = int(chooser.choice(np.flatnonzero(info["action_mask"])))
        _, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        if terminated:
            assert not info["action_mask"].any()
            return reward, decisions
        assert reward == 0
    raise AssertionError("it never ended")


@pytest.mark.slow
def test_a_bot_beats_a_random_agent() -> None:
    env = gymnasium.make("ludotheque/YamMaster-v0", opponent="bot:3")
    assert [play_out(env, seed)[0] for seed in range(2)] == [-1, -1]


@each_name
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    options = {"YamMaster": {"max_turns": 5}, "Twisty": {"max_rounds": 5}}.get(name)
    env = gymnasium.make(f"ludotheque/{name}-v0", opponent="random", options=options)
    assert [play_out(env, seed) for seed in (1, 2, 1)][::2][0] == play_out(env, 1)


def test_the_seat_is_drawn_or_named() -> None:
    env = gymnasium.make("ludotheque/Twisty-v0", opponent="random", players=3)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}
    env = gymnasium.make("ludotheque/Twisty-v0", opponent="random", players=3, seat=2)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(5)} == {2}


def test_a_mistake_gets_a_sentence_and_changes_nothing() -> None:
    env = gymnasium.make("ludotheque/YamMaster-v0", opponent="random").unwrapped
    env.reset(seed=1)
    before = env.match.position
    *_, info = env.step(26)
    assert "is not possible now. Possible: " in info["problem"]
    for action in (471, "pass", 1.5):
        with pytest.raises(IllegalAction, match="from 0 to 470"):
            env.step(action)
    assert env.match.position is before
    for wrong, sentence in (
        ({"opponent": "bot:9"}, "bot:9"),
        ({"seat": 2}, "Seats are numbered from 0 to 1"),
        ({"render_mode": "rgb_array"}, "one of human, ansi"),
    ):
        with pytest.raises(BadOption, match=sentence):
            OpponentEnv("yam-master", **wrong)
    play_out(env, 1)
    with pytest.raises(IllegalAction, match="The match is over"):
        env.step(0)


# Many matches at once


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "opponent"),
    [("YamMaster", "random"), ("YamMaster", "bot:1"), ("Twisty", "random"), ("Wykersham", "random")],
)
def test_many_matches_are_played_against_an_opponent(name: str, opponent: str) -> None:
    options = {"YamMaster": {"max_turns": 2}, "Twisty": {"max_rounds": 3}}.get(name)
    env = gymnasium.make_vec(f"ludotheque/{name}-v0", 4, "vector_entry_point", opponent=opponent, options=options)
    observations, info = env.reset(seed=3)
    assert env.observation_space.contains(observations)
    chooser = np.random.default_rng(1)
    ended = np.zeros(4)
    before = np.zeros(4, np.bool_)
    for _ in range(400 if name == "Wykersham" else 60):
        masks = info["action_mask"]
        chosen = np.array([int(chooser.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks])
        observations, rewards, terminated, truncated, info = env.step(chosen)
        assert env.observation_space.contains(observations)
        assert not truncated.any()
        assert not (terminated & before).any()  # begun anew, whatever the action was
        assert not rewards[~terminated].any()
        assert (info["action_mask"].any(axis=1) == ~terminated).all()
        before = terminated
        ended += terminated
    assert ended.min() > 0
    env.close()


def test_the_same_seed_gives_the_same_matches() -> None:
    env = gymnasium.make_vec("ludotheque/Twisty-v0", 8, "vector_entry_point")
    first, _ = env.reset(seed=5)
    other, _ = env.reset(seed=6)
    again, _ = env.reset(seed=5)
    assert (first == again).all()
    assert (first != other).any()


def test_mistakes_in_many_matches_get_a_sentence_and_change_nothing() -> None:
    env = gymnasium.make_vec("ludotheque/Wykersham-v0", 3, "vector_entry_point").unwrapped
    env.reset(seed=1)
    kept = env.batch.states.tobytes()
    for actions, sentence in (
        (np.zeros(3), "one action for each of the 3 matches"),
        (np.zeros(2, int), "one action for each of the 3 matches"),
        (np.full(3, 70), "has no legal action 70"),
    ):
        with pytest.raises(IllegalAction, match=sentence):
            env.step(actions)
    assert env.batch.states.tobytes() == kept
    with pytest.raises(BadOption, match="have no picture"):
        OpponentVectorEnv(2, "wykersham", render_mode="ansi")
