"""The networks that a game's levels evaluate positions with: made by hand for the first two, learned for the others."""

from collections.abc import Callable
from functools import cache
from importlib.resources import as_file, files
from typing import Final, Protocol

from ludotheque.kernels.network import Network, load_network

FIRST_LEARNED: Final = 3
"""The first level that has the learned network."""


class Handmade(Protocol):
    """Makes a game's evaluation without learning; a beginner's does not look at the others."""

    def __call__(self, *, sees_others: bool = True) -> Network:
        """Make it."""


def level_networks(package: str, handmade: Handmade) -> tuple[Callable[[], Network], Callable[[int], Network]]:
    """Two functions: one gives the network that self-play has taught (weights.npz in the game's package, by `ludotheque train`),
    the other the network of a level. Each network is made or read when it is first needed.

    Level 1 sees only its own side, level 2 goes by rule of thumb; from level 3 on the learned network plays.
    """

    @cache
    def learned() -> Network:
        with as_file(files(package) / "weights.npz") as file:
            return load_network(file)

    @cache
    def plain(sees_others: bool) -> Network:
        return handmade(sees_others=sees_others)

    def network_of(level: int) -> Network:
        return learned() if level >= FIRST_LEARNED else plain(level > 1)

    return learned, network_of
