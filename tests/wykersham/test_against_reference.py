"""The kernels beside the plain second implementation: every state of many random games, with every combination of options."""

import os
import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from ludotheque.core import Match, Position
from ludotheque.games.wykersham import GAME
from ludotheque.kernels import JIT
from reference.wykersham import DEFAULT_OPTIONS, Reference, first_view

GAMES = int(os.environ.get("WYKERSHAM_GAMES", "12" if JIT else "1"))
"""Random games for each combination of options; a longer run sets it higher."""
OPTIONS = [
    dict(zip(DEFAULT_OPTIONS, values, strict=True)) for values in product((True, False), repeat=len(DEFAULT_OPTIONS))
]


def compare(position: Position, reference: Reference, path: list[str]) -> None:
    """Everything that both can tell about a position."""

    def where() -> str:
        return f"after {' '.join(path)}\n{position.picture()}"

    assert position.to_move == reference.to_move(), where()
    assert position.view() == reference.view(), where()
    legal = position.legal()
    assert sorted(legal.actions) == sorted(reference.legal()), where()
    if position.to_move == "chance":
        odds = dict(zip(reference.legal(), reference.odds(), strict=True))
        total = sum(legal.weights)
        assert {a: Fraction(w, total) for a, w in zip(legal.actions, legal.weights, strict=True)} == odds, where()
    expected = reference.returns()
    assert position.returns() == (() if expected is None else tuple(map(float, expected))), where()


def greedy(position: Position, dice: random.Random) -> str:
    """A random action, often one that leads to goals and to stacks: random play alone makes few."""
    actions = position.legal().actions
    if position.to_move == "chance" or dice.random() < 0.3:
        return dice.choice(actions)
    view: dict[str, Any] = dict(position.view())
    if view["phase"] == "slide":
        scoring = [action for action in actions if position.play(action).position.view()["phase"] == "goal"]
        return dice.choice(scoring or list(actions))
    if view["phase"] == "place":
        central = [action for action in actions if action[0] in "3n4"]
        return dice.choice(central or list(actions))
    return dice.choice(actions)


@pytest.mark.rules
@pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: "-".join(name for name, on in options.items() if on) or "none"
)
def test_no_difference_in_random_games(options: dict[str, bool]) -> None:
    met: set[str] = set()
    for seed in range(GAMES):
        dice = random.Random(seed)
        position = Match(GAME, options=options).position
        reference = Reference(first_view(2, options), options, 2)
        path: list[str] = []
        compare(position, reference, path)
        while not position.over:
            action = greedy(position, dice) if seed % 2 else dice.choice(position.legal().actions)
            step = position.play(action)
            reference.play(action)
            path.append(action)
            compare(step.position, reference, path)
            met |= {event.what for event in step.events}
            position = step.position
    if GAMES >= 10:  # the comparison is worth nothing if it never met what is rare
        wanted = {
            "double",
            "goal-vertical",
            "goal-falling",
            "goal-rising",
            "taken",
            "left-standing",
            "take",
            "left",
            "right",
            "stay",
        }
        assert wanted <= met
        assert ("give" in met) == (not options["shared_middle"])
