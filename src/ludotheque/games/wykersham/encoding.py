"""Wykersham for learning programs: the numbers of its actions, observations, and how a match is laid out.

Numbers of actions and of chance's outcomes are those of the rules (facts.py). Text, views and options are in game.py.
"""

from typing import Final

from ludotheque.games.wykersham.facts import (
    CUP,
    CUPS,
    GOAL,
    LINE_BIT,
    LINES,
    MARBLES,
    NO_DICE,
    RAILS,
    REACH,
    SLIDING,
    STARTS,
    TURNS,
)
from ludotheque.games.wykersham.game import ACTION_TEXTS
from ludotheque.games.wykersham.tables import DICE_COUNTS
from ludotheque.kernels import Random, State, rule, whole
from ludotheque.kernels.encoding import Feature, Observation, places_of

__all__ = ["ACTION_TEXTS"]

VERSION: Final = 1
NUM_OUTCOMES: Final = STARTS
FEATURES: Final = (
    Feature("own_cups", (RAILS, CUPS), 0, MARBLES, "marbles of this seat in each cup, rail by rail"),
    Feature("other_cups", (RAILS, CUPS), 0, MARBLES, "marbles of the other seat"),
    Feature("asked_cup", (RAILS, CUPS), 0, 1, "the cup out of which marbles are to be taken, if that is asked"),
    Feature("offsets", (RAILS,), -REACH, REACH, "how far each rail is slid; above 0 is to the right"),
    Feature("locked", (RAILS,), 0, 1, "rails that were slid this turn"),
    Feature("asked_rail", (RAILS,), 0, 1, "the rail that may slide now, if that is asked"),
    Feature(
        "goals", (3, LINES), 0, 1, "goals of the last slide: vertical, falling, rising; by column on the middle rail"
    ),
    Feature("taken", (3, LINES), 0, 1, "those of them that the player takes"),
    Feature("asked_goal", (3, LINES), 0, 1, "the goal that is asked about, if one is"),
    Feature("phase", (7,), 0, 1, "one of: who starts, the roll, place, slide, goal, cup, over"),
    Feature("dice", (6,), 0, 2, "how many dice of this turn show 1, 2, … 6"),
    Feature("lines", (LINES,), 0, 1, "lines into which the next marble may go, 1 2 3 n 4 5 6"),
    Feature("marbles", (1,), 0, 2, "marbles still to be played this turn"),
    Feature("direction", (1,), -1, 1, "the direction of this turn's first slide; 0 before it"),
    Feature("own_turn", (1,), 0, 1, "whether the turn is this seat's"),
    Feature("winnings", (2,), 0, 2 * MARBLES, "marbles won: this seat's, the other's"),
    Feature("turns_left", (2,), 0, TURNS, "turns still to be played: this seat's, the other's"),
    Feature("options", (4,), 0, 1, "same direction, shared middle, combined goals, forced goals"),
)
SIZE: Final = sum(feature.size for feature in FEATURES)
_PLACES: Final = places_of(FEATURES)
OTHER_CUPS: Final = _PLACES["other_cups"]
ASKED_CUP: Final = _PLACES["asked_cup"]
OFFSETS: Final = _PLACES["offsets"]
LOCKED: Final = _PLACES["locked"]
ASKED_RAIL: Final = _PLACES["asked_rail"]
GOALS: Final = _PLACES["goals"]
TAKEN: Final = _PLACES["taken"]
ASKED_GOAL: Final = _PLACES["asked_goal"]
PHASE: Final = _PLACES["phase"]
DICE: Final = _PLACES["dice"]
ALLOWED_LINES: Final = _PLACES["lines"]
SINGLES: Final = _PLACES["marbles"]
WINNINGS: Final = _PLACES["winnings"]
TURNS_LEFT: Final = _PLACES["turns_left"]
OPTIONS: Final = _PLACES["options"]


@rule
def observe(state: State, seat: int, out: Observation) -> None:
    """The position as a seat sees it."""
    for rail in range(RAILS):
        for cup in range(CUPS):
            out[rail * CUPS + cup] = state.cups[seat, rail, cup]
            out[OTHER_CUPS + rail * CUPS + cup] = state.cups[1 - seat, rail, cup]
    for place in range(ASKED_CUP, SIZE):
        out[place] = 0
    phase, asked = whole(state.phase), whole(state.asked)
    for rail in range(RAILS):
        out[OFFSETS + rail] = state.offsets[rail]
    for which in range(2):
        if state.slid[which] > 0:
            out[LOCKED + whole(state.slid[which]) - 1] = 1
    if phase == SLIDING:
        out[ASKED_RAIL + asked] = 1
    elif phase in (GOAL, CUP):
        for slope in range(3):
            goals, taken = whole(state.goals[slope]) >> LINE_BIT, whole(state.taken[slope]) >> LINE_BIT
            for line in range(LINES):
                out[GOALS + slope * LINES + line] = (goals >> line) & 1
                out[TAKEN + slope * LINES + line] = (taken >> line) & 1
        if phase == CUP:
            out[ASKED_CUP + asked] = 1
        else:
            out[ASKED_GOAL + (asked % 3) * LINES + asked // 3 - LINE_BIT] = 1
    out[PHASE + phase] = 1
    if state.dice != NO_DICE:
        for face in range(6):
            out[DICE + face] = DICE_COUNTS[whole(state.dice), face]
    lines = whole(state.lines)
    for line in range(LINES):
        out[ALLOWED_LINES + line] = (lines >> line) & 1
    out[SINGLES] = state.marbles
    out[SINGLES + 1] = state.direction
    out[SINGLES + 2] = 1 if state.player == seat else 0
    for which in range(2):
        player = seat if which == 0 else 1 - seat
        out[WINNINGS + which] = state.winnings[player]
        out[TURNS_LEFT + which] = TURNS - whole(state.turns[player])
    out[OPTIONS] = 1 if state.same_direction else 0
    out[OPTIONS + 1] = 1 if state.shared_middle else 0
    out[OPTIONS + 2] = 1 if state.combined_goals else 0
    out[OPTIONS + 3] = 1 if state.forced_goals else 0


@rule
def deal(_state: State, _random: Random, _by_lot: bool) -> None:
    """W3: an empty board. Who starts is chance's first outcome (W4)."""
