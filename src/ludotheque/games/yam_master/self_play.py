"""Yam Master's parts of self-play: how a game begins, and how its turns are planned and played. The loop is in `kernels.self_play`."""

from typing import Final, NamedTuple

import numpy as np

from ludotheque.games.yam_master import facts, rules
from ludotheque.games.yam_master.evaluation import (
    Whole,
    active_features,
    search_ends,
    turns_left_of,
)
from ludotheque.games.yam_master.facts import ENDS, FREE, IMPOSSIBLE, PAWNS, ROLLS
from ludotheque.games.yam_master.features import FEATURES, MAX_ACTIVE, MAX_TURNS_LEFT, handmade_network
from ludotheque.games.yam_master.levels import SKILLS, Skill
from ludotheque.games.yam_master.player import learned, network_of
from ludotheque.games.yam_master.skill import (
    TurnPlan,
    decide,
    new_plan,
    plan_turn,
    policy_value,
)
from ludotheque.games.yam_master.turn import Numbers, best_action, solve_ends
from ludotheque.kernels import OVER, Random, below, next_word, rule, whole
from ludotheque.kernels.network import Network, as_network
from ludotheque.kernels.noise import uniform
from ludotheque.kernels.playout import States
from ludotheque.kernels.self_play import SelfPlay, TurnFunctions

MAX_TURNS: Final = 100  # each, as in the rules' default (M23)


class Buffers(NamedTuple):
    """Memory to plan a turn in."""

    plan: TurnPlan
    stop_values: Numbers
    truth: Numbers
    """What the ends of a bot's turn leave to the learner."""
    replies: Numbers
    after: States
    """The position after such an end."""


def new_states() -> States:
    """Memory for a position, with the usual options."""
    states = np.zeros(1, rules.STATE).view(np.recarray)
    states[0].max_turns = MAX_TURNS
    return states


def new_buffers(network: Network, skill: Skill) -> Buffers:
    """Memory to plan turns in; it is the same for all networks and skills."""
    del network, skill
    return Buffers(new_plan(), np.empty((3, ROLLS)), np.empty(ENDS), np.empty(ENDS), new_states())


@rule
def new_game(states: States, starter: int) -> None:
    """M2: an empty board before the starter's first roll."""
    state = states[0]
    state.board[:] = FREE
    state.stock[:] = PAWNS
    state.turns[:] = 0
    state.max_turns = MAX_TURNS
    state.dice, state.kept, state.rolls = facts.NO_DICE, 0, 0
    state.player, state.winner = starter, facts.NOBODY
    state.rolling, state.challenge, state.over = True, False, False


@rule
def begin(states: States, random: Random) -> None:
    """A new game; one in eight has few turns."""
    new_game(states, below(random, 2))
    if below(random, 8) == 0:
        states[0].max_turns = 1 + below(random, MAX_TURNS_LEFT)


@rule
def observe(_buffers: Buffers, states: States, features: Whole, counts: Whole) -> None:
    """The features of the position."""
    state = states[0]
    counts[0] = active_features(state.board.copy(), whole(state.player), turns_left_of(state), features[0])


@rule
def plan(network: Network, buffers: Buffers, states: States, depth: int, _random: Random) -> float:
    """Solve the turn, looking `depth` turns further."""
    state, turn = states[0], buffers.plan
    search_ends(network, state.board.copy(), whole(state.player), turns_left_of(state), depth, turn.end_values)
    return solve_ends(turn.end_values, buffers.stop_values, turn.keep_values)


@rule
def play_solved(end_values: Numbers, keep_values: Numbers, states: States, random: Random) -> None:
    """Play one turn by its exact policy."""
    state = states[0]
    action = ENDS
    while action >= ENDS:
        rules.play(state, rules.draw(state, random))
        action = best_action(end_values, keep_values, whole(state.rolls), whole(state.dice), state.challenge)
        rules.play(state, action)


@rule
def play_plan(buffers: Buffers, states: States, noise: float, random: Random) -> bool:
    """Play the solved turn; with noise, as if its ends were worth something else."""
    turn = buffers.plan
    if noise == 0.0:
        play_solved(turn.end_values, turn.keep_values, states, random)
        return False
    for action in range(ENDS):
        value = turn.end_values[action]
        turn.noisy_end_values[action] = value if value == IMPOSSIBLE else value + noise * uniform(random)
    solve_ends(turn.noisy_end_values, buffers.stop_values, turn.noisy_keep_values)
    play_solved(turn.noisy_end_values, turn.noisy_keep_values, states, random)
    return True


@rule
def plan_move(network: Network, skill: Skill, buffers: Buffers, states: States, random: Random) -> None:
    """Plan a turn as a bot of that skill does."""
    state = states[0]
    noise_seed = next_word(random)
    plan_turn(
        network,
        skill,
        state.board.copy(),
        whole(state.player),
        turns_left_of(state),
        noise_seed,
        buffers.plan,
    )


@rule
def play_move(skill: Skill, buffers: Buffers, states: States, random: Random) -> None:
    """Play the turn that the bot has planned."""
    state = states[0]
    action = ENDS
    while action >= ENDS:
        rules.play(state, rules.draw(state, random))
        action = decide(skill, buffers.plan, whole(state.rolls), whole(state.dice), state.challenge)
        rules.play(state, action)


@rule
def expected(network: Network, buffers: Buffers, skill: Skill, bot_buffers: Buffers, states: States) -> float:
    """The learner's chance to win after the bot's turn, exactly: over all its dice, each end followed by the learner's next turn."""
    truth, after = buffers.truth, buffers.after
    result = np.zeros(2)
    for action in range(ENDS):
        truth[action] = IMPOSSIBLE
        if bot_buffers.plan.end_values[action] != IMPOSSIBLE:
            after[0] = states[0]
            after[0].rolling = False  # as after a roll that allows this end
            rules.play(after[0], action)
            if rules.to_move(after[0]) == OVER:
                rules.returns(after[0], result)
                truth[action] = result[0]
            else:
                board, left = after[0].board.copy(), turns_left_of(after[0])
                truth[action] = search_ends(network, board, whole(0), left, whole(0), buffers.replies)
    return policy_value(skill, truth, bot_buffers.plan)


@rule
def tally(_states: States, _totals: Whole) -> None:
    """Nothing but results is counted."""


SELF_PLAY: Final = SelfPlay(
    rules,
    TurnFunctions(new_game, begin, observe, plan, play_plan, plan_move, play_move, expected, tally),
    features=FEATURES,
    max_active=MAX_ACTIVE,
    max_turns=2 * MAX_TURNS,
    usual_turns=60,
    noisy_turns=12,
    new_states=new_states,
    new_buffers=new_buffers,
    plain=Skill(),
    plain_against_bots=Skill(),
    skills=SKILLS,
    network_of=lambda level: as_network(network_of(level)),
    baseline=lambda: as_network(handmade_network()),
    learned=lambda: as_network(learned()),
)
