"""Pig for learning programs: the numbers of its actions, and observations. Text, views and options are in game.py."""

from ludotheque.kernels import Random, State, below, rule, whole
from ludotheque.kernels.encoding import Feature, Observation

VERSION = 1
ACTION_TEXTS = ("hold", "roll")
NUM_OUTCOMES = 7  # the faces 1 to 6
FEATURES = (
    Feature("to_go", (2,), 0, 100, "points to the goal in hundredths of it: this seat's, the other's"),
    Feature("turn", (1,), 0, 100, "points of this turn in hundredths of the goal, at most the whole"),
    Feature("own_turn", (1,), 0, 1, "whether the turn is this seat's"),
    Feature("rolling", (1,), 0, 1, "whether the die is in the air"),
)


@rule
def observe(state: State, seat: int, out: Observation) -> None:
    """The position as a seat sees it."""
    goal = whole(state.goal)
    for which in range(2):
        player = seat if which == 0 else 1 - seat
        out[which] = max(0, goal - whole(state.banked[player])) * 100 // goal
    out[2] = min(goal, whole(state.turn)) * 100 // goal
    out[3] = 1 if state.player == seat else 0
    out[4] = 1 if state.rolling else 0


@rule
def deal(state: State, random: Random, by_lot: bool) -> None:
    """Who starts is drawn; Pig has no option that names them."""
    state.player = below(random, 2)
