"""Matches of a network against itself, many at once: each searches, plays, notes what there is to learn, and begins anew.

All of it is one compiled call that ends wherever the network has to be asked. The search is in `guided_search`; learning is in
`training`.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ludotheque.kernels.encoding import Encoding
from ludotheque.kernels.guided_search import (
    Effort,
    Numbers,
    States,
    Trees,
    improved_logits,
    make_guided_functions,
    uniform,
)
from ludotheque.kernels.jit import rule_in, whole
from ludotheque.kernels.random import below
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.targets import CHANCE, OVER


class PolicyExamples(NamedTuple):
    """Positions to learn from, a row each."""

    observations: Numbers
    """int8, as the player to move sees it."""
    actions: Numbers
    """The legal actions, int16; the rest of a row is -1."""
    policies: Numbers
    """How likely each of them should be, float32."""
    values: Numbers
    """What each player gets, float32: the player to move first, then in playing order."""


class Matches(NamedTuple):
    """Matches that are being played, one for each tree, and their decisions so far."""

    starts: States
    """First positions to begin with; each match begins with any of them."""
    moves: Numbers
    """How many decisions of each match are noted."""
    observations: Numbers
    """Shape (matches, decisions, observation size), int8."""
    actions: Numbers
    policies: Numbers
    values: Numbers
    """What the search expected for each seat, shape (matches, decisions, players)."""
    movers: Numbers


class Notes(NamedTuple):
    """What one thread has noted: examples, and how many of them, of matches and of decisions there are."""

    examples: PolicyExamples
    totals: Numbers
    """Examples, matches that are over, decisions; int64."""


class PlayFunctions(NamedTuple):
    """The compiled functions of one game."""

    begin: Callable[[Trees, Matches, int], None]
    """(trees, matches, match): begin a match."""
    advance: Callable[[Trees, Matches, Effort, Notes, Numbers, Numbers, float, int, int], int]
    """(trees, matches, effort, notes, logits, values, td_lambda, begin, end): take the network's answers and play on in these matches
    until each waits for the network or there is no more room for notes; returns how many wait."""


def new_matches(rules: Rules, encoding: Encoding, players: int, count: int, decisions: int, starts: States) -> Matches:
    """Memory for that many matches, with so many decisions each."""
    room = (count, decisions)
    return Matches(
        starts,
        np.zeros(count, np.int64),
        np.zeros((*room, encoding.observation_size), np.int8),
        np.full((*room, rules.most_actions), -1, np.int16),
        np.zeros((*room, rules.most_actions), np.float32),
        np.zeros((*room, players), np.float32),
        np.zeros(room, np.int8),
    )


def new_examples(rules: Rules, encoding: Encoding, players: int, count: int) -> PolicyExamples:
    """Memory for that many examples."""
    return PolicyExamples(
        np.zeros((count, encoding.observation_size), np.int8),
        np.full((count, rules.most_actions), -1, np.int16),
        np.zeros((count, rules.most_actions), np.float32),
        np.zeros((count, players), np.float32),
    )


@cache
def make_play_functions(rules: Rules, encoding: Encoding) -> PlayFunctions:
    """They are made once for each game, and compiled when they are first called."""
    to_move, legal, play = rules.module.to_move, rules.module.legal, rules.module.play
    draw, returns = rules.module.draw, rules.module.returns
    reset, receive, simulate, _ = make_guided_functions(rules, encoding)

    @rule_in(rules.folder)
    def settle(trees: Trees, tree: int) -> None:
        """Let chance draw, and play what is the only action, until somebody has a choice or the match is over; forget the tree."""
        state = trees.roots[tree]
        mover = to_move(state)
        while mover != OVER:
            if mover == CHANCE:
                play(state, draw(state, trees.random[tree]))
            elif legal(state, trees.actions[tree]) == 1:
                play(state, whole(trees.actions[tree, 0]))
            else:
                break
            mover = to_move(state)
        reset(trees, tree)

    @rule_in(rules.folder)
    def begin(trees: Trees, matches: Matches, match: int) -> None:
        matches.moves[match] = 0
        trees.roots[match] = matches.starts[below(trees.random[match], len(matches.starts))]
        settle(trees, match)

    @rule_in(rules.folder)
    def note_all(trees: Trees, matches: Matches, notes: Notes, td_lambda: float, match: int) -> None:
        """Write all decisions of a match as examples. What later positions were worth counts by lambda, back from `trees.results`."""
        results = trees.results[match]
        players = matches.values.shape[2]
        for move in range(matches.moves[match] - 1, -1, -1):
            row = whole(notes.totals[0])
            mover = whole(matches.movers[match, move])
            notes.examples.observations[row] = matches.observations[match, move]
            notes.examples.actions[row] = matches.actions[match, move]
            notes.examples.policies[row] = matches.policies[match, move]
            for seat in range(players):
                results[seat] = td_lambda * results[seat] + (1.0 - td_lambda) * matches.values[match, move, seat]
            for place in range(players):
                notes.examples.values[row, place] = results[(mover + place) % players]
            notes.totals[0] += 1
        matches.moves[match] = 0

    @rule_in(rules.folder)
    def decide(trees: Trees, matches: Matches, match: int) -> None:
        """Note the improved policy and the values, and play the action that won with the noise."""
        tree, logits = trees.nodes[match], trees.logits[match]
        count = improved_logits(tree, logits)
        first, move = whole(tree[0].first), whole(matches.moves[match])
        most = 0
        for which in range(count):
            most = max(most, whole(tree[first + which].visits))
        chosen, highest, score = 0, -1e30, -1e30
        for which in range(count):
            highest = max(highest, logits[which])
            if tree[first + which].visits == most and logits[which] + trees.noise[match, which] > score:
                chosen, score = which, logits[which] + trees.noise[match, which]
        total = 0.0
        for which in range(count):
            total += math.exp(logits[which] - highest)
        actions, policy = matches.actions[match, move], matches.policies[match, move]
        actions[:] = -1
        policy[:] = 0.0
        for which in range(count):
            actions[which] = tree[first + which].action
            policy[which] = math.exp(logits[which] - highest) / total
        # What the improved policy would get: the search itself has also looked at worse actions.
        tried = 0.0
        for which in range(count):
            if tree[first + which].visits > 0:
                tried += policy[which]
        for seat in range(matches.values.shape[2]):
            value = 0.0
            for which in range(count):
                node = tree[first + which]
                if node.visits > 0:
                    value += policy[which] * node.total[seat] / node.visits
            matches.values[match, move, seat] = value / tried
        matches.moves[match] = move + 1
        play(trees.roots[match], whole(tree[first + chosen].action))

    @rule_in(rules.folder)
    def ask_about_root(trees: Trees, matches: Matches, effort: Effort, match: int) -> None:
        """The root itself waits for the network; draw its noise."""
        simulate(trees, effort, match, match)
        move = matches.moves[match]
        matches.observations[match, move] = trees.observations[match]
        matches.movers[match, move] = trees.movers[match]
        for which in range(trees.counts[match]):
            trees.noise[match, which] = -math.log(-math.log(uniform(trees.random[match])))

    @rule_in(rules.folder)
    def advance(
        trees: Trees,
        matches: Matches,
        effort: Effort,
        notes: Notes,
        logits: Numbers,
        values: Numbers,
        td_lambda: float,
        begin_at: int,
        end: int,
    ) -> int:
        waiting = 0
        room = matches.observations.shape[1]
        for match in range(begin_at, end):
            if trees.movers[match] != OVER:
                receive(trees, match, logits[match], values[match])
            while trees.movers[match] == OVER:
                state = trees.roots[match]
                ended = to_move(state) == OVER
                if ended or matches.moves[match] == room:
                    if notes.totals[0] + matches.moves[match] > len(notes.examples.values):
                        break  # no room: it waits until the notes are taken away
                    if ended:
                        returns(state, trees.results[match])
                        notes.totals[1] += 1
                    else:  # a long match goes on, with what it seems worth
                        for seat in range(matches.values.shape[2]):
                            trees.results[match, seat] = matches.values[match, room - 1, seat]
                    note_all(trees, matches, notes, td_lambda, match)
                    if ended:
                        begin(trees, matches, match)
                elif trees.nodes[match][0].first == 0:
                    ask_about_root(trees, matches, effort, match)
                elif trees.done[match] < effort.simulations:
                    trees.done[match] += 1
                    simulate(trees, effort, match, match)
                else:
                    decide(trees, matches, match)
                    notes.totals[2] += 1
                    settle(trees, match)
            waiting += 1 if trees.movers[match] != OVER else 0
        return waiting

    return PlayFunctions(begin, advance)
