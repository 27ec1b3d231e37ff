"""Yikerz!: magnets on triangular mats. magnets/ has the physics, turn.py a turn, rules.py the rules around it, player.py the bots."""

from ludotheque.games.yikerz.game import GAME

__all__ = ["GAME"]
