"""Pig: a third party's game in one package."""

from ludotheque_pig.game import GAME

__all__ = ["GAME"]
