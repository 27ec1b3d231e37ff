"""Why one decision in Yam Master is better than another: what the dice may bring, and what the pawn opens or stops.

Reviews and puzzles ask for it; how good decisions are is worked out in `player`.
"""

from array import array
from collections.abc import Iterator, Mapping
from typing import Final

from ludotheque.core import Event, Json
from ludotheque.games.yam_master.facts import BOARD, CELLS, FIVE_GAIN, FREE, KIND_NAMES, LINES, PASS, PLACE, SIDE
from ludotheque.games.yam_master.player import end_values, odds
from ludotheque.kernels import DiscretePosition

TELLING: Final = 0.005  # of a win: what a difference in odds must be worth to be told
MOST_ODDS: Final = 2
ROLLS_ON: Final = ("keep", "defi")
LEAST_BLOCKED: Final = 2  # pawns in line: one more would bring a point


def why_better(position: DiscretePosition, better: str, chosen: str) -> list[Event]:
    """What speaks for one decision over another."""
    after_better, after_chosen = (_after(position, action) for action in (better, chosen))
    if better.startswith(ROLLS_ON):
        rolls_too = chosen.startswith(ROLLS_ON)
        return list(_about_dice(position, after_better, after_chosen if rolls_too else None))
    told = [] if after_better.over else list(_about_blocks(position, better, chosen))
    return told + list(_about_board(position.fields.player, after_better, after_chosen))


def _about_blocks(position: DiscretePosition, better: str, chosen: str) -> Iterator[Event]:
    """The longest of the opponent's lines that a pawn stops from growing, where the other choice leaves it open."""
    left_open = _blocked(position, better).keys() - _blocked(position, chosen).keys()
    lines = {line: pawns for line, pawns in _blocked(position, better).items() if line in left_open}
    if not lines:
        return
    cells = max(lines, key=lambda one: lines[one])
    step = cells[1] - cells[0]
    kind = {1: "row", SIDE: "column"}.get(step, "diagonal")
    yield Event(f"why-blocks-{kind}", {"other": 1 - position.fields.player, "count": lines[cells]})


def _blocked(position: DiscretePosition, action: str) -> dict[tuple[int, ...], int]:
    """M19: the lines in which a pawn would lie next to two and more of the opponent's in line, and how many these are."""
    word, _, where = action.partition(" ")
    if word != "place":
        return {}
    cell = (int(where[1]) - 1) * SIDE + int(where[3]) - 1
    board, other = position.fields.board, 1 - position.fields.player
    found: dict[tuple[int, ...], int] = {}
    for cells in LINES:
        if cell not in cells:
            continue
        place, pawns = cells.index(cell), 0
        for way in (reversed(cells[:place]), cells[place + 1 :]):
            for one in way:
                if board[one] != other:
                    break
                pawns += 1
        if pawns >= LEAST_BLOCKED:
            found[cells] = pawns
    return found


def _after(position: DiscretePosition, action: str) -> DiscretePosition:
    after = position.play(action).position
    assert isinstance(after, DiscretePosition)
    return after


def _about_dice(before: DiscretePosition, better: DiscretePosition, chosen: DiscretePosition | None) -> Iterator[Event]:
    """Which combinations come more often, of those that would help most."""
    values = end_values(before)
    passing = values[PASS]
    helps = {
        name: max((values[PLACE + cell] - passing for cell in _free(before, kind)), default=0.0)
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


def _free(position: DiscretePosition, kind: int) -> list[int]:
    board = position.fields.board
    return [cell for cell in range(CELLS) if BOARD[cell] == kind and board[cell] == FREE]


def _about_board(player: int, better: DiscretePosition, chosen: DiscretePosition) -> Iterator[Event]:
    """What the other player could do next, what oneself could do with one more pawn; else, where there is more room."""
    if better.over:
        return
    if chosen.over:  # M22: nobody could do anything any more
        points = [chosen.call("points", seat) for seat in (player, 1 - player)]
        yield Event("why-goes-on", {"player": player, "points": points[0], "against": points[1]})
        return
    told = False
    for what, seat, wanted in (("why-stops", 1 - player, -1), ("why-opens", player, 1)):
        role = "other" if seat != player else "player"
        with_it, without = prospects(better, seat), prospects(chosen, seat)
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
    if gain >= FIVE_GAIN:
        return Event(f"{what}-five", {**facts, "cell": name})
    return Event(what, {**facts, "cell": name, "count": gain})


def prospects(position: DiscretePosition, player: int) -> dict[int, int]:
    """M19 to M21: the cells where one more pawn of a player brings something: points, or five in line (FIVE_GAIN)."""
    gains = array("q", bytes(8 * CELLS))
    position.game.kernels.call("prospects", position.state_bytes, player, gains)
    return {cell: gain for cell, gain in enumerate(gains) if gain > 0}


def room(position: DiscretePosition, player: int) -> int:
    """How many rows of three cells a player may still fill in which a pawn of theirs stands already."""
    board = position.fields.board
    count = 0
    for cells in LINES:
        for first in range(len(cells) - 2):
            pawns = [board[cell] for cell in cells[first : first + 3]]
            count += player in pawns and 1 - player not in pawns
    return count
