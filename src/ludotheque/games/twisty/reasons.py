"""Why one move in Twisty is better than another, for reviews and puzzles: the way still to go, and whose cube can be stolen next."""

from collections.abc import Iterator, Sequence

from ludotheque.core import Event, Json
from ludotheque.games.twisty.facts import COLOUR_NAMES, COLOURS, GONE
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
    fields = position.fields
    if position.over or GONE in (fields.pawns[thief], fields.pawns[victim]):
        return None
    if not position.game.kernels.call("can_rob_in_a_turn", prepared(position), thief, victim):
        return None
    return COLOUR_NAMES[fields.series[thief * COLOURS + fields.collected[thief]]]
