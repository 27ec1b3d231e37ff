"""Yam Master: dice and alignments for two. rules.py has the rules, game.py the text, capabilities.py bots and studies."""

from ludotheque.games.yam_master.game import GAME

__all__ = ["GAME"]
