"""The versions of everything that a result depends on: of this program, Python and numba, of weights and of other players.

The rules version is a game's own and part of every results file anyway.
"""

import hashlib
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version

from ludotheque import __version__
from ludotheque.bots import Introduction, split_bot, version_of
from ludotheque.core import BadOption, Game, Json, JsonObject
from ludotheque.core.problems import reason


def versions(game: Game, players: Mapping[str, str], introductions: Mapping[str, Introduction | None]) -> JsonObject:
    """The versions for some players, each with what it is called and its name; programs as they have introduced themselves."""
    told: dict[str, Json] = {
        "ludotheque": __version__,
        "rules": game.rules_version,
        "python": platform.python_version(),
    }
    compiler = _installed("numba")
    if compiler is not None:
        told["numba"] = compiler
    weights = {label: found for label, name in players.items() if (found := weights_hash(game, name)) is not None}
    own = {label: one.id for label, one in introductions.items() if one is not None}
    own |= {label: found for label, name in players.items() if (found := _python_version(name)) is not None}
    if weights:
        told["weights"] = weights
    if own:
        told["players"] = own
    return told


def weights_hash(game: Game, name: str) -> str | None:
    """The SHA-256 of the weights that a bot plays with, as `sha256:…`; None for a player without weights."""
    named, learned = split_bot(name), game.capabilities.weights
    if named is None:
        return None
    level, file = named
    if file is not None:
        try:
            content = file.read_bytes()
        except OSError as error:
            raise BadOption("bots.no-weights", file=str(file), reason=reason(error)) from error
    elif learned is None or level < learned.first_level:
        return None
    else:
        content = learned.shipped()
    return "sha256:" + hashlib.sha256(content).hexdigest()


def differing(before: JsonObject, now: JsonObject) -> str | None:
    """The first player whose weights or own version are not those of an earlier run; what is known only once is no difference."""
    for kind in ("weights", "players"):
        earlier, current = before.get(kind), now.get(kind)
        if isinstance(earlier, Mapping) and isinstance(current, Mapping):
            for label in _both(earlier, current):
                if earlier[label] != current[label]:
                    return label
    return None


def _both(one: Iterable[str], other: Mapping[str, Json]) -> list[str]:
    return [label for label in one if label in other]


def _python_version(name: str) -> str | None:
    kind, _, target = name.partition(":")
    return version_of(target) if kind == "py" else None


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
