"""Puzzles of Yam Master: decisions out of self-play with one clearly best, not obvious answer.

`python -m ludotheque.games.yam_master.puzzles FILE [COUNT] [SEED]` makes them, `… FILE grade` grades those of a file anew;
puzzles.json beside this has those that are shipped.
"""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from ludotheque.analysis.grading import ASKED, WHIMS, Misses, gap, grade_again, obvious, puzzle, write_puzzles
from ludotheque.core import CHANCE, Dice, JsonObject, Match, Position
from ludotheque.games.yam_master.game import GAME
from ludotheque.games.yam_master.mind import cloud_turn, decide, new_turn
from ludotheque.games.yam_master.player import MINDS, YamPlayer, turns_left
from ludotheque.kernels import DiscretePosition

CLEAR: Final = 0.02  # of a win: by how much the best answer beats the next at least
DEEP: Final = 2  # turns ahead that the answer must stand


def missed(position: Position, best: str) -> Misses:
    """How often each level misses the best answer, if it misjudges the board in several ways."""
    assert isinstance(position, DiscretePosition)
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
                    if not obvious(misses):
                        checked = deep.choose(position)
                        if checked.action == best.action and gap(checked) >= CLEAR:
                            last = turn
                            yield puzzle(position, kind_of(position, best.action), checked, misses)
            match.play(players[match.to_move].choose(position).action)
        game += 1


def main() -> None:
    """Make a file of puzzles, or grade it anew."""
    file = Path(sys.argv[1])
    if sys.argv[2:] == ["grade"]:
        grade_again(GAME, file, missed)
        return
    count, seed = int((sys.argv[2:] or ["240"])[0]), int((sys.argv[3:] or ["1"])[0])
    write_puzzles(GAME, file, islice(puzzles(seed), count))


if __name__ == "__main__":
    main()
