"""Twisty's bots, from 1 to 5: how long each level searches and how it errs; and the shortest race as turns to play.

The search is in `search`, the numbers of the race are in `race`, the last rounds in `exact`.
"""

import hashlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.core import Decision, Dice, Player, Position, SetupDice, Thought
from ludotheque.games.twisty import race as solver
from ludotheque.games.twisty import rules, tables, turns
from ludotheque.games.twisty.exact import solve
from ludotheque.games.twisty.facts import (
    CENTRE,
    CHOOSING,
    COLOURS,
    EXTRA,
    FIRST_COLOUR,
    GONE,
    MOST_PLAYERS,
    PROTECT,
    SETTLING,
    SPECIALS,
    SQUARE_NAMES,
    SQUARES,
    STAY,
    TO_CORNER,
)
from ludotheque.games.twisty.search import Search, TurnValue, turns_needed
from ludotheque.kernels import DiscreteGame, DiscretePosition, State


@dataclass(frozen=True)
class Skill:
    """How long a level searches and how it errs."""

    simulations: int
    """Positions that it evaluates."""
    noise: float = 0.0
    """Standard deviation of the error in a turn's value where both could win, as a part of a win; the same until the turn ends."""
    max_loss: float = 1.0
    """It never gives away more than this part of a win, as far as its search sees."""
    longest_chain: int = SPECIALS + 1
    """The longest chain of moves in one turn that it finds."""
    exact: int = 0
    """How many of the last rounds between two players it plays perfectly."""
    patience: int = 1 << 16
    """After so many rounds it tries turns that are nearly as good: where one player guards the centre and the other waits, or both
    wait, the best turns alone would repeat until the limit (T14)."""


SKILLS: Final = {
    1: Skill(60, noise=0.22, longest_chain=2),
    2: Skill(200, noise=0.13, max_loss=0.3, longest_chain=3),
    3: Skill(600, noise=0.07, max_loss=0.12),
    4: Skill(2_000, noise=0.02, max_loss=0.05),
    5: Skill(100_000, exact=4, patience=25),
}
STRONGEST: Final = max(SKILLS)
SIMULATIONS_A_CHECK: Final = 500  # simulations between two looks at the clock
SURE: Final = 0.99  # a chance to win from which on the shortest way is taken
IMPATIENCE, MOST_IMPATIENCE = 0.002, 0.06
"""Of a win: what it gives away at most when its patience is over, for each round since then, and in all."""
LEAST_VISITS: Final = 0.02  # of the best turn's: turns visited less often are not known well enough to be tried
BRIEF: Final = 500  # simulations where the values are known
MOST_SOLVED: Final = 400_000  # positions
SECONDS_TO_SOLVE: Final = 0.5


class TwistyPlayer(Player):
    """A bot of one level, each for itself with three and four players."""

    def __init__(self, level: int, skill: Skill | None = None, noise_seed: int = 0) -> None:
        """Another `noise_seed` errs in other ways."""
        self.name = f"bot:{level}"
        self.level = level
        self.skill = skill or SKILLS[level]
        self.noise_seed = noise_seed

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The beginning of the best turn. `seconds` bounds the thinking; only the strongest level uses them all.

        Nothing is random: the same position always gets the same choice.
        """
        del seed
        assert isinstance(position, DiscretePosition)
        chosen, found = self.plan(position, seconds)
        ways = beginnings(position)
        action = next(action for action, reached in ways if chosen.turn in reached)
        ordered = [chosen, *(one for one in found if one != chosen)]
        considered = [
            Thought(one, next(turn.value for turn in ordered if turn.turn in reached)) for one, reached in ways
        ]
        considered.sort(key=lambda one: (-one.value, one.action != action))  # what is chosen comes first among equals
        return Decision(action, chosen.value, tuple(considered))

    def plan(self, position: DiscretePosition, seconds: float | None = None) -> tuple[TurnValue, list[TurnValue]]:
        """The turn to play, and all turns, the best first; in a turn that has begun, what is left of it."""
        root = prepared(position)
        search = Search(position.game.rules, root)
        exact = self._exact(position, root, seconds)
        if exact is not None:  # among equals, what the search likes best
            search.run(BRIEF)
            found = [TurnValue(one.turn, one.visits, exact[one.turn]) for one in search.turns()]
            found.sort(key=lambda one: -one.value)
            return next((one for one in found if wins(root, one.turn)), found[0]), found
        if seconds is None:
            search.run(self.skill.simulations)
        else:
            end = time.perf_counter() + seconds
            most = math.inf if self.level == STRONGEST and len(search.turns()) > 1 else self.skill.simulations
            while search.simulations < most and time.perf_counter() < end:
                if not search.add(int(min(SIMULATIONS_A_CHECK, most - search.simulations))):
                    break  # memory is full
        found = search.turns()
        return self._chosen(root, found), found

    def _exact(self, position: DiscretePosition, root: State, seconds: float | None) -> dict[int, float] | None:
        """The exact values of the last rounds between two players, if this level knows them and has the time."""
        rounds = int(root.max_rounds) - int(root.this_round) + 1
        if root.phase == CHOOSING:
            if self.skill.exact and position.players == 2:
                warm_up_solver(position.game)
            return None
        known = self.skill.exact >= rounds and position.players == 2
        if not known or (seconds is not None and seconds < SECONDS_TO_SOLVE):
            return None
        return solve(position.game.rules, root, MOST_SOLVED)

    def _chosen(self, root: State, found: Sequence[TurnValue]) -> TurnValue:
        """The turn that this level plays: the most visited or, with noise, the one that seems best."""
        lengths = np.zeros(SQUARES + MOST_PLAYERS, np.int64)
        turns.chain_lengths(root, lengths)
        seen = [one for one in found if turns.chain_length(one.turn, lengths) <= self.skill.longest_chain] or found
        won = next((one for one in seen if wins(root, one.turn)), None)
        if won is not None:  # a search that wins anyway does not hurry
            return won
        best = seen[0]
        if best.value > SURE:  # as good as won: the shortest way then
            return min((one for one in seen if one.value > SURE), key=lambda one: needed_after(root, one.turn))
        waited = int(root.this_round) - self.skill.patience
        if waited > 0:
            tried, nearly = turn_noise(root, self.noise_seed), min(IMPATIENCE * waited, MOST_IMPATIENCE)
            known = [one for one in seen if one.visits >= LEAST_VISITS * best.visits]
            return max((one for one in known if one.value >= best.value - nearly), key=lambda one: tried[one.turn])
        if not self.skill.noise:
            return best
        errors = self.skill.noise * turn_noise(root, self.noise_seed)
        careful = [one for one in seen if one.value >= best.value - self.skill.max_loss]
        return max(careful, key=lambda one: one.value + errors[one.turn] * 2 * (one.value * (1 - one.value)) ** 0.5)


@cache
def warm_up_solver(game: DiscreteGame) -> None:
    """Compile or load the solver at the beginning of a match, so that nobody waits for it in the last rounds."""
    root = game.start(2, game.read_options({"max_rounds": 1}), SetupDice(Dice("ready"))).state
    for corner in range(2):
        turns.play_turn(root, turns.CORNER + corner)
    solve(game.rules, root, MOST_SOLVED)


def prepared(position: DiscretePosition) -> State:
    """The state with distances worked out for the board, however the position came about."""
    state = position.game.rules.copy(position.state)
    rules.prepare(state)
    return state


def turn_noise(state: State, seed: int) -> NDArray[np.float64]:
    """A normally distributed error for every turn, the same for all actions of one turn, so that a bot follows its plan."""
    player = int(state.player)
    others = [int(state.pawns[seat]) for seat in range(state.players) if seat != player]
    facts = (seed, int(state.this_round), player, others, state.collected.tolist(), state.board.tolist())
    digest = hashlib.blake2b(repr(facts).encode(), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(digest, "big")).standard_normal(turns.TURNS)


def wins(state: State, turn: int) -> bool:
    """T13: whether a turn of the player to move wins at once."""
    return turn == CENTRE and state.collected[state.player] == COLOURS


def needed_after(state: State, turn: int) -> int:
    """How many turns the player to move still needs after a turn."""
    player = int(state.player)
    after = state.copy().view(np.recarray)
    turns.play_turn(after, turn)
    return turns_needed(after, player)


def beginnings(position: DiscretePosition) -> list[tuple[str, set[int]]]:
    """Every action, and the turns of which it can be the beginning; the actions nearest to an end first."""
    state, player = position.state, int(position.state.player)
    listed = np.zeros(turns.MOST_TURNS, np.int64)
    found: list[tuple[str, set[int]]] = []
    for number in position.numbers().tolist():
        after = position.game.rules.copy(state)
        position.game.rules.current.play(after, number)
        robbed = next((seat for seat in range(state.players) if after.collected[seat] < state.collected[seat]), None)
        reached: set[int]
        if number >= STAY:
            reached = {int(state.pawns[player])} if number == STAY else {turns.PASSING}
        elif number == PROTECT:
            reached = {turns.PROTECTING + int(state.pawns[player])}
        elif number >= TO_CORNER:
            reached = {turns.CORNER + number - TO_CORNER}
        elif robbed is not None:
            corners = [which for which, corner in enumerate(tables.CORNERS) if rules.corner_is_free(after, int(corner))]
            if after.phase != SETTLING:  # there was only one
                corners = [tables.CORNERS.tolist().index(int(after.pawns[player]))]
            reached = {turns.ROBBING + 4 * robbed + which for which in corners}
        elif after.phase == EXTRA:
            reached = set(listed[: turns.list_turns(after, listed)].tolist())
        else:
            reached = {number}
        found.append((position.game.write(state, number), reached))
    return sorted(found, key=lambda one: len(one[1]))


@dataclass(frozen=True)
class Race:
    """The shortest way to win if nobody interferes: how many turns, and where each of them ends."""

    turns: int
    ends: tuple[str, ...]
    ways: int = 0
    """On how many squares the first of these turns may end: who has few is easily blocked."""


def shortest_race(position: DiscretePosition, seat: int, *, standing: bool = True) -> Race | None:
    """The race of a player from where the pawn stands, at the start of a turn; None where there is no way.

    The others' pawns stand still where they are (`standing`) or are absent; nobody robs. Before the corners are chosen, from the
    best free corner.
    """
    state = position.state
    others = [int(state.pawns[other]) for other in range(position.players) if other != seat]
    blocked = sum(1 << square for square in others if square != GONE) if standing else 0
    needs = np.zeros((COLOURS + 1, SQUARES), np.int64)
    solver.needs(state, seat, blocked, needs)
    collected = int(state.collected[seat])
    square = int(state.pawns[seat])
    if square == GONE:
        free = [corner for corner in tables.CORNERS.tolist() if corner not in others]
        square = min(free, key=lambda corner: int(needs[collected, corner]))
    needed = int(needs[collected, square])
    if needed >= rules.FAR:
        return None
    ends: list[str] = []
    ways = 0
    for left in range(needed - 1, -1, -1):
        found = _one_turn(state, seat, square, collected, blocked, needs, left)
        square, collected = found[0]
        ends.append(SQUARE_NAMES[square])
        ways = ways or len(found)
    return Race(needed, tuple(ends), ways)


def _one_turn(
    state: State,
    seat: int,
    square: int,
    collected: int,
    blocked: int,
    needs: "np.ndarray[tuple[int, int], np.dtype[np.int64]]",
    left: int,
) -> list[tuple[int, int]]:
    """Where a turn of the shortest race may end, each with how many cubes: all after which so many turns are left."""
    reach = rules.ends_of_a_turn(state, square, blocked)
    found: list[tuple[int, int]] = []
    for end in range(SQUARES):
        if reach >> end & 1:
            if collected == COLOURS:
                good = left == 0 if end == CENTRE else needs[collected, end] == left
                cubes = collected
            else:
                cubes = collected + (int(state.board[end]) == FIRST_COLOUR + int(state.series[seat, collected]))
                good = needs[cubes, end] == left
            if good:
                found.append((end, cubes))
    assert found, "needs promised a shorter way"
    return found
