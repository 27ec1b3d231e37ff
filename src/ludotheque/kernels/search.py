"""A tree search for any game: chance nodes, two to four players, each for themselves; all of it in one compiled call.

Every simulation descends from the root (players by UCT, chance by its dice), adds a node, plays on to the end by the
game's casual player and adds the result to the nodes on its path.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import rule_in, whole
from ludotheque.kernels.playout import Playout, States, make_casual, make_playout
from ludotheque.kernels.random import Random, below
from ludotheque.kernels.records import Actions, Returns, State
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.signatures import Kernels
from ludotheque.kernels.targets import CHANCE, OVER
from ludotheque.kernels.tree_search import MOST_NODES, NODE_SIZE, TreeSearch

NODE = np.dtype(
    [
        ("value", np.float64),  # what the player who moved here got in all visits together
        ("visits", np.int32),
        ("action", np.int32),  # that led here
        ("first", np.int32),  # child; 0 while it has none (the root is nobody's child)
        ("next", np.int32),  # sibling
        ("children", np.int32),
    ],
    align=True,
)
DEEPEST = 4096  # nodes on one path
assert NODE.itemsize == NODE_SIZE

Nodes: TypeAlias = NDArray[Any]


class SearchBuffers(NamedTuple):
    """Memory that a simulation works in, and its random generator."""

    scratch: States
    """One state."""
    actions: Actions
    result: Returns
    path: NDArray[Any]
    """The nodes from the root down …"""
    movers: NDArray[Any]
    """… and who moved to each."""
    random: Random


Simulate: TypeAlias = Callable[[State, Nodes, int, int, SearchBuffers, float], tuple[int, int]]
"""(root, nodes, used, simulations, buffers, exploration): how many simulations were made, and how many nodes are used now."""


def make_simulate(rules: Rules, playout: Playout) -> Simulate:
    """The compiled search of one game: as many simulations as asked for, or as the nodes suffice for."""
    to_move, legal, play, draw = rules.module.to_move, rules.module.legal, rules.module.play, rules.module.draw
    returns = rules.module.returns
    most_actions = rules.most_actions

    @rule_in(rules.folder)
    def best_child(nodes: Nodes, parent: int, random: Random, exploration: float) -> int:
        """UCT: the child with the highest upper bound, or one never tried."""
        node = nodes[parent]
        fresh = 0
        child = node.first
        log_visits = math.log(node.visits + 1.0)
        best, best_score = 0, -1.0
        while child != 0:
            visits = nodes[child].visits
            if visits == 0:
                fresh += 1
                if below(random, fresh) == 0:  # each of the untried ones as likely
                    best, best_score = child, 1e9
            elif fresh == 0:
                score = nodes[child].value / visits + exploration * math.sqrt(log_visits / visits)
                if score > best_score:
                    best, best_score = child, score
            child = nodes[child].next
        return best

    @rule_in(rules.folder)
    def outcome_child(nodes: Nodes, parent: int, outcome: int, used: int) -> int:
        """The child of a chance node for an outcome; if there is none yet, node `used` becomes it."""
        child = nodes[parent].first
        while child != 0:
            if nodes[child].action == outcome:
                return whole(child)
            child = nodes[child].next
        nodes[used].value, nodes[used].visits, nodes[used].action = 0.0, 0, outcome
        nodes[used].first, nodes[used].children = 0, 0
        nodes[used].next = nodes[parent].first
        nodes[parent].first = used
        nodes[parent].children += 1
        return used

    @rule_in(rules.folder)
    def simulate(
        root: State,
        nodes: Nodes,
        used: int,
        simulations: int,
        buffers: SearchBuffers,
        exploration: float,
    ) -> tuple[int, int]:
        scratch, actions, result, path, movers, random = buffers
        for done in range(simulations):
            if used + most_actions + 1 > len(nodes):
                return done, used
            scratch[0] = root
            state = scratch[0]
            here, depth = 0, 0
            path[0], movers[0] = 0, OVER
            while depth < len(path) - 1:
                mover = to_move(state)
                if mover == OVER:
                    break
                if mover == CHANCE:
                    outcome = draw(state, random)
                    here = outcome_child(nodes, here, outcome, used)
                    if here == used:
                        used += 1
                    play(state, outcome)
                else:
                    if nodes[here].first == 0:
                        if here != 0 and nodes[here].visits == 0:
                            break  # first visit: evaluate it before expanding it
                        count = legal(state, actions)
                        for which in range(count):
                            nodes[used].value, nodes[used].visits = 0.0, 0
                            nodes[used].action = actions[which]
                            nodes[used].first, nodes[used].children = 0, 0
                            nodes[used].next = nodes[here].first
                            nodes[here].first = used
                            used += 1
                        nodes[here].children = count
                    here = best_child(nodes, here, random, exploration)
                    play(state, whole(nodes[here].action))
                depth += 1
                path[depth], movers[depth] = here, mover
                if used + most_actions + 1 > len(nodes):
                    break
            playout(state, actions, random)
            returns(state, result)
            for step in range(depth + 1):
                nodes[path[step]].visits += 1
                if movers[step] >= 0:
                    nodes[path[step]].value += result[movers[step]]
        return simulations, used

    return simulate


@cache
def casual_simulate(rules: Rules) -> Simulate:
    """The search in which the game's casual player plays to the end."""
    return make_simulate(rules, make_playout(rules, make_casual(rules)))


@cache
def _kernels(rules: Rules) -> Kernels:
    from ludotheque.kernels.entries import LocalKernels  # noqa: PLC0415 - the entries include this search

    return LocalKernels(rules)


class Search(TreeSearch):
    """`TreeSearch` of a state under a rules module, on this machine."""

    def __init__(self, rules: Rules, root: State, seed: int = 0, *, most_nodes: int = MOST_NODES) -> None:
        super().__init__(_kernels(rules), root.tobytes(), seed, most_nodes=most_nodes)
