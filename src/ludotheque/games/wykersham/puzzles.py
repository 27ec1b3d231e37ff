"""Puzzles of Wykersham: decisions out of self-play with one clearly best, not obvious answer.

`python -m ludotheque.games.wykersham.puzzles FILE [COUNT] [SEED]` makes them, `… FILE grade` grades those of a file anew;
puzzles.json beside this has those that are shipped.
The first marble of a turn is never asked about: either may be played first, so that it has no single best answer.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from ludotheque.analysis.grading import ASKED, WHIMS, Misses, gap, grade_again, obvious, puzzle, write_puzzles
from ludotheque.core import JsonObject, Position
from ludotheque.games.wykersham.game import GAME
from ludotheque.games.wykersham.mind import Mind, choose_end, weigh_actions, weigh_turn
from ludotheque.games.wykersham.player import DEEPER, WykershamPlayer, learned
from ludotheque.games.wykersham.rules import CUP, ENDED, GOAL, PLACING, SLIDING, draw, play
from ludotheque.games.wykersham.selfplay import new_game, new_states, set_options
from ludotheque.kernels import DiscretePosition, State, seeded
from ludotheque.kernels.network import Network
from ludotheque.kernels.random import mixed

CLEAR: Final = 0.02  # of a win: by how much the best answer beats the next at least
AHEAD: Final = Mind(depth=1, wide=24, margin=0.15, exact=1)
KINDS: Final = {PLACING: "marble", SLIDING: "slide", GOAL: "goal", CUP: "taking"}


def asked_levels(judge: Network | None = None) -> dict[int, WykershamPlayer]:
    """Those who are asked, as they are or with another judge."""
    return {level: WykershamPlayer(level, network=judge if level > 2 else None) for level in ASKED}


def missed(players: Mapping[int, WykershamPlayer], position: Position, best: str) -> Misses:
    """How often each level misses the best answer, if it misjudges the board in several ways."""
    assert isinstance(position, DiscretePosition)
    state, answer, actions = position.state, position.number_of(best), position.numbers()
    found: dict[int, float] = {}
    for level, player in players.items():
        study, wrong = player._study, 0
        study.room.stack[0] = state
        count = weigh_turn(player.network, player.mind, study)
        for whim in range(WHIMS):
            liked = int(study.room.keys[choose_end(player.mind, study, count, mixed(whim))])
            wrong += int(weigh_actions(study, state, actions, liked, np.empty(len(actions)))) != answer
        found[level] = wrong / WHIMS
    return found


def puzzles(seed: int, network: Network | None = None) -> Iterator[JsonObject]:
    """Puzzle after puzzle, at most one a turn, out of games of the learned judge against itself, a little clouded at times."""
    judge = network or learned()
    glance, ahead, deep = (WykershamPlayer(5, mind, judge) for mind in (Mind(), AHEAD, DEEPER))
    asked = asked_levels(judge)
    lively = Mind(cloud=0.15, most_lost=0.1)
    random, states, options = seeded(seed), new_states(), GAME.read_options()
    set_options(states[0], 0)
    now: State = states[0]
    game = 0
    while True:
        new_game(now, game % 2)
        whim = seed * 1000 + game
        while now.phase != ENDED:
            play(now, draw(now, random))
            turn, found = int(now.turns.sum()), False
            whim = int(mixed(whim + turn))
            glance._study.room.stack[0] = now
            count = weigh_turn(judge, glance.mind, glance._study)
            end = choose_end(lively if turn % 3 == 0 else glance.mind, glance._study, count, whim)
            target = int(glance._study.room.keys[end])
            while int(now.turns.sum()) == turn and now.phase != ENDED:
                position = DiscretePosition(GAME, GAME.rules.copy(now), 2, options)
                if not found and len(position.numbers()) > 1 and not (now.phase == PLACING and now.marbles == 2):
                    one = _puzzle(position, glance, ahead, deep, asked)
                    if one is not None:
                        found = True
                        yield one
                study, actions = glance._study, position.numbers()
                study.room.stack[0] = now
                weigh_turn(judge, glance.mind, study)
                play(now, int(weigh_actions(study, now, actions, target, np.empty(len(actions)))))
        game += 1


def _puzzle(
    position: DiscretePosition,
    glance: WykershamPlayer,
    ahead: WykershamPlayer,
    deep: WykershamPlayer,
    asked: Mapping[int, WykershamPlayer],
) -> JsonObject | None:
    """The puzzle that a position is, or None: quick questions first, the deep search last."""
    first = glance.choose(position)
    if not 0.05 < first.considered[0].value < 0.98:
        return None
    looked = ahead.choose(position)
    best = looked.considered[0]
    if gap(looked) < CLEAR:
        return None
    misses = missed(asked, position, best.action)
    if obvious(misses):
        return None
    checked = deep.choose(position)
    if checked.action != best.action or gap(checked) < CLEAR:
        return None
    return puzzle(position, KINDS[int(position.state.phase)], checked, misses)


def main() -> None:
    """Make a file of puzzles, or grade it anew."""
    file = Path(sys.argv[1])
    if sys.argv[2:] == ["grade"]:
        grade_again(GAME, file, partial(missed, asked_levels()))
        return
    count, seed = int((sys.argv[2:] or ["240"])[0]), int((sys.argv[3:] or ["1"])[0])
    write_puzzles(GAME, file, islice(puzzles(seed), count))


if __name__ == "__main__":
    main()
