"""A search of one position that can be continued, over kernel entries: it needs no numpy. The search itself is compiled (`search`).

Bots use it (`bots.search_player`); `kernels.Search` is the same over a rules module.
"""

import time
from array import array
from dataclasses import dataclass
from typing import Final

from ludotheque.kernels.signatures import Kernels

NODE_SIZE: Final = 32  # bytes
FIRST_NODES: Final = 1 << 12
MOST_NODES: Final = 4_000_000
EXPLORATION: Final = 0.7


@dataclass(frozen=True)
class Found:
    """One action at the root: how often it was tried, and the mean of what the player to move got."""

    action: int
    visits: int
    value: float


class TreeSearch:
    """`think` adds simulations, `found` tells what they say so far."""

    def __init__(self, kernels: Kernels, root: bytes, seed: int = 0, *, most_nodes: int = MOST_NODES) -> None:
        """A search of a state; the same seed gives the same result."""
        self._kernels, self._root = kernels, root
        self._most_nodes = most_nodes
        self._nodes = kernels.room(FIRST_NODES * NODE_SIZE)
        self._used = 1
        self._random = array("q", bytes(8 * 4))
        kernels.call("seed_random", seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, self._random)
        self.simulations = 0

    def think(self, simulations: int) -> None:
        """Add that many simulations; fewer where memory ends."""
        while simulations > 0:
            arguments = (self._root, self._nodes, self._used, simulations, self._random, EXPLORATION)
            done, self._used = self._kernels.call("simulate", *arguments)
            simulations -= done
            self.simulations += done
            if simulations > 0:
                nodes = self._nodes.nbytes // NODE_SIZE
                if nodes >= self._most_nodes:
                    return
                larger = self._kernels.room(min(self._most_nodes, 2 * nodes) * NODE_SIZE)
                self._kernels.call("copy_bytes", self._nodes, larger, self._used * NODE_SIZE)
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
        count = self._kernels.call("count_children", self._nodes)
        actions, visits, values = (array(kind, bytes(8 * count)) for kind in "qqd")
        self._kernels.call("list_children", self._nodes, actions, visits, values)
        children = [Found(*one) for one in zip(actions, visits, values, strict=True)]
        return sorted(children, key=lambda one: (-one.visits, -one.value, one.action))
