"""Why one way to play a turn of Wykersham is better than another: the marbles that it wins now or later, what it lets the other win,
and the lines that it bars.

Reviews and puzzles ask for it; how good turns are is worked out in `player`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludotheque.core import CHANCE, Event
from ludotheque.games.wykersham.facts import LINE_BIT, LINES, MIDDLE, RAILS, SLOPES, TURNS
from ludotheque.games.wykersham.turn import TurnEnds, list_ends, new_turn_ends
from ludotheque.kernels import DiscretePosition, State


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
    own, otherwise_own = (prospects(one, player, turn) for one in (after, instead))
    waits = won < otherwise < own.most
    if waits:
        yield Event("why-wait", {"player": player, "count": own.most, "chosen": otherwise})
    theirs, otherwise_theirs = (prospects(one, other, turn) for one in (after, instead))
    if theirs.rolls < otherwise_theirs.rolls:
        yield Event("why-threats", {"other": other, "count": theirs.rolls, "chosen": otherwise_theirs.rolls})
    elif theirs.most < otherwise_theirs.most:
        yield Event("why-fewer", {"other": other, "count": theirs.most, "chosen": otherwise_theirs.most})
    yield from _why_barred(after, instead, player, len(_on_middle(chosen)) > len(_on_middle(better)))
    if own.rolls > otherwise_own.rolls:
        yield Event("why-prospects", {"player": player, "count": own.rolls, "chosen": otherwise_own.rolls})
    elif own.most > otherwise_own.most and not waits:
        what = "why-stacks" if own.most > RAILS else "why-more"
        yield Event(what, {"player": player, "count": own.most, "chosen": otherwise_own.most})


def _why_barred(
    after: DiscretePosition, instead: DiscretePosition, player: int, middle_instead: bool
) -> Iterator[Event]:
    """Whose marbles stand in more of the other's lines; a marble on a shared middle rail stands in nobody's way (W7)."""
    other = 1 - player
    if after.state.turns[other] >= TURNS:
        return
    barred, otherwise = (barred_lines(one.state, player) for one in (after, instead))
    if barred > otherwise:
        yield Event("why-bars", {"player": player, "other": other, "count": barred, "chosen": otherwise})
        if middle_instead and after.state.shared_middle:
            yield Event("why-middle", {"other": other})


def _on_middle(actions: Sequence[str]) -> list[str]:
    """The marbles that go on the middle rail."""
    return [action for action in actions if action.endswith(f"@{MIDDLE + 1}")]


def barred_lines(state: State, player: int) -> int:
    """W6, W7, W13: in how many of the 21 lines across the board a player's marbles keep the other out of a cup, as the rails stand."""
    rails = [rail for rail in range(RAILS) if rail != MIDDLE or not state.shared_middle]
    return sum(
        any(int(state.filled[player, rail]) >> (LINE_BIT + line + slope * (rail - MIDDLE)) & 1 for rail in rails)
        for slope in SLOPES
        for line in range(LINES)
    )


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
