"""Puzzles of Yam Master: decisions out of self-play with one clearly best, not obvious answer.

`python -m ludotheque.games.yam_master.puzzles FILE [COUNT] [SEED]` makes them; puzzles.json beside this has those that are shipped.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from ludotheque.core import CHANCE, Decision, Dice, JsonObject, Match, write_json
from ludotheque.games.yam_master.game import GAME
from ludotheque.games.yam_master.mind import cloud_turn, decide, new_turn
from ludotheque.games.yam_master.player import MINDS, YamPlayer, turns_left
from ludotheque.kernels import DiscretePosition

CLEAR: Final = 0.02  # of a win: by how much the best answer beats the next at least
DEEP: Final = 2  # turns ahead that the answer must stand
WHIMS: Final = 8  # how often each level is asked
ASKED: Final = (2, 3, 4)
OBVIOUS: Final = 0.25  # found too often by all levels together: no puzzle
GRADES: Final = (0.4, 0.55, 0.7, 0.85)  # missed so often: grade 2, 3, 4, 5


def gap(decision: Decision) -> float:
    """By how much the best action beats the next."""
    return decision.considered[0].value - decision.considered[1].value


def missed(position: DiscretePosition, best: str) -> dict[int, float]:
    """How often each level misses the best answer, if it misjudges the board in several ways."""
    state, answer = position.state, position.number_of(best)
    found: dict[int, float] = {}
    for level in ASKED:
        player = YamPlayer(level)
        wrong = 0
        for whim in range(WHIMS):
            ends, hopes, seen, dreams = new_turn()
            ends[:] = player._ends(state, None)
            cloud_turn(player.mind, state.board.copy(), turns_left(state), whim, ends, hopes, seen, dreams)
            action = decide(
                player.mind, ends, hopes, seen, dreams, int(state.rolls), int(state.dice), bool(state.challenge)
            )
            wrong += int(action) != answer
        found[level] = wrong / WHIMS
    return found


def kind_of(position: DiscretePosition, best: str) -> str:
    """What the puzzle asks for: the challenge, a set to keep, to roll on although a pawn could be placed, or the right cell."""
    word = best.split(maxsplit=1)[0]
    if word == "keep" and any(action.startswith("place") for action in position.legal().actions):
        return "roll on"
    return {"defi": "challenge", "keep": "keep", "place": "cell", "take": "predator", "pass": "wait"}[word]


def puzzles(seed: int) -> Iterator[JsonObject]:
    """Puzzle after puzzle, at most one a turn, out of games of the strongest against level 4."""
    game = 0
    deep = YamPlayer(5, MINDS[5]._replace(depth=DEEP))
    while True:
        match = Match(GAME, dice=Dice(f"puzzles {seed} {game}"))
        players = [YamPlayer(5), YamPlayer(4)]
        last = -1
        while not match.over:
            if match.to_move == CHANCE:
                match.draw()
                continue
            assert isinstance(match.to_move, int)
            position = match.position
            assert isinstance(position, DiscretePosition)
            turn = int(position.state.turns.sum())
            if turn != last and len(position.numbers()) > 2:
                decision = players[0].choose(position)
                best = decision.considered[0]
                if gap(decision) >= CLEAR and 0.05 < best.value < 1.0:
                    misses = missed(position, best.action)
                    share = float(np.mean(list(misses.values())))
                    if share >= OBVIOUS:
                        checked = deep.choose(position)
                        if checked.action == best.action and gap(checked) >= CLEAR:
                            last = turn
                            yield {
                                "position": position.view(),
                                "kind": kind_of(position, best.action),
                                "answer": best.action,
                                "value": round(checked.considered[0].value, 4),
                                "next": checked.considered[1].action,
                                "next_value": round(checked.considered[1].value, 4),
                                "missed": {str(level): part for level, part in misses.items()},
                                "grade": 1 + sum(share >= least for least in GRADES),
                            }
            match.play(players[match.to_move].choose(position).action)
        game += 1


def main() -> None:
    """Make a file of puzzles."""
    file, count, seed = Path(sys.argv[1]), int((sys.argv[2:] or ["240"])[0]), int((sys.argv[3:] or ["1"])[0])
    made: list[JsonObject] = []
    for puzzle in puzzles(seed):
        made.append(puzzle)
        if len(made) >= count:
            break
    made.sort(key=lambda one: (int(str(one["grade"])), str(one["kind"])))
    lines = ",\n".join(write_json(one) for one in made)
    file.write_text(f'{{"game":"yam-master","rules":{GAME.rules_version},"puzzles":[\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    main()
