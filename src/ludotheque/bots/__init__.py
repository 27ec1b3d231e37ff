"""What bots share: levels, noise, turn planning over a learned evaluation, search drivers, external programs.

A game's own bots are in its `player` module. `search_player`, `turn_player` and `networks` are not imported here: they need the
compiler, which takes half a second to import.
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
