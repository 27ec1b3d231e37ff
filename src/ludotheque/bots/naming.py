"""How players are named on a command line, and what the names mean.

`random`, `bot:1` to `bot:5`, `bot:5@WEIGHTS` (a file, or the name of weights that come with the game),
`cmd:PROGRAM ARGS…`, `py:MODULE:CLASS`.
"""

import zipfile
from importlib import import_module
from pathlib import Path
from typing import Final

from ludotheque.bots.program import SECONDS_A_DECISION, ProgramPlayer, split_command
from ludotheque.bots.python_player import PythonPlayer, find_class
from ludotheque.bots.random_player import RandomPlayer
from ludotheque.bots.search_player import SearchPlayer
from ludotheque.core import BadOption, Game, Player
from ludotheque.core.problems import shortened
from ludotheque.kernels import DiscreteGame

LEVELS: Final = (1, 2, 3, 4, 5)
BASELINES: Final = "baselines"
"""The folder in a game's package with weights that have names."""


def bot(game: Game, level: int, weights: Path | None = None) -> Player:
    """The bot of a level: the game's own if it has one, otherwise the generic search. With `weights` it plays by that file:
    the game's own kind, or a network of `ludotheque train --method alphazero`.
    """
    if weights is not None:
        weights = weights_file(game, weights)
        if game.capabilities.encoding is not None and _is_policy_network(weights):
            from ludotheque.bots.network_player import NetworkPlayer  # noqa: PLC0415 - numpy is for those who need it

            return NetworkPlayer(game, level, weights)
        learned = game.capabilities.weights
        if learned is None:
            raise BadOption("bots.game-without-weights", game=game.title)
        if level < learned.first_level:
            raise BadOption("bots.level-without-weights", level=level, first=learned.first_level)
        return learned.bot(level, weights)
    if game.capabilities.bots is not None:
        return game.capabilities.bots(level)
    if not isinstance(game, DiscreteGame):
        raise BadOption("bots.none", game=game.title)
    return SearchPlayer(level)


def baselines(game: Game) -> dict[str, Path]:
    """The weights that come with a game, by name: `bot:4@NAME` plays by them."""
    folder = Path(str(import_module(game.package).__file__)).parent / BASELINES
    return {file.stem: file for file in sorted(folder.glob("*.npz"))}


def weights_file(game: Game, weights: Path) -> Path:
    """The file that weights are in: the one named or, where there is none, the game's own weights of that name."""
    return weights if weights.exists() else baselines(game).get(str(weights), weights)


def plays_by(game: Game, level: int, weights: Path) -> bool:
    """Whether the bot of a level plays by weights of such a kind, once it is given them."""
    weights = weights_file(game, weights)
    if game.capabilities.encoding is not None and _is_policy_network(weights):
        return True
    learned = game.capabilities.weights
    return learned is not None and level >= learned.first_level


def _is_policy_network(file: Path) -> bool:
    """Whether a file holds a network that any game with an encoding can learn, and not the game's own kind of weights."""
    try:
        with zipfile.ZipFile(file) as archive:
            return "policy.npy" in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def split_label(text: str) -> tuple[str, str]:
    """What a player is called in results, and its name: `rex=cmd:node rex.js` is called rex; `random` and `bot:5` by their names."""
    label, sign, player = text.partition("=")
    kind, _, rest = player.partition(":")
    nameable = kind in ("cmd", "py") or (kind == "bot" and "@" in rest)
    return (label.strip(), player) if sign and nameable and ":" not in label and label.strip() else (text, text)


def split_bot(name: str) -> tuple[int, Path | None] | None:
    """The level and the weights that the name of a bot says; None if it is not a bot's."""
    kind, _, rest = name.partition(":")
    level, sign, file = rest.partition("@")
    if kind != "bot" or level not in map(str, LEVELS) or (sign and not file):
        return None
    return int(level), Path(file) if sign else None


def names_foreign_code(name: str) -> bool:
    """Whether making this player runs a program or a module, or reads a file: not for names out of anybody's record."""
    return name.partition(":")[0] in ("cmd", "py") or (name.startswith("bot:") and "@" in name)


def check_player(name: str) -> None:
    """Whether a name means a player, without making one; BadOption says what is allowed."""
    kind, _, rest = name.partition(":")
    if kind == "cmd":
        split_command(rest)
    elif kind == "py":
        find_class(rest)
    elif name != "random" and split_bot(name) is None:
        raise BadOption("bots.unknown-player", name=shortened(name))


def player_named(name: str, game: Game, *, seconds: float = SECONDS_A_DECISION, newgame: bool = False) -> Player:
    """The player that a name means; `seconds` is what a program gets for a decision, `newgame` whether it is told of games."""
    check_player(name)
    kind, _, rest = name.partition(":")
    if kind == "cmd":
        return ProgramPlayer(rest, seconds, newgame=newgame)
    if kind == "py":
        return PythonPlayer(rest)
    named = split_bot(name)
    return RandomPlayer() if named is None else bot(game, *named)
