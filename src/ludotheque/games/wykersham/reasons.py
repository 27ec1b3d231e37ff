"""Why one way to play a turn of Wykersham is better than another: the marbles that it wins now.

Who asks is the business of reviews and puzzles; how good turns are, player.py's.
"""

from collections.abc import Iterator, Sequence

from ludotheque.core import Event
from ludotheque.kernels import DiscretePosition


def why_better(position: DiscretePosition, better: Sequence[str], chosen: Sequence[str]) -> Iterator[Event]:
    """What speaks for one way to play a turn over another."""
    player = position.to_move
    assert isinstance(player, int)
    won, instead = (_won(position, actions, player) for actions in (better, chosen))
    if won > instead:
        yield Event("why-marbles", {"player": player, "count": won, "chosen": instead})
    elif won < instead:
        yield Event("why-patience", {"player": player, "count": instead - won})


def _won(position: DiscretePosition, actions: Sequence[str], player: int) -> int:
    """W18: the marbles that a player wins in the rest of the turn."""
    before = int(position.state.winnings[player])
    for action in actions:
        after = position.play(action).position
        assert isinstance(after, DiscretePosition)
        position = after
    return int(position.state.winnings[player]) - before
