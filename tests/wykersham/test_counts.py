"""Exact counts: how many ways the game can go on for some actions. The noted ones were counted by the plain implementation.

`count_plainly` counts the small ones again every time; the largest would take it minutes.
"""

from typing import Any

import numpy as np
import pytest

from ludotheque.games.wykersham import GAME
from ludotheque.kernels import JIT, OVER, State
from reference.wykersham import Reference, first_view
from wykersham.board import turn_view

RICH = """
. . . . r2 . r . r g . . . . .
. . . g . r r2 r . . g . . . .
. . . . . g r3g r . . . . . . .
. . . . . r r r2 . g . . . . .
. . . r . r2 . r . . g . . . .
"""
"""Three red goals are one slide away, with stacks on them; green stands in between."""

CLOSED = "\n".join(["g . g . r . g"] * 5)
"""Red finds no cup in lines 1, 3 and 6 where the middle is not shared."""

LAST = {**turn_view(RICH, offsets=(0, 0, 0, 0, -1), turns=14), "turns": [14, 15], "winnings": [8, 23]}
SLID = (0, 0, 0, 0, -1)
ONE_BY_ONE = {"combined_goals": False}
POSITIONS: dict[str, tuple[dict[str, Any], dict[str, bool], list[int]]] = {
    "start": (first_view(2, {}), {}, [30, 630, 6300, 22320]),
    "rich": (turn_view(RICH, offsets=SLID), {}, [21, 186, 648, 3160, 24888, 165033]),
    "forced": (
        turn_view(RICH, offsets=SLID),
        {"same_direction": False, "forced_goals": True},
        [21, 186, 576, 2700, 20538],
    ),
    "last turn": (LAST, {}, [21, 186, 648, 2152, 3864, 3897]),
    "rich, one by one": (turn_view(RICH, offsets=SLID), ONE_BY_ONE, [21, 186, 648, 3160, 24728, 161369]),
    "forced, one by one": (
        turn_view(RICH, offsets=SLID),
        {"same_direction": False, "forced_goals": True, **ONE_BY_ONE},
        [21, 186, 576, 2700, 20378],
    ),
    "closed": (turn_view(CLOSED), {"shared_middle": False}, [21, 123, 390, 1782, 16236]),
    "last turn, one by one": (LAST, ONE_BY_ONE, [21, 186, 648, 2152, 3704, 3971]),
}


def count_plainly(game: Reference, options: dict[str, bool], depth: int) -> int:
    """By the plain implementation."""
    actions = game.legal()
    if depth == 1 or not actions:
        return len(actions)
    total = 0
    for action in actions:
        after = Reference(game.view(), options, 2)
        after.play(action)
        total += count_plainly(after, options, depth - 1)
    return total


def count(state: State, depth: int) -> int:
    """By the kernels."""
    kernels = GAME.rules.compiled
    if kernels.to_move(state) == OVER:
        return 0
    actions = np.zeros(GAME.rules.most_actions, np.int32)
    number = kernels.legal(state, actions)
    if depth == 1:
        return number
    total = 0
    for action in actions[:number].tolist():
        after = GAME.rules.copy(state)
        kernels.play(after, action)
        total += count(after, depth - 1)
    return total


@pytest.mark.rules
@pytest.mark.parametrize("name", POSITIONS)
def test_as_many_ways_to_go_on_as_counted_plainly(name: str) -> None:
    view, options, noted = POSITIONS[name]
    state = GAME.from_view(view, 2, GAME.read_options(options)).state
    depths = len(noted) if JIT else 3
    assert [count(state, depth) for depth in range(1, depths + 1)] == noted[:depths]
    assert [count_plainly(Reference(view, options, 2), options, depth) for depth in range(1, 4)] == noted[:3]
