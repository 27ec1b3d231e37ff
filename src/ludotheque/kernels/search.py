"""A tree search for any game: chance nodes, two to four players, each for themselves; all of it in one compiled call.

Every simulation descends from the root (players by UCT, chance by its dice), adds a node, plays on to the end by the
game's casual player and adds the result to the nodes on its path.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import rule_in, whole
from ludotheque.kernels.playout import Playout, States, make_casual, make_playout
from ludotheque.kernels.random import Random, below, seeded
from ludotheque.kernels.records import Actions, Returns, State
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.targets import CHANCE, OVER

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
EXPLORATION = 0.7
FIRST_NODES = 1 << 12

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
def _simulate(rules: Rules) -> Simulate:
    return make_simulate(rules, make_playout(rules, make_casual(rules)))


@dataclass(frozen=True)
class Found:
    """One action at the root: how often it was tried, and the mean of what the player to move got."""

    action: int
    visits: int
    value: float


class Search:
    """A search of one position that can be continued: `think` adds simulations, `found` tells what they say so far."""

    def __init__(
        self,
        rules: Rules,
        root: State,
        seed: int = 0,
        *,
        most_nodes: int = 4_000_000,
        simulate: Simulate | None = None,
    ) -> None:
        """`simulate` is made by make_simulate with a playout of the game's own; without it, the casual player plays to the end."""
        self._simulate = simulate or _simulate(rules)
        self._root = rules.copy(root)
        self._most_nodes = most_nodes
        self._nodes = np.zeros(max(FIRST_NODES, 4 * rules.most_actions), NODE).view(np.recarray)
        self._used = 1
        self._buffers = SearchBuffers(
            scratch=np.zeros(1, rules.dtype).view(np.recarray),
            actions=np.zeros(rules.most_actions, np.int32),
            result=np.zeros(rules.most_players),
            path=np.zeros(DEEPEST, np.int32),
            movers=np.zeros(DEEPEST, np.int32),
            random=seeded(seed),
        )
        self.simulations = 0

    def think(self, simulations: int) -> None:
        """Add that many simulations; fewer where memory ends."""
        while simulations > 0:
            done, self._used = self._simulate(
                self._root, self._nodes, self._used, simulations, self._buffers, EXPLORATION
            )
            simulations -= done
            self.simulations += done
            if simulations > 0:
                if len(self._nodes) >= self._most_nodes:
                    return
                larger = np.zeros(min(self._most_nodes, 4 * len(self._nodes)), NODE).view(np.recarray)
                larger[: len(self._nodes)] = self._nodes
                self._nodes = larger

    def think_for(self, seconds: float) -> None:
        """Go on for about that long."""
        end = time.perf_counter() + seconds
        share = 16
        while (left := end - time.perf_counter()) > 0:
            before, began = self.simulations, time.perf_counter()
            self.think(share)
            if self.simulations == before:
                return  # memory is full
            took = time.perf_counter() - began
            share = max(1, min(100_000, int((self.simulations - before) / took * min(0.05, left))))

    def found(self) -> list[Found]:
        """Every action at the root, the most tried first."""
        children: list[Found] = []
        child = int(self._nodes[0].first)
        while child:
            node = self._nodes[child]
            visits = int(node.visits)
            children.append(Found(int(node.action), visits, float(node.value) / visits if visits else 0.0))
            child = int(node.next)
        return sorted(children, key=lambda one: (-one.visits, -one.value, one.action))
