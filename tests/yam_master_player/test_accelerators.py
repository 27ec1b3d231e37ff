"""The fast copies of rules that Yam Master's bots use, beside the rules themselves, on positions of random matches."""

import random

import numpy as np
import pytest

from ludotheque.core import CHANCE, Dice, Match
from ludotheque.games.yam_master import GAME, rules
from ludotheque.games.yam_master.evaluation import (
    evaluate,
    evaluate_ends,
    search_ends,
    turns_left_of,
)
from ludotheque.games.yam_master.facts import CELLS, ENDS, FREE, IMPOSSIBLE, MOST_ACTIONS, PASS, PLACE, ROLLS, TAKE
from ludotheque.games.yam_master.features import FEATURES, MAX_ACTIVE
from ludotheque.games.yam_master.turn import (
    CHALLENGE,
    FIRST,
    PLAIN,
    Numbers,
    best_stops,
    end_allowed,
    turn_policy,
)
from ludotheque.kernels import State
from ludotheque.kernels.network import Network, new_network
from table import discrete


def states_of_random_matches(matches: int, seed: int) -> list[State]:
    """Every position of a player's decision, in matches by chance; some have few turns."""
    chooser = random.Random(seed)
    found: list[State] = []
    for number in range(matches):
        options = {"max_turns": 4} if number % 4 == 3 else {}
        match = Match(GAME, options=options, dice=Dice(f"accelerators {seed} {number}"))
        while not match.over:
            if match.to_move == CHANCE:
                match.draw()
                continue
            found.append(discrete(match.position).state)
            actions = match.position.legal().actions
            places = [action for action in actions if action.startswith(("place", "take"))]
            match.play(chooser.choice(places or actions))
    return found


@pytest.fixture(scope="module")
def states() -> list[State]:
    return states_of_random_matches(16, 1)


@pytest.fixture(scope="module")
def network() -> Network:
    return new_network(FEATURES, 16, 8, 5, MAX_ACTIVE)


def legal_ends(state: State) -> set[int]:
    """The actions that end the turn, by the rules."""
    actions = np.zeros(MOST_ACTIONS, np.int32)
    return {action for action in actions[: rules.legal(state, actions)].tolist() if action < ENDS}


def on_the_board(state: State, action: int) -> bool:
    """Whether the cell of an end is free, or the enemy's."""
    if action == PASS:
        return True
    taken = action >= TAKE
    pawn = state.board[action - (TAKE if taken else PLACE)]
    return bool(pawn == 1 - state.player if taken else pawn == FREE)


def after(state: State, action: int) -> State:
    """The position after an end of the turn, by the rules, whatever the dice."""
    then = GAME.rules.copy(state)
    rules.play(then, action)
    return then


@pytest.mark.accelerator("ludotheque.games.yam_master.turn.end_allowed")
def test_the_dice_allow_the_ends_that_the_rules_allow(states: list[State]) -> None:
    for state in states:
        rolls, dice, challenge = int(state.rolls), int(state.dice), bool(state.challenge)
        allowed = {
            action
            for action in range(ENDS)
            if on_the_board(state, action) and end_allowed(action, rolls, dice, challenge)
        }
        assert allowed == legal_ends(state)


@pytest.mark.accelerator("ludotheque.games.yam_master.turn.best_stops")
def test_the_best_end_of_every_roll_is_the_best_that_the_rules_allow(states: list[State]) -> None:
    numbers = np.random.default_rng(3)
    for state in states[::40]:
        end_values = np.array(
            [value if on_the_board(state, end) else IMPOSSIBLE for end, value in enumerate(numbers.random(ENDS))]
        )
        stop_values = np.empty((3, ROLLS))
        best_stops(end_values, stop_values)
        tried = GAME.rules.copy(state)
        for row, rolls, challenge in ((FIRST, 1, False), (PLAIN, 2, False), (CHALLENGE, 3, True)):
            for roll in range(ROLLS):
                tried.dice, tried.rolls, tried.challenge = roll, rolls, challenge
                assert stop_values[row, roll] == max(end_values[end] for end in legal_ends(tried))


@pytest.mark.accelerator("ludotheque.games.yam_master.evaluation.evaluate_ends")
def test_every_end_is_evaluated_as_the_position_that_the_rules_lead_to(states: list[State], network: Network) -> None:
    ended = 0
    for state in states[::3]:
        player = int(state.player)
        end_values = np.empty(ENDS)
        evaluate_ends(network, state.board.copy(), player, turns_left_of(state), end_values)
        for action in range(ENDS):
            if not on_the_board(state, action):
                assert end_values[action] == IMPOSSIBLE
                continue
            then = after(state, action)
            ended += bool(then.over)
            assert end_values[action] == pytest.approx(value_of(then, player, network), abs=1e-6)
    assert ended > 100


@pytest.mark.accelerator("ludotheque.games.yam_master.evaluation.search_ends")
def test_looking_ahead_is_playing_on_by_the_rules(states: list[State], network: Network) -> None:
    for state in states[::60]:
        player = int(state.player)
        end_values = np.empty(ENDS)
        search_ends(network, state.board.copy(), player, turns_left_of(state), 1, end_values)
        for action in filter(lambda one: on_the_board(state, one), range(0, ENDS, 3)):
            then = after(state, action)
            expected = value_of(then, player, network) if then.over else 1 - turn_policy(replies(then, network)).value
            assert end_values[action] == pytest.approx(expected, abs=1e-6)


def value_of(state: State, player: int, network: Network) -> float:
    """The chance to win of a player who has just ended the turn."""
    if state.over:
        result = np.zeros(2)
        rules.returns(state, result)
        return float(result[player])
    return 1.0 - float(evaluate(network, state.board.copy(), 1 - player, turns_left_of(state)))


def replies(state: State, network: Network) -> Numbers:
    """The values of the ends of the next player's turn, each by the rules."""
    values = np.full(ENDS, IMPOSSIBLE)
    rolled = GAME.rules.copy(state)
    rolled.rolling = False
    for action in range(ENDS):
        if on_the_board(state, action):
            values[action] = value_of(after(rolled, action), int(state.player), network)
    return values


def test_the_positions_are_of_all_kinds(states: list[State]) -> None:
    assert {int(state.rolls) for state in states} == {1, 2, 3}
    assert any(state.challenge for state in states)
    assert any((state.board == FREE).sum() < CELLS - 15 for state in states)
