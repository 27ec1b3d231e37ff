"""Twisty: knights, cubes in order, and robbery, for two to four. rules.py has the rules, game.py the text, capabilities.py bots."""

from ludotheque.games.twisty.game import GAME

__all__ = ["GAME"]
