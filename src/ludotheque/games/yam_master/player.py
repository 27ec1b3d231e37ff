"""Yam Master's bots, from 1 (a child's first opponent) to 5: a learned judge of boards, and every turn's dice played exactly.

The parts are turn.py (the exact turn), judge.py (the board) and mind.py (how clearly a level sees).
"""

import time
from typing import Final

import numpy as np

from ludotheque.core import Decision, Player, Position, Thought
from ludotheque.games.yam_master import rules
from ludotheque.games.yam_master.judge import search_ends
from ludotheque.games.yam_master.mind import Mind, cloud_turn, decide, new_turn, plain_judge
from ludotheque.games.yam_master.tables import BOARD, KIND_NAMES
from ludotheque.games.yam_master.turn import ENDS, NEVER, Numbers, Turn, turn_policy
from ludotheque.kernels import DiscretePosition, State
from ludotheque.kernels.network import Network, judges

__all__ = ["ENDS", "MINDS", "NEVER", "Turn", "YamPlayer", "judge_of", "learned", "odds", "solved_turn", "turn_policy"]

MINDS: Final = {
    1: Mind(cloud=0.9, foresight=1, announces=0, sees_wins=0),
    2: Mind(cloud=0.5),
    3: Mind(cloud=0.45, most_lost=0.13),
    4: Mind(cloud=0.18, most_lost=0.06),
    5: Mind(depth=1),
}
"""The first level sees only its own lines, plans one roll ahead, forgets the challenge and may overlook a win; the second
counts lines by rule of thumb. From the third on the learned judge plays: it misjudges boards, less and less, but never by much
and never a win."""

STRONGEST: Final = max(MINDS)
DEEPEST: Final = 8
NEAR_THE_END: Final = 2  # turns beyond the own one that are always looked through, if there are no more
KEPT_BOARDS: Final = 64  # a turn has up to three decisions on one board: it is judged once


learned, judge_of = judges("ludotheque.games.yam_master", plain_judge)
"""The network that self-play has taught, and what each level judges boards with."""


class YamPlayer(Player):
    """A bot of one level."""

    def __init__(self, level: int, mind: Mind | None = None, network: Network | None = None) -> None:
        self.name = f"bot:{level}"
        self.level = level
        self.mind = mind or MINDS[level]
        self.network = network or judge_of(level)
        self._judged: dict[tuple[bytes, bytes, int, bool], tuple[Numbers, int, float]] = {}

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The best decision as this level sees it. Only the strongest level uses `seconds` to look further ahead."""
        del seed  # what a level misjudges is decided by the board, so that it keeps to one plan through a turn
        assert isinstance(position, DiscretePosition)
        state = position.state
        board, left = state.board.copy(), turns_left(state)
        known = self._ends(state, seconds if self.level == STRONGEST else None)
        ends, hopes, seen, dreams = new_turn()
        ends[:] = known
        value = cloud_turn(self.mind, board, left, self.level, ends, hopes, seen, dreams)
        rolls, dice, challenge = int(state.rolls), int(state.dice), bool(state.challenge)
        action = int(decide(self.mind, ends, hopes, seen, dreams, rolls, dice, challenge))
        turn = Turn(ends, hopes, float(value))
        values = {one: turn.value_of(one, rolls, dice, challenge) for one in position.numbers().tolist()}
        # A board that is as good as lost has many equals: what is chosen comes first among them.
        order = sorted(values, key=lambda one: (-values[one], one != action))
        considered = tuple(Thought(position.game.write(state, one), values[one]) for one in order)
        return Decision(position.game.write(state, action), values[action], considered)

    def standing(self, position: Position) -> tuple[float, ...]:
        """Every seat's chance to win at any moment, dice in the air or on the table, as this level's clear view has it."""
        if position.over:
            return position.returns()
        assert isinstance(position, DiscretePosition)
        state = position.state
        turn = turn_policy(self._ends(state, None))
        rolls, challenge = int(state.rolls), bool(state.challenge)
        if state.rolling:
            value = turn.before_roll(rolls, int(state.kept), challenge)
        else:
            value = turn.value_of(turn.best(rolls, int(state.dice), challenge), rolls, int(state.dice), challenge)
        return (value, 1.0 - value) if state.player == 0 else (1.0 - value, value)

    def _ends(self, state: State, seconds: float | None) -> Numbers:
        """What the ends of this turn are worth; with seconds, as deep as they allow."""
        # What was found with more time is no level's fixed effort: a choice without a clock must not depend on it.
        key = (state.board.tobytes(), turns_left(state).tobytes(), int(state.player), seconds is not None)
        ends, depth, took = self._judged.get(key, (np.empty(0), -1, 0.0))
        goal = self.mind.depth
        to_the_end = int(turns_left(state).clip(0).sum()) - 1
        if 0 < goal < to_the_end <= NEAR_THE_END:  # M23: then nothing is left to judgement
            goal = to_the_end
        began = time.perf_counter()
        while depth < (goal if seconds is None else DEEPEST):
            if seconds is not None and depth >= goal:
                branches = max(2, int((ends != NEVER).sum()))
                if time.perf_counter() - began + 1.5 * took * branches > seconds:
                    break
            start = time.perf_counter()
            depth = max(goal, depth + 1)
            ends = np.empty(ENDS)
            search_ends(self.network, state.board.copy(), int(state.player), turns_left(state), depth, ends)
            took = time.perf_counter() - start
        while len(self._judged) >= KEPT_BOARDS:
            del self._judged[next(iter(self._judged))]
        self._judged[key] = (ends, depth, took)
        return ends


def turns_left(state: State) -> Numbers:
    """M23: how many turns each player still has."""
    left: Numbers = (int(state.max_turns) - state.turns).astype(np.int64)
    return left


def solved_turn(state: State, depth: int = 1) -> Turn:
    """The turn that is being played, solved: with the learned judge, looking `depth` whole turns beyond it."""
    ends = np.empty(ENDS)
    search_ends(learned(), state.board.copy(), int(state.player), turns_left(state), depth, ends)
    return turn_policy(ends)


def odds(state: State) -> dict[str, float]:
    """For each combination: the chance to place on one of its free cells this turn, by going for nothing else.

    Combinations without a free cell are left out. The turn may be at any point, dice in the air or on the table.
    """
    found: dict[str, float] = {}
    for kind, name in enumerate(KIND_NAMES):
        cells = [cell for cell in range(25) if BOARD[cell] == kind and state.board[cell] == rules.FREE]
        if not cells:
            continue
        ends = np.full(ENDS, NEVER)
        ends[rules.PASS] = 0.0
        ends[[rules.PLACE + cell for cell in cells]] = 1.0
        turn = turn_policy(ends)
        rolls, challenge = int(state.rolls), bool(state.challenge)
        if state.rolling:
            found[name] = turn.before_roll(rolls, int(state.kept), challenge)
        else:
            best = turn.best(rolls, int(state.dice), challenge)
            found[name] = turn.value_of(best, rolls, int(state.dice), challenge)
    return found
