"""Searches over Twisty's whole turns that kernels carry out: the tree search, which can be continued, and the exact last rounds.

What is compiled is called through `entries`. Which turn a level plays is decided in `player`.
"""

import math
from array import array
from dataclasses import dataclass
from typing import Final

from ludotheque.games.twisty.facts import MOST_TURNS
from ludotheque.games.twisty.levels import EXPLORATION, SHARPNESS, WEIGHTS
from ludotheque.kernels.signatures import Kernels

NODE_SIZE: Final = 32  # bytes
FIRST_NODES: Final = 1 << 12
MOST_NODES: Final = 4_000_000
SIMULATIONS_A_CHECK: Final = 1_000  # simulations between two checks whether anything can still change


@dataclass(frozen=True)
class TurnValue:
    """One turn at the root: how often it was visited, and the chance to win that it gives."""

    turn: int
    visits: int
    value: float


class Search:
    """A search of one position that can be continued: `run` adds simulations, `turns` returns the values so far."""

    def __init__(self, kernels: Kernels, root: bytes, players: int, *, most_nodes: int = MOST_NODES) -> None:
        """`root` has been prepared, and is not over."""
        self._kernels, self._root = kernels, root
        self._most_nodes = most_nodes
        self._nodes = kernels.room(FIRST_NODES * NODE_SIZE)
        self._used = 1
        self._weights = array("d", WEIGHTS[players])
        self.simulations = 0
        self.add(1)  # the root's turns are known from now on

    def add(self, simulations: int) -> int:
        """Add simulations; returns how many there was memory for."""
        wanted = simulations
        while wanted > 0:
            arguments = (self._root, self._nodes, self._used, wanted, self._weights, EXPLORATION, SHARPNESS)
            done, self._used = self._kernels.call("simulate_turns", *arguments)
            wanted -= done
            if wanted > 0:
                nodes = self._nodes.nbytes // NODE_SIZE
                if nodes >= self._most_nodes:
                    break
                larger = self._kernels.room(min(self._most_nodes, 2 * nodes) * NODE_SIZE)
                self._kernels.call("copy_bytes", self._nodes, larger, self._used * NODE_SIZE)
                self._nodes = larger
        self.simulations += simulations - wanted
        return simulations - wanted

    def run(self, simulations: int) -> int:
        """Add that many simulations; fewer once nothing can overtake the leader, or where memory ends. Returns how many."""
        wanted = simulations
        while wanted > 0 and self._lead() <= wanted:
            done = self.add(min(wanted, SIMULATIONS_A_CHECK))
            if not done:
                break
            wanted -= done
        return simulations - wanted

    def _lead(self) -> float:
        """By how many visits the first turn leads; infinite where there is no other."""
        visits = sorted(self._children()[1])
        return math.inf if len(visits) < 2 else visits[-1] - visits[-2]

    def _children(self) -> tuple[list[int], list[int], list[float]]:
        """The turns at the root, how often each was visited, and their values."""
        turns, visits = (array("q", bytes(8 * MOST_TURNS)) for _ in range(2))
        values = array("d", bytes(8 * MOST_TURNS))
        count = self._kernels.call("turns_at_root", self._nodes, turns, visits, values)
        return turns[:count].tolist(), visits[:count].tolist(), values[:count].tolist()

    def turns(self) -> list[TurnValue]:
        """Every turn, the most visited first."""
        children = [TurnValue(*one) for one in zip(*self._children(), strict=True)]
        return sorted(children, key=lambda one: (-one.visits, -one.value, one.turn))


def listed_turns(kernels: Kernels, state: bytes) -> list[int]:
    """Every way in which the turn of the player to move, or what is left of it, can end; in order."""
    listed = array("q", bytes(8 * MOST_TURNS))
    count = kernels.call("listed_turns", state, listed)
    return listed[:count].tolist()


def solve(kernels: Kernels, root: bytes, most_positions: int = 4_000_000) -> dict[int, float] | None:
    """Every turn at the root with its exact value in points; None where there are too many positions.

    `root` has been prepared, is at the beginning of a turn or within one, and not many rounds are left.
    """
    room = kernels.room(kernels.call("solver_size", most_positions))
    listed, values = array("q", bytes(8 * MOST_TURNS)), array("d", bytes(8 * MOST_TURNS))
    count = kernels.call("solve_turns", root, most_positions, room, listed, values)
    return None if count < 0 else dict(zip(listed[:count], values[:count], strict=True))
