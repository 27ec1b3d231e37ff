"""Twisty's bots and hints: what each level makes of a search over whole turns, and the exact race told as turns to play.

The race's numbers come from race.py, the search is think.py's.
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
from ludotheque.games.twisty.think import Found, Search, needed
from ludotheque.kernels import DiscreteGame, DiscretePosition, State


@dataclass(frozen=True)
class Effort:
    """How hard a level thinks and how it errs."""

    simulations: int
    """Positions that it looks at."""
    cloud: float = 0.0
    """How far its judgement of a turn is off, as a part of a win where both could win: one opinion a turn, kept to its end."""
    most: float = 1.0
    """It knows better than to give away more than this part of a win, as far as it sees."""
    sees: int = SPECIALS + 1
    """The longest chain of moves that it sees in one turn."""
    exact: int = 0
    """How many of the last rounds between two players it plays perfectly."""
    patience: int = 1 << 16
    """After so many rounds it tries turns that are nearly as good: where one player guards the centre and the other waits, or both
    wait, the best turns alone would repeat until the limit (T14)."""


EFFORTS: Final = {
    1: Effort(60, cloud=0.22, sees=2),
    2: Effort(200, cloud=0.13, most=0.3, sees=3),
    3: Effort(600, cloud=0.07, most=0.12),
    4: Effort(2_000, cloud=0.02, most=0.05),
    5: Effort(100_000, exact=4, patience=25),
}
STRONGEST: Final = max(EFFORTS)
SHARE: Final = 500  # simulations between two looks at the clock
SURE: Final = 0.99
NEARLY: Final = (0.002, 0.06)  # of a win: who loses patience gives away so much more a round, and at most so much
LOOKED_AT: Final = 0.02  # and that were looked at at least so often as the best, for the others are not known well
BRIEF: Final = 500  # simulations where the values are known
MOST_SOLVED: Final = 400_000  # positions
SECONDS_TO_SOLVE: Final = 0.5


class TwistyPlayer(Player):
    """A bot of one level, each for itself with three and four players."""

    def __init__(self, level: int, effort: Effort | None = None, whim: int = 0) -> None:
        """Another `whim` errs in other ways."""
        self.name = f"bot:{level}"
        self.level = level
        self.effort = effort or EFFORTS[level]
        self.whim = whim

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The beginning of the best turn. `seconds` bounds the thinking; only the strongest level uses them all.

        Nothing is random: the same position always gets the same choice.
        """
        del seed
        assert isinstance(position, DiscretePosition)
        chosen, found = self.think(position, seconds)
        ways = beginnings(position)
        action = next(action for action, reached in ways if chosen.turn in reached)
        ordered = [chosen, *(one for one in found if one != chosen)]
        considered = [
            Thought(one, next(turn.value for turn in ordered if turn.turn in reached)) for one, reached in ways
        ]
        considered.sort(key=lambda one: (-one.value, one.action != action))  # what is chosen comes first among equals
        return Decision(action, chosen.value, tuple(considered))

    def think(self, position: DiscretePosition, seconds: float | None = None) -> tuple[Found, list[Found]]:
        """The turn to play, and all turns, the best first; in a turn that has begun, what is left of it."""
        root = prepared(position)
        search = Search(position.game.rules, root)
        exact = self._exact(position, root, seconds)
        if exact is not None:  # among equals, what the search likes best
            search.think(BRIEF)
            found = [Found(one.turn, one.visits, exact[one.turn]) for one in search.found()]
            found.sort(key=lambda one: -one.value)
            return next((one for one in found if wins(root, one.turn)), found[0]), found
        if seconds is None:
            search.think(self.effort.simulations)
        else:
            end = time.perf_counter() + seconds
            most = math.inf if self.level == STRONGEST and len(search.found()) > 1 else self.effort.simulations
            while search.simulations < most and time.perf_counter() < end:
                if not search.look(int(min(SHARE, most - search.simulations))):
                    break  # memory is full
        found = search.found()
        return self._chosen(root, found), found

    def _exact(self, position: DiscretePosition, root: State, seconds: float | None) -> dict[int, float] | None:
        """The exact values of the last rounds between two players, if this level knows them and has the time."""
        rounds = int(root.max_rounds) - int(root.this_round) + 1
        if root.phase == CHOOSING:
            if self.effort.exact and position.players == 2:
                get_ready_to_solve(position.game)
            return None
        known = self.effort.exact >= rounds and position.players == 2
        if not known or (seconds is not None and seconds < SECONDS_TO_SOLVE):
            return None
        return solve(position.game.rules, root, MOST_SOLVED)

    def _chosen(self, root: State, found: Sequence[Found]) -> Found:
        """The turn that this level plays: what was looked at most or, with a clouded view, what seems best."""
        lengths = np.zeros(SQUARES + MOST_PLAYERS, np.int64)
        turns.chain_lengths(root, lengths)
        seen = [one for one in found if turns.chain_length(one.turn, lengths) <= self.effort.sees] or found
        won = next((one for one in seen if wins(root, one.turn)), None)
        if won is not None:  # a search that wins anyhow is in no hurry
            return won
        best = seen[0]
        if best.value > SURE:  # as good as won: the shortest way then
            return min((one for one in seen if one.value > SURE), key=lambda one: needed_after(root, one.turn))
        waited = int(root.this_round) - self.effort.patience
        if waited > 0:
            tried, nearly = opinions(root, self.whim), min(NEARLY[0] * waited, NEARLY[1])
            known = [one for one in seen if one.visits >= LOOKED_AT * best.visits]
            return max((one for one in known if one.value >= best.value - nearly), key=lambda one: tried[one.turn])
        if not self.effort.cloud:
            return best
        errors = self.effort.cloud * opinions(root, self.whim)
        careful = [one for one in seen if one.value >= best.value - self.effort.most]
        return max(careful, key=lambda one: one.value + errors[one.turn] * 2 * (one.value * (1 - one.value)) ** 0.5)


@cache
def get_ready_to_solve(game: DiscreteGame) -> None:
    """Have the solver compiled, or loaded, at the beginning of a match: long before its last rounds, when people wait for a bot."""
    root = game.start(2, game.read_options({"max_rounds": 1}), SetupDice(Dice("ready"))).state
    for corner in range(2):
        turns.play_turn(root, turns.CORNER + corner)
    solve(game.rules, root, MOST_SOLVED)


def prepared(position: DiscretePosition) -> State:
    """The state with distances worked out for the board, however the position came about."""
    state = position.game.rules.copy(position.state)
    rules.prepare(state)
    return state


def opinions(state: State, whim: int) -> NDArray[np.float64]:
    """An error for every turn, each of spread 1; the same for all actions of one turn, so that a bot follows its plan."""
    player = int(state.player)
    others = [int(state.pawns[seat]) for seat in range(state.players) if seat != player]
    facts = (whim, int(state.this_round), player, others, state.collected.tolist(), state.board.tolist())
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
    return needed(after, player)


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
