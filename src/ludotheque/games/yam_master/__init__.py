"""Yam Master: dice and alignments for two. rules.py has the rules, game.py the text, player.py what its bots know."""

from ludotheque.games.yam_master.game import GAME

__all__ = ["GAME"]
