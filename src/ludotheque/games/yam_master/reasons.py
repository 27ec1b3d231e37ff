"""Why one decision in Yam Master is better than another: what the dice may bring, and what the pawn opens or stops.

Reviews and puzzles ask for it; how good decisions are is worked out in `player`.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from ludotheque.core import Event, Json
from ludotheque.games.yam_master.facts import CELLS, FREE, KIND_NAMES, PASS, PLACE, SIDE
from ludotheque.games.yam_master.player import odds, solved_turn
from ludotheque.games.yam_master.tables import BOARD, LINES
from ludotheque.kernels import DiscretePosition, Rules, State

FIVE: Final = 100  # "points" of the line that wins at once
TELLING: Final = 0.005  # of a win: what a difference in odds must be worth to be told
MOST_ODDS: Final = 2
ROLLS_ON: Final = ("keep", "defi")


def why_better(position: DiscretePosition, better: str, chosen: str) -> list[Event]:
    """What speaks for one decision over another."""
    after_better, after_chosen = (_after(position, action) for action in (better, chosen))
    if better.startswith(ROLLS_ON):
        rolls_too = chosen.startswith(ROLLS_ON)
        return list(_about_dice(position.state, after_better, after_chosen if rolls_too else None))
    return list(_about_board(position.game.rules, int(position.state.player), after_better, after_chosen))


def _after(position: DiscretePosition, action: str) -> State:
    after = position.play(action).position
    assert isinstance(after, DiscretePosition)
    return after.state


def _about_dice(before: State, better: State, chosen: State | None) -> Iterator[Event]:
    """Which combinations come more often, of those that would help most."""
    values = solved_turn(before).end_values
    passing = float(values[PASS])
    helps = {
        name: max((float(values[PLACE + cell]) - passing for cell in _free(before, kind)), default=0.0)
        for kind, name in enumerate(KIND_NAMES)
    }
    likely: Mapping[str, float] = odds(better)
    without: Mapping[str, float] = {} if chosen is None else odds(chosen)
    worth = {name: (chance - without.get(name, 0.0)) * helps[name] for name, chance in likely.items()}
    for name in sorted(worth, key=lambda name: -worth[name])[:MOST_ODDS]:
        if worth[name] < TELLING:
            return
        facts: dict[str, Json] = {"combination": spoken(name), "better": round(100 * likely[name])}
        if chosen is not None:
            yield Event("why-odds", {**facts, "chosen": round(100 * without.get(name, 0.0))})
        else:
            yield Event("why-chance", facts)


def spoken(name: str) -> str:
    """What a combination is called in a sentence: a Brelan by its three dice."""
    return "-".join(3 * name) if name.isdigit() else name


def _free(state: State, kind: int) -> list[int]:
    return [cell for cell in range(CELLS) if BOARD[cell] == kind and state.board[cell] == FREE]


def _about_board(rules: Rules, player: int, better: State, chosen: State) -> Iterator[Event]:
    """What the other player could do next, what oneself could do with one more pawn; else, where there is more room."""
    if better.over:
        return
    if chosen.over:  # M22: nobody could do anything any more
        points = [int(rules.current.module.points(chosen, seat)) for seat in (player, 1 - player)]
        yield Event("why-goes-on", {"player": player, "points": points[0], "against": points[1]})
        return
    told = False
    for what, seat, wanted in (("why-stops", 1 - player, -1), ("why-opens", player, 1)):
        role = "other" if seat != player else "player"
        with_it, without = prospects(rules, better, seat), prospects(rules, chosen, seat)
        most = [max(gains.values(), default=0) for gains in (with_it, without)]
        if wanted * (most[0] - most[1]) > 0:
            gains = with_it if wanted > 0 else without
            cell = max(gains, key=lambda one: gains[one])
            yield _told(what, cell, gains[cell], {role: seat})
        elif wanted * (len(with_it) - len(without)) > 0:
            yield Event(f"{what}-cells", {role: seat, "count": len(with_it), "chosen": len(without)})
        else:
            continue
        told = True
    if not told:
        own, others = (room(better, seat) - room(chosen, seat) for seat in (player, 1 - player))
        if own > 0 and own >= -others:
            yield Event("why-room", {"player": player, "count": own})
        elif others < 0:
            yield Event("why-takes-room", {"other": 1 - player, "count": -others})


def _told(what: str, cell: int, gain: int, facts: dict[str, Json]) -> Event:
    name: Json = f"r{cell // SIDE + 1}c{cell % SIDE + 1}"
    if gain >= FIVE:
        return Event(f"{what}-five", {**facts, "cell": name})
    return Event(what, {**facts, "cell": name, "count": gain})


def prospects(rules: Rules, state: State, player: int) -> dict[int, int]:
    """M19 to M21: the cells where one more pawn of a player brings something: points, or five in line."""
    found: dict[int, int] = {}
    module = rules.current.module
    now = int(module.points(state, player))
    for cell in range(CELLS):
        if state.board[cell] == FREE:
            state.board[cell] = player
            gain = FIVE if module.five_in_line(state, player) else int(module.points(state, player)) - now
            state.board[cell] = FREE
            if gain > 0:
                found[cell] = gain
    return found


def room(state: State, player: int) -> int:
    """How many rows of three cells a player may still fill in which a pawn of theirs stands already."""
    count = 0
    for line in LINES.tolist():
        cells = [cell for cell in line if cell >= 0]
        for first in range(len(cells) - 2):
            pawns = [int(state.board[cell]) for cell in cells[first : first + 3]]
            count += player in pawns and 1 - player not in pawns
    return count
