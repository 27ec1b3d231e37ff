"""Twisty's bots, from 1 to 5: which turn each level plays, and its beginning; and the shortest race as turns to play.

How long a level searches and how it errs is in `levels`, the search in `turn_search`. Nothing here needs numpy.
"""

import hashlib
import math
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from ludotheque.core import Decision, Dice, Player, Position, SetupDice, Thought, check_asked
from ludotheque.games.twisty.facts import (
    CENTRE,
    CHOOSING,
    COLOURS,
    CORNER,
    CORNERS,
    EXTRA,
    FAR,
    FIRST_COLOUR,
    GONE,
    PASSING,
    PROTECT,
    PROTECTING,
    ROBBING,
    SETTLING,
    SQUARE_NAMES,
    SQUARES,
    STAY,
    TO_CORNER,
)
from ludotheque.games.twisty.levels import SKILLS, Skill
from ludotheque.games.twisty.turn_search import Search, TurnValue, listed_turns, solve
from ludotheque.kernels import DiscreteGame, DiscretePosition, Fields
from ludotheque.kernels.normal import NormalNumbers

__all__ = ["SKILLS", "Race", "Skill", "TwistyPlayer", "beginnings", "prepared", "shortest_race", "turn_noise"]

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
        check_asked(position)
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
        root, fields = prepared(position), position.fields
        search = Search(position.game.kernels, root, fields.players)
        exact = self._exact(position, root, seconds)
        if exact is not None:  # among equals, what the search likes best
            search.run(BRIEF)
            found = [TurnValue(one.turn, one.visits, exact[one.turn]) for one in search.turns()]
            found.sort(key=lambda one: -one.value)
            return next((one for one in found if wins(fields, one.turn)), found[0]), found
        if seconds is None:
            search.run(self.skill.simulations)
        else:
            end = time.perf_counter() + seconds
            most = math.inf if self.level == STRONGEST and len(search.turns()) > 1 else self.skill.simulations
            while search.simulations < most and time.perf_counter() < end:
                if not search.add(int(min(SIMULATIONS_A_CHECK, most - search.simulations))):
                    break  # memory is full
        found = search.turns()
        return self._chosen(position, root, found), found

    def _exact(self, position: DiscretePosition, root: bytes, seconds: float | None) -> dict[int, float] | None:
        """The exact values of the last rounds between two players, if this level knows them and has the time."""
        fields = position.fields
        rounds = fields.max_rounds - fields.this_round + 1
        if fields.phase == CHOOSING:
            if self.skill.exact and position.players == 2:
                warm_up_solver(position.game)
            return None
        known = self.skill.exact >= rounds and position.players == 2
        if not known or (seconds is not None and seconds < SECONDS_TO_SOLVE):
            return None
        return solve(position.game.kernels, root, MOST_SOLVED)

    def _chosen(self, position: DiscretePosition, root: bytes, found: Sequence[TurnValue]) -> TurnValue:
        """The turn that this level plays: the most visited or, with noise, the one that seems best."""
        fields, kernels = position.fields, position.game.kernels
        lengths = array("q", bytes(8 * len(found)))
        kernels.call("lengths_of_chains", root, array("q", [one.turn for one in found]), lengths)
        short = [length <= self.skill.longest_chain for length in lengths]
        seen = [one for one, near in zip(found, short, strict=True) if near] or found
        won = next((one for one in seen if wins(fields, one.turn)), None)
        if won is not None:  # a search that wins anyway does not hurry
            return won
        best = seen[0]
        if best.value > SURE:  # as good as won: the shortest way then
            sure = (one for one in seen if one.value > SURE)
            return min(sure, key=lambda one: int(kernels.call("needed_after", root, one.turn)))
        waited = fields.this_round - self.skill.patience
        turns = 1 + max(one.turn for one in seen)
        if waited > 0:
            tried = turn_noise(fields, self.noise_seed, turns)
            nearly = min(IMPATIENCE * waited, MOST_IMPATIENCE)
            known = [one for one in seen if one.visits >= LEAST_VISITS * best.visits]
            return max((one for one in known if one.value >= best.value - nearly), key=lambda one: tried[one.turn])
        if not self.skill.noise:
            return best
        errors = [self.skill.noise * error for error in turn_noise(fields, self.noise_seed, turns)]
        careful = [one for one in seen if one.value >= best.value - self.skill.max_loss]
        return max(careful, key=lambda one: one.value + errors[one.turn] * 2 * (one.value * (1 - one.value)) ** 0.5)


@cache
def warm_up_solver(game: DiscreteGame) -> None:
    """Compile or load the solver at the beginning of a match, so that nobody waits for it in the last rounds."""
    position = game.start(2, game.read_options({"max_rounds": 1}), SetupDice(Dice("ready")))
    for _ in range(2):  # both choose a corner
        position = position.after([position.legal().actions[0]])
    solve(game.kernels, prepared(position), MOST_SOLVED)


def prepared(position: DiscretePosition) -> bytes:
    """The state with distances worked out for the board, however the position came about."""
    return position.game.target.prepare(position.state_bytes)


def turn_noise(fields: Fields, seed: int, turns: int) -> list[float]:
    """A normally distributed error for each turn of a lower number, the same until the turn ends, so that a bot follows its plan."""
    player = fields.player
    others = [fields.pawns[seat] for seat in range(fields.players) if seat != player]
    facts = (seed, fields.this_round, player, others, list(fields.collected), list(fields.board))
    key = int.from_bytes(hashlib.blake2b(repr(facts).encode(), digest_size=8).digest(), "big")
    numbers = NormalNumbers(key)
    return [numbers.draw() for _ in range(turns)]


def wins(fields: Fields, turn: int) -> bool:
    """T13: whether a turn of the player to move wins at once."""
    return turn == CENTRE and bool(fields.collected[fields.player] == COLOURS)


def beginnings(position: DiscretePosition) -> list[tuple[str, set[int]]]:
    """Every action, and the turns of which it can be the beginning; the actions nearest to an end first."""
    game, state = position.game, position.fields
    player, seats = state.player, range(state.players)
    found: list[tuple[str, set[int]]] = []
    for number in position.action_numbers():
        content = game.target.advance(position.state_bytes, number)[0]
        after = game.layout.fields(content)
        robbed = next((seat for seat in seats if after.collected[seat] < state.collected[seat]), None)
        reached: set[int]
        if number >= STAY:
            reached = {state.pawns[player]} if number == STAY else {PASSING}
        elif number == PROTECT:
            reached = {PROTECTING + state.pawns[player]}
        elif number >= TO_CORNER:
            reached = {CORNER + number - TO_CORNER}
        elif robbed is not None:
            taken = after.pawns[: state.players]
            corners = [which for which, corner in enumerate(CORNERS) if corner not in taken]
            if after.phase != SETTLING:  # there was only one
                corners = [CORNERS.index(after.pawns[player])]
            reached = {ROBBING + 4 * robbed + which for which in corners}
        elif after.phase == EXTRA:
            reached = set(listed_turns(game.kernels, content))
        else:
            reached = {number}
        found.append((game.write(state, number), reached))
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
    fields = position.fields
    others = [fields.pawns[other] for other in range(position.players) if other != seat]
    blocked = sum(1 << square for square in others if square != GONE) if standing else 0
    needs = array("q", bytes(8 * (COLOURS + 1) * SQUARES))
    position.game.kernels.call("race_needs", position.state_bytes, seat, blocked, needs)
    collected, square = fields.collected[seat], fields.pawns[seat]
    if square == GONE:
        free = [corner for corner in CORNERS if corner not in others]
        square = min(free, key=lambda corner: needs[collected * SQUARES + corner])
    needed = needs[collected * SQUARES + square]
    if needed >= FAR:
        return None
    ends: list[str] = []
    ways = 0
    for left in range(needed - 1, -1, -1):
        found = _one_turn(position, seat, (square, collected), blocked, needs, left)
        square, collected = found[0]
        ends.append(SQUARE_NAMES[square])
        ways = ways or len(found)
    return Race(needed, tuple(ends), ways)


def _one_turn(
    position: DiscretePosition, seat: int, here: tuple[int, int], blocked: int, needs: "array[int]", left: int
) -> list[tuple[int, int]]:
    """Where a turn of the shortest race from `here` may end: squares, each with how many cubes, after which so many turns are left."""
    fields, (square, collected) = position.fields, here
    reach = position.call("ends_of_a_turn", square, blocked)
    found: list[tuple[int, int]] = []
    for end in range(SQUARES):
        if reach >> end & 1:
            if collected == COLOURS:
                good = left == 0 if end == CENTRE else needs[collected * SQUARES + end] == left
                cubes = collected
            else:
                wanted = FIRST_COLOUR + fields.series[seat * COLOURS + collected]
                cubes = collected + (fields.board[end] == wanted)
                good = needs[cubes * SQUARES + end] == left
            if good:
                found.append((end, cubes))
    assert found, "needs promised a shorter way"
    return found
