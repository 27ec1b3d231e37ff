"""Self-play of games with two players and whole turns: one compiled loop that notes training examples, and one for matches.

A game gives the parts in `TurnFunctions`; its rules say what happens and when it is over. Learning is in `training`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.jit import part_of_rules, rule_in, whole
from ludotheque.kernels.network import Floats, Network
from ludotheque.kernels.playout import States
from ludotheque.kernels.random import Random, below, seeded
from ludotheque.kernels.targets import OVER

Whole: TypeAlias = NDArray[Any]
"""int64"""
Skill: TypeAlias = Any
"""What a level can do: a named tuple of numbers, each game's own."""
Buffers: TypeAlias = Any
"""Memory to plan a turn in: a named tuple of arrays, each game's own."""

ALL_TURNS = 1 << 30
UNKNOWN = -1.0
"""No chance to win: it is not worked out."""


class Batch(NamedTuple):
    """Games to be played in one go."""

    seed: int
    games: int
    td_lambda: float
    """How much what came later counts in a target, beside what the turn promised (the lambda of temporal-difference learning)."""
    depth: int = 0
    """How many turns further targets look; slow."""
    against: int = 0
    """The level of the bot that is played against; 0: the network plays itself."""


class Examples(NamedTuple):
    """Training examples: the features of positions, how many each has, and the chance to win of whoever was about to roll."""

    features: Whole
    counts: Whole
    targets: Floats


class TurnFunctions(NamedTuple):
    """The compiled parts of a game's self-play. `states[0]` is the position; between turns, `player` is about to roll."""

    new_game: Callable[[States, int], None]
    """`(states, starter)`: begin the usual game."""
    begin: Callable[[States, Random], None]
    """Begin a game for the network to learn from: anybody may start, and now and then the options are others."""
    observe: Callable[[Buffers, States, Whole, Whole], None]
    """`(buffers, states, features, counts)`: note the features, one row for each version of the position."""
    plan: Callable[[Network, Buffers, States, int, Random], float]
    """`(network, buffers, states, depth, random)`: plan the best turn; returns its chance to win. The dice may be rolled."""
    play_plan: Callable[[Buffers, States, float, Random], bool]
    """`(buffers, states, noise, random)`: play the planned turn, with so much noise; returns whether that gave something away."""
    plan_move: Callable[[Network, Skill, Buffers, States, Random], None]
    """Plan a turn as a bot of that skill does."""
    play_move: Callable[[Skill, Buffers, States, Random], None]
    """Play the turn that the bot has planned."""
    expected: Callable[[Network, Buffers, Skill, Buffers, States], float]
    """`(network, buffers, skill, bot's buffers, states)`: the chance to win of the network's side (seat 0) after the turn that the bot
    has planned, on average over its dice; UNKNOWN where that is too costly."""
    tally: Callable[[States, Whole], None]
    """`(states, totals)`: add two numbers of a game that is over, such as both players' winnings, to a match's totals."""


class SelfPlay:
    """A game that a network can learn by playing itself."""

    def __init__(
        self,
        rules: ModuleType,
        turns: TurnFunctions,
        *,
        features: int,
        max_active: int,
        max_turns: int,
        usual_turns: int,
        noisy_turns: int,
        versions: int = 1,
        new_states: Callable[[], States],
        new_buffers: Callable[[Network, Skill], Buffers],
        plain: Skill,
        plain_against_bots: Skill,
        skills: Mapping[int, Skill],
        network_of: Callable[[int], Network],
        baseline: Callable[[], Network],
        learned: Callable[[], Network],
    ) -> None:
        """Name a game's parts.

        `features` can be true of a position, `max_active` at once. A game has `max_turns` at most and `usual_turns` on average, or
        fewer. In noisy games the noise may end within `noisy_turns`. Each position is noted in so many `versions`, such as its mirror
        images. Who learns plays with the skill `plain`, or `plain_against_bots`; `skills` and `network_of` are those of the levels.
        `baseline` is a network made by hand, to measure against, `learned` the one that the game ships.
        """
        self.features = features
        self.max_active = max_active
        self.baseline = baseline
        self.learned = learned
        self._room = (max_turns * versions, usual_turns * versions)
        self._new_states, self._new_buffers = new_states, new_buffers
        self._plain, self._plain_against_bots = plain, plain_against_bots
        self._skills, self._network_of = skills, network_of
        folder = Path(str(rules.__file__)).parent
        self._play_itself = _make_self_play(folder, rules, turns, versions, max_turns, noisy_turns)
        self._play_bot = _make_play_against(folder, rules, turns, versions, max_turns, noisy_turns)
        self._match = _make_match(folder, rules, turns)

    def examples_for(self, games: int) -> Examples:
        """Memory for the examples that so many games bring."""
        most, usual = self._room
        room = (games + 1) * usual + most
        features = np.zeros((room, self.max_active), np.int64)
        return Examples(features, np.zeros(room, np.int64), np.zeros(room, np.float32))

    def play(self, network: Network, batch: Batch, examples: Examples) -> int:
        """Play games and note examples, as long as there is room for one more game; returns how many examples."""
        states, random = self._new_states(), seeded(batch.seed)
        if not batch.against:
            buffers = self._new_buffers(network, self._plain)
            return int(self._play_itself(network, buffers, states, random, batch, examples))
        bot, skill = self._network_of(batch.against), self._skills[batch.against]
        buffers, theirs = self._new_buffers(network, self._plain_against_bots), self._new_buffers(bot, skill)
        return int(self._play_bot((network, buffers), (bot, skill, theirs), states, random, batch, examples))

    def match(self, one: Network, two: Network | int, games: int, seed: int) -> tuple[int, int, int]:
        """A match of a network that looks no further than its turn against another, or against the bot of a level as it is: how often
        the first won, drew and lost.
        """
        if isinstance(two, int):
            bot, skill = self._network_of(two), self._skills[two]
            results = self.versus(one, self._plain_against_bots, bot, skill, games, seed)
        else:
            results = self.versus(one, self._plain, two, self._plain, games, seed)
        return int(results[0]), int(results[1]), int(results[2])

    def versus(
        self,
        one: Network,
        skill: Skill,
        two: Network,
        other: Skill,
        games: int,
        seed: int,
        states: States | None = None,
    ) -> Whole:
        """A match between two bots, each beginning half of the games: how often the first won, drew and lost, how many turns
        there were, and the game's own totals. Options other than the usual ones are set in `states`.
        """
        results = np.zeros(6, np.int64)
        states = self._new_states() if states is None else states
        first, second = (one, skill, self._new_buffers(one, skill)), (two, other, self._new_buffers(two, other))
        self._match(first, second, states, games, seeded(seed), results)
        return results


@part_of_rules
def exploration(random: Random, little: float, much: float, noisy_turns: int) -> tuple[float, int]:
    """The noise of a game and the turn at which it ends: one game in six has a little, one in six has much at its beginning."""
    kind = below(random, 6)
    if kind == 0:
        return little, ALL_TURNS
    if kind == 1:
        return much, below(random, noisy_turns)
    return 0.0, 0


def _make_self_play(
    folder: Path, rules: ModuleType, turns: TurnFunctions, versions: int, max_turns: int, noisy_turns: int
) -> Callable[..., int]:
    to_move, returns = rules.to_move, rules.returns
    begin, observe, plan, play_plan = turns.begin, turns.observe, turns.plan, turns.play_plan

    @rule_in(folder)
    def self_play(
        network: Network, buffers: Buffers, states: States, random: Random, batch: Batch, examples: Examples
    ) -> int:
        """Play games of the network against itself and note every turn.

        A target is what the planned turn promises, mixed by `td_lambda` with what the next turns brought. A third of the games is
        played with noise, so that positions come up that good players avoid; after a turn that gave something away, what came later
        says nothing about the turns before it.
        """
        noted = 0
        promised = np.empty(max_turns)
        result = np.zeros(2)
        for _ in range(batch.games):
            if noted + max_turns * versions > len(examples.targets):
                break
            begin(states, random)
            noise, noise_ends = exploration(random, 0.15, 1.0, noisy_turns)
            start, turn, reliable_from, mover = noted, 0, 0, 0
            while to_move(states[0]) != OVER:
                mover = whole(states[0].player)
                observe(
                    buffers,
                    states,
                    examples.features[noted : noted + versions],
                    examples.counts[noted : noted + versions],
                )
                noted += versions
                promised[turn] = plan(network, buffers, states, batch.depth, random)
                gave_away = play_plan(buffers, states, noise if turn < noise_ends else 0.0, random)
                turn += 1
                if gave_away:
                    reliable_from = turn
            returns(states[0], result)
            later = result[mover]
            for back in range(turn - 1, -1, -1):
                share = batch.td_lambda if back >= reliable_from else 0.0
                value = (1.0 - share) * promised[back] + share * later
                for version in range(versions):
                    examples.targets[start + versions * back + version] = value
                later = 1.0 - value
        return noted

    return self_play


def _make_play_against(
    folder: Path, rules: ModuleType, turns: TurnFunctions, versions: int, max_turns: int, noisy_turns: int
) -> Callable[..., int]:
    to_move, returns = rules.to_move, rules.returns
    new_game, observe, plan, play_plan = turns.new_game, turns.observe, turns.plan, turns.play_plan
    plan_move, play_move, expected = turns.plan_move, turns.play_move, turns.expected

    @rule_in(folder)
    def play_against(
        learner: tuple[Network, Buffers],
        bot: tuple[Network, Skill, Buffers],
        states: States,
        random: Random,
        batch: Batch,
        examples: Examples,
    ) -> int:
        """Play games of the network (seat 0) against a bot that never changes, and note every position before the bot's roll.

        Those are all positions that the network has to evaluate if it looks no further than its turn. A target is what the network's
        next turn promises after the bot's turn as it came (with `depth`, on average over the bot's dice), mixed by `td_lambda` with
        what came later. In a third of the games the network plays with noise.
        """
        network, buffers = learner[0], learner[1]
        bot_network, skill, bot_buffers = bot[0], bot[1], bot[2]
        noted = 0
        promised = np.empty(max_turns)
        result = np.zeros(2)
        for _ in range(batch.games):
            if noted + max_turns * versions > len(examples.targets):
                break
            new_game(states, below(random, 2))
            noise, noise_ends = exploration(random, 0.1, 0.5, noisy_turns)
            start, turn, positions, reliable_from, known = noted, 0, 0, 0, True
            while to_move(states[0]) != OVER:
                if states[0].player == 0:
                    value = plan(network, buffers, states, whole(0), random)
                    if not known:
                        promised[positions - 1] = value
                        known = True
                    noise_now = noise if turn < noise_ends else 0.0
                    play_plan(buffers, states, noise_now, random)
                    if noise_now > 0.0:
                        reliable_from = positions
                else:
                    observe(
                        buffers,
                        states,
                        examples.features[noted : noted + versions],
                        examples.counts[noted : noted + versions],
                    )
                    noted += versions
                    positions += 1
                    plan_move(bot_network, skill, bot_buffers, states, random)
                    known = False
                    if batch.depth > 0:
                        promised[positions - 1] = expected(network, buffers, skill, bot_buffers, states)
                        known = promised[positions - 1] != UNKNOWN
                    play_move(skill, bot_buffers, states, random)
                turn += 1
            returns(states[0], result)
            later = result[0]
            if not known:
                promised[positions - 1] = later
            for back in range(positions - 1, -1, -1):
                share = batch.td_lambda if back >= reliable_from else 0.0
                later = (1.0 - share) * promised[back] + share * later
                for version in range(versions):
                    examples.targets[start + versions * back + version] = (
                        1.0 - later
                    )  # of the bot, who is about to roll
        return noted

    return play_against


def _make_match(folder: Path, rules: ModuleType, turns: TurnFunctions) -> Callable[..., None]:
    to_move, returns = rules.to_move, rules.returns
    new_game, plan_move, play_move, tally = turns.new_game, turns.plan_move, turns.play_move, turns.tally

    @rule_in(folder)
    def match(
        one: tuple[Network, Skill, Buffers],
        two: tuple[Network, Skill, Buffers],
        states: States,
        games: int,
        random: Random,
        results: Whole,
    ) -> None:
        """Games between two bots; see `SelfPlay.versus` for the results."""
        result = np.zeros(2)
        for game in range(games):
            new_game(states, game % 2)
            while to_move(states[0]) != OVER:
                if states[0].player == 0:
                    plan_move(one[0], one[1], one[2], states, random)
                    play_move(one[1], one[2], states, random)
                else:
                    plan_move(two[0], two[1], two[2], states, random)
                    play_move(two[1], two[2], states, random)
                results[3] += 1
            returns(states[0], result)
            results[0 if result[0] == 1.0 else (1 if result[0] == 0.5 else 2)] += 1
            tally(states, results[4:])

    return match
