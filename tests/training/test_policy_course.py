"""Any game learns: gradients against small changes, Pig beside its exact solution, three players, stopping and going on."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ludotheque_pig import GAME as PIG

from bench.strength.pig import against_optimal, network_policy, solve
from ludotheque.bots import bot
from ludotheque.core import BadOption, BadRequest, Dice, Match, find_game
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.encoding import encoding_of
from ludotheque.kernels.guided_play import PolicyExamples
from ludotheque.kernels.guided_search import GuidedSearch, halving_schedule
from ludotheque.kernels.policy_network import PolicyNetwork, evaluator, new_policy_network
from ludotheque.training.policy_course import PolicyCourse, PolicyPlan
from ludotheque.training.policy_learner import NumpyLearner, loss_and_gradient

GOAL = 20
PLAN = PolicyPlan(
    rounds=2,
    games=16,
    matches=16,
    simulations=4,
    batch=32,
    width=8,
    layers=1,
    threads=2,
    measure_every=1,
    measure_games=4,
    replay_size=5000,
    opponent="random",
    options=json.dumps({"goal": GOAL}),
)


def nothing(_told: str) -> None:
    return


def random_network() -> PolicyNetwork:
    random = np.random.default_rng(3)
    network = new_policy_network(5, 6, 2, 4, 3, 1)
    return PolicyNetwork(*((0.3 * random.standard_normal(part.shape)).astype(np.float32) for part in network))


def examples() -> PolicyExamples:
    return PolicyExamples(
        np.array([[1, 0, 2, 3, -1], [0, 2, 1, 0, 4]], np.int8),
        np.array([[0, 3, -1], [2, 1, 0]], np.int16),
        np.array([[0.3, 0.7, 0], [0.2, 0.2, 0.6]], np.float32),
        np.array([[0.5, 0.5, 0], [1, 0, 0]], np.float32),
    )


def test_gradients_of_policy_and_values_say_how_the_error_changes() -> None:
    network = random_network()
    _, gradient = loss_and_gradient(network, examples())
    place = 0
    for part in network[2:]:
        for where in np.ndindex(part.shape):
            kept = part[where]
            errors = []
            for change in (0.002, -0.002):
                part[where] = kept + change
                errors.append(loss_and_gradient(network, examples())[0])
            part[where] = kept
            assert (errors[0] - errors[1]) / 0.004 == pytest.approx(gradient[place], abs=0.01)
            place += 1
    assert place == len(gradient)


def test_a_network_learns_what_it_is_shown() -> None:
    learner = NumpyLearner(new_policy_network(5, 32, 1, 4, 3, 1), 2)
    learner.add(examples())
    learner.learn(1500, 8, 0.01, 1)
    logits, values = evaluator(learner.ema)(examples().observations)
    assert values == pytest.approx(examples().values, abs=0.05)
    likely = np.exp(logits[1, [2, 1, 0]]) / np.exp(logits[1, [2, 1, 0]]).sum()
    assert likely == pytest.approx(examples().policies[1], abs=0.05)


def test_halving_visits_half_as_many_actions_each_time() -> None:
    visits = np.zeros(8, int)
    for wanted in halving_schedule(24, 8)[8]:
        visits[np.flatnonzero(visits == wanted)[0]] += 1  # the first ones always look best
    # 8 simulations for all eight, 8 for four of them, 8 for the last two
    assert visits.tolist() == [1 + 2 + 4] * 2 + [1 + 2] * 2 + [1] * 4


def test_a_search_finds_the_win_that_is_one_action_away() -> None:
    """Whatever an untaught network thinks: who holds with enough points wins."""
    state = PIG.layout.new_state()
    state.goal, state.player, state.turn, state.banked = GOAL, 1, 9, [3, 12]
    evaluate = evaluator(new_policy_network(5, 8, 1, 2, 2, 1))
    search = GuidedSearch(PIG.rules, encoding_of(PIG), 2, [state.tobytes()], evaluate, slots=4)
    search.think(64)
    best = search.found()[0]
    assert (best.action, best.value) == (0, 1.0)
    assert sum(one.visits for one in search.found()) == 63  # the first asked about the root


@pytest.mark.slow
def test_pig_is_learned_within_one_per_cent_of_the_optimal_policy(tmp_path: Path) -> None:
    """With a goal of 20 points, from nothing, measured exactly against the optimal player."""
    plan = replace(PLAN, rounds=12, games=512, matches=512, simulations=16, batch=256, width=32, measure_every=100)
    course = PolicyCourse(PIG, tmp_path, replace(plan, replay_size=60_000, rate=0.005))
    course.run(nothing)
    _, optimal = solve(GOAL)
    rolls, needless = network_policy(PIG, tmp_path / "weights.npz", GOAL, 100)
    first, second = against_optimal(GOAL, rolls, optimal)
    assert needless == 0
    assert (first + second) / 2 > 0.49


@pytest.mark.slow
def test_a_course_for_three_players_stops_goes_on_and_plays(tmp_path: Path) -> None:
    game = find_game("twisty")
    assert isinstance(game, DiscreteGame)
    plan = replace(PLAN, players=3, options=json.dumps({"max_rounds": 3}), games=4, matches=8)
    told: list[str] = []
    PolicyCourse(game, tmp_path, plan).run(told.append)
    again = PolicyCourse(game, tmp_path, replace(plan, rounds=3))
    assert again.resume()
    again.run(told.append)
    assert len(told) == 3
    assert [one["round"] for one in json.loads((tmp_path / "curve.json").read_text())] == [1, 2, 3]
    with pytest.raises(BadRequest, match="width 8, layers 1, players 3"):
        PolicyCourse(game, tmp_path, replace(plan, width=16)).resume()
    player = bot(game, 2, tmp_path / "weights.npz")
    match = Match(game, 3, {"max_rounds": 3}, dice=Dice("any"))
    while not match.position.over:
        match.play(player.choose(match.position).action)
    with pytest.raises(BadOption, match="with 3 players, not with 2"):
        player.choose(Match(game, 2, dice=Dice("any")).position)
    with pytest.raises(BadOption, match="another game or encoding"):
        bot(find_game("yam-master"), 5, tmp_path / "weights.npz")
