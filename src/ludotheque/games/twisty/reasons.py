"""Why one move in Twisty is better than another, for reviews and puzzles: the way still to go, and whose cube can be stolen next."""

from collections.abc import Iterator, Sequence

import numpy as np

from ludotheque.core import Event, Json
from ludotheque.games.twisty import turns
from ludotheque.games.twisty.facts import COLOUR_NAMES, GONE, MOVING
from ludotheque.games.twisty.player import prepared, shortest_race
from ludotheque.kernels import DiscretePosition


def why_better(position: DiscretePosition, better: Sequence[str], chosen: Sequence[str]) -> Iterator[Event]:
    """What speaks for one way to play a turn over another."""
    player = position.to_move
    assert isinstance(player, int)
    after, instead = position.after(better), position.after(chosen)
    if after.over:
        return
    others = [seat for seat in range(position.players) if seat != player]
    told = False
    for other in others:
        robbed = robbery(instead, other, player)
        if robbed is not None and robbery(after, other, player) is None:
            yield Event("why-safe", {"other": other, "player": player, "colour": robbed})
            told = True
    for other in others:
        threatened = robbery(after, player, other)
        if threatened is not None and robbery(instead, player, other) is None:
            yield Event("why-threatens", {"other": other, "player": player, "colour": threatened})
            told = True
    if instead.over:
        return
    ways: list[Event] = []  # of races that are as long: told where nothing else can be
    for seat in range(position.players):
        races = [shortest_race(one, seat) for one in (after, instead)]
        if races[0] is None or races[1] is None:
            continue
        own = 1 if seat == player else -1
        role = "player" if seat == player else "other"
        shorter, more = own * (races[1].turns - races[0].turns), own * (races[0].ways - races[1].ways)
        if shorter > 0:
            facts: dict[str, Json] = {"count": races[0].turns, "chosen": races[1].turns}
            yield Event("why-race" if seat == player else "why-slows", {role: seat, **facts})
            told = True
        elif shorter == 0 and more > 0:
            facts = {"count": races[0].ways, "chosen": races[1].ways}
            ways.append(Event("why-ways" if seat == player else "why-fewer-ways", {role: seat, **facts}))
    if not told:
        yield from ways


def robbery(position: DiscretePosition, thief: int, victim: int) -> str | None:
    """T11: the colour that one player could steal from another in a turn, chains of extra moves included, if it came now."""
    if position.over or GONE in (position.state.pawns[thief], position.state.pawns[victim]):
        return None
    state = prepared(position)
    state.player, state.phase, state.used_count = thief, MOVING, 0
    listed = np.zeros(turns.MOST_TURNS, np.int64)
    found = listed[: turns.list_turns(state, listed)].tolist()
    first = turns.ROBBING + 4 * victim
    if not any(first <= turn < first + 4 for turn in found):
        return None
    return COLOUR_NAMES[state.series[thief, state.collected[thief]]]
