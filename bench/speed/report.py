"""What the figures mean: ratios to OpenSpiel and the goals that we have set ourselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.speed.measure import Measured


@dataclass(frozen=True)
class Ratio:
    """One of our figures over one of OpenSpiel's of the same run: whose they are, and what OpenSpiel's tells."""

    ours: str
    theirs: str
    what: str
    value: float

    @property
    def name(self) -> str:
        """For programs and goals."""
        return f"{self.ours} / {self.theirs}, {self.what}"


@dataclass(frozen=True)
class Goal:
    """A figure that we want: at least so much, or at most."""

    name: str
    subject: str
    what: str
    unit: str
    limit: float
    at_least: bool = True


GOALS: Final = (
    Goal("Yam Master, actions/s on one core", "yam-master", "random playouts", "actions/s", 5e6),
    Goal("Yam Master's exact turn policy, µs", "yam-master", "exact turn policy", "µs", 40, at_least=False),
    Goal(
        "Yam Master over OpenSpiel's yacht from Python, its dice not counted",
        "yam-master / OpenSpiel yacht",
        "the same, dice not counted",
        "×",
        100,
    ),
)


def find(measured: Sequence[Measured], subject: str, what: str, unit: str) -> Measured | None:
    """A row by its names, if it was measured."""
    wanted = (subject, what, unit)
    return next((one for one in measured if (one.row.subject, one.row.what, one.row.unit) == wanted), None)


def ratios(measured: Sequence[Measured]) -> list[Ratio]:
    """Each of our games over each of OpenSpiel's: actions a second, and simulations a second."""
    found: list[Ratio] = []
    for ours, theirs, unit in (
        ("random playouts", "rollouts from Python", "actions/s"),
        ("random playouts", "the same, dice not counted", "actions/s"),
        ("search", "search (C++)", "simulations/s"),
    ):
        own = [one for one in measured if one.row.what == ours and one.row.unit == unit]
        other = [one for one in measured if one.row.what == theirs and one.row.unit == unit]
        found += [
            Ratio(one.row.subject, peer.row.subject, theirs, one.median / peer.median) for one in own for peer in other
        ]
    return found


def goals_met(measured: Sequence[Measured]) -> list[tuple[Goal, float | None, bool | None]]:
    """Each goal with what was measured (the median), and whether it is met; nothing where it was not measured."""
    told: list[tuple[Goal, float | None, bool | None]] = []
    by_name = {ratio.name: ratio.value for ratio in ratios(measured)}
    for goal in GOALS:
        row = find(measured, goal.subject, goal.what, goal.unit)
        value = row.median if row else by_name.get(f"{goal.subject}, {goal.what}")
        met = None if value is None else value >= goal.limit if goal.at_least else value <= goal.limit
        told.append((goal, value, met))
    return told
