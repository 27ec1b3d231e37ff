"""What a study of Wykersham counts in a match: dice, slides, goals, marbles. Studies are in `analysis`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from ludotheque.core import Event, Json
from ludotheque.games.wykersham.views import COLOURS, SLOPE_NAMES

FACTS: Final = (
    "doubles",
    "splits",
    "marbles in n",
    "slides left",
    "slides right",
    "stays",
    "gives",
    "goals vertical",
    "goals falling",
    "goals rising",
    "goals",
    "goals taken",
    "goals left",
    "slides with a goal",
    "slides with several goals",
    "partial takings",
    "marbles taken",
    "most marbles by one slide",
    "marbles won a goal",
    "marbles won by red",
    "marbles won by green",
)
"""What is counted in every match, in this order."""


def count_facts(events: Sequence[Event]) -> Mapping[str, float]:
    """The counts of FACTS, from the events of a match."""
    counts: Counter[str] = Counter()
    names = {"double": "doubles", "left": "slides left", "right": "slides right", "stay": "stays", "give": "gives"}
    names |= {f"{told}-{slope}": f"goals {slope}" for slope in SLOPE_NAMES for told in ("goal", "line")}
    names |= {"taken": "goals taken", "left-standing": "goals left"}
    goals = brought = partial = 0  # of the last slide
    lines: list[Json] = []  # of the turn's marbles
    double = False

    def settle() -> None:
        """What the last slide brought."""
        counts["slides with a goal"] += goals > 0
        counts["slides with several goals"] += goals > 1
        counts["partial takings"] += partial > 0
        counts["most marbles by one slide"] = max(counts["most marbles by one slide"], brought)

    for event in events:
        counts[names.get(event.what, event.what)] += 1
        if event.what in ("roll", "double", "place", "give"):
            settle()
            goals = brought = partial = 0
        if event.what in ("roll", "double"):
            lines, double = [], event.what == "double"
        elif event.what == "place":
            lines.append(event.facts["line"])
            counts["marbles in n"] += event.facts["line"] == "n"
            counts["splits"] += double and len(set(lines)) == 2
        elif event.what.startswith(("goal-", "line-")):
            goals += 1
        elif event.what in ("combination-taken", "combination-left"):  # every line of it is a goal here
            number = event.facts["count"]
            assert isinstance(number, int)
            counts["goals taken" if event.what == "combination-taken" else "goals left"] += number
        elif event.what == "take":
            number, rest, player = (event.facts[name] for name in ("count", "rest", "player"))
            assert isinstance(number, int)
            brought += number
            partial += bool(rest)
            counts["marbles taken"] += number
            counts[f"marbles won by {COLOURS[player == 1]}"] += number
        if event.what == "give":
            counts[f"marbles won by {COLOURS[event.facts['other'] == 1]}"] += 1
    settle()
    facts = {name: float(counts[name]) for name in FACTS}
    facts["goals"] = sum(facts[f"goals {slope}"] for slope in SLOPE_NAMES)
    facts["marbles won a goal"] = facts["marbles taken"] / facts["goals taken"] if facts["goals taken"] else 0.0
    return facts
