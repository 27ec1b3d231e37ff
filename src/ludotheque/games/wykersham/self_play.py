"""Wykersham's parts of self-play: how a game begins, and how its turns are planned and played. The loop is in `kernels.self_play`."""

from typing import Final, NamedTuple

import numpy as np

from ludotheque.games.wykersham import rules
from ludotheque.games.wykersham.evaluation import fill_slots, turns_left, value_before_roll
from ludotheque.games.wykersham.facts import COLUMNS, CUPS, RAILS, ROLLING, TURNS
from ludotheque.games.wykersham.features import ABSENT, FEATURES, SLOTS, WAYS, handmade_network
from ludotheque.games.wykersham.levels import SKILLS, Skill
from ludotheque.games.wykersham.player import learned, network_of
from ludotheque.games.wykersham.rules import STATE, draw, play
from ludotheque.games.wykersham.search import (
    SearchBuffers,
    best_first,
    choose_end,
    evaluate_turn,
    last_halves,
    new_search_buffers,
    with_noise,
)
from ludotheque.games.wykersham.turn import Whole
from ludotheque.kernels import Random, State, below, next_word, rule, whole
from ludotheque.kernels.network import Network, as_network
from ludotheque.kernels.playout import States
from ludotheque.kernels.self_play import UNKNOWN, SelfPlay, TurnFunctions

LOOKED_AT: Final = 8  # ends of the last turn but one
GIVEN_AWAY: Final = 0.01  # of the chance to win: less is no mistake
MIRRORS: Final = 4
"""A board may be turned over from left to right and from top to bottom: nothing changes (1 to 6 are as likely as 6 to 1)."""


OPTIONS: Final = 16  # combinations


class Buffers(NamedTuple):
    """Memory to plan a turn in."""

    search: SearchBuffers
    skill: Skill
    """How the learner plans, without noise."""
    mirrored: States
    planned: Whole
    """The end of the turn that a bot has planned."""


def new_states() -> States:
    """Memory for a position, with the usual options."""
    states = np.zeros(1, STATE).view(np.recarray)
    set_options(states[0], 0)
    return states


def new_buffers(network: Network, skill: Skill) -> Buffers:
    """Memory to plan turns in."""
    return Buffers(new_search_buffers(network), skill, np.zeros(1, STATE).view(np.recarray), np.zeros(1, np.int64))


@rule
def mirror(state: State, other: State, across: bool, over: bool) -> None:
    """Make `other` the same board between turns, turned from left to right (`across`) and from top to bottom (`over`)."""
    for rail in range(RAILS):
        there = RAILS - 1 - rail if over else rail
        other.offsets[there] = -whole(state.offsets[rail]) if across else whole(state.offsets[rail])
        for player in range(2):
            columns = whole(state.filled[player, rail])
            turned = 0
            for column in range(COLUMNS):
                turned |= ((columns >> column) & 1) << (COLUMNS - 1 - column)
            other.filled[player, there] = turned if across else columns
            for cup in range(CUPS):
                other.cups[player, there, CUPS - 1 - cup if across else cup] = whole(state.cups[player, rail, cup])


@rule
def set_options(state: State, options: int) -> None:
    """The options as a number: 0 is the default; 1 slides in either direction, 2 has no shared middle, 4 must make goals, 8 settles
    them one by one."""
    state.same_direction, state.shared_middle = options & 1 == 0, options & 2 == 0
    state.forced_goals, state.combined_goals = options & 4 != 0, options & 8 == 0


@rule
def new_game(states: States, starter: int) -> None:
    """W3: an empty board before the starter's roll; the options stay."""
    state = states[0]
    state.cups[:] = 0
    state.filled[:] = 0
    state.goals[:] = 0
    state.taken[:] = 0
    state.offsets[:] = 0
    state.slid[:] = 0
    state.turns[:] = 0
    state.winnings[:] = 0
    state.phase, state.player, state.dice = ROLLING, starter, -1
    state.lines, state.marbles, state.direction, state.asked = 0, 0, 0, 0


@rule
def begin(states: States, random: Random) -> None:
    """A new game; one in eight has other options."""
    set_options(states[0], below(random, OPTIONS) if below(random, 8) == 0 else 0)
    new_game(states, below(random, 2))


@rule
def observe(buffers: Buffers, states: States, features: Whole, counts: Whole) -> None:
    """The features of a board and of its three mirror images."""
    mirrored, evaluation = buffers.mirrored, buffers.search.evaluation
    for version in range(MIRRORS):
        mirrored[0] = states[0]
        mirror(states[0], mirrored[0], version % 2 == 1, version >= 2)
        fill_slots(mirrored[0], evaluation.slots, evaluation.threat_sizes)
        count = 0
        for slot in range(SLOTS):
            if evaluation.slots[slot] != ABSENT:
                features[version, count] = evaluation.slots[slot]
                count += 1
        counts[version] = count


@rule
def value_last_turns(search: SearchBuffers, count: int) -> None:
    """In the last turn but one: the best ends are worth exactly what the last turn makes of them, the others no more."""
    least, values = 1.0, search.turn.values
    looked = best_first(values, count, LOOKED_AT, 1.0)
    for end in looked:
        values[end] = 1.0 - last_halves(search, search.turn.ends[end], 2 * WAYS + 1) / (2.0 * WAYS)
        least = min(least, values[end])
    for end in range(count):
        values[end] = values[end] if (looked == end).any() else min(values[end], least)


@rule
def plan(network: Network, buffers: Buffers, states: States, depth: int, random: Random) -> float:
    """Roll, and evaluate all ends of the turn. Its chance to win is the best end's or, with `depth`, the mean over all rolls."""
    search = buffers.search
    value = UNKNOWN
    if depth > 0:
        value = value_before_roll(network, search.evaluation, states[0], search.next_turn)
    play(states[0], draw(states[0], random))
    search.turn.path[0] = states[0]
    count = evaluate_turn(network, buffers.skill, search)
    if not buffers.skill.exact and turns_left(search.turn.ends[0]) == 1:
        value_last_turns(search, count)
    if depth == 0:
        value = search.turn.values[choose_end(buffers.skill, search, count, whole(0))]
    return value


@rule
def play_plan(buffers: Buffers, states: States, noise: float, random: Random) -> bool:
    """Play the turn to its best end, or to one that looks best with noise."""
    search, count = buffers.search, whole(buffers.search.turn.found[0])
    best = choose_end(buffers.skill, search, count, whole(0))
    chosen = best
    if noise > 0.0:
        chosen = choose_end(with_noise(buffers.skill, noise), search, count, next_word(random))
    states[0] = search.turn.ends[chosen]
    return bool(search.turn.values[chosen] < search.turn.values[best] - GIVEN_AWAY)


@rule
def plan_move(network: Network, skill: Skill, buffers: Buffers, states: States, random: Random) -> None:
    """Roll, and plan the turn as a bot of that skill does."""
    play(states[0], draw(states[0], random))
    buffers.search.turn.path[0] = states[0]
    count = evaluate_turn(network, skill, buffers.search)
    buffers.planned[0] = choose_end(skill, buffers.search, count, next_word(random))


@rule
def play_move(_skill: Skill, buffers: Buffers, states: States, _random: Random) -> None:
    """Play the turn that the bot has planned."""
    states[0] = buffers.search.turn.ends[buffers.planned[0]]


@rule
def expected(_network: Network, _buffers: Buffers, _skill: Skill, _bot_buffers: Buffers, _states: States) -> float:
    """Too costly: every roll has some 120 ends."""
    return UNKNOWN


@rule
def tally(states: States, totals: Whole) -> None:
    """The marbles that both players have won."""
    totals[0] += states[0].winnings[0]
    totals[1] += states[0].winnings[1]


SELF_PLAY: Final = SelfPlay(
    rules,
    TurnFunctions(new_game, begin, observe, plan, play_plan, plan_move, play_move, expected, tally),
    features=FEATURES,
    max_active=SLOTS,
    max_turns=2 * TURNS,
    usual_turns=2 * TURNS,
    noisy_turns=16,
    versions=MIRRORS,
    new_states=new_states,
    new_buffers=new_buffers,
    plain=Skill(),
    plain_against_bots=Skill(exact=1),
    skills=SKILLS,
    network_of=lambda level: as_network(network_of(level)),
    baseline=lambda: as_network(handmade_network()),
    learned=lambda: as_network(learned()),
)
