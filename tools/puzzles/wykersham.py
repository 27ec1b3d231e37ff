"""Puzzles of Wykersham: decisions out of self-play with one clearly best, not obvious answer.

`python -m tools.puzzles.wykersham FILE [COUNT] [SEED]` makes them, `… FILE grade` grades those of a file anew; the game's puzzles.json
has those that are shipped. The first marble of a turn is never asked about: either may be played first, so that it has no single best
answer.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np

from ludotheque.core import BadView, JsonObject, Options, Position
from ludotheque.games.wykersham.facts import CUP, ENDED, GOAL, PLACING, SLIDING
from ludotheque.games.wykersham.game import GAME
from ludotheque.games.wykersham.levels import DEEPER, Skill
from ludotheque.games.wykersham.player import WykershamPlayer, learned
from ludotheque.games.wykersham.rules import draw, play
from ludotheque.games.wykersham.search import choose_end, evaluate_actions, evaluate_state, new_search_buffers
from ludotheque.games.wykersham.self_play import new_game, new_states
from ludotheque.kernels import DiscretePosition, State, seeded
from ludotheque.kernels.network import as_network
from ludotheque.kernels.random import mixed
from ludotheque.kernels.weights import NetworkWeights
from tools.puzzles.grading import ASKED, SEEDS, Misses, gap, obvious, puzzle
from tools.puzzles.making import make_or_grade

CLEAR: Final = 0.02  # of a win: by how much the best answer beats the next at least
AHEAD: Final = Skill(depth=1, width=24, margin=0.15, exact=1)
KINDS: Final = {PLACING: "marble", SLIDING: "slide", GOAL: "goal", CUP: "taking"}


def asked_levels(network: NetworkWeights | None = None) -> dict[int, WykershamPlayer]:
    """The levels that are asked, as they are or with another network."""
    return {level: WykershamPlayer(level, network=network if level > 2 else None) for level in ASKED}


def missed(players: Mapping[int, WykershamPlayer], position: Position, best: str) -> Misses:
    """How often each level misses the best answer, over several seeds of its noise."""
    return {level: player.miss_rate(position, best, SEEDS) for level, player in players.items()}


class Checker:
    """Tells whether a position is a puzzle: quick questions first, the deep search last."""

    def __init__(self, network: NetworkWeights) -> None:
        self.plain, self._ahead, self._deep = (WykershamPlayer(5, skill, network) for skill in (Skill(), AHEAD, DEEPER))
        self._asked = asked_levels(network)

    def puzzle_of(self, position: DiscretePosition) -> JsonObject | None:
        """The puzzle that a position is, or None."""
        first = self.plain.choose(position)
        if not 0.05 < first.considered[0].value < 0.98:
            return None
        looked = self._ahead.choose(position)
        best = looked.considered[0]
        if gap(looked) < CLEAR:
            return None
        misses = missed(self._asked, position, best.action)
        if obvious(misses):
            return None
        checked = self._deep.choose(position)
        if checked.action != best.action or gap(checked) < CLEAR:
            return None
        return puzzle(position, KINDS[int(position.state.phase)], checked, misses)

    def puzzle_of_view(self, view: JsonObject, options: Options, answer: str) -> JsonObject | None:
        """The same of a view, with that answer; None also where the options do not allow the view."""
        try:
            position = GAME.from_view(view, 2, options)
        except BadView:
            return None
        found = self.puzzle_of(position)
        return found if found is not None and found["answer"] == answer else None


def puzzles(seed: int, network: NetworkWeights | None = None) -> Iterator[JsonObject]:
    """Puzzle after puzzle, at most one a turn, out of games of the learned network against itself, with some noise at times."""
    checker = Checker(network or learned())
    judge = as_network(network or learned())
    search, plain = new_search_buffers(judge), Skill()
    lively = Skill(noise=0.15, max_loss=0.1)
    random, states, options = seeded(seed), new_states(), GAME.read_options()
    now: State = states[0]
    game = 0
    while True:
        new_game(states, game % 2)
        noise_seed = seed * 1000 + game
        while now.phase != ENDED:
            play(now, draw(now, random))
            turn, found = int(now.turns.sum()), False
            noise_seed = int(mixed(noise_seed + turn))
            count = evaluate_state(judge, plain, search, now)
            end = choose_end(lively if turn % 3 == 0 else plain, search, count, noise_seed)
            target = int(search.turn.keys[end])
            while int(now.turns.sum()) == turn and now.phase != ENDED:
                position = DiscretePosition(GAME, GAME.rules.copy(now), 2, options)
                if not found and len(position.numbers()) > 1 and not (now.phase == PLACING and now.marbles == 2):
                    one = checker.puzzle_of(position)
                    if one is not None:
                        found = True
                        yield one
                actions = position.numbers()
                evaluate_state(judge, plain, search, now)
                play(now, int(evaluate_actions(search, now, actions, target, np.empty(len(actions)))))
        game += 1


if __name__ == "__main__":
    make_or_grade(GAME, puzzles, partial(missed, asked_levels()))
