"""OpenSpiel's own tests over our games, its search, and exact odds of whatever chance decides."""

import random
from typing import Any

import numpy as np
import pytest

from ludotheque.core import BadOption

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make test-envs installs it")
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation

from ludotheque.envs.openspiel import NAMES

each_name = pytest.mark.parametrize("name", NAMES)


def play_on(state: Any, actions: int, seed: int = 1) -> Any:
    """So many random actions from a state, chance's included, or to its end."""
    chooser = random.Random(seed)
    for _ in range(actions):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(outcomes, odds)[0])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
    return state


@each_name
@pytest.mark.slow
def test_it_passes_openspiels_simulation_test(name: str) -> None:
    """A random match with every check that OpenSpiel makes: legal actions, clones, chance, returns, observations."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@each_name
def test_a_serialised_state_is_the_same(name: str) -> None:
    game = pyspiel.load_game(name)
    state = play_on(game.new_initial_state(), 80)
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state)
    assert again.history() == state.history()
    clone = state.clone()
    play_on(clone, 5)
    assert str(again) == str(state)


@each_name
def test_chance_has_exact_odds(name: str) -> None:
    state, nodes = pyspiel.load_game(name).new_initial_state(), 0
    chooser = random.Random(2)
    for _ in range(100):
        if state.is_terminal():
            break
        if state.is_chance_node():
            nodes += 1
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            assert sum(odds) == pytest.approx(1)
            assert len(set(outcomes)) == len(outcomes)
            state.apply_action(chooser.choices(outcomes, odds)[0])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
    assert nodes > 0


def test_a_board_of_twisty_is_laid_by_chance() -> None:
    """43 draws shuffle 44 tokens, 6 each series of 7, and one says who starts."""
    state = play_on(pyspiel.load_game("ludotheque_twisty").new_initial_state(), 43 + 2 * 6)
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    state.apply_action(1)
    assert state.current_player() == 1
    assert state.action_to_string(1, state.legal_actions()[0]) == "corner a1"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_twisty_is_for_two_to_four(players: int) -> None:
    game = pyspiel.load_game("ludotheque_twisty", {"players": players})
    assert game.num_players() == players
    state = play_on(game.new_initial_state(), 100_000)
    assert state.is_terminal()
    assert sum(state.returns()) == pytest.approx(0)


def test_seven_players_are_refused_with_a_sentence() -> None:
    with pytest.raises((BadOption, RuntimeError, pyspiel.SpielError)):
        pyspiel.load_game("ludotheque_twisty", {"players": 7})


@each_name
def test_observations_are_the_encodings(name: str) -> None:
    game = pyspiel.load_game(name)
    state = play_on(game.new_initial_state(), 75)
    observation = make_observation(game)
    for player in range(2):
        observation.set_from(state, player)
        assert observation.tensor.tolist() == game.encoding.observe(state.position, player).tolist()
        assert np.shares_memory(next(iter(observation.dict.values())), observation.tensor)
        assert f"seat {player}" in observation.string_from(state, player)


@each_name
@pytest.mark.slow
def test_openspiels_search_plays(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        play_on(state, 1)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    player = mcts.MCTSBot(game, 1.4, 4, evaluator, random_state=np.random.RandomState(2))
    assert player.step(state) in state.legal_actions()
