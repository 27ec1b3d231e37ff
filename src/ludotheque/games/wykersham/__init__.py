"""Wykersham: marbles on sliding rails for two. rules.py has the rules, game.py the text, capabilities.py bots and studies."""

from ludotheque.games.wykersham.game import GAME

__all__ = ["GAME"]
