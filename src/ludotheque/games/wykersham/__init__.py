"""Wykersham: marbles on sliding rails for two. rules.py has the rules, game.py the text, player.py what its bots know."""

from ludotheque.games.wykersham.game import GAME

__all__ = ["GAME"]
