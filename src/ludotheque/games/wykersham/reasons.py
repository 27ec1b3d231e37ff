"""Why one way to play a turn of Wykersham is better than another: the marbles that it wins now, and what it lets the other win.

Reviews and puzzles ask for it; how good turns are is worked out in `player`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludotheque.core import CHANCE, Event
from ludotheque.games.wykersham.facts import TURNS
from ludotheque.games.wykersham.turn import TurnEnds, list_ends, new_turn_ends
from ludotheque.kernels import DiscretePosition


class Prospects(NamedTuple):
    """With how many of the 36 rolls a player can win marbles in a turn, and how many at most."""

    rolls: int
    most: int


def why_better(position: DiscretePosition, better: Sequence[str], chosen: Sequence[str]) -> Iterator[Event]:
    """What speaks for one way to play a turn over another."""
    player = position.to_move
    assert isinstance(player, int)
    before = int(position.state.winnings[player])
    after, instead = position.after(better), position.after(chosen)
    won, otherwise = (int(one.state.winnings[player]) - before for one in (after, instead))
    if won > otherwise:
        yield Event("why-marbles", {"player": player, "count": won, "chosen": otherwise})
    if after.over or instead.over:
        return
    turn, other = new_turn_ends(), 1 - player
    theirs, otherwise_theirs = (prospects(one, other, turn) for one in (after, instead))
    if theirs.rolls < otherwise_theirs.rolls:
        yield Event("why-threats", {"other": other, "count": theirs.rolls, "chosen": otherwise_theirs.rolls})
    elif theirs.most < otherwise_theirs.most:
        yield Event("why-fewer", {"other": other, "count": theirs.most, "chosen": otherwise_theirs.most})
    own, otherwise_own = (prospects(one, player, turn) for one in (after, instead))
    if own.rolls > otherwise_own.rolls:
        yield Event("why-prospects", {"player": player, "count": own.rolls, "chosen": otherwise_own.rolls})
    elif own.most > otherwise_own.most:
        yield Event("why-more", {"player": player, "count": own.most, "chosen": otherwise_own.most})


def prospects(position: DiscretePosition, player: int, turn: TurnEnds) -> Prospects:
    """What a player could win with the next roll if the board stays as it is between two turns; nothing where no turn is left."""
    state, game_rules = position.state, position.game.rules
    if position.to_move != CHANCE or state.turns[player] >= TURNS:
        return Prospects(0, 0)
    legal = position.legal()
    held = int(state.winnings[player])
    winning, most = 0, 0
    for roll, weight in zip(position.numbers().tolist(), legal.weights, strict=True):
        rolled = game_rules.copy(state)
        rolled.player = player
        game_rules.current.play(rolled, roll)
        turn.path[0] = rolled
        ends = turn.ends[: int(list_ends(turn, player, False))]
        won = int(ends["winnings"][:, player].max()) - held
        winning, most = winning + weight * (won > 0), max(most, won)
    return Prospects(winning * 36 // sum(legal.weights), most)
