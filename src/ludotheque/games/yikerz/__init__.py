"""Yikerz!: magnets on triangular mats. magnets/ has the physics, turn.py a turn, game.py the text, player.py the bots."""
