"""PettingZoo's own conformance tests over our environments, and what they do not ask: rewards, refusals, the same match again."""

import pickle
from typing import Any

import numpy as np
import pytest

from ludotheque.core import BadOption, IllegalAction, Json, UnknownGame

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: make test-envs installs it")
from pettingzoo.test import api_test, render_test, seed_test

from ludotheque.envs.pettingzoo import GameModule, twisty_v0, wykersham_v0, yam_master_v0

MODULES = {"yam_master_v0": yam_master_v0, "wykersham_v0": wykersham_v0, "twisty_v0": twisty_v0}
SHORT: dict[str, Json] = {"yam_master_v0": {"max_turns": 5}, "twisty_v0": {"max_rounds": 5}}
each_module = pytest.mark.parametrize("name", MODULES)
pytestmark = [
    # What PettingZoo warns of although its own board games do it: dictionaries with a mask, all 0 for those who wait.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]


@each_module
def test_it_passes_pettingzoos_api_test(name: str) -> None:
    api_test(MODULES[name].env(), num_cycles=300)


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_pass_it_too(players: int) -> None:
    api_test(twisty_v0.env(players=players), num_cycles=200)


@each_module
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    seed_test(MODULES[name].env, num_cycles=60)


@each_module
def test_it_passes_pettingzoos_render_test(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(MODULES[name].env)
    assert len(capsys.readouterr().out.splitlines()) > 20  # the mode `human` writes


def play_out(env: Any) -> dict[str, float]:
    """A random match: what each agent was rewarded with in all."""
    totals = dict.fromkeys(env.possible_agents, 0.0)
    chooser = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(chooser.choice(legal)))
    return totals


@each_module
def test_rewards_are_those_of_the_result(name: str) -> None:
    env = MODULES[name].env(options=SHORT.get(name))
    for seed in range(3):
        env.reset(seed=seed)
        totals = play_out(env)
        returns = env.unwrapped.match.position.returns()
        assert [totals[agent] for agent in env.possible_agents] == [2 * share - 1 for share in returns]


def test_the_winner_among_three_gets_1_and_the_others_half_of_minus_1() -> None:
    env = twisty_v0.env(players=3, options={"max_rounds": 5})
    winners = 0
    for seed in range(8):
        env.reset(seed=seed)
        totals = sorted(play_out(env).values())
        assert sum(totals) == pytest.approx(0)
        winners += totals == pytest.approx([-0.5, -0.5, 1.0])
    assert winners > 0


def test_a_mistake_gets_a_sentence_and_changes_nothing() -> None:
    env: Any = yam_master_v0.raw_env()
    env.reset(seed=1)
    before = env.match.position
    for action, sentence in ((26, "is not possible now"), (471, "from 0 to 470"), ("pass", "from 0 to 470")):
        with pytest.raises(IllegalAction, match=sentence):
            env.step(action)
    assert env.match.position is before
    with pytest.raises(BadOption, match="A seed is a whole number"):
        env.reset(seed="x")
    with pytest.raises(BadOption, match="one of human, ansi"):
        yam_master_v0.env(render_mode="rgb_array")
    with pytest.raises(BadOption, match="players"):
        twisty_v0.env(players=7)
    with pytest.raises(UnknownGame):
        GameModule("chess").env()
    with pytest.raises(BadOption, match="Yikerz! has no list of actions"):
        GameModule("yikerz").env()


def test_an_environment_can_go_to_another_process() -> None:
    env = pickle.loads(pickle.dumps(twisty_v0.raw_env(players=3, options={"max_rounds": 5})))
    env.reset(seed=1)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.match.options["max_rounds"] == 5
