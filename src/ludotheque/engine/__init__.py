"""The text protocol of docs/protocol.md: one JSON object a line in, one out."""

from ludotheque.engine.engine import LONGEST_LINE, LONGEST_THOUGHT, PROTOCOL, Engine
from ludotheque.engine.process import serve

__all__ = ["LONGEST_LINE", "LONGEST_THOUGHT", "PROTOCOL", "Engine", "serve"]
