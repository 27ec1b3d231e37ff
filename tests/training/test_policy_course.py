"""Any game learns: gradients against small changes, Pig beside its exact solution, three players, stopping and going on."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ludotheque_pig import GAME as PIG
from numpy.typing import NDArray

from bench.strength.pig import against_optimal, network_policy, solve
from ludotheque.bots import bot
from ludotheque.core import BadOption, BadRequest, Dice, Match, find_game
from ludotheque.kernels import DiscreteGame, DiscretePosition
from ludotheque.kernels.encoding import encoding_of
from ludotheque.kernels.guided_play import PolicyExamples
from ludotheque.kernels.guided_search import GuidedSearch, halving_schedule, improved_logits, node_type
from ludotheque.kernels.policy_network import Floats, PolicyNetwork, evaluator, new_policy_network
from ludotheque.training.policy_course import PolicyCourse, PolicyPlan, SelfPlayGroup
from ludotheque.training.policy_learner import NumpyLearner, loss_and_gradient, turned

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


def test_what_no_example_varies_in_has_no_weights_in_the_file() -> None:
    learner = NumpyLearner(new_policy_network(5, 8, 1, 4, 3, 1), 2)
    same = examples()
    same.observations[:, 3] = 7
    learner.add(same)
    learner.learn(20, 8, 0.01, 1)
    kept = learner.without_unused()
    assert (kept.first[3] == 0).all()
    assert (kept.first[[0, 1, 2, 4]] == learner.ema.first[[0, 1, 2, 4]]).all()
    for one, other in zip(evaluator(kept)(same.observations), evaluator(learner.ema)(same.observations), strict=True):
        assert one == pytest.approx(other, abs=1e-6)


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


def pig(turn: int, banked: list[int], goal: int = 100) -> bytes:
    """Seat 0 is to move."""
    state = PIG.layout.new_state()
    state.goal, state.player, state.turn, state.banked = goal, 0, turn, banked
    return state.tobytes()


def told(observations: NDArray[np.int8]) -> tuple[Floats, Floats]:
    """Of a turn worth 10 points, with 70 to 50 points banked: seat 0 wins 7 games of 10 while it has or has banked what the turn
    brought, and 1 of 10 once it has lost it. It would roll again at first and hold then; the other never rolls.
    """
    to_go, others, turn = observations[:, 0], observations[:, 1], observations[:, 2]
    first = to_go < 50
    own = np.where(first, np.where((turn == 0) & (to_go == 30), 0.1, 0.7), np.where(others == 30, 0.9, 0.3))
    roll = np.where(first & (turn == 10), 12.0, -12.0)
    return (
        np.stack((np.zeros_like(roll), roll), axis=1).astype(np.float32),
        np.stack((own, 1 - own), axis=1).astype(np.float32),
    )


def test_a_roll_is_worth_the_mean_of_its_faces_however_often_each_was_tried() -> None:
    """One face in six loses the turn: 0.1 / 6 + 5 * 0.7 / 6, also after 7, 8 or 20 simulations."""
    search = GuidedSearch(PIG.rules, encoding_of(PIG), 2, [pig(10, [70, 50])], told)
    search.think(1)
    for _ in range(25):
        search.think(1)
        roll = next(one for one in search.found() if one.action == 1)
        if roll.visits >= 6:
            assert roll.value == pytest.approx((0.1 + 5 * 0.7) / 6, abs=1e-6), f"after {roll.visits} simulations"
    assert roll.visits > 20


def test_a_small_difference_of_values_decides_but_noise_does_not() -> None:
    """Two actions that the network thinks equal, each tried eight times."""
    nodes = np.zeros(3, node_type(2)).view(np.recarray)
    nodes[0].first, nodes[0].count, nodes[0].mover, nodes[0].estimate = 1, 2, 1, 0.5
    nodes.prior[1:], nodes.visits[1:] = 0.5, 8
    logits = np.zeros(2)
    for better, least, most in ((0.02, 4.0, 8.0), (0.3, 4.0, 8.0), (0.0001, 0.0, 0.1)):
        nodes.total[1:, 1] = 8 * 0.5, 8 * (0.5 + better)
        assert improved_logits(nodes, logits) == 2
        assert least < logits[1] - logits[0] < most


def test_a_position_is_worth_what_the_better_action_gets() -> None:
    """Holding wins at once. Half of the simulations look at rolling, which does not; that must not make the position worth less."""
    plan = replace(PLAN, simulations=8, matches=1, threads=1)
    group = SelfPlayGroup(
        encoding_of(PIG), plan, PIG.read_options({"goal": GOAL}, 2), 1, 0, lambda shape: np.zeros(shape, np.int8)
    )
    group.matches.starts[:] = np.frombuffer(pig(9, [12, 3], GOAL), PIG.rules.dtype)[0]

    def even(observations: NDArray[np.int8]) -> tuple[Floats, Floats]:
        shape = (len(observations), 2)
        return np.zeros(shape, np.float32), np.full(shape, 0.5, np.float32)

    taken: list[PolicyExamples] = []
    with ThreadPoolExecutor(1) as threads:
        while not taken:
            taken, _ = group.step(threads, even, 0.0)
    assert taken[0].actions[-1].tolist()[:3] == [0, 1, -1]
    assert taken[0].policies[-1, 0] > 0.98
    assert taken[0].values[-1] == pytest.approx([1, 0], abs=0.02)


def dealt(game: DiscreteGame, players: int, seed: str) -> np.record:
    """A first position, to change."""
    position = Match(game, players, dice=Dice(seed)).position
    assert isinstance(position, DiscretePosition)
    states = np.frombuffer(position.state_bytes, game.rules.dtype).copy().view(np.recarray)
    state: np.record = states[0]
    return state


def test_a_turned_board_is_the_same_game() -> None:
    """Twisty turned or reflected: the same observation in other places, the same legal actions by other numbers, also later on."""
    game = find_game("twisty")
    assert isinstance(game, DiscreteGame)
    encoding, rules = encoding_of(game), game.rules
    symmetries = encoding.symmetries
    assert symmetries is not None
    assert (symmetries.places[0] == np.arange(encoding.observation_size)).all()
    random = np.random.default_rng(4)
    actions = np.zeros(rules.most_actions, np.int32)
    seen: set[int] = set()
    for which in range(8):
        state = dealt(game, 3, f"turned {which}")
        squares = symmetries.actions[which][:49]
        other = state.copy()
        other.board[squares] = state.board
        rules.module.prepare(other)
        for _ in range(60):
            seat = rules.module.to_move(state)
            if seat < 0:
                break
            one, same = (np.zeros(encoding.observation_size, np.int8) for _ in range(2))
            encoding.observe_alike_rule(state, seat, one)
            encoding.observe_alike_rule(other, seat, same)
            assert (same == one[symmetries.places[which]]).all()
            legal = actions[: rules.module.legal(state, actions)].tolist()
            there = actions[: rules.module.legal(other, actions)].tolist()
            assert sorted(symmetries.actions[which][legal].tolist()) == sorted(there)
            chosen = int(random.choice(legal))
            seen.add(chosen)
            rules.module.play(state, chosen)
            rules.module.play(other, int(symmetries.actions[which][chosen]))
    assert len(seen) > 40


def test_only_the_order_of_colours_in_the_own_series_matters_to_the_learner() -> None:
    """Colours with other names: a learner sees the same position, whoever asks for an observation sees another one."""
    game = find_game("twisty")
    assert isinstance(game, DiscreteGame)
    encoding, rules = encoding_of(game), game.rules
    state = dealt(game, 2, "colours")
    state.protected[1] = 0b0010010
    other = state.copy()
    names = np.array([3, 0, 6, 1, 5, 2, 4], np.int8)
    coloured = (state.board >= 1) & (state.board <= 7)
    other.board[coloured] = names[state.board[coloured] - 1] + 1
    other.series[:2] = names[state.series[:2]]
    other.protected[1] = sum(1 << int(names[colour]) for colour in (1, 4))
    rules.module.prepare(other)
    for seat in (0, 1):
        for rule, alike in ((encoding.observe_alike_rule, True), (encoding.observe_rule, False)):
            one, same = (np.zeros(encoding.observation_size, np.int8) for _ in range(2))
            rule(state, seat, one)
            rule(other, seat, same)
            assert (one == same).all() == alike


def test_examples_are_turned_with_their_actions() -> None:
    game = find_game("twisty")
    symmetries = encoding_of(game).symmetries
    assert symmetries is not None
    random = np.random.default_rng(2)
    one = PolicyExamples(
        random.integers(0, 2, (3, 1280)).astype(np.int8),
        np.array([[0, 49, -1], [48, 53, 3], [10, 24, -1]], np.int16),
        np.array([[0.3, 0.7, 0], [0.2, 0.2, 0.6], [0.5, 0.5, 0]], np.float32),
        np.ones((3, 2), np.float32),
    )
    other = turned(one, symmetries, np.array([0, 1, 5]))
    assert (other.observations[0] == one.observations[0]).all()
    assert (other.observations[2] == one.observations[2][symmetries.places[5]]).all()
    assert other.actions[:, 2].tolist() == [-1, symmetries.actions[1][3], -1]
    assert other.actions[1].tolist()[1] == 53, "a shield is a shield"
    assert other.actions[2].tolist()[1] == 24, "the centre stays where it is"
    assert (other.policies == one.policies).all()


def test_the_optimal_player_of_pig_wins_half_and_who_never_takes_a_win_loses() -> None:
    """What learned policies are measured by: to roll where holding wins is not overlooked."""
    _, optimal = solve(GOAL)
    assert sum(against_optimal(GOAL, optimal, optimal)) / 2 == pytest.approx(0.5, abs=1e-6)
    greedy = optimal.copy()
    for banked in range(GOAL):
        greedy[banked, :, GOAL - banked :] = True
    assert sum(against_optimal(GOAL, greedy, optimal)) / 2 < 0.01


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
