"""Puzzles of Twisty: turns out of games between bots that have one clearly best, not obvious beginning.

`python -m tools.puzzles.twisty FILE [COUNT] [SEED]` makes them, `… FILE grade` grades those of a file anew; the game's puzzles.json
has those that are shipped.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from typing import Final

from ludotheque.core import Dice, JsonObject, Match, Position
from ludotheque.games.twisty import rules
from ludotheque.games.twisty.facts import COLOURS, FIRST_COLOUR, MOVING, NOBODY, ORTHOGONAL, SQUARES
from ludotheque.games.twisty.game import GAME
from ludotheque.games.twisty.levels import SKILLS, Skill
from ludotheque.games.twisty.player import TwistyPlayer
from ludotheque.kernels import DiscretePosition
from tools.puzzles.grading import ASKED, SEEDS, Misses, gap, obvious, puzzle
from tools.puzzles.making import make_or_grade

CLEAR: Final = 0.08  # of a win: by how much the best answer beats the next at least
FIRST: Final = Skill(6_000)  # what looks through the games
DEEP: Final = Skill(200_000, exact=SKILLS[5].exact)  # what the answer must stand; last rounds are known, not judged
FROM_A_GAME: Final = 3  # puzzles at most
GAMES_A_TIME: Final = 48


def missed(position: Position, best: str) -> Misses:
    """How often each level misses the best answer, over several seeds of its noise."""
    found: dict[int, float] = {}
    for level in ASKED:
        asked = range(SEEDS if SKILLS[level].noise else 1)
        wrong = [TwistyPlayer(level, noise_seed=seed + 1).choose(position).action != best for seed in asked]
        found[level] = sum(wrong) / len(wrong)
    return found


def kind_of(position: DiscretePosition, best: str) -> str:
    """What the answer begins with: a robbery, a cube, a special token, or a square where nothing lies."""
    number = position.number_of(best)
    state = position.state
    if number >= SQUARES:
        return "corner"
    if rules.pawn_on(state, number) != NOBODY:
        return "robbery"
    token = int(state.board[number])
    if token >= ORTHOGONAL:
        return "chain"
    collected = int(state.collected[state.player])
    wanted = collected < COLOURS and token == FIRST_COLOUR + int(state.series[state.player, collected])
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
        if position.state.phase == MOVING and len(decision.considered) > 2 and now.tobytes() not in seen:
            seen.add(now.tobytes())
            best = decision.considered[0]
            if gap(decision) >= CLEAR and 0.05 < best.value < 0.99:
                misses = missed(position, best.action)
                checked = decision if obvious(misses) else TwistyPlayer(5, DEEP).choose(position)
                if not obvious(misses) and checked.action == best.action and gap(checked) >= CLEAR:
                    found.append(puzzle(position, kind_of(position, best.action), checked, misses))
        match.play(decision.action)
    return found


def puzzles(seed: int) -> Iterator[JsonObject]:
    """Puzzle after puzzle, out of games that are played in as many processes as there are processors."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for first in count(0, GAMES_A_TIME):
            for found in pool.map(partial(puzzles_of, seed), range(first, first + GAMES_A_TIME)):
                yield from found


if __name__ == "__main__":
    make_or_grade(GAME, puzzles, missed)
