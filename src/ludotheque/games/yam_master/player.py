"""What Yam Master's bots know: the exact turn (turn.py). How a board is judged comes next."""

from ludotheque.games.yam_master.turn import ENDS, NEVER, Turn, turn_policy

__all__ = ["ENDS", "NEVER", "Turn", "turn_policy"]
