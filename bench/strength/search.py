"""Level 5 of a game against the random player and the generic tree search.

`python -m bench.strength.search GAME GAMES SIMULATIONS… [--seed SEED]`: 0 simulations mean the random player. In Wykersham the search
plays the last two turns exactly, as the level 5 that it was did with 60,000 simulations. Prints the processor time of both sides, too.
"""

import argparse
from statistics import fmean

from bench.strength.measuring import Played, mean_of, play_pair, tell
from ludotheque.bots import RandomPlayer, bot
from ludotheque.bots.search_player import Effort, SearchPlayer
from ludotheque.core import Decision, Player, Position, find_game
from ludotheque.games.wykersham.player import exact_values


class SearchWithEndgame(Player):
    """Wykersham's tree search, with the last two turns exact."""

    def __init__(self, simulations: int) -> None:
        self.name = f"{simulations} simulations"
        self._search = SearchPlayer(5, Effort(simulations))

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The best action of the last turns; before them, the one that the search tried most."""
        values = exact_values(position)
        if values is None:
            return self._search.choose(position, seconds=seconds, seed=seed)
        return Decision(max(values, key=lambda action: values[action]))


def opponent(game: str, simulations: int) -> Player:
    """Who plays with so many simulations."""
    if not simulations:
        return RandomPlayer()
    return SearchWithEndgame(simulations) if game == "wykersham" else SearchPlayer(5, Effort(simulations))


def main() -> None:
    """Play each opponent the same number of games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=("wykersham", "yam-master"))
    parser.add_argument("games", type=int)
    parser.add_argument("simulations", type=int, nargs="+")
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    game = find_game(given.game)
    for simulations in given.simulations:
        played: list[Played] = []
        for one in play_pair(
            game, (bot(game, 5), opponent(given.game, simulations)), given.games, f"search {given.seed}"
        ):
            played.append(one)
            share, half = mean_of([each.points for each in played])
            timed = played[1:] or played  # in the first, compiled code is read
            seconds = [round(fmean(each.seconds[who] for each in timed), 3) for who in (0, 1)]
            tell(
                {
                    "against": f"{simulations} simulations" if simulations else "random",
                    "games": len(played),
                    "share": round(share, 4),
                    "±": round(half, 4),
                    "s a game": seconds,
                }
            )


if __name__ == "__main__":
    main()
