"""How players are named on a command line, and what the names mean: `random`, `bot:1` to `bot:5`, `cmd:PROGRAM ARGS…`."""

from typing import Final

from ludotheque.bots.program import SECONDS_A_DECISION, ProgramPlayer, split_command
from ludotheque.bots.random_player import RandomPlayer
from ludotheque.core import BadOption, Game, Player
from ludotheque.core.problems import shortened

LEVELS: Final = (1, 2, 3, 4, 5)


def bot(game: Game, level: int) -> Player:
    """The bot of a level: the game's own if it has one, otherwise the generic search."""
    if game.capabilities.bots is not None:
        return game.capabilities.bots(level)
    from ludotheque.bots.search_player import SearchPlayer  # noqa: PLC0415
    from ludotheque.kernels import DiscreteGame  # noqa: PLC0415 - the compiler takes half a second to import

    if not isinstance(game, DiscreteGame):
        raise BadOption("bots.none", game=game.title)
    return SearchPlayer(level)


def split_label(text: str) -> tuple[str, str]:
    """What a player is called in results, and its name: `rex=cmd:node rex.js` is called rex, anybody else by the name."""
    label, sign, player = text.partition("=")
    return (
        (label.strip(), player)
        if sign and player.startswith("cmd:") and ":" not in label and label.strip()
        else (text, text)
    )


def check_player(name: str) -> None:
    """Whether a name means a player, without making one; BadOption says what is allowed."""
    kind, _, rest = name.partition(":")
    if kind == "cmd":
        split_command(rest)
    elif name != "random" and not (kind == "bot" and rest in map(str, LEVELS)):
        raise BadOption("bots.unknown-player", name=shortened(name))


def player_named(name: str, game: Game, *, seconds: float = SECONDS_A_DECISION) -> Player:
    """The player that a name means; `seconds` is what a program gets for a decision."""
    check_player(name)
    kind, _, rest = name.partition(":")
    if kind == "cmd":
        return ProgramPlayer(rest, seconds)
    return RandomPlayer() if kind == "random" else bot(game, int(rest))
