"""The player that does any legal thing, each as likely: the floor that every other player is measured from."""

import random

from ludotheque.core import Decision, IllegalAction, Player, Position, check_asked


class RandomPlayer(Player):
    """Chooses blindly."""

    name = "random"

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """Any of the actions that can be listed; it needs no time."""
        del seconds
        check_asked(position)
        actions = position.legal().actions
        if not actions:
            raise IllegalAction("bots.nothing-to-choose")
        return Decision(random.Random(seed).choice(actions))  # noqa: S311 - a bot's choice, not fair dice
