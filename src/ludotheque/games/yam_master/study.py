"""What a study of Yam Master counts in a match: placements, challenges, Predators, how it ended. Studies are in `analysis`."""

from collections import Counter
from collections.abc import Mapping

from ludotheque.core import Match
from ludotheque.games.yam_master.facts import FULL, KIND_NAMES

BRELAN = "Brelan"
COMBINATIONS = (BRELAN, *KIND_NAMES[FULL:])
ENDS = {"five": "ends by five in line", "draw": "ends in a draw", "wins": "ends by points"}


def count_facts(match: Match) -> Mapping[str, float]:
    """The numbers of one match that is over."""
    counts: Counter[str] = Counter()
    challenged = False
    for event in match.events():
        if event.what == "challenge":
            challenged = True
            counts["challenges announced"] += 1
        elif event.what in ("place", "take", "pass"):
            counts["rounds"] += 1
            counts["challenges fulfilled"] += challenged and event.what != "pass"
            challenged = False
            if event.what == "place":
                combination = str(event.facts["combination"])
                counts[f"placed on {BRELAN if combination.isdigit() else combination}"] += 1
            else:
                counts["Predators" if event.what == "take" else "passes"] += 1
        elif event.what in ENDS:
            counts[ENDS[event.what]] += 1
    names = ["challenges announced", "challenges fulfilled", "Predators", "passes"]
    names += [f"placed on {combination}" for combination in COMBINATIONS]
    facts = {"rounds": counts["rounds"] / match.players}
    facts |= {name: float(counts[name]) for name in [*names, *ENDS.values()]}
    view = match.position.view()
    points = view["points"]
    assert isinstance(points, list)
    return facts | {"points of the better": float(max(points)), "points of the other": float(min(points))}
