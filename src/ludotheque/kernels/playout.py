"""Random playouts of any game: whole matches inside one compiled call.

Search, benchmarks and statistics use them.
"""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import rule_in, whole
from ludotheque.kernels.random import Random, below, seeded
from ludotheque.kernels.records import Actions, Returns, State
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.targets import CHANCE, OVER

States: TypeAlias = NDArray[np.void]
Casual: TypeAlias = Callable[[State, Actions, int, Random], int]
Playout: TypeAlias = Callable[[State, Actions, Random], int]
Playouts: TypeAlias = Callable[[State, States, Actions, Random, Returns, Returns, int], int]


def make_uniform(rules: Rules) -> Casual:
    """A player that chooses any legal action, all equally likely."""

    @rule_in(rules.folder)
    def uniform(_state: State, actions: Actions, count: int, random: Random) -> int:
        return whole(actions[below(random, count)])

    return uniform


def make_casual(rules: Rules) -> Casual:
    """The game's quick player for playouts (`casual` in its rules), otherwise a uniform one."""
    casual: Casual | None = getattr(rules.module, "casual", None)
    return casual or make_uniform(rules)


def make_playout(rules: Rules, choose: Casual) -> Playout:
    """A function that plays a state to its end and returns how many actions that took."""
    to_move, legal, play, draw = rules.module.to_move, rules.module.legal, rules.module.play, rules.module.draw

    @rule_in(rules.folder)
    def playout(state: State, actions: Actions, random: Random) -> int:
        played = 0
        while True:
            mover = to_move(state)
            if mover == OVER:
                return played
            if mover == CHANCE:
                play(state, draw(state, random))
            else:
                play(state, choose(state, actions, legal(state, actions), random))
            played += 1

    return playout


def make_playouts(rules: Rules, playout: Playout) -> Playouts:
    """A function that plays many matches from one state; adds up what each seat got and returns the number of actions."""
    returns = rules.module.returns

    @rule_in(rules.folder)
    def playouts(
        start: State, scratch: States, actions: Actions, random: Random, result: Returns, totals: Returns, games: int
    ) -> int:
        played = 0
        for _ in range(games):
            scratch[0] = start
            state = scratch[0]
            played += playout(state, actions, random)
            returns(state, result)
            for seat in range(len(totals)):
                totals[seat] += result[seat]
        return played

    return playouts


@cache
def _uniform_playouts(rules: Rules) -> Playouts:
    return make_playouts(rules, make_playout(rules, make_uniform(rules)))


def random_playouts(rules: Rules, start: State, games: int, seed: int = 0) -> tuple[int, Returns]:
    """Play that many uniformly random matches from a state: the number of actions, and the points of each seat."""
    totals = np.zeros(rules.most_players)
    played = _uniform_playouts(rules)(
        start,
        np.zeros(1, rules.dtype).view(np.recarray),
        np.zeros(rules.most_actions, np.int32),
        seeded(seed),
        np.zeros(rules.most_players),
        totals,
        games,
    )
    return int(played), totals
