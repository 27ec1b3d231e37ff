"""What bots share: levels, noise, turn planning over a learned evaluation, search drivers, external programs.

A game's own bots are in its `player` module. Nothing here needs numpy or the compiler until a bot is asked.
"""

from ludotheque.bots.forfeit import Evidence, Forfeit
from ludotheque.bots.naming import (
    LEVELS,
    baselines,
    bot,
    check_player,
    names_foreign_code,
    player_named,
    plays_by,
    split_bot,
    split_label,
    weights_file,
)
from ludotheque.bots.program import SECONDS_A_DECISION, Introduction, ProgramPlayer, identify
from ludotheque.bots.python_player import PythonBot, PythonPlayer, version_of
from ludotheque.bots.random_player import RandomPlayer

__all__ = [
    "LEVELS",
    "SECONDS_A_DECISION",
    "Evidence",
    "Forfeit",
    "Introduction",
    "ProgramPlayer",
    "PythonBot",
    "PythonPlayer",
    "RandomPlayer",
    "baselines",
    "bot",
    "check_player",
    "identify",
    "names_foreign_code",
    "player_named",
    "plays_by",
    "split_bot",
    "split_label",
    "version_of",
    "weights_file",
]
