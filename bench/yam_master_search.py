"""Yam Master's level 5 against the random player and the generic tree search.

`python bench/yam_master_search.py GAMES SIMULATIONS…`
"""

import sys
from math import sqrt

from ludotheque.bots import RandomPlayer, bot
from ludotheque.bots.search_player import Effort, SearchPlayer
from ludotheque.core import CHANCE, Dice, Match, Player, find_game

GAME = find_game("yam-master")


def main() -> None:
    """Play each opponent the same number of games, beginning half of them; 0 simulations mean the random player."""
    games = int(sys.argv[1])
    for simulations in map(int, sys.argv[2:]):
        other: Player = SearchPlayer(5, Effort(simulations)) if simulations else RandomPlayer()
        shares = []
        for game in range(games):
            seats = [bot(GAME, 5), other] if game % 2 else [other, bot(GAME, 5)]
            match = Match(GAME, dice=Dice(f"search {game // 2}"))
            while not match.over:
                if match.to_move == CHANCE:
                    match.draw()
                else:
                    assert isinstance(match.to_move, int)
                    match.play(seats[match.to_move].choose(match.position, seed=len(match.log)).action)
            shares.append(match.position.returns()[game % 2 == 0])
        mean = sum(shares) / games
        spread = 1.96 * sqrt(sum((one - mean) ** 2 for one in shares) / games / games)
        print(
            f"level 5 against {simulations or 'random'}: {100 * mean:.1f} ± {100 * spread:.1f} % of {games}", flush=True
        )


if __name__ == "__main__":
    main()
