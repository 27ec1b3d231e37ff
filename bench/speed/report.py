"""What the figures mean: ratios to OpenSpiel and the goals that we have set ourselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.speed.measure import Measured
from ludotheque.core import Text, literal, text

PLAYOUTS: Final = text("bench.playouts")
ROLLOUTS: Final = text("bench.rollouts")
WITHOUT_DICE: Final = text("bench.rollouts-without-dice")
SEARCH: Final = text("bench.search")
SEARCH_CPP: Final = text("bench.search-cpp")
ACTIONS: Final = text("bench.unit.actions")
SIMULATIONS_A_SECOND: Final = text("bench.unit.simulations")


@dataclass(frozen=True)
class Ratio:
    """One of our figures over one of OpenSpiel's of the same run: whose they are, and what OpenSpiel's tells."""

    ours: Text
    theirs: Text
    what: Text
    value: float

    def name(self, language: str = "en") -> str:
        """In English for programs, which identifies it."""
        return f"{self.ours} / {self.theirs}, {self.what.sentence(language)}"


@dataclass(frozen=True)
class Goal:
    """A figure that we want: at least so much, or at most. It is that of a game, or its ratio to one of OpenSpiel's."""

    name: Text
    subject: Text
    what: Text
    unit: Text | None
    limit: float
    at_least: bool = True
    over: Text | None = None
    """For a ratio: whose figure it is divided by."""


YAM_MASTER: Final = literal("yam-master")
GOALS: Final = (
    Goal(text("bench.goal.actions"), YAM_MASTER, PLAYOUTS, ACTIONS, 5e6),
    Goal(
        text("bench.goal.exact-turn"),
        YAM_MASTER,
        text("bench.exact-turn"),
        text("bench.unit.microseconds"),
        40,
        at_least=False,
    ),
    Goal(text("bench.goal.yacht"), YAM_MASTER, WITHOUT_DICE, None, 100, over=literal("OpenSpiel yacht")),
)


def ratios(measured: Sequence[Measured]) -> list[Ratio]:
    """Each of our games over each of OpenSpiel's: actions a second, and simulations a second."""
    found: list[Ratio] = []
    for ours, theirs, unit in (
        (PLAYOUTS, ROLLOUTS, ACTIONS),
        (PLAYOUTS, WITHOUT_DICE, ACTIONS),
        (SEARCH, SEARCH_CPP, SIMULATIONS_A_SECOND),
    ):
        own = [one for one in measured if (one.row.what, one.row.unit) == (ours, unit)]
        other = [one for one in measured if (one.row.what, one.row.unit) == (theirs, unit)]
        found += [
            Ratio(one.row.subject, peer.row.subject, theirs, one.median / peer.median) for one in own for peer in other
        ]
    return found


def goals_met(measured: Sequence[Measured]) -> list[tuple[Goal, float | None, bool | None]]:
    """Each goal with what was measured (the median), and whether it is met; None where it was not measured."""
    figures: dict[tuple[Text, Text | None, Text, Text | None], float] = {
        (one.row.subject, None, one.row.what, one.row.unit): one.median for one in measured
    }
    figures |= {(one.ours, one.theirs, one.what, None): one.value for one in ratios(measured)}
    told: list[tuple[Goal, float | None, bool | None]] = []
    for goal in GOALS:
        value = figures.get((goal.subject, goal.over, goal.what, goal.unit))
        met = None if value is None else value >= goal.limit if goal.at_least else value <= goal.limit
        told.append((goal, value, met))
    return told
