"""Puzzles of Wykersham: decisions out of self-play with one clearly best, not obvious answer.

`python -m ludotheque.games.wykersham.puzzles FILE [COUNT] [SEED]` makes them; puzzles.json beside this has those that are shipped.
The first marble of a turn is never asked about: either may be played first, so that it has no single best answer.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from ludotheque.core import Decision, JsonObject, write_json
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
WHIMS: Final = 8  # how often each level is asked
ASKED: Final = (2, 3, 4)
OBVIOUS: Final = 0.25  # found too often by all levels together: no puzzle
GRADES: Final = (0.4, 0.55, 0.7, 0.85)  # missed so often: grade 2, 3, 4, 5
KINDS: Final = {PLACING: "marble", SLIDING: "slide", GOAL: "goal", CUP: "taking"}


def gap(decision: Decision) -> float:
    """By how much the best action beats the next."""
    return decision.considered[0].value - decision.considered[1].value


def missed(position: DiscretePosition, best: str, players: dict[int, WykershamPlayer]) -> dict[int, float]:
    """How often each level misses the best answer, if it misjudges the board in several ways."""
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


def puzzles(seed: int, network: Network | None = None, obvious: float = OBVIOUS) -> Iterator[JsonObject]:
    """Puzzle after puzzle, at most one a turn, out of games of the learned judge against itself, a little clouded at times."""
    judge = network or learned()
    glance, ahead, deep = (WykershamPlayer(5, mind, judge) for mind in (Mind(), AHEAD, DEEPER))
    asked = {level: WykershamPlayer(level, network=judge if level > 2 else None) for level in ASKED}
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
                    puzzle = _puzzle(position, glance, ahead, deep, asked, obvious)
                    if puzzle is not None:
                        found = True
                        yield puzzle
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
    asked: dict[int, WykershamPlayer],
    obvious: float,
) -> JsonObject | None:
    """The puzzle that a position is, or None: quick questions first, the deep search last."""
    first = glance.choose(position)
    if not 0.05 < first.considered[0].value < 0.98:
        return None
    looked = ahead.choose(position)
    best = looked.considered[0]
    if gap(looked) < CLEAR:
        return None
    misses = missed(position, best.action, asked)
    share = float(np.mean(list(misses.values())))
    if share < obvious:
        return None
    checked = deep.choose(position)
    if checked.action != best.action or gap(checked) < CLEAR:
        return None
    return {
        "position": position.view(),
        "kind": KINDS[int(position.state.phase)],
        "answer": best.action,
        "value": round(checked.considered[0].value, 4),
        "next": checked.considered[1].action,
        "next_value": round(checked.considered[1].value, 4),
        "missed": {str(level): part for level, part in misses.items()},
        "grade": grade(share),
    }


def grade(share: float) -> int:
    """1 to 5, by how often the levels asked miss the answer."""
    return 1 + sum(share >= least for least in GRADES)


def write_puzzles(file: Path, made: list[JsonObject]) -> None:
    """A file of puzzles, the easiest first."""
    made = sorted(made, key=lambda one: (int(str(one["grade"])), str(one["kind"])))
    lines = ",\n".join(write_json(one) for one in made)
    file.write_text(f'{{"game":"wykersham","rules":{GAME.rules_version},"puzzles":[\n{lines}\n]}}\n', "utf-8")


def main() -> None:
    """Make a file of puzzles."""
    file, count, seed = Path(sys.argv[1]), int((sys.argv[2:] or ["240"])[0]), int((sys.argv[3:] or ["1"])[0])
    made: list[JsonObject] = []
    for puzzle in puzzles(seed):
        made.append(puzzle)
        if len(made) >= count:
            break
    write_puzzles(file, made)


if __name__ == "__main__":
    main()
