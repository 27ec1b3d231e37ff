"""What Wykersham's bots know: the last two turns exactly, and a tree search before them.

How the last turns are solved is in endgame.py; the search is the one that kernels have for every game.
"""

from collections.abc import Mapping
from functools import cache

from ludotheque.core import Position
from ludotheque.games.wykersham.endgame import Endgame, on_last_turn, on_last_turn_but_one
from ludotheque.games.wykersham.rules import ENDED, ROLLING
from ludotheque.kernels import DiscretePosition


@cache
def _endgame() -> Endgame:
    return Endgame()


def last_turn_value(position: Position) -> float | None:
    """The exact chance to win, draws counted half, of the player whose last turn is the last of the game.

    The turn may be before its roll or anywhere after it. None on every other turn.
    """
    assert isinstance(position, DiscretePosition)
    return _endgame().value(position.state) if on_last_turn(position.state) else None


def exact_values(position: Position) -> Mapping[str, float] | None:
    """The exact chance to win by each action of the player to move, in the game's last two turns; None before them.

    None too in the rare positions, one turn before the last, with so many ways to take that it would last too long.
    """
    assert isinstance(position, DiscretePosition)
    if not (on_last_turn(position.state) or on_last_turn_but_one(position.state)) or position.state.phase == ROLLING:
        return None
    player = int(position.state.player)
    values: dict[str, float] = {}
    for action in position.legal().actions:
        after = position.play(action).position
        assert isinstance(after, DiscretePosition)
        if after.state.phase == ENDED:
            values[action] = after.returns()[player]
            continue
        value = _endgame().value(after.state)
        if value is None:
            return None
        values[action] = value if after.state.player == player else 1 - value
    return values
