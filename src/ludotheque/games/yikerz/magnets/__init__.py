"""The physics of Yikerz!: shapes, mats, field, bodies and the hand (Y1, Y2, Y6, Y7, Y19, Y20).

Rules, turns and scores are in the game's own modules.
"""
