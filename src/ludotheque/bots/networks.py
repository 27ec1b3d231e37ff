"""The networks that a game's levels evaluate positions with: made by hand for the first two, learned for the others.

They are plain numbers here; kernels evaluate with them.
"""

from collections.abc import Callable
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Protocol
from weakref import WeakKeyDictionary
from zipfile import BadZipFile

from ludotheque.core import BadOption
from ludotheque.core.capabilities import FIRST_LEARNED
from ludotheque.core.problems import reason
from ludotheque.kernels.signatures import Kernels, Room
from ludotheque.kernels.weights import NetworkWeights, read_network


class Handmade(Protocol):
    """Makes a game's evaluation without learning; a beginner's does not look at the others."""

    def __call__(self, *, sees_others: bool = True) -> NetworkWeights:
        """Make it."""


def read_weights(file: Path, features: int) -> NetworkWeights:
    """The network of a file that somebody named; BadOption if it is none, or is of another game or version of its features."""
    try:
        network = read_network(file)
    except OSError as error:
        raise BadOption("bots.no-weights", file=str(file), reason=reason(error)) from error
    except (ValueError, KeyError, BadZipFile) as error:
        raise BadOption("bots.damaged-weights", file=str(file)) from error
    if network.features != features:
        raise BadOption("bots.other-weights", file=str(file), found=network.features, features=features)
    return network


_rooms: WeakKeyDictionary[NetworkWeights, WeakKeyDictionary[Kernels, Room]] = WeakKeyDictionary()


def network_on(kernels: Kernels, weights: NetworkWeights) -> tuple[Room, int, int, int]:
    """A network as the first four arguments of an entry (`kernels.network.network_in`): its weights, put there once, and its size."""
    rooms = _rooms.setdefault(weights, WeakKeyDictionary())
    room = rooms.get(kernels)
    if room is None:
        room = rooms[kernels] = kernels.keep(weights.numbers)
    return room, weights.features, weights.width, weights.inner


def level_networks(
    package: str, handmade: Handmade
) -> tuple[Callable[[], NetworkWeights], Callable[[int], NetworkWeights]]:
    """Two functions: one gives the network that self-play has taught (weights.npz in the game's package, by `ludotheque train`),
    the other the network of a level. Each network is made or read when it is first needed.

    Level 1 sees only its own side, level 2 goes by rule of thumb; from level 3 on the learned network plays.
    """

    @cache
    def learned() -> NetworkWeights:
        with as_file(files(package) / "weights.npz") as file:
            return read_network(file)

    @cache
    def plain(sees_others: bool) -> NetworkWeights:
        return handmade(sees_others=sees_others)

    def network_of(level: int) -> NetworkWeights:
        return learned() if level >= FIRST_LEARNED else plain(level > 1)

    return learned, network_of
