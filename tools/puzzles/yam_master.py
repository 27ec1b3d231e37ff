"""Puzzles of Yam Master: decisions out of self-play with one clearly best, not obvious answer.

`python -m tools.puzzles.yam_master FILE [COUNT] [SEED]` makes them, `… FILE grade` grades those of a file anew; the game's
puzzles.json has those that are shipped.
"""

from collections.abc import Iterator
from typing import Final

from ludotheque.core import CHANCE, Dice, JsonObject, Match, Position
from ludotheque.games.yam_master.game import GAME
from ludotheque.games.yam_master.player import SKILLS, YamPlayer
from ludotheque.kernels import DiscretePosition
from tools.puzzles.grading import ASKED, SEEDS, Misses, gap, obvious, puzzle
from tools.puzzles.making import make_or_grade

CLEAR: Final = 0.02  # of a win: by how much the best answer beats the next at least
DEEP: Final = 2  # turns ahead that the answer must stand


def missed(position: Position, best: str) -> Misses:
    """How often each level misses the best answer, over several seeds of its noise."""
    return {level: YamPlayer(level).miss_rate(position, best, SEEDS) for level in ASKED}


def kind_of(position: DiscretePosition, best: str) -> str:
    """What the puzzle asks for: the challenge, a set to keep, to roll on although a pawn could be placed, or the right cell."""
    word = best.split(maxsplit=1)[0]
    if word == "keep" and any(action.startswith("place") for action in position.legal().actions):
        return "roll on"
    return {"defi": "challenge", "keep": "keep", "place": "cell", "take": "predator", "pass": "wait"}[word]


def puzzles(seed: int) -> Iterator[JsonObject]:
    """Puzzle after puzzle, at most one a turn, out of games of the strongest against level 4."""
    game = 0
    deep = YamPlayer(5, SKILLS[5]._replace(depth=DEEP))
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


if __name__ == "__main__":
    make_or_grade(GAME, puzzles, missed)
