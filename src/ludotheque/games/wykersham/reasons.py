"""Why one way to play a turn of Wykersham is better than another: the marbles that it wins now or later, what it lets the other win,
and the lines that it bars.

Reviews and puzzles ask for it; how good turns are is worked out in `player`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludotheque.core import CHANCE, Event
from ludotheque.games.wykersham.facts import LINE_BIT, LINES, MIDDLE, RAILS, SLOPES, TURNS
from ludotheque.kernels import DiscretePosition
from ludotheque.kernels.signatures import Kernels, Room


class Prospects(NamedTuple):
    """With how many of the 36 rolls a player can win marbles in a turn, and how many at most."""

    rolls: int
    most: int


def why_better(position: DiscretePosition, better: Sequence[str], chosen: Sequence[str]) -> Iterator[Event]:
    """What speaks for one way to play a turn over another."""
    player = position.to_move
    assert isinstance(player, int)
    before = position.fields.winnings[player]
    after, instead = position.after(better), position.after(chosen)
    won, otherwise = (one.fields.winnings[player] - before for one in (after, instead))
    if won > otherwise:
        yield Event("why-marbles", {"player": player, "count": won, "chosen": otherwise})
    if after.over or instead.over:
        return
    room, other = room_for_turns(position.game.kernels), 1 - player
    own, otherwise_own = (prospects(one, player, room) for one in (after, instead))
    waits = won < otherwise < own.most
    if waits:
        yield Event("why-wait", {"player": player, "count": own.most, "chosen": otherwise})
    theirs, otherwise_theirs = (prospects(one, other, room) for one in (after, instead))
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
    if after.fields.turns[other] >= TURNS:
        return
    barred, otherwise = (barred_lines(one, player) for one in (after, instead))
    if barred > otherwise:
        yield Event("why-bars", {"player": player, "other": other, "count": barred, "chosen": otherwise})
        if middle_instead and after.fields.shared_middle:
            yield Event("why-middle", {"other": other})


def _on_middle(actions: Sequence[str]) -> list[str]:
    """The marbles that go on the middle rail."""
    return [action for action in actions if action.endswith(f"@{MIDDLE + 1}")]


def barred_lines(position: DiscretePosition, player: int) -> int:
    """W6, W7, W13: in how many of the 21 lines across the board a player's marbles keep the other out of a cup, as the rails stand."""
    fields = position.fields
    filled = fields.filled[player * RAILS : (player + 1) * RAILS]
    rails = [rail for rail in range(RAILS) if rail != MIDDLE or not fields.shared_middle]
    return sum(
        any(filled[rail] >> (LINE_BIT + line + slope * (rail - MIDDLE)) & 1 for rail in rails)
        for slope in SLOPES
        for line in range(LINES)
    )


def room_for_turns(kernels: Kernels) -> Room:
    """Memory for `prospects` to enumerate turns in."""
    return kernels.room(kernels.call("turn_size"))


def prospects(position: DiscretePosition, player: int, room: Room) -> Prospects:
    """What a player could win with the next roll if the board stays as it is between two turns; nothing where no turn is left."""
    if position.to_move != CHANCE:
        return Prospects(0, 0)
    return Prospects(*position.game.kernels.call("prospects", room, position.state_bytes, player))
