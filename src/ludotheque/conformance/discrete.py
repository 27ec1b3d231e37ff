"""Checks of games whose rules are kernels: compiled and interpreted rules agree, and drawn outcomes follow their weights."""

from collections import Counter
from math import sqrt
from typing import Final

import numpy as np

from ludotheque.conformance.cases import Broken, each_table, must
from ludotheque.conformance.matches import positions, random_match
from ludotheque.core import CHANCE, Game, write_json
from ludotheque.kernels import DiscreteGame, DiscretePosition, seeded

DRAWS: Final = 2000
SPREAD: Final = 6
"""Standard deviations that a count may be away from its mean; the seed is fixed, so a game passes always or never."""


def is_discrete(game: Game) -> bool:
    """Whether a game's rules are kernels."""
    return isinstance(game, DiscreteGame)


@each_table(is_discrete)
def compiled_and_interpreted_rules_agree(game: Game, players: int) -> None:
    """The compiled rules do exactly what the same source does in plain Python."""
    assert isinstance(game, DiscreteGame)
    match = random_match(game, players, 14, longest=60)
    actions = [np.zeros(game.rules.most_actions, np.int32) for _ in range(2)]
    for entry, before in zip(match.log, positions(match), strict=False):
        assert isinstance(before, DiscretePosition)
        number, states = before.number_of(entry.action), []
        for functions, found in zip((game.rules.compiled, game.rules.interpreted), actions, strict=True):
            found[:] = 0
            functions.legal(before.state, found)
            state = game.rules.copy(before.state)
            functions.play(state, number)
            states.append(
                (functions.to_move(state), write_json(DiscretePosition(game, state, players, before.options).view()))
            )
        if not (actions[0] == actions[1]).all():
            raise Broken(f"legal() differs, compiled and interpreted, at\n{before.picture()}")
        if states[0] != states[1]:
            raise Broken(f"play({entry.action}) differs: compiled {states[0]}, interpreted {states[1]}")


@each_table(is_discrete)
def drawn_outcomes_follow_their_weights(game: Game, players: int) -> None:
    """`draw`, which playouts use, gives chance's outcomes as often as their weights say."""
    assert isinstance(game, DiscreteGame)
    match = random_match(game, players, 15, longest=40)
    at = [position for position in positions(match) if position.to_move == CHANCE]
    for position in at[:: max(1, len(at) // 3)]:
        assert isinstance(position, DiscretePosition)
        random, legal = seeded(7), position.legal()
        counts = Counter(int(game.rules.compiled.draw(position.state, random)) for _ in range(DRAWS))
        numbers = position.action_numbers()
        must(set(counts) <= set(numbers), f"draw gave {set(counts) - set(numbers)}, which legal() does not list")
        for number, odds, action in zip(numbers, legal.odds, legal.actions, strict=True):
            mean, deviation = DRAWS * odds, sqrt(DRAWS * odds * (1 - odds))
            if abs(counts[number] - mean) > SPREAD * deviation + 1:
                raise Broken(f"draw gave {action} {counts[number]} times in {DRAWS}; by its weight it is {mean:.0f}")


@each_table(is_discrete)
def casual_players_choose_legal_actions(game: Game, players: int) -> None:
    """`casual`, where the rules have one, chooses among the actions that it is given."""
    assert isinstance(game, DiscreteGame)
    casual = getattr(game.rules.compiled.module, "casual", None)
    if casual is None:
        return
    random = seeded(9)
    for position in positions(random_match(game, players, 16, longest=80)):
        assert isinstance(position, DiscretePosition)
        if isinstance(position.to_move, int):
            numbers = np.zeros(game.rules.most_actions, np.int32)
            count = game.rules.compiled.legal(position.state, numbers)
            chosen = int(casual(position.state, numbers, count, random))
            must(chosen in numbers[:count], f"casual chose {chosen}, which is not legal at\n{position.picture()}")
