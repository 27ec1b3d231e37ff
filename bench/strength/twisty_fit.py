"""Fits the weights of Twisty's evaluation (games/twisty/search.py) to games of the search against itself.

`python -m bench.strength.twisty_fit [PLAYERS] [GAMES] [SIMULATIONS]` prints the weights under which the winners of these games were
most likely, beside how well the shipped ones explain them. One turn in twelve is any legal one, so that unusual positions come up.
"""

import numpy as np
from numpy.typing import NDArray

from bench.strength.measuring import read_arguments
from ludotheque.core import Dice, Match, find_game
from ludotheque.games.twisty import turns
from ludotheque.games.twisty.facts import MOVING, OVER
from ludotheque.games.twisty.levels import FEATURES, WEIGHTS
from ludotheque.games.twisty.search import fill_features, turns_needed
from ludotheque.games.twisty.turn_search import Search
from ludotheque.kernels import DiscreteGame, DiscretePosition

WILD = 1 / 12
STEPS = 60
LONG = 40  # turns: those of a longer game count less, so that it counts no more than this


def lessons(
    players: int, games: int, simulations: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """What was true of every player at the beginning of every turn, who won in the end, and how much it counts."""
    game = find_game("twisty")
    assert isinstance(game, DiscreteGame)
    whims = np.random.default_rng(players)
    seen: list[list[NDArray[np.float64]]] = []
    winners: list[int] = []
    counts: list[float] = []
    listed = np.zeros(turns.MOST_TURNS, np.int64)
    for number in range(games):
        first = Match(game, players, dice=Dice(f"judge {number}")).position
        assert isinstance(first, DiscretePosition)
        state = game.rules.copy(first.state)
        rows: list[list[NDArray[np.float64]]] = []
        while state.phase != OVER:
            if state.phase == MOVING:
                features = [np.zeros(FEATURES) for _ in range(players)]
                for seat in range(players):
                    fill_features(state, seat, turns_needed(state, seat), features[seat])
                rows.append(features)
            if whims.random() < WILD:
                turn = int(listed[whims.integers(turns.list_turns(state, listed))])
            else:
                search = Search(game.kernels, state.tobytes(), players)
                search.run(simulations)
                turn = search.turns()[0].turn
            turns.play_turn(state, turn)
        if state.winner < players:
            seen += rows
            winners += [int(state.winner)] * len(rows)
            counts += [min(1.0, LONG / len(rows))] * len(rows)
    return np.array(seen), np.array(winners), np.array(counts) / np.mean(counts)


def surprise(
    seen: NDArray[np.float64], winners: NDArray[np.int64], counts: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """The mean of -log of the winners' chances, and everybody's chances."""
    worth = seen @ weights
    chances = np.exp(worth - worth.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    return float(-(counts * np.log(chances[np.arange(len(winners)), winners])).mean()), chances


def main() -> None:
    """Play, fit by Newton's method, tell."""
    given = read_arguments(__doc__, players=2, games=300, simulations=300)
    players, games, simulations = given.players, given.games, given.simulations
    seen, winners, counts = lessons(players, games, simulations)
    weights = np.zeros(FEATURES)
    for _ in range(STEPS):
        _, chances = surprise(seen, winners, counts, weights)
        apart = seen - (chances[:, :, None] * seen).sum(1, keepdims=True)
        slope = -(counts[:, None] * apart[np.arange(len(winners)), winners]).mean(0)
        bend = np.einsum("n,ns,nsi,nsj->ij", counts, chances, apart, apart) / len(winners) + 1e-6 * np.eye(FEATURES)
        weights -= np.linalg.solve(bend, slope)
    fitted, shipped = (surprise(seen, winners, counts, one)[0] for one in (weights, np.array(WEIGHTS[players])))
    print(f"{players} players, {games} games, {len(winners)} turns: {np.round(weights, 3).tolist()}")
    print(f"surprise: {fitted:.4f} with these weights, {shipped:.4f} with the shipped ones")


if __name__ == "__main__":
    main()
