"""The text protocol: one JSON object a line in, one out. What the requests mean to a game is the game's business."""

from ludotheque.engine.engine import LONGEST_LINE, LONGEST_THOUGHT, PROTOCOL, Engine
from ludotheque.engine.process import serve

__all__ = ["LONGEST_LINE", "LONGEST_THOUGHT", "PROTOCOL", "Engine", "serve"]
