"""What a study of Twisty counts in a match: robberies, chains, shields, and which corner wins."""

from collections.abc import Mapping, Sequence

from ludotheque.core import Match
from ludotheque.games.twisty.facts import COLOURS
from ludotheque.kernels import DiscretePosition

OPPOSITE = {"a1": "g7", "g7": "a1", "g1": "a7", "a7": "g1"}
COUNTED = {"steal": "robberies", "step": "extra steps", "portal": "portals", "shield": "shields", "pass": "passes"}


def count_facts(match: Match) -> Mapping[str, float]:
    """The numbers of one match that is over."""
    counts = dict.fromkeys([*COUNTED.values(), "cubes protected"], 0)
    longest = chain = complete = 0
    on_the_centre = False
    corners: dict[int, str] = {}
    before = match.first
    for _, step in match.steps():
        assert isinstance(before, DiscretePosition)
        for event in step.events:
            if event.what in COUNTED:
                counts[COUNTED[event.what]] += 1
            if event.what == "corner":
                corners[int(str(event.facts["player"]))] = str(event.facts["square"])
            elif event.what == "move":
                chain = 0
            elif event.what in ("step", "portal"):
                chain += 1
                longest = max(longest, chain)
            elif event.what == "shield":
                counts["cubes protected"] += len(str(event.facts["colours"]).split(", "))
            elif event.what == "centre":
                on_the_centre = True
            elif event.what == "steal":
                complete += int(before.state.collected[event.facts["other"]]) == COLOURS
        before = step.position
    assert isinstance(before, DiscretePosition)
    end = before.state
    losers = [int(end.collected[seat]) for seat in range(match.players) if seat != end.winner]
    facts = {"rounds": float(end.this_round), **{name: float(count) for name, count in counts.items()}}
    facts |= {
        "longest chain of extra moves": float(longest),
        "robberies of a complete series": float(complete),
        "cubes of those who did not win": sum(losers) / len(losers),
        "won on the centre": float(on_the_centre),
    }
    return {**facts, **_points_by_corner(corners, match.position.returns())}


def _points_by_corner(corners: Mapping[int, str], points: Sequence[float]) -> Mapping[str, float]:
    """Points by corner; with two players also by whether they began opposite each other. `corners` is in the order of choosing."""
    facts = {f"points from {corner}": points[seat] for seat, corner in sorted(corners.items(), key=lambda one: one[1])}
    if len(corners) == len(points) == 2:
        first, second = corners
        opposite = OPPOSITE[corners[first]] == corners[second]
        facts["second begins opposite"] = float(opposite)
        facts["points of the starter, opposite" if opposite else "points of the starter, on one side"] = points[first]
    return facts
