"""Twisty's bots and hints: the exact race told as turns to play, and a tree search that judges by the race.

The race's numbers come from race.py; the search itself is in kernels.
"""

import random
import time
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from ludotheque.core import Decision, Player, Position, Thought
from ludotheque.games.twisty import race as solver
from ludotheque.games.twisty import rules, tables
from ludotheque.kernels import (
    OVER,
    Actions,
    DiscreteGame,
    DiscretePosition,
    Random,
    Search,
    Simulate,
    State,
    make_simulate,
    rule,
    whole,
)

PLAYED_ON: Final = 12  # actions of the hasty player before the race is judged; more or fewer lose to it at equal time


@rule
def short_playout(state: State, actions: Actions, random: Random) -> int:
    """Play on a little, then give the game to whoever is ahead in the race: four times as many simulations, and better ones.

    The choice of corners has at most four actions, so that all pawns are on the board when it is judged.
    """
    for played in range(PLAYED_ON):
        if rules.to_move(state) == OVER:
            return played
        rules.play(state, rules.casual(state, actions, rules.legal(state, actions), random))
    if rules.to_move(state) != OVER:
        ahead, fewest = 0, rules.FAR * rules.MOST_PLAYERS
        for seat in range(state.players):
            turns = rules.planned_in_all(state, seat, whole(state.pawns[seat]), whole(state.collected[seat]))
            later = (seat - whole(state.player)) % whole(state.players)  # who moves sooner is ahead of equals
            if turns * whole(state.players) + later < fewest:
                ahead, fewest = seat, turns * whole(state.players) + later
        rules.finish(state, ahead)
    return PLAYED_ON


@cache
def _simulate(game: DiscreteGame) -> Simulate:
    return make_simulate(game.rules, short_playout)


@dataclass(frozen=True)
class Effort:
    """How hard a level thinks: simulations a decision, and how often it acts on a whim instead."""

    simulations: int
    whim: float = 0.0


EFFORTS: Final = {
    1: Effort(40, whim=0.35),
    2: Effort(150, whim=0.12),
    3: Effort(600),
    4: Effort(4_000),
    5: Effort(30_000),
}
STRONGEST: Final = max(EFFORTS)
SHARE: Final = 50  # simulations between two looks at the clock
SURE: Final = 0.99


class TwistyPlayer(Player):
    """A bot of one level, each for itself with three and four players."""

    def __init__(self, level: int) -> None:
        self.name = f"bot:{level}"
        self.level = level
        self.effort = EFFORTS[level]

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The action that was tried most. `seconds` bounds the thinking; only the strongest level uses them all."""
        assert isinstance(position, DiscretePosition)
        won = winning_action(position)
        if won is not None:  # a search that wins anyhow is in no hurry
            return Decision(won, 1.0, (Thought(won, 1.0),))
        root = prepared(position)
        search = Search(position.game.rules, root, seed, simulate=_simulate(position.game))
        simulations = self.effort.simulations
        if seconds is None:
            search.think(simulations)
        elif self.level == STRONGEST and len(position.numbers()) > 1:
            search.think_for(seconds)
        else:
            end = time.perf_counter() + seconds
            while search.simulations < simulations and (not search.simulations or time.perf_counter() < end):
                search.think(min(SHARE, simulations - search.simulations))
        found = [one for one in search.found() if one.visits]
        chosen = found[0]
        if chosen.value > SURE:  # as good as won: the shortest way then
            chosen = min((one for one in found if one.value > SURE), key=lambda one: rules.outlook(root, one.action))
        whims = random.Random(seed)  # noqa: S311 - a bot's whim, not fair dice
        if whims.random() < self.effort.whim:
            chosen = whims.choice(found)
        write = position.game.write
        order = [chosen, *(one for one in found if one != chosen)]
        considered = tuple(Thought(write(position.state, one.action), one.value) for one in order)
        return Decision(considered[0].action, considered[0].value, considered)


def prepared(position: DiscretePosition) -> State:
    """The state with plans made for the board as it is now, however the position came about."""
    state = position.game.rules.copy(position.state)
    rules.prepare(state)
    return state


def winning_action(position: DiscretePosition, tried: set[int] | None = None) -> str | None:
    """An action that wins in this turn, at once or by a chain of extra moves; None if there is none.

    Exact, though no token is tried twice: a chain that comes to one by another way can go on no further than the first could.
    """
    player = position.to_move
    tried = set() if tried is None else tried
    if position.over or position.state.collected[player] < tables.COLOURS:
        return None
    for action in position.legal().actions:
        after = position.play(action).position
        assert isinstance(after, DiscretePosition)
        if after.over:
            if after.state.winner == player and after.state.pawns[player] == tables.CENTRE:
                return action
        elif after.state.phase == rules.EXTRA and (square := int(after.state.pawns[player])) not in tried:
            tried.add(square)
            if winning_action(after, tried) is not None:
                return action
    return None


@dataclass(frozen=True)
class Race:
    """The shortest way to win if nobody interferes: how many turns, and where each of them ends."""

    turns: int
    ends: tuple[str, ...]


def shortest_race(position: DiscretePosition, seat: int, *, standing: bool = True) -> Race | None:
    """The race of a player from where the pawn stands, at the start of a turn; None where there is no way.

    The others' pawns stand still where they are (`standing`) or are absent; nobody robs. Before the corners are chosen, from the
    best free corner.
    """
    state = position.state
    others = [int(state.pawns[other]) for other in range(position.players) if other != seat]
    blocked = sum(1 << square for square in others if square != rules.GONE) if standing else 0
    turns = np.zeros((tables.COLOURS + 1, tables.SQUARES), np.int64)
    solver.needs(state, seat, blocked, turns)
    collected = int(state.collected[seat])
    square = int(state.pawns[seat])
    if square == rules.GONE:
        free = [corner for corner in tables.CORNERS.tolist() if corner not in others]
        square = min(free, key=lambda corner: int(turns[collected, corner]))
    needed = int(turns[collected, square])
    if needed >= rules.FAR:
        return None
    ends: list[str] = []
    for left in range(needed - 1, -1, -1):
        square, collected = _one_turn(state, seat, square, collected, blocked, turns, left)
        ends.append(tables.SQUARE_NAMES[square])
    return Race(needed, tuple(ends))


def _one_turn(
    state: State,
    seat: int,
    square: int,
    collected: int,
    blocked: int,
    turns: "np.ndarray[tuple[int, int], np.dtype[np.int64]]",
    left: int,
) -> tuple[int, int]:
    """Where a turn of the shortest race ends, with how many cubes: any after which so many turns are left."""
    reach = rules.ends_of_a_turn(state, square, blocked)
    for end in range(tables.SQUARES):
        if reach >> end & 1:
            if collected == tables.COLOURS:
                found = left == 0 if end == tables.CENTRE else turns[collected, end] == left
                cubes = collected
            else:
                cubes = collected + (int(state.board[end]) == tables.FIRST_COLOUR + int(state.series[seat, collected]))
                found = turns[cubes, end] == left
            if found:
                return end, cubes
    raise AssertionError("needs promised a shorter way")
