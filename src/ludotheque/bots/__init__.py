"""What bots share: levels, search drivers, programs as players. What a game's own bots know is in that game's player.py.

The search player stays in `bots.search_player`: it needs the compiler, which takes half a second to import.
"""

from ludotheque.bots.naming import LEVELS, bot, check_player, player_named, split_label
from ludotheque.bots.program import SECONDS_A_DECISION, Forfeit, ProgramPlayer
from ludotheque.bots.random_player import RandomPlayer

__all__ = [
    "LEVELS",
    "SECONDS_A_DECISION",
    "Forfeit",
    "ProgramPlayer",
    "RandomPlayer",
    "bot",
    "check_player",
    "player_named",
    "split_label",
]
