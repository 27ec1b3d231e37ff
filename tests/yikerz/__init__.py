"""Tests of Yikerz!: the physics, the hand, the rules and the players."""
