"""Matches for the checks: played by a generator of their own, at random where actions can be listed, by a bot where they cannot."""

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ludotheque.bots import bot
from ludotheque.conformance.cases import Broken
from ludotheque.core import CHANCE, Dice, Game, Match, Position

LONGEST: Final = 400
MOST_FREE: Final = 6
"""Actions with free parameters in one match: a hand's turn takes a simulation each."""


def random_match(game: Game, players: int, seed: int, longest: int = LONGEST) -> Match:
    """A match of at most that many actions. The same arguments give the same match; it is the caller's own."""
    return _played(game, players, seed, longest).branch()


@lru_cache(maxsize=64)
def _played(game: Game, players: int, seed: int, longest: int) -> Match:
    return play_match(game, players, seed, longest)


def play_match(game: Game, players: int, seed: int, longest: int = LONGEST) -> Match:
    """The same, played anew each time."""
    match = Match(game, players, dice=Dice(f"conformance {seed}"))
    chooser = random.Random(seed)  # noqa: S311 - for a test, not for dice
    free = 0
    while not match.over and len(match.log) < longest and free < MOST_FREE:
        if match.to_move == CHANCE:
            match.draw()
            continue
        legal = match.position.legal()
        if legal.open and game.capabilities.bots is not None:
            action = bot(game, 1).choose(match.position, seed=seed).action
            free += 1
        elif legal.actions:
            action = chooser.choice(legal.actions)
        else:
            raise Broken(
                "the game is not over, but legal() lists no action; a game whose actions cannot be listed "
                f"brings a bot that chooses some (Capabilities.bots):\n{match.position.picture()}"
            )
        match.play(action)
    return match


def positions(match: Match) -> Iterator[Position]:
    """Every position of a match, from the first."""
    yield match.first
    for _, step in match.steps():
        yield step.position
