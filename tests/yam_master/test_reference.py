"""Yam Master's kernels against the plain second implementation, state by state, and exact counts of positions."""

import os
import random
from fractions import Fraction

import pytest

from ludotheque.core import Position, find_game
from ludotheque.kernels import JIT
from reference.yam_master import DEFAULT_OPTIONS, Reference, first_view

GAME = find_game("yam-master")
GAMES = int(os.environ.get("LUDOTHEQUE_GAMES", "40" if JIT else "2"))


def compare(position: Position, reference: Reference) -> None:
    assert position.view() == reference.view(), position.picture()
    mover = position.to_move
    assert mover == reference.to_move(), position.picture()
    legal = position.legal()
    assert len(set(legal.actions)) == len(legal.actions)
    assert sorted(legal.actions) == sorted(reference.legal()), position.picture()
    if mover == "chance":
        total = sum(legal.weights)
        odds = {action: Fraction(weight, total) for action, weight in zip(legal.actions, legal.weights, strict=True)}
        assert odds == dict(zip(reference.legal(), reference.odds(), strict=True))
    returns = reference.returns()
    assert list(position.returns()) == ([] if returns is None else [float(share) for share in returns])


@pytest.mark.rules
@pytest.mark.parametrize("max_turns", [100, 7])
def test_kernels_and_reference_agree_in_random_games(max_turns: int) -> None:
    options = {**DEFAULT_OPTIONS, "max_turns": max_turns}
    chooser = random.Random(max_turns)
    for number in range(GAMES):
        view = first_view(2, options, number % 2)
        position = GAME.from_view(view, 2, GAME.read_options(options))
        reference = Reference(view, options, 2)
        while not position.over:
            compare(position, reference)
            action = lively(chooser, position)
            position = position.play(action).position
            reference.play(action)
        compare(position, reference)


def lively(chooser: random.Random, position: Position) -> str:
    """A random action, but one that more often makes something happen than plain chance would."""
    legal = position.legal()
    if legal.weights:
        yams = [action for action in legal.actions if len(set(action)) == 1]
        return chooser.choice(yams) if yams and chooser.random() < 0.15 else chooser.choice(legal.actions)
    special = [action for action in legal.actions if action.startswith(("place", "take"))]
    return chooser.choice(special if special and chooser.random() < 0.6 else legal.actions)


def count(position: Position, depth: int) -> int:
    """How many ways there are to play that many actions; chance's outcomes are actions."""
    if depth == 0 or position.over:
        return 1
    return sum(count(position.play(action).position, depth - 1) for action in position.legal().actions)


def count_by_reference(view: dict[str, object], depth: int) -> int:
    reference = Reference(view, DEFAULT_OPTIONS, 2)
    if depth == 0 or reference.to_move() is None:
        return 1
    total = 0
    for action in reference.legal():
        child = Reference(view, DEFAULT_OPTIONS, 2)
        child.play(action)
        total += count_by_reference(child.view(), depth - 1)
    return total


def test_exact_counts_of_positions() -> None:
    view = first_view(2, DEFAULT_OPTIONS, 0)
    position = GAME.from_view(view, 2, GAME.read_options())
    # by hand: 252 rolls; then a keep and a challenge for each smaller part of the dice (4368 pairs of a roll and a part of
    # it in all, 252 of them whole, are 4116 and so 8232 with the challenge), a pass each, and what can be placed.
    assert count(position, 1) == 252
    assert count(position, 2) == count_by_reference(view, 2)
    decided = position.play("13355").position.play("keep 335").position
    assert count(decided, 3) == count_by_reference(dict(decided.view()), 3)
