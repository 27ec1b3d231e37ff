"""Which games there are: those that installed packages declare as entry points of the group `ludotheque.games`.

A third party's package adds a game by declaring one; nothing here is changed for it.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoints, entry_points

from ludotheque.core.game import Game
from ludotheque.core.problems import UnknownGame, nearest, shortened

GROUP = "ludotheque.games"


@cache
def _declared() -> EntryPoints:
    """What the installed packages declare; read once, since it takes all their files to know."""
    return entry_points(group=GROUP)


def game_names() -> list[str]:
    """The names of all installed games, in order; none of them is loaded for it."""
    return sorted({point.name for point in _declared()})


@cache
def _load(name: str) -> Game:
    (point, *_) = _declared().select(name=name)
    try:
        game = point.load()
    except ImportError as error:  # a package that the game needs is not there
        raise UnknownGame("game.not-loaded", name=name, error=str(error)) from error
    if not isinstance(game, Game):
        raise TypeError(f"the entry point {point.value} of the game {name} is no ludotheque.core.Game")
    return game


def find_game(name: str, games: Mapping[str, Game] | None = None) -> Game:
    """The game of that name; UnknownGame suggests the nearest."""
    known = list(games) if games is not None else game_names()
    if name not in known:
        near = nearest(name, known)
        if near is not None:
            raise UnknownGame("game.unknown-near", name=shortened(name), near=near)
        raise UnknownGame("game.unknown", name=shortened(name), names=", ".join(known))
    return games[name] if games is not None else _load(name)
