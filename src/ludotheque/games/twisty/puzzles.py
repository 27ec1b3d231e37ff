"""Puzzles of Twisty: turns out of games between bots that have one clearly best, not obvious beginning.

`python -m ludotheque.games.twisty.puzzles FILE [COUNT] [SEED] [PROCESSES]` makes them; puzzles.json beside this has those that are
shipped.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np

from ludotheque.core import Decision, Dice, JsonObject, Match, write_json
from ludotheque.games.twisty import rules, tables
from ludotheque.games.twisty.game import GAME
from ludotheque.games.twisty.player import EFFORTS, Effort, TwistyPlayer
from ludotheque.kernels import DiscretePosition

CLEAR: Final = 0.08  # of a win: by how much the best answer beats the next at least
FIRST: Final = Effort(6_000)  # what looks through the games
DEEP: Final = Effort(200_000)  # what the answer must stand
WHIMS: Final = 8  # how often each level is asked that errs now and then
ASKED: Final = (2, 3, 4)
OBVIOUS: Final = 0.25  # found too often by all levels together: no puzzle
GRADES: Final = (0.4, 0.55, 0.7, 0.85)  # missed so often: grade 2, 3, 4, 5
FROM_A_GAME: Final = 3  # puzzles at most
GAMES_A_TIME: Final = 48


def gap(decision: Decision) -> float:
    """By how much the best action beats the next."""
    return decision.considered[0].value - max(one.value for one in decision.considered[1:])


def missed(position: DiscretePosition, best: str) -> dict[int, float]:
    """How often each level misses the best answer, if it misjudges the turns in several ways."""
    found: dict[int, float] = {}
    for level in ASKED:
        asked = range(WHIMS if EFFORTS[level].cloud else 1)
        wrong = [TwistyPlayer(level, whim=whim + 1).choose(position).action != best for whim in asked]
        found[level] = sum(wrong) / len(wrong)
    return found


def kind_of(position: DiscretePosition, best: str) -> str:
    """What the answer begins with: a robbery, a cube, a special token, or a square where nothing lies."""
    number = position.number_of(best)
    state = position.state
    if number >= tables.SQUARES:
        return "corner"
    if rules.pawn_on(state, number) != rules.NOBODY:
        return "robbery"
    token = int(state.board[number])
    if token >= tables.ORTHOGONAL:
        return "chain"
    collected = int(state.collected[state.player])
    wanted = collected < tables.COLOURS and token == tables.FIRST_COLOUR + int(state.series[state.player, collected])
    return "cube" if wanted else "waiting"


def puzzles_of(seed: int, number: int) -> list[JsonObject]:
    """The puzzles of one game of two, three or four players."""
    _ = GAME.rules.compiled
    match = Match(GAME, 2 + number % 3, dice=Dice(f"puzzles {seed} {number}"))
    found: list[JsonObject] = []
    seen: set[bytes] = set()
    while not match.over and len(found) < FROM_A_GAME:
        position = match.position
        assert isinstance(position, DiscretePosition)
        decision = TwistyPlayer(5, FIRST).choose(position)
        now = position.game.rules.copy(position.state)
        now.this_round = 0  # who waits comes to the same position again
        if position.state.phase == rules.MOVING and len(decision.considered) > 2 and now.tobytes() not in seen:
            seen.add(now.tobytes())
            best = decision.considered[0]
            if gap(decision) >= CLEAR and 0.05 < best.value < 0.99:
                misses = missed(position, best.action)
                share = float(np.mean(list(misses.values())))
                checked = TwistyPlayer(5, DEEP).choose(position) if share >= OBVIOUS else decision
                if share >= OBVIOUS and checked.action == best.action and gap(checked) >= CLEAR:
                    answer, *others = checked.considered
                    following = max(others, key=lambda one: one.value)
                    found.append(
                        {
                            "position": position.view(),
                            "players": position.players,
                            "kind": kind_of(position, answer.action),
                            "answer": answer.action,
                            "value": round(answer.value, 4),
                            "next": following.action,
                            "next_value": round(following.value, 4),
                            "missed": {str(level): part for level, part in misses.items()},
                            "grade": 1 + sum(share >= least for least in GRADES),
                        }
                    )
        match.play(decision.action)
    return found


def main() -> None:
    """Make a file of puzzles."""
    file, wanted, seed, processes = (
        Path(sys.argv[1]),
        *map(int, (sys.argv[2:] + ["240", "1", "2"][len(sys.argv) - 2 :])),
    )
    made: list[JsonObject] = []
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for first in count(0, GAMES_A_TIME):
            for some in pool.map(partial(puzzles_of, seed), range(first, first + GAMES_A_TIME)):
                made.extend(some)
            print(f"{len(made)} puzzles out of {first + GAMES_A_TIME} games", flush=True)
            _write(file, made)
            if len(made) >= wanted:
                break


def _write(file: Path, made: list[JsonObject]) -> None:
    """The file, easy ones first; written anew after every few games, so that nothing is lost."""
    in_order = sorted(made, key=lambda one: (int(str(one["grade"])), str(one["kind"])))
    lines = ",\n".join(write_json(one) for one in in_order)
    file.write_text(f'{{"game":"twisty","rules":{GAME.rules_version},"puzzles":[\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    main()
