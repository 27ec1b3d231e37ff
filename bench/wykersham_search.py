"""Wykersham's level 5 against the random player and the tree search that played before it.

`python bench/wykersham_search.py SEED GAMES SIMULATIONS…`: 0 simulations mean the random player. The former level 5 made 60,000
simulations a decision and played the last two turns exactly. Prints the processor time of both sides too.
"""

import json
import sys
import time
from math import sqrt

from ludotheque.bots import RandomPlayer, bot
from ludotheque.bots.search_player import Effort, SearchPlayer
from ludotheque.core import CHANCE, Decision, Dice, Match, Player, Position
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.player import exact_values


class Former(Player):
    """The tree search, with the last two turns exact."""

    def __init__(self, simulations: int) -> None:
        self.name = f"{simulations} simulations"
        self._search = SearchPlayer(5, Effort(simulations))

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The best action of the last turns, before them the most tried."""
        values = exact_values(position)
        if values is None:
            return self._search.choose(position, seconds=seconds, seed=seed)
        return Decision(max(values, key=lambda action: values[action]))


def main() -> None:
    """Play each opponent the same number of games, beginning half of them."""
    seed, games = sys.argv[1], int(sys.argv[2])
    for simulations in map(int, sys.argv[3:]):
        other: Player = Former(simulations) if simulations else RandomPlayer()
        strongest = bot(GAME, 5)
        shares, spent, turns = [], [0.0, 0.0], 0
        for game in range(games):
            seats = [strongest, other] if game % 2 else [other, strongest]
            match = Match(GAME, dice=Dice(f"search {seed} {game // 2}"))
            while not match.over:
                if match.to_move == CHANCE:
                    match.draw()
                    continue
                assert isinstance(match.to_move, int)
                mover = seats[match.to_move]
                began = time.process_time()
                match.play(mover.choose(match.position, seed=len(match.log)).action)
                if game > 0:  # in the first, compiled code is read
                    spent[mover is other] += time.process_time() - began
            turns += 15 * (game > 0)
            shares.append(match.position.returns()[game % 2 == 0])
            mean = sum(shares) / len(shares)
            spread = 1.96 * sqrt(sum((one - mean) ** 2 for one in shares) / len(shares)) / sqrt(len(shares))
            told = {"against": other.name, "games": len(shares), "share": round(mean, 4), "±": round(spread, 4)}
            print(
                json.dumps(told | {"s a turn": [round(one / max(1, turns), 4) for one in spent]}, ensure_ascii=False),
                flush=True,
            )


if __name__ == "__main__":
    main()
