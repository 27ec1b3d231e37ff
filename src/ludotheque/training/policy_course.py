"""A course for any discrete game with an encoding, third parties' included, in the manner of AlphaZero: search, learn, again.

Matches are played many at a time, so that the network is asked about many positions at once. The search is in
`kernels.guided_search` and `kernels.guided_play`, gradient descent in `policy_learner`, what courses share in `base_course`.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.bots import player_named
from ludotheque.core import BadRequest, Options, Text, literal
from ludotheque.kernels.batch import Batch
from ludotheque.kernels.discrete import DiscreteGame
from ludotheque.kernels.encoding import Encoding, encoding_of
from ludotheque.kernels.guided_play import (
    Notes,
    PolicyExamples,
    make_play_functions,
    new_examples,
    new_matches,
)
from ludotheque.kernels.guided_search import LISTED_OUTCOMES, Effort, GuidedSearch, halving_schedule, new_trees
from ludotheque.kernels.policy_network import Evaluate, new_policy_network, save_policy_network
from ludotheque.kernels.random import seeded_many
from ludotheque.training.base_course import BaseCourse
from ludotheque.training.policy_learner import KEPT, NumpyLearner, PolicyLearner, TorchPolicyLearner


@dataclass(frozen=True)
class PolicyPlan:
    """How to train."""

    method: str = "alphazero"
    rounds: int = 300
    minutes: float = 0.0  # stop after so long, if that is sooner; 0: no limit
    games: int = 512  # a round
    matches: int = 512  # played at a time
    simulations: int = 32  # a decision
    considered: int = 16  # actions that the search begins with
    decisions: int = 256  # a longer match is learned from in parts
    batch: int = 256
    reuse: float = 4.0  # how often an example is learned from
    replay_size: int = 400_000  # examples to draw from
    rate: float = 0.002  # falls to a fiftieth of it in a cosine
    # How much what came later counts. At first only results do: a network that knows nothing would make them all look even.
    td_lambda: float = 1.0
    last_td_lambda: float = 0.9  # towards the end
    players: int = 2
    options: str = "{}"  # the game's, as JSON
    width: int = 128
    layers: int = 2
    seed: int = 1
    threads: int = 2
    device: str = ""  # what PyTorch computes on, such as cuda; empty: numpy, on the cores
    measure_every: int = 20  # rounds
    measure_games: int = 100
    opponent: str = "bot:3"  # of the measurements


NODES_A_SIMULATION: Final = 8
"""Nodes that a tree has room for, beside one set of actions: where more would be needed, the search goes no deeper."""
ROOM: Final = 4096
"""Examples that a thread notes before they are taken away, beside those of one match."""


class SelfPlayGroup:
    """Matches that are played side by side by some threads; the network is asked about all of them at once."""

    def __init__(
        self,
        encoding: Encoding,
        plan: PolicyPlan,
        options: Options,
        matches: int,
        number: int,
        room: Callable[[tuple[int, ...]], NDArray[np.int8]],
    ) -> None:
        game = encoding.game
        rules, players = game.rules, plan.players
        self.game, self.plan, self.options, self.number = game, plan, options, number
        self._functions = make_play_functions(rules, encoding)
        listed = encoding.num_outcomes if encoding.num_outcomes <= LISTED_OUTCOMES else 1
        nodes = plan.simulations * (NODES_A_SIMULATION + listed) + 4 * rules.most_actions + 2
        seeds = seeded_many((plan.seed << 40) + (number << 32), matches)
        trees = new_trees(rules, encoding, matches, nodes, 1, seeds)
        self.trees = trees._replace(observations=room(trees.observations.shape))
        starts = Batch(game, max(64, matches), players, dict(options), seed=plan.seed, chance="explicit").states
        self.matches = new_matches(rules, encoding, players, matches, plan.decisions, starts)
        schedule = halving_schedule(plan.simulations, min(plan.considered, rules.most_actions))
        self.effort = Effort(plan.simulations, 1, True, schedule)
        self._cuts = np.linspace(0, matches, min(plan.threads, matches) + 1).astype(int).tolist()
        self._notes = [
            Notes(new_examples(rules, encoding, players, ROOM + plan.decisions), np.zeros(3, np.int64))
            for _ in self._cuts[1:]
        ]
        self._logits = np.zeros((matches, encoding.num_actions), np.float32)
        self._values = np.zeros((matches, players), np.float32)
        self._begun = False

    def renew_starts(self, part: int) -> None:
        """Draw other first positions for the matches to come."""
        seed = (self.plan.seed << 24) + (part << 8) + self.number
        fresh = Batch(
            self.game, len(self.matches.starts), self.plan.players, dict(self.options), seed=seed, chance="explicit"
        )
        self.matches.starts[:] = fresh.states

    def step(
        self, threads: ThreadPoolExecutor, evaluate: Evaluate, td_lambda: float
    ) -> tuple[list[PolicyExamples], int]:
        """Play on until every match waits for the network, then ask it; returns what was noted, and how many matches ended."""
        if not self._begun:
            for match in range(len(self.trees.roots)):
                self._functions.begin(self.trees, self.matches, match)
            self._begun = True

        def advance(part: int) -> int:
            return self._functions.advance(
                self.trees,
                self.matches,
                self.effort,
                self._notes[part],
                self._logits,
                self._values,
                td_lambda,
                self._cuts[part],
                self._cuts[part + 1],
            )

        list(threads.map(advance, range(len(self._notes))))
        ended = 0
        taken = []
        for notes in self._notes:
            ended += int(notes.totals[1])
            notes.totals[1] = 0
            count = int(notes.totals[0])
            if count:
                taken.append(PolicyExamples(*(part[:count].copy() for part in notes.examples)))
                notes.totals[0] = 0
        self._logits, self._values = evaluate(self.trees.observations)
        return taken, ended


class PolicyCourse(BaseCourse):
    """One course of training for a discrete game with an encoding."""

    def __init__(self, game: DiscreteGame, folder: Path, plan: PolicyPlan) -> None:
        """BadOption for a game without an encoding, or for players or options that it does not have."""
        super().__init__(game, folder)
        self.encoding: Final = encoding_of(game)
        self.options: Final = game.read_options(json.loads(plan.options), game.read_players(plan.players))
        self.plan: PolicyPlan = plan
        first = new_policy_network(
            self.encoding.observation_size, plan.width, plan.layers, self.encoding.num_actions, plan.players, plan.seed
        )
        alike = self.encoding.symmetries
        self.learner: PolicyLearner = (
            TorchPolicyLearner(first, plan.replay_size, plan.device, alike)
            if plan.device
            else NumpyLearner(first, plan.replay_size, alike)
        )
        player_named(plan.opponent, game)  # to fail early
        # With a device there are two groups: one plays on the cores while the network is asked about the other.
        groups = 2 if plan.device else 1
        self._groups = [
            SelfPlayGroup(self.encoding, plan, self.options, max(1, plan.matches // groups), number, self.learner.room)
            for number in range(groups)
        ]

    @property
    def players(self) -> int:
        """How many players a game has."""
        return self.plan.players

    def opponent(self, nobody: str) -> Text:
        """Who the course is measured against."""
        del nobody
        return literal(self.plan.opponent)

    def _state(self) -> Mapping[str, Any]:
        return self.learner.state()

    def _restore(self, kept: Mapping[str, Any], former: Mapping[str, Any]) -> None:
        if former.get("method") != self.plan.method:
            raise BadRequest("train.another-method", folder=str(self.folder))
        sizes = ("width", "layers", "players")
        if any(former[name] != getattr(self.plan, name) for name in sizes):
            found = ", ".join(f"{name} {former[name]}" for name in sizes)
            raise BadRequest("train.another-network", folder=str(self.folder), found=found)
        self.learner.restore({name: kept[name] for name in (*KEPT, "steps")})

    def about(self) -> str:
        """What made the weights, as JSON; with the version of the encoding that they are for."""
        return json.dumps({**json.loads(super().about()), "encoding": self.encoding.version})

    def _save_weights(self, file: Path) -> None:
        save_policy_network(file, self.learner.without_unused(), self.about())

    def _working(self, stack: ExitStack) -> None:
        self._threads = stack.enter_context(ThreadPoolExecutor(self.plan.threads))
        self._drivers = stack.enter_context(ThreadPoolExecutor(len(self._groups)))

    def _round(self) -> float:
        """Matches until so many have ended, then as many batches as `reuse` says; returns the mean error."""
        plan, part = self.plan, min(1.0, self._part())
        td_lambda = plan.last_td_lambda + (plan.td_lambda - plan.last_td_lambda) * (1.0 - part)
        rate = plan.rate * (0.02 + 0.98 * 0.5 * (1.0 + cos(pi * part)))
        fresh = self._play(td_lambda)
        batches = round(fresh * plan.reuse / plan.batch) if self.learner.filled >= 2 * plan.batch else 0
        return self.learner.learn(batches, plan.batch, rate, (plan.seed << 20) + self.progress.round)

    def _play(self, td_lambda: float) -> int:
        """A round of matches; returns how many examples they brought."""
        evaluate = self.learner.evaluate()
        stop = threading.Event()
        lock = threading.Lock()
        kept: list[PolicyExamples] = []
        ended = 0

        def play(group: SelfPlayGroup) -> None:
            nonlocal ended
            try:
                while not stop.is_set():
                    taken, over = group.step(self._threads, evaluate, td_lambda)
                    with lock:
                        kept.extend(taken)
                        ended += over
                        if ended >= self.plan.games:
                            stop.set()
            finally:
                stop.set()  # whatever happened in one group, the other ends too

        for group in self._groups:
            group.renew_starts(self.progress.round)
        playing = [self._drivers.submit(play, group) for group in self._groups]
        try:
            for one in playing:
                one.result()
        finally:
            stop.set()
        fresh = PolicyExamples(*(np.concatenate(parts) for parts in zip(*kept, strict=True)))
        self.learner.add(fresh)
        self.progress.games += ended
        self.progress.examples += len(fresh.values)
        return len(fresh.values)

    def _points(self) -> Sequence[float]:
        """The averaged network, searching as in training, against the opponent: the network's points in each game."""
        plan = self.plan
        assert isinstance(self.game, DiscreteGame)
        games = max(plan.players, plan.measure_games)
        evaluate = self.learner.evaluate()
        batch = Batch(self.game, games, plan.players, dict(self.options), seed=1_000_000 + self.progress.round)
        seats = np.arange(games) % plan.players
        opponent = player_named(plan.opponent, self.game)
        move = 0
        while not batch.over.all():
            move += 1
            chosen = np.full(games, -1, np.int64)
            ours = np.flatnonzero(batch.to_move == seats)
            for begin in range(0, len(ours), 64):
                some = ours[begin : begin + 64]
                search = GuidedSearch(
                    self.game.rules,
                    self.encoding,
                    plan.players,
                    [batch.states[match].tobytes() for match in some],
                    evaluate,
                    seed=move,
                )
                search.think(plan.simulations + 1)
                chosen[some] = [search.found(tree)[0].action for tree in range(len(some))]
            theirs = np.flatnonzero((batch.to_move >= 0) & (batch.to_move != seats))

            def answer(match: int) -> int:
                position = batch.position(match)
                return position.number_of(opponent.choose(position, seed=move).action)  # noqa: B023 - used at once

            chosen[theirs] = list(self._threads.map(answer, theirs.tolist()))
            batch.step(chosen)
        return [float(batch.returns[match, seats[match]]) for match in range(games)]
