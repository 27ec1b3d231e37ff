"""The players that `ludotheque arena` and `ludotheque yardstick` are given: what they are called, what they are, and their versions.

How players are named is in `ludotheque.bots`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ludotheque.core import BadOption, Game, JsonObject

if TYPE_CHECKING:
    from ludotheque.bots import Introduction


@dataclass
class NamedPlayers:
    """Players by what they are called in results, in the order given."""

    game: Game
    players: list[tuple[str, str]]
    """What each is called, and its name."""
    introductions: "dict[str, Introduction | None]" = field(default_factory=dict)

    @classmethod
    def read(cls, game: Game, given: Sequence[str], weights: Path | None = None) -> "NamedPlayers":
        """The players that were named. With `weights`, all bots that use weights play by that file."""
        from ludotheque.bots import bot, check_player, plays_by, split_bot, split_label, weights_file  # noqa: PLC0415 - `--help` does not wait

        called = [split_label(text) for text in given]
        for label, name in called:
            check_player(name)
            if dict(called)[label] != name:
                raise BadOption("arena.called-twice", name=label)
        found: list[tuple[str, str]] = []
        used = False
        for label, name in called:
            level, file = split_bot(name) or (0, None)
            if weights is not None and file is None and level and plays_by(game, level, weights):
                file, used = weights, True
            if file is not None:
                bot(game, level, file)  # to fail early
                name = f"bot:{level}@{weights_file(game, file).absolute()}"  # noqa: PLW2901 - wherever a worker runs
            found.append((label, name))
        if weights is not None and not used:
            raise BadOption("arena.weights-unused", file=str(weights), title=game.title)
        return cls(game, found)

    @property
    def labels(self) -> list[str]:
        """What the players are called."""
        return [label for label, _ in self.players]

    @property
    def programs(self) -> tuple[tuple[str, str], ...]:
        """Those that are called otherwise than they are named."""
        return tuple(dict.fromkeys((label, name) for label, name in self.players if label != name))

    def introduce(self) -> tuple[str, ...]:
        """Let each program introduce itself; returns those that are told of new games."""
        from ludotheque.bots import identify  # noqa: PLC0415

        for label, name in self.players:
            kind, _, command = name.partition(":")
            if kind == "cmd" and label not in self.introductions:
                self.introductions[label] = identify(command)
        return tuple(label for label, one in self.introductions.items() if one is not None and one.newgame)

    def versions(self) -> JsonObject:
        """The versions of everything that results depend on."""
        from ludotheque.arena import versions  # noqa: PLC0415

        return versions(self.game, dict(self.players), self.introductions)
