"""Checks and cases: which checks apply to a game, and each of them with the numbers of players that it is run for.

The checks themselves are in `every_game`, `discrete` and `live`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final, TypeAlias

from ludotheque.core import Game, find_game

MODULES: Final = ("every_game", "discrete", "live")
"""The modules with checks, in the order in which they run."""


class Broken(AssertionError):
    """A game does not do what every game must."""


def must(holds: object, told: str) -> None:
    """Raise Broken unless something holds; `told` says what is wrong."""
    if not holds:
        raise Broken(told)


def always(_game: Game) -> bool:
    """Whether a check applies: to every game."""
    return True


GameCheck: TypeAlias = Callable[[Game], None]
TableCheck: TypeAlias = Callable[[Game, int], None]


@dataclass(frozen=True)
class Check:
    """One thing that a game must do."""

    name: str
    """The name of its function, with blanks."""
    about: str
    """One sentence."""
    applies: Callable[[Game], bool]
    once: GameCheck | None = None
    each_table: TableCheck | None = None

    def run(self, game: Game, players: int | None) -> None:
        """Check a game; Broken says what is wrong. Any other exception is the game's own mistake."""
        if self.each_table is not None:
            assert players is not None
            self.each_table(game, players)
        elif self.once is not None:
            self.once(game)


CHECKS: Final[list[Check]] = []


def _about(function: Callable[..., None]) -> str:
    return (function.__doc__ or "").split("\n")[0]


def each_game(applies: Callable[[Game], bool] = always) -> Callable[[GameCheck], GameCheck]:
    """Declare a check that is run once for a game."""

    def declare(function: GameCheck) -> GameCheck:
        CHECKS.append(Check(function.__name__.replace("_", " "), _about(function), applies, once=function))
        return function

    return declare


def each_table(applies: Callable[[Game], bool] = always) -> Callable[[TableCheck], TableCheck]:
    """Declare a check that is run for every number of players."""

    def declare(function: TableCheck) -> TableCheck:
        CHECKS.append(Check(function.__name__.replace("_", " "), _about(function), applies, each_table=function))
        return function

    return declare


def checks_of(game: Game) -> list[Check]:
    """The checks that apply to a game, in the order in which they are run."""
    for module in MODULES:
        import_module(f"ludotheque.conformance.{module}")
    return [check for check in CHECKS if check.applies(game)]


@dataclass(frozen=True)
class Case:
    """One check of one game, for one number of players where that matters."""

    game: Game
    check: Check
    players: int | None = None

    def __str__(self) -> str:
        parts = [self.game.name, *([str(self.players)] if self.players else []), self.check.name.replace(" ", "_")]
        return "-".join(parts)

    def run(self) -> None:
        """Check; Broken says what is wrong."""
        self.check.run(self.game, self.players)


def cases(*names: str) -> list[Case]:
    """Everything that is checked of some installed games; UnknownGame if one is not there."""
    return [
        Case(game, check, players)
        for game in map(find_game, names)
        for check in checks_of(game)
        for players in (sorted(game.seats) if check.each_table is not None else [None])
    ]
