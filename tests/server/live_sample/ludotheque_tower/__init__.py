"""A game whose turns stream, for the server's tests: each player lifts a hand in turn, the higher one wins."""

from ludotheque_tower.game import GAME

__all__ = ["GAME"]
