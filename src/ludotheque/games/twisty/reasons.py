"""Why one move in Twisty is better than another: the way still to go, and whose cube can be stolen next.

Who asks is the business of reviews and puzzles; how good moves are, player.py's.
"""

from collections.abc import Iterator, Sequence

from ludotheque.core import Event, Json
from ludotheque.games.twisty.player import shortest_race
from ludotheque.kernels import DiscretePosition


def why_better(position: DiscretePosition, better: Sequence[str], chosen: Sequence[str]) -> Iterator[Event]:
    """What speaks for one way to play a turn over another."""
    player = position.to_move
    assert isinstance(player, int)
    after, instead = _after(position, better), _after(position, chosen)
    if after.over:
        return
    safe, robbed = robbery(after, player), robbery(instead, player)
    if robbed is not None and safe is None:
        yield Event("why-safe", {"other": instead.to_move, "player": player, "colour": robbed})
    for seat in range(position.players):
        races = [shortest_race(one, seat) for one in (after, instead)]
        if instead.over or races[0] is None or races[1] is None:
            continue
        facts: dict[str, Json] = {"count": races[0].turns, "chosen": races[1].turns}
        if seat == player and races[0].turns < races[1].turns:
            yield Event("why-race", {"player": seat, **facts})
        elif seat != player and races[0].turns > races[1].turns:
            yield Event("why-slows", {"other": seat, **facts})


def _after(position: DiscretePosition, actions: Sequence[str]) -> DiscretePosition:
    for action in actions:
        after = position.play(action).position
        assert isinstance(after, DiscretePosition)
        position = after
    return position


def robbery(position: DiscretePosition, victim: int, seen: set[str] | None = None) -> str | None:
    """T11: the colour that whoever is to move can steal from a player in this turn, chains of extra moves included."""
    thief = position.to_move
    seen = set() if seen is None else seen
    if not isinstance(thief, int) or thief == victim:
        return None
    for action in position.legal().actions:
        if action in seen:  # a chain that comes there by another way leads no further
            continue
        seen.add(action)
        step = position.play(action)
        for event in step.events:
            if event.what == "steal" and event.facts["other"] == victim:
                return str(event.facts["colour"])
        after = step.position
        assert isinstance(after, DiscretePosition)
        if after.to_move == thief:
            found = robbery(after, victim, seen)
            if found is not None:
                return found
    return None
