"""A course of training: play games with the network as it is, learn from them, measure, save, again.

A game's self-play is its capability `self_play`; gradient descent is in `learner`. A course can be stopped at any round and resumed.
Games are played in parts of a fixed size, each with a seed of its own, so that examples are the same wherever they are played: by
threads of this process, by other processes, or on Ray.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from math import cos, pi
from pathlib import Path
from typing import Any, Final

import numpy as np

from ludotheque.arena import Backend, WorkerPool
from ludotheque.core import BadRequest, Game, Text, find_game, literal, text
from ludotheque.kernels.network import Network, load_network, new_network, save_network
from ludotheque.kernels.self_play import Batch, Examples, SelfPlay
from ludotheque.training.base_course import BaseCourse, readable
from ludotheque.training.learner import KEPT, CompiledLearner, Learner
from ludotheque.training.torch_learner import TorchLearner


@dataclass(frozen=True)
class Plan:
    """How to train."""

    rounds: int = 300
    minutes: float = 0.0  # stop after so long, if that is sooner; 0: no limit, and the same plan gives the same network
    games: int = 512  # a round
    batch: int = 1024
    reuse: float = 3.0  # how often an example is learnt from
    replay_size: int = 400_000  # examples to draw from
    rate: float = 0.002  # falls to a hundredth of it in a cosine
    td_lambda: float = 0.7  # how much what came later counts in the first round; falls to `last_td_lambda`
    last_td_lambda: float = 0.2
    depth: int = 0  # how many turns further the targets look; slow, for the last polish
    against: int = 0  # the level of the bot that every game is played against; 0: the network against itself
    start: str = ""  # the weights to begin with; empty: from nothing or, against a bot, from those that the game ships
    width: int = 128
    inner: int = 32
    seed: int = 1
    threads: int = 2
    device: str = ""  # what PyTorch learns on, such as cuda; empty: learn on the cores, without PyTorch
    measure_every: int = 20  # rounds
    measure_games: int = 1000


GAMES_A_PART: Final = 32  # what one thread, process or machine plays at a time
MOST_LEARNING = 8  # threads: each has gradients of its own for all weights, and adding them up is what takes the time


def find_self_play(game: Game) -> SelfPlay:
    """The self-play of a game; BadRequest if it has none."""
    if game.capabilities.self_play is None:
        raise BadRequest("train.no-self-play", game=game.title)
    self_play = game.capabilities.self_play()
    assert isinstance(self_play, SelfPlay)
    return self_play


class Course(BaseCourse):
    """One course of training, in a folder of its own."""

    def __init__(self, game: Game, folder: Path, plan: Plan, where: Backend | None = None) -> None:
        """Games are played by the plan's threads or, if it is said `where`, by processes or on Ray."""
        super().__init__(game, folder)
        self.plan: Plan = plan
        self.where = where
        self.self_play = find_self_play(game)
        first = self._first()
        self.plan = replace(plan, width=first.second.shape[0], inner=first.second.shape[1])
        self.learner: Learner = (
            TorchLearner(first, plan.device, warm_start=self._warm_start)
            if plan.device
            else CompiledLearner(first, min(plan.threads, MOST_LEARNING), warm_start=self._warm_start)
        )
        size = plan.replay_size
        self._replay = Examples(
            np.zeros((size, self.self_play.max_active), np.int16),
            np.zeros(size, np.int16),
            np.zeros(size, np.float32),
        )
        self._filled = 0
        self._next = 0

    @property
    def _warm_start(self) -> bool:
        """Whether the course begins with a network that has learned already."""
        return bool(self.plan.start or self.plan.against)

    def _first(self) -> Network:
        """The network that the course begins with."""
        plan, self_play = self.plan, self.self_play
        if not self._warm_start:
            return new_network(self_play.features, plan.width, plan.inner, plan.seed, self_play.max_active)
        with readable(Path(plan.start)):
            network = load_network(Path(plan.start)) if plan.start else self_play.learned()
        if network.first.shape[0] != self_play.features:
            raise BadRequest(
                "train.other-game",
                file=plan.start,
                found=network.first.shape[0],
                game=self.game.title,
                features=self_play.features,
            )
        return network

    def opponent(self, nobody: str) -> Text:
        """The bot of the course, if it is played against one."""
        return _opponent(self.plan.against, nobody)

    def _state(self) -> Mapping[str, Any]:
        return self.learner.state()

    def _restore(self, kept: Mapping[str, Any], former: Mapping[str, Any]) -> None:
        if len(kept["weights"]) != len(self.learner.weights):
            raise BadRequest(
                "train.another-size", folder=str(self.folder), width=former["width"], inner=former["inner"]
            )
        if former.get("against", 0) != self.plan.against:
            found, wanted = (_opponent(level, "train.itself") for level in (former["against"], self.plan.against))
            raise BadRequest("train.another-opponent", folder=str(self.folder), found=found, wanted=wanted)
        self.learner.restore({name: kept[name] for name in (*KEPT, "steps")})

    def _save_weights(self, file: Path) -> None:
        save_network(file, self.learner.ema, about=self.about())

    def _working(self, stack: ExitStack) -> None:
        self._workers = stack.enter_context(WorkerPool(self.where)) if self.where is not None else None
        self._threads = stack.enter_context(ThreadPoolExecutor(self.plan.threads))

    def _round(self) -> float:
        """Games, in parts, then as many batches as `reuse` says; returns the mean error."""
        plan, part = self.plan, min(1.0, self._part())
        td_lambda = plan.last_td_lambda + (plan.td_lambda - plan.last_td_lambda) * (1.0 - part)
        rate = plan.rate * (0.01 + 0.99 * 0.5 * (1.0 + cos(pi * part)))
        fresh = self._play(td_lambda)
        random = np.random.default_rng((plan.seed, self.progress.round))
        # With few examples to draw from, as after a course is resumed, the network would learn them by heart.
        batches = round(fresh * plan.reuse / plan.batch) if self._filled >= min(8 * plan.batch, plan.replay_size) else 0
        drawn = [random.integers(0, self._filled, plan.batch) for _ in range(batches)]
        return self.learner.learn(self._replay, drawn, rate)

    def _play(self, td_lambda: float) -> int:
        """A round of games; the examples replace the oldest ones, in the order of the parts."""
        plan = self.plan
        whole, rest = divmod(plan.games, GAMES_A_PART)
        sizes = [GAMES_A_PART] * whole + ([rest] if rest else [])
        batch = Batch((plan.seed << 40) + (self.progress.round << 16), 0, td_lambda, plan.depth, plan.against)
        play = partial(play_part, self.game.name, self.learner.network, batch)
        if self._workers is None:
            parts = list(self._threads.map(play, range(len(sizes)), sizes))
        else:
            parts = sorted(self._workers.distribute(play, list(enumerate(sizes))), key=lambda one: one[0])
        fresh = 0
        for _, examples in parts:
            count = len(examples.targets)
            where = (self._next + np.arange(count)) % plan.replay_size
            for kept, new in zip(self._replay, examples, strict=True):
                kept[where] = new
            self._next = (self._next + count) % plan.replay_size
            self._filled = min(plan.replay_size, self._filled + count)
            fresh += count
        self.progress.games += plan.games
        self.progress.examples += fresh
        return fresh

    def _points(self) -> Sequence[float]:
        """The averaged network against the baseline, or the bot of the course."""
        plan = self.plan
        each = max(2, plan.measure_games // plan.threads)
        network, opponent = self.learner.ema, plan.against or self.self_play.baseline()
        results = self._threads.map(
            lambda thread: self.self_play.match(network, opponent, each, thread), range(plan.threads)
        )
        won, drawn, lost = (sum(some) for some in zip(*results, strict=True))
        return [1.0] * won + [0.5] * drawn + [0.0] * lost


def play_part(game: str, network: Network, batch: Batch, part: int, games: int) -> tuple[int, Examples]:
    """One part of a round, wherever it is played: its number and its examples."""
    self_play = find_self_play(find_game(game))
    # What came from another machine is read-only, and functions that are compiled for writable weights would not take it.
    own = Network(*(np.array(weights) for weights in network))
    examples = self_play.examples_for(games)
    count = self_play.play(own, batch._replace(seed=batch.seed + part, games=games), examples)
    features, counts = (numbers[:count].astype(np.int16) for numbers in (examples.features, examples.counts))
    return part, Examples(features, counts, examples.targets[:count])


def _opponent(level: int, nobody: str) -> Text:
    """What a bot is called, or who plays where there is none."""
    return literal(f"bot:{level}") if level else text(nobody)
