"""A tree search of many positions at once, guided by a network that is asked about all of them together.

It is compiled for each game: chance nodes, two to four players, each for themselves. What the network is, and who asks it, is up to
the caller (`policy_network`, `training`). Players choose by PUCT (D. Silver et al., "Mastering Chess and Shogi by Self-Play", 2017),
at the root by sequential halving with Gumbel noise where games are played to learn (I. Danihelka et al., "Policy improvement by
planning with Gumbel", 2022).
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.encoding import Encoding
from ludotheque.kernels.jit import part_of_rules, rule_in, whole
from ludotheque.kernels.policy_network import Evaluate
from ludotheque.kernels.random import Random, below, next_word, seeded_many
from ludotheque.kernels.records import State
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.targets import CHANCE, OVER
from ludotheque.kernels.tree_search import Found

Numbers: TypeAlias = NDArray[Any]
States: TypeAlias = NDArray[np.void]

EXPLORATION: Final = 1.0
"""The factor of PUCT's second term; values are from 0 to 1."""
VISITS_SCALE: Final = 50.0
VALUE_SCALE: Final = 0.1
"""How much values count beside a prior's logarithm when policies are improved: the best action beats the worst by the second,
multiplied by the sum of the first and of the visits of the most visited action. Values are scaled by their own range, so that a
game where much hangs on small differences is learned too."""
LEAST_RANGE: Final = 0.01
"""A smaller range of values is not scaled up further: it is noise."""
LEAST_PRIOR: Final = 0.02
"""Of all priors together, what is spread evenly over the actions when policies are improved: otherwise a network that was sure of the
wrong action for many rounds would need as many to think otherwise, whatever a search finds."""
LISTED_OUTCOMES: Final = 36
"""Chance with so many outcomes or fewer has a child for each, and is worth their mean by the odds. With more it is sampled."""
TRIES: Final = 4
"""With so many simulations for each action of the root, or more, every one of them is tried."""
DEEPEST: Final = 200  # nodes on one path


@cache
def node_type(players: int) -> np.dtype[np.void]:
    """A node of a tree, for a game with so many players at most."""
    return np.dtype(
        [
            ("total", np.float32, (players,)),  # what each seat got in all visits together
            ("estimate", np.float32),  # the network's value for the player to move
            ("prior", np.float32),  # of chance's outcome, its odds
            ("visits", np.int32),  # those under way included
            ("action", np.int32),  # that led here
            ("first", np.int32),  # child; 0 while it has none (the root is nobody's child)
            ("next", np.int32),  # sibling, of an outcome that was sampled; all other children lie side by side
            ("count", np.int32),  # of children side by side
            ("mover", np.int32),  # who is to move; OVER while nobody has come so far
        ],
        align=True,
    )


class Trees(NamedTuple):
    """Searches side by side, one tree each. A tree may wait for several positions at once, each in a slot of its own."""

    roots: States
    scratch: States
    """One state for each tree."""
    nodes: Numbers
    """Shape (trees, nodes), `node_type`."""
    used: Numbers
    """How many nodes of each tree are used."""
    done: Numbers
    """Simulations begun."""
    noise: Numbers
    """Gumbel noise of each action at the root, shape (trees, most actions); 0 where the root is played by PUCT."""
    logits: Numbers
    """Room for an improved policy of the root, shape (trees, most actions)."""
    random: Numbers
    """A generator for each tree."""
    paths: Numbers
    """Of each slot, the nodes from the root down, shape (slots, DEEPEST)."""
    depths: Numbers
    movers: Numbers
    """Of each slot, who is to move in the position that waits for the network, or OVER if none waits."""
    actions: Numbers
    """Its legal actions, shape (slots, most actions) …"""
    counts: Numbers
    observations: Numbers
    """… and what that player sees, shape (slots, observation size), int8."""
    results: Numbers
    """Room for what each seat gets, shape (trees, most players)."""


class Effort(NamedTuple):
    """How much is searched, and how the root is played."""

    simulations: int
    slots: int
    """Positions of one tree that the network is asked about at once."""
    halving: bool
    """Whether the root is played by sequential halving, otherwise by PUCT."""
    schedule: Numbers
    """`schedule[considered, simulation]`: how often an action must have been visited to be considered next (`halving_schedule`)."""


class GuidedFunctions(NamedTuple):
    """The compiled functions of one game's search."""

    reset: Callable[[Trees, int], None]
    """(trees, tree): forget everything but the root's state."""
    receive: Callable[[Trees, int, Numbers, Numbers], None]
    """(trees, slot's number, logits, values): take what the network said of the position that waits in a slot."""
    simulate: Callable[[Trees, Effort, int, int], None]
    """(trees, effort, tree, slot): one simulation; what it leads to waits in the slot, unless the game is over there."""
    search: Callable[[Trees, Effort, Numbers, Numbers, int, int], int]
    """(trees, effort, logits, values, begin, end): take the network's answers and go on in these trees; how many positions wait."""


def new_trees(rules: Rules, encoding: Encoding, count: int, nodes: int, slots: int, seeds: Numbers) -> Trees:
    """Memory for that many trees."""
    waiting = count * slots
    return Trees(
        np.zeros(count, rules.dtype).view(np.recarray),
        np.zeros(count, rules.dtype).view(np.recarray),
        np.zeros((count, nodes), node_type(rules.most_players)).view(np.recarray),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, rules.most_actions), np.float32),
        np.zeros((count, rules.most_actions)),
        seeds,
        np.zeros((waiting, DEEPEST), np.int32),
        np.zeros(waiting, np.int64),
        np.full(waiting, OVER, np.int64),
        np.zeros((waiting, rules.most_actions), np.int32),
        np.zeros(waiting, np.int64),
        np.zeros((waiting, encoding.observation_size), np.int8),
        np.zeros((count, rules.most_players)),
    )


def halving_schedule(simulations: int, most_considered: int) -> NDArray[np.int32]:
    """Sequential halving: half of the actions that are considered drop out, again and again, until two are left.

    The row of a number of considered actions says, for each simulation, how many visits the next action must have had.
    """
    schedule = np.zeros((most_considered + 1, max(1, simulations)), np.int32)
    for considered in range(1, most_considered + 1):
        halvings = max(1, math.ceil(math.log2(considered)))
        visits, left = 0, considered
        planned: list[int] = []
        while len(planned) < simulations:
            times = max(1, simulations // (halvings * left))
            for _ in range(times):
                planned += [visits] * left
                visits += 1
            left = max(2, left // 2) if considered > 1 else 1
        schedule[considered] = planned[: schedule.shape[1]] if simulations else 0
    return schedule


@part_of_rules
def uniform(random: Random) -> float:
    """A number above 0 and below 1."""
    return (next_word(random) + 0.5) / 4294967296.0


@part_of_rules
def add_node(tree: Numbers, place: int, action: int, prior: float) -> None:
    """Make a node that nobody has visited."""
    node = tree[place]
    node.total[:] = 0.0
    node.estimate, node.prior, node.mover = 0.0, prior, OVER
    node.visits, node.action, node.first, node.next, node.count = 0, action, 0, 0, 0


@part_of_rules
def puct_child(tree: Numbers, parent: int) -> int:
    """The child with the largest PUCT score; one never visited is thought to be worth what the node is worth so far."""
    node = tree[parent]
    first, count, mover = whole(node.first), whole(node.count), whole(node.mover)
    value, visits = float(node.estimate), 1
    for child in range(first, first + count):
        value += tree[child].total[mover]
        visits += tree[child].visits
    expected = value / visits
    spread = EXPLORATION * math.sqrt(visits)
    best, best_score = first, -1.0
    for child in range(first, first + count):
        tried = whole(tree[child].visits)
        worth = tree[child].total[mover] / tried if tried > 0 else expected
        score = worth + spread * tree[child].prior / (1 + tried)
        if score > best_score:
            best, best_score = child, score
    return best


@part_of_rules
def root_child(tree: Numbers) -> int:
    """The root's next child by PUCT, once each has been tried: what wins at once is found, however unlikely it seemed."""
    first = whole(tree[0].first)
    for child in range(first, first + whole(tree[0].count)):
        if tree[child].visits == 0:
            return child
    return puct_child(tree, 0)


@part_of_rules
def improved_logits(tree: Numbers, logits: Numbers) -> int:
    """Fill in an improved policy of the root, as logarithms up to a constant; returns how many actions it has.

    An action never tried counts with the mean of the network's value and of what the others brought, weighted by their priors.
    """
    first, count, mover = whole(tree[0].first), whole(tree[0].count), whole(tree[0].mover)
    most, visits = 0, 0
    tried_prior, tried_value = 0.0, 0.0
    least, highest = 1e30, -1e30
    for child in range(first, first + count):
        tried = whole(tree[child].visits)
        if tried > 0:
            most = max(most, tried)
            visits += tried
            worth = tree[child].total[mover] / tried
            least, highest = min(least, worth), max(highest, worth)
            tried_prior += tree[child].prior
            tried_value += tree[child].prior * worth
    mixed = float(tree[0].estimate)
    if visits > 0 and tried_prior > 0.0:
        mixed = (mixed + visits * tried_value / tried_prior) / (1 + visits)
    least, highest = min(least, mixed), max(highest, mixed)
    factor = VALUE_SCALE * (VISITS_SCALE + most) / max(LEAST_RANGE, highest - least)
    for which in range(count):
        node = tree[first + which]
        worth = node.total[mover] / node.visits if node.visits > 0 else mixed
        logits[which] = math.log((1.0 - LEAST_PRIOR) * node.prior + LEAST_PRIOR / count) + factor * (worth - least)
    return count


@part_of_rules
def halving_child(tree: Numbers, noise: Numbers, logits: Numbers, schedule: Numbers, simulation: int) -> int:
    """The root's child that sequential halving visits next."""
    count = improved_logits(tree, logits)
    first = whole(tree[0].first)
    considered = min(count, schedule.shape[0] - 1)
    wanted = schedule[considered, simulation]
    best, best_score = first, -1e30
    for which in range(count):
        visits = whole(tree[first + which].visits)
        # Actions outside those considered have never been visited; their scores leave them behind the others.
        score = logits[which] + noise[which] - (0.0 if visits == wanted else 1e9)
        if score > best_score:
            best, best_score = first + which, score
    return best


@cache
def make_guided_functions(rules: Rules, encoding: Encoding) -> GuidedFunctions:
    """They are made once for each game, and compiled when they are first called."""
    to_move, legal, play = rules.module.to_move, rules.module.legal, rules.module.play
    weight, draw, returns = rules.module.weight, rules.module.draw, rules.module.returns
    observe = encoding.observe_alike_rule

    @rule_in(rules.folder)
    def reset(trees: Trees, tree: int) -> None:
        add_node(trees.nodes[tree], 0, -1, 1.0)
        trees.used[tree] = 1
        trees.done[tree] = 0

    @rule_in(rules.folder)
    def list_outcomes(tree: Numbers, parent: int, used: int, state: State, actions: Numbers, random: Random) -> int:
        """Give a chance node a child for each outcome, if they are few and there is room; returns how many nodes are used then."""
        count = whole(legal(state, actions))
        if count > LISTED_OUTCOMES or used + count > len(tree):
            return used
        total = 0.0
        for which in range(count):
            total += weight(state, whole(actions[which]))
        turn = below(random, count)  # which comes first among equals
        for place in range(count):
            outcome = whole(actions[(place + turn) % count])
            add_node(tree, used + place, outcome, weight(state, outcome) / total)
        tree[parent].first, tree[parent].count = used, count
        return used + count

    @rule_in(rules.folder)
    def due_outcome(tree: Numbers, parent: int) -> int:
        """The child of a chance node that has come least often, for its odds."""
        first, visits = whole(tree[parent].first), whole(tree[parent].visits)
        best, most_due = first, -1e30
        for child in range(first, first + whole(tree[parent].count)):
            due = tree[child].prior * visits - tree[child].visits
            if due > most_due:
                best, most_due = child, due
        return best

    @rule_in(rules.folder)
    def sampled_outcome(tree: Numbers, parent: int, outcome: int, used: int) -> int:
        """The child of a chance node for an outcome; if there is none yet, node `used` becomes it."""
        child = whole(tree[parent].first)
        while child != 0:
            if tree[child].action == outcome:
                return child
            child = whole(tree[child].next)
        add_node(tree, used, outcome, 1.0)
        tree[used].next = tree[parent].first
        tree[parent].first = used
        return used

    @rule_in(rules.folder)
    def back_up(trees: Trees, tree: int, slot: int, results: Numbers) -> None:
        """Add what each seat gets to the nodes of a slot's path. A chance node is worth the mean of its outcomes by their odds.

        `results` is changed: it is what the total of a node grows by.
        """
        nodes = trees.nodes[tree]
        seats = nodes[0].total.shape[0]
        for step in range(trees.depths[slot], -1, -1):
            node = nodes[trees.paths[slot, step]]
            if node.mover != CHANCE or node.count == 0 or step == trees.depths[slot]:
                for seat in range(seats):
                    node.total[seat] += results[seat]
                continue
            first, count = whole(node.first), whole(node.count)
            odds = 0.0
            for child in range(first, first + count):
                if nodes[child].visits > 0:
                    odds += nodes[child].prior
            for seat in range(seats):
                mean = 0.0
                for child in range(first, first + count):
                    if nodes[child].visits > 0:
                        mean += nodes[child].prior * nodes[child].total[seat] / nodes[child].visits
                total = mean / odds * node.visits
                results[seat] = total - node.total[seat]
                node.total[seat] = total

    @rule_in(rules.folder)
    def receive(trees: Trees, slot: int, logits: Numbers, values: Numbers) -> None:
        tree = slot // (len(trees.movers) // len(trees.roots))
        mover = whole(trees.movers[slot])
        players = len(values)
        results = trees.results[tree]
        results[:] = 0.0
        for place in range(players):
            results[(mover + place) % players] = values[place]
        nodes = trees.nodes[tree]
        leaf = whole(trees.paths[slot, trees.depths[slot]])
        count, used = whole(trees.counts[slot]), whole(trees.used[tree])
        if nodes[leaf].first == 0 and nodes[leaf].mover == mover and used + count <= len(nodes):
            highest = -1e30
            for which in range(count):
                highest = max(highest, float(logits[trees.actions[slot, which]]))
            total = 0.0
            for which in range(count):
                total += math.exp(logits[trees.actions[slot, which]] - highest)
            for which in range(count):
                action = whole(trees.actions[slot, which])
                add_node(nodes, used + which, action, math.exp(logits[action] - highest) / total)
            nodes[leaf].first, nodes[leaf].count = used, count
            nodes[leaf].estimate = results[mover]
            trees.used[tree] = used + count
        back_up(trees, tree, slot, results)
        trees.movers[slot] = OVER

    @rule_in(rules.folder)
    def simulate(trees: Trees, effort: Effort, tree: int, slot: int) -> None:
        nodes, actions, random = trees.nodes[tree], trees.actions[slot], trees.random[tree]
        trees.scratch[tree] = trees.roots[tree]
        state = trees.scratch[tree]
        here, depth = 0, 0
        trees.paths[slot, 0] = 0
        nodes[0].visits += 1
        mover = to_move(state)
        while mover != OVER and depth < DEEPEST - 1:
            nodes[here].mover = mover
            if mover == CHANCE:
                if nodes[here].first == 0:
                    trees.used[tree] = list_outcomes(nodes, here, whole(trees.used[tree]), state, actions, random)
                if nodes[here].count > 0:
                    here = due_outcome(nodes, here)
                    action = whole(nodes[here].action)
                elif trees.used[tree] < len(nodes):
                    action = whole(draw(state, random))
                    here = sampled_outcome(nodes, here, action, whole(trees.used[tree]))
                    if here == trees.used[tree]:
                        trees.used[tree] += 1
                else:
                    break
            else:
                if nodes[here].first == 0:
                    if legal(state, actions) > 1 or trees.used[tree] == len(nodes):
                        break
                    # Nothing to choose: the network need not be asked.
                    add_node(nodes, whole(trees.used[tree]), whole(actions[0]), 1.0)
                    nodes[here].first, nodes[here].count = trees.used[tree], 1
                    trees.used[tree] += 1
                if here == 0 and effort.halving:
                    simulation = whole(trees.done[tree]) - 1
                    here = halving_child(nodes, trees.noise[tree], trees.logits[tree], effort.schedule, simulation)
                elif here == 0 and effort.simulations >= TRIES * nodes[0].count:
                    here = root_child(nodes)
                else:
                    here = puct_child(nodes, here)
                action = whole(nodes[here].action)
            play(state, action)
            depth += 1
            trees.paths[slot, depth] = here
            nodes[here].visits += 1
            mover = to_move(state)
        while mover == CHANCE:  # there is no room for more nodes
            play(state, draw(state, random))
            mover = to_move(state)
        trees.depths[slot] = depth
        trees.movers[slot] = mover
        if mover == OVER:
            trees.results[tree, :] = 0.0
            returns(state, trees.results[tree])
            back_up(trees, tree, slot, trees.results[tree])
        else:
            trees.counts[slot] = legal(state, actions)
            observe(state, mover, trees.observations[slot])

    @rule_in(rules.folder)
    def search(trees: Trees, effort: Effort, logits: Numbers, values: Numbers, begin: int, end: int) -> int:
        waiting = 0
        for tree in range(begin, end):
            for slot in range(tree * effort.slots, (tree + 1) * effort.slots):
                if trees.movers[slot] != OVER:
                    receive(trees, slot, logits[slot], values[slot])
            for slot in range(tree * effort.slots, (tree + 1) * effort.slots):
                while trees.movers[slot] == OVER and trees.done[tree] < effort.simulations:
                    trees.done[tree] += 1
                    simulate(trees, effort, tree, slot)
                waiting += 1 if trees.movers[slot] != OVER else 0
                if trees.nodes[tree][0].first == 0:
                    break  # the network's first answer says where to look
        return waiting

    return GuidedFunctions(reset, receive, simulate, search)


class GuidedSearch:
    """A search of some positions of one game at once. `think` adds simulations, `found` tells what they say so far."""

    def __init__(
        self,
        rules: Rules,
        encoding: Encoding,
        players: int,
        roots: Sequence[bytes],
        evaluate: Evaluate,
        *,
        seed: int = 0,
        slots: int = 1,
        nodes: int = 1 << 14,
    ) -> None:
        """In every position a player has something to decide. The same seed gives the same result."""
        self._functions: Final = make_guided_functions(rules, encoding)
        self._evaluate: Final = evaluate
        self._slots: Final = slots
        self._schedule: Final = np.zeros((1, 1), np.int32)
        seeds = seeded_many(seed << 20, len(roots))
        self._trees: Final = new_trees(rules, encoding, len(roots), nodes, slots, seeds)
        for tree, root in enumerate(roots):
            self._trees.roots[tree] = np.frombuffer(root, rules.dtype)[0]
            self._functions.reset(self._trees, tree)
        waiting = len(roots) * slots
        self._logits = np.zeros((waiting, encoding.num_actions), np.float32)
        self._values = np.zeros((waiting, players), np.float32)
        self.simulations = 0
        """How many were made in each tree."""

    def think(self, simulations: int) -> None:
        """Add that many simulations; the first of all asks the network about the root."""
        self.simulations += simulations
        effort = Effort(self.simulations, self._slots, False, self._schedule)
        trees = self._trees
        while self._functions.search(trees, effort, self._logits, self._values, 0, len(trees.roots)):
            self._logits, self._values = self._evaluate(trees.observations)

    def found(self, tree: int = 0) -> list[Found]:
        """Every action at the root of a tree, the best first: those tried by the improved policy, then the others by their priors.

        One that was never tried has the value that the network expects of the position.
        """
        nodes = self._trees.nodes[tree]
        first, count = int(nodes[0].first), int(nodes[0].count)
        estimate, mover = float(nodes[0].estimate), int(nodes[0].mover)
        logits = np.zeros(count)
        improved_logits(nodes, logits)
        children = [
            (
                Found(
                    int(one.action), int(one.visits), float(one.total[mover]) / one.visits if one.visits else estimate
                ),
                logit,
            )
            for one, logit in zip(nodes[first : first + count], logits.tolist(), strict=True)
        ]
        children.sort(key=lambda pair: (pair[0].visits == 0, -pair[1], pair[0].action))
        return [one for one, _ in children]

    def policy(self, tree: int = 0) -> dict[int, float]:
        """How likely the network thinks each action at the root is."""
        nodes = self._trees.nodes[tree]
        first, count = int(nodes[0].first), int(nodes[0].count)
        return {int(nodes[child].action): float(nodes[child].prior) for child in range(first, first + count)}
