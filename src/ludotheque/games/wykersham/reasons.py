"""Why one way to play a turn of Wykersham is better than another: the marbles that it wins now, and what it lets the other win.

Who asks is the business of reviews and puzzles; how good turns are, player.py's.
"""

from collections.abc import Iterator, Sequence

from ludotheque.core import CHANCE, Event
from ludotheque.games.wykersham.turn import Room, collect_turn, new_room
from ludotheque.kernels import DiscretePosition


def why_better(position: DiscretePosition, better: Sequence[str], chosen: Sequence[str]) -> Iterator[Event]:
    """What speaks for one way to play a turn over another."""
    player = position.to_move
    assert isinstance(player, int)
    before = int(position.state.winnings[player])
    after, instead = _after(position, better), _after(position, chosen)
    won, otherwise = (int(one.state.winnings[player]) - before for one in (after, instead))
    if won > otherwise:
        yield Event("why-marbles", {"player": player, "count": won, "chosen": otherwise})
    if after.over or instead.over:
        return
    room, other = new_room(), 1 - player
    threats, more_threats = (rolls_that_win(one, other, room) for one in (after, instead))
    if threats < more_threats:
        yield Event("why-threats", {"other": other, "count": threats, "chosen": more_threats})


def _after(position: DiscretePosition, actions: Sequence[str]) -> DiscretePosition:
    for action in actions:
        after = position.play(action).position
        assert isinstance(after, DiscretePosition)
        position = after
    return position


def rolls_that_win(position: DiscretePosition, player: int, room: Room) -> int:
    """With how many of the 36 rolls a player who is about to roll can win marbles in that turn."""
    if position.to_move != CHANCE or int(position.state.player) != player:
        return 0
    legal = position.legal()
    held = int(position.state.winnings[player])
    winning = 0
    for roll, weight in zip(legal.actions, legal.weights, strict=True):
        rolled = position.play(roll).position
        assert isinstance(rolled, DiscretePosition)
        room.stack[0] = rolled.state
        ends = room.ends[: int(collect_turn(room, player, False))]
        winning += weight * bool((ends["winnings"][:, player] > held).any())
    return winning * 36 // sum(legal.weights)
