"""Pig learned from nothing, and how near that comes to its solution: `python -m bench.strength.pig FOLDER [MINUTES] [SIMULATIONS]`.

The optimal policy is found by value iteration (T. Neller and C. Presser, "Optimal Play of the Dice Game Pig", 2004). A policy's chance
to win against it follows from the same equations with its own choices; nothing is sampled. Pig is the sample of a third party's
game, in tests/sample.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from ludotheque_pig import GAME
from numpy.typing import NDArray

from bench.strength.measuring import read_arguments, tell
from ludotheque.kernels import DiscreteGame, rule
from ludotheque.kernels.encoding import encoding_of
from ludotheque.kernels.guided_search import GuidedSearch
from ludotheque.kernels.policy_network import evaluator, load_policy_network
from ludotheque.training.policy_course import PolicyCourse, PolicyPlan

Table: TypeAlias = NDArray[np.float64]
"""Indexed by what the player to move has banked, what the other has, and what the turn has brought."""
Rolls: TypeAlias = NDArray[np.bool_]
"""Whether a policy rolls, indexed likewise, with room for turns that bring more than the goal."""
FACES: Final = 6
PRECISE: Final = 1e-9
TREES: Final = 4096  # searched at once
ROUNDS: Final = 26


@rule
def settle_pair(banked: int, other: int, own: Table, theirs: Table, rolls: Rolls, choosing: bool) -> float:
    """One turn's chances of the player with `banked` points, given what comes after it; returns the largest change.

    `own` has the chances of this player when it is to move, `theirs` those of the other player when that one is.
    With `choosing` the player does what is better, and `rolls` is filled in; otherwise it does what `rolls` says. To roll where
    holding wins counts as if a 1 came: what such a policy gets is a little more than what is told.
    """
    goal = len(own)
    change = 0.0
    for points in range(goal - banked - 1, -1, -1):
        lost = 1.0 - theirs[other, banked, 0]
        roll = lost
        for face in range(2, FACES + 1):
            if banked + points + face < goal:
                roll += own[banked, other, points + face]
            else:
                roll += lost if rolls[banked, other, points + face] else 1.0
        roll /= FACES
        hold = 1.0 - theirs[other, banked + points, 0]
        if choosing:
            rolls[banked, other, points] = roll > hold
        chance = roll if rolls[banked, other, points] else hold
        change = max(change, abs(chance - own[banked, other, points]))
        own[banked, other, points] = chance
    return change


@rule
def settle_all(one: Table, two: Table, rolls: Rolls, replies: Rolls, choosing: bool) -> None:
    """The chances of two policies against each other. Positions with more points in all come first: play never goes back."""
    goal = len(one)
    for total in range(2 * (goal - 1), -1, -1):
        for banked in range(max(0, total - goal + 1), min(total, goal - 1) + 1):
            change = 1.0
            while (
                change > PRECISE
            ):  # who loses a turn comes back to the same points: the equations are solved by repeating them
                change = settle_pair(banked, total - banked, one, two, rolls, choosing)
                change = max(change, settle_pair(total - banked, banked, two, one, replies, choosing))


def solve(goal: int = 100) -> tuple[Table, Rolls]:
    """The optimal chances to win, and whether the optimal policy rolls; only where rolling is not needless."""
    chances, rolls = np.full((goal, goal, goal), 0.5), np.zeros((goal, goal, goal + FACES), np.bool_)
    settle_all(chances, chances, rolls, rolls, True)
    return chances, rolls


def against_optimal(goal: int, rolls: Rolls, optimal: Rolls) -> tuple[float, float]:
    """A policy's chance to win against the optimal one if it starts, and if the other starts."""
    ours, theirs = (np.full((goal, goal, goal), 0.5) for _ in range(2))
    settle_all(ours, theirs, rolls, optimal, False)
    return float(ours[0, 0, 0]), 1.0 - float(theirs[0, 0, 0])


Choose: TypeAlias = Callable[[list[bytes]], NDArray[np.bool_]]
"""Whether a player rolls, in many positions at once."""


def policy_of(game: DiscreteGame, goal: int, choose: Choose) -> tuple[Rolls, int]:
    """Whether a player rolls, in every position that it can come to, and in how many it rolls although holding would win."""
    rolls, reached = (np.zeros((goal, goal, goal + FACES), np.bool_) for _ in range(2))
    reached[:, :, 0] = True
    needless: list[tuple[int, int, int]] = []
    for points in range(goal):
        places = np.argwhere(reached[:, :, points])
        chosen = _chosen(game, goal, [(banked, other, points) for banked, other in places.tolist()], choose)
        for (banked, other), roll in zip(places.tolist(), chosen, strict=True):
            rolls[banked, other, points] = roll
            for face in range(2, FACES + 1) if roll else ():
                if banked + points + face < goal:
                    reached[banked, other, points + face] = True
                else:
                    needless.append((banked, other, points + face))
    won = sorted(set(needless))
    for place, roll in zip(won, _chosen(game, goal, won, choose), strict=True):
        rolls[place] = roll
    return rolls, sum(bool(rolls[place]) for place in won)


def _chosen(game: DiscreteGame, goal: int, places: list[tuple[int, int, int]], choose: Choose) -> list[bool]:
    states = []
    for banked, other, points in places:
        state = game.layout.new_state()
        state.goal, state.player, state.turn = goal, 0, points
        state.banked = [banked, other]
        states.append(state.tobytes())
    return [bool(roll) for at in range(0, len(states), TREES) for roll in choose(states[at : at + TREES])]


def network_policy(game: DiscreteGame, weights: Path, goal: int, simulations: int) -> tuple[Rolls, int]:
    """What a network with so many simulations does; with none, the action that it thinks likelier."""
    evaluate = evaluator(load_policy_network(weights)[0])
    encoding = encoding_of(game)

    def choose(states: list[bytes]) -> NDArray[np.bool_]:
        nodes = 64 + 8 * simulations
        search = GuidedSearch(game.rules, encoding, 2, states, evaluate, seed=1, nodes=nodes)
        search.think(1 + simulations)
        if simulations:
            return np.array([search.found(tree)[0].action == 1 for tree in range(len(states))])
        return np.array([search.policy(tree)[1] > search.policy(tree)[0] for tree in range(len(states))])

    return policy_of(game, goal, choose)


def train(folder: Path, minutes: float) -> None:
    """A course of Pig from nothing on this machine's cores."""
    plan = PolicyPlan(
        rounds=ROUNDS,
        minutes=minutes,
        games=1024,
        matches=1024,
        simulations=16,
        rate=0.003,
        width=64,
        threads=os.cpu_count() or 1,
        measure_every=10,
        measure_games=40,
        opponent="random",
    )
    began, used = time.perf_counter(), time.process_time()
    PolicyCourse(GAME, folder, plan).run(print)
    tell({"training": round(time.perf_counter() - began, 1), "processor": round(time.process_time() - used, 1)})


def measure(weights: Path, simulations: int) -> None:
    """Tell the chances to win against the optimal player."""
    goal = 100
    chances, optimal = solve(goal)
    tell({"optimal against itself, starting": round(float(chances[0, 0, 0]), 5)})
    for effort in dict.fromkeys((0, simulations)):
        rolls, needless = network_policy(GAME, weights, goal, effort)
        first, second = against_optimal(goal, rolls, optimal)
        tell(
            {
                "simulations": effort,
                "starting": round(first, 5),
                "second": round(second, 5),
                "share": round((first + second) / 2, 5),
                "rolls where holding wins": needless,
            }
        )


if __name__ == "__main__":
    arguments = read_arguments(__doc__, ("folder",), minutes=10.0, simulations=100)
    if arguments.minutes:
        train(Path(arguments.folder), arguments.minutes)
    measure(Path(arguments.folder) / "weights.npz", arguments.simulations)
