"""Kernel entries that every game has, made from its rules: playouts for statistics and benchmarks, and the tree search.

How entries are declared is in `entries`. States are bytes here, as everywhere outside rules.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import whole
from ludotheque.kernels.playout import make_playout, make_playouts, make_uniform
from ludotheque.kernels.random import SEEDING_STEPS, next_word
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.search import DEEPEST, NODE, SearchBuffers, casual_simulate

NODES = np.dtype((np.record, NODE))


def common_functions(rules: Rules) -> Mapping[str, Callable[..., Any]]:
    """The functions by name. They are plain Python; `entries` compiles them."""
    record = np.dtype((np.record, rules.dtype))
    search = casual_simulate(rules)
    many = make_playouts(rules, make_playout(rules, make_uniform(rules)))
    size, most_actions, most_players = rules.dtype.itemsize, rules.most_actions, rules.most_players

    def playouts(state: NDArray[np.uint8], random: NDArray[np.int64], totals: NDArray[np.float64], games: int) -> int:
        """Uniformly random matches from a state: adds what each seat got to `totals`; answers the number of actions."""
        scratch = np.zeros(size, np.uint8)
        actions = np.zeros(most_actions, np.int32)
        result = np.zeros(most_players)
        return many(state.view(record)[0], scratch.view(record), actions, random, result, totals, games)

    def simulate(
        root: NDArray[np.uint8],
        nodes: NDArray[np.uint8],
        used: int,
        simulations: int,
        random: NDArray[np.int64],
        exploration: float,
    ) -> tuple[int, int]:
        """Add simulations to a search's tree until its nodes are used up; answers how many, and the nodes used now."""
        buffers = SearchBuffers(
            np.zeros(size, np.uint8).view(record),
            np.zeros(most_actions, np.int32),
            np.zeros(most_players),
            np.zeros(DEEPEST, np.int32),
            np.zeros(DEEPEST, np.int32),
            random,
        )
        return search(root.view(record)[0], nodes.view(NODES), used, simulations, buffers, exploration)

    return {
        "playouts": playouts,
        "simulate": simulate,
        "seed_random": seed_random,
        "count_children": count_children,
        "list_children": list_children,
        "copy_bytes": copy_bytes,
    }


def seed_random(low: int, high: int, random: NDArray[np.int64]) -> None:
    """A generator for a seed, given as two numbers of 32 bits: `kernels.random.seeded`."""
    random[0], random[1], random[2], random[3] = low, high, 0x9E3779B9, 1
    for _ in range(SEEDING_STEPS):
        next_word(random)


def count_children(nodes: NDArray[np.uint8]) -> int:
    """How many actions the root of a search's tree has."""
    return whole(nodes.view(NODES)[0].children)


def list_children(
    nodes: NDArray[np.uint8], actions: NDArray[np.int64], visits: NDArray[np.int64], values: NDArray[np.float64]
) -> None:
    """Fill in the actions at the root, how often each was tried, and the mean of what the player to move got."""
    tree = nodes.view(NODES)
    child = whole(tree[0].first)
    for which in range(len(actions)):
        node = tree[child]
        actions[which], visits[which] = node.action, node.visits
        values[which] = node.value / node.visits if node.visits > 0 else 0.0
        child = whole(node.next)


def copy_bytes(source: NDArray[np.uint8], target: NDArray[np.uint8], count: int) -> None:
    """Copy the first bytes of a room into another."""
    target[:count] = source[:count]
