"""A course of training: play games with the network as it is, learn from them, measure, save, again.

A game's self-play is its capability `self_play`; gradient descent is in `learner`. A course can be stopped at any round and resumed.
Games are played in parts of a fixed size, each with a seed of its own, so that examples are the same wherever they are played: by
threads of this process, by other processes, or on Ray.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from importlib import import_module
from math import cos, pi
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, is_zipfile

import numpy as np

from ludotheque import __version__
from ludotheque.arena import Backend, WorkerPool, elo_of, interval
from ludotheque.core import BadRequest, Game, Problem, Text, find_game, literal, text
from ludotheque.core.problems import unwritable
from ludotheque.kernels.jit import source_hash
from ludotheque.kernels.network import Network, load_network, new_network, save_network
from ludotheque.kernels.self_play import Batch, Examples, SelfPlay
from ludotheque.plotting import can_plot, pyplot, save_plot
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


@dataclass
class Progress:
    """Where a course stands; `curve` has one entry for each measurement."""

    round: int = 0
    games: int = 0
    examples: int = 0
    seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)


Tell = Callable[[str], None]
GAMES_A_PART: Final = 32  # what one thread, process or machine plays at a time
MAY_CHANGE: Final = ("rounds", "minutes", "threads", "device", "measure_every", "measure_games")
"""What a course may be taken up again with without another plan: how long, where, and how often it is looked at."""
MOST_LEARNING = 8  # threads: each has gradients of its own for all weights, and adding them up is what takes the time


def find_self_play(game: Game) -> SelfPlay:
    """The self-play of a game; BadRequest if it has none."""
    if game.capabilities.self_play is None:
        raise BadRequest("train.no-self-play", game=game.title)
    self_play = game.capabilities.self_play()
    assert isinstance(self_play, SelfPlay)
    return self_play


class Course:
    """One course of training, in a folder of its own."""

    def __init__(self, game: Game, folder: Path, plan: Plan, where: Backend | None = None) -> None:
        """Games are played by the plan's threads or, if it is said `where`, by processes or on Ray."""
        self.game = game
        self.folder = folder
        self.plan = plan
        self.where = where
        self.self_play = find_self_play(game)
        self.progress = Progress()
        self.before: list[
            dict[str, Any]
        ] = []  # other plans that the course began with, each with the round that it led to
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
        self._began = 0.0

    @property
    def _warm_start(self) -> bool:
        """Whether the course begins with a network that has learned already."""
        return bool(self.plan.start or self.plan.against)

    def _first(self) -> Network:
        """The network that the course begins with."""
        plan, self_play = self.plan, self.self_play
        if not self._warm_start:
            return new_network(self_play.features, plan.width, plan.inner, plan.seed, self_play.max_active)
        with _readable(Path(plan.start)):
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

    @property
    def checkpoint(self) -> Path:
        """Where the course is kept between rounds."""
        return self.folder / "checkpoint.npz"

    def resume(self) -> bool:
        """Resume the course where it was saved; False if it was not. The examples are played anew.

        If the plan or the rules version differs, the new one counts, and the former one is noted in `before`.
        """
        if not self.checkpoint.exists():
            return False
        with _readable(self.checkpoint), np.load(self.checkpoint, allow_pickle=False) as kept:
            former = json.loads(str(kept["plan"]))
            if "game" in kept and str(kept["game"]) != self.game.name:
                raise BadRequest(
                    "train.course-of-another-game",
                    folder=str(self.folder),
                    found=str(kept["game"]),
                    game=self.game.name,
                )
            if len(kept["weights"]) != len(self.learner.weights):
                raise BadRequest(
                    "train.another-size", folder=str(self.folder), width=former["width"], inner=former["inner"]
                )
            if former.get("against", 0) != self.plan.against:
                found, wanted = (_opponent(level, "train.itself") for level in (former["against"], self.plan.against))
                raise BadRequest("train.another-opponent", folder=str(self.folder), found=found, wanted=wanted)
            self.learner.restore({name: kept[name] for name in (*KEPT, "steps")})
            self.progress = Progress(**json.loads(str(kept["progress"])))
            self.before = json.loads(str(kept["before"])) if "before" in kept else []
            rules = int(kept["rules"]) if "rules" in kept else self.game.rules_version
        if self.changed(former) or rules != self.game.rules_version:
            self.before.append({"round": self.progress.round, "plan": former, "rules": rules})
        return True

    def changed(self, former: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
        """In what another plan differs, but for what may: its number and ours."""
        ours = asdict(self.plan)
        names = [name for name in ours if name not in MAY_CHANGE and name in former]
        return {name: (former[name], ours[name]) for name in names if former[name] != ours[name]}

    def save(self) -> None:
        """Keep everything, each file in one step: a crash, or a full disk, leaves the former one."""
        about = {
            "game": self.game.name,
            "rules": str(self.game.rules_version),
            "plan": json.dumps(asdict(self.plan)),
            "progress": json.dumps(asdict(self.progress)),
            "before": json.dumps(self.before),
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        with _whole(self.checkpoint) as fresh:
            np.savez(fresh, allow_pickle=False, **self.learner.state(), **about)
        with _whole(self.folder / "curve.json") as fresh:
            fresh.write_text(json.dumps(self.progress.curve, indent=1) + "\n")
        with _whole(self.folder / "weights.npz") as fresh:
            save_network(fresh, self.learner.ema, about=self.about())

    def about(self) -> str:
        """What made the weights: the plan with its seed, the code, and the curve, as JSON."""
        folder = Path(str(import_module(self.game.package).__file__)).parent
        return json.dumps(
            {
                "game": self.game.name,
                "rules": self.game.rules_version,
                "version": __version__,
                "sources": source_hash(folder),
                "plan": asdict(self.plan),
                "progress": asdict(self.progress),
                **({"before": self.before} if self.before else {}),
            }
        )

    def run(
        self,
        tell: Tell,
        language: str = "en",
        uninterrupted: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> KeyboardInterrupt | None:
        """Go on to the last round. Ctrl-C stops: all is saved, `uninterrupted` by another one, and what stopped it is returned."""
        plan = self.plan
        self.folder.mkdir(parents=True, exist_ok=True)  # before anything is played that could not be kept
        self._began = time.perf_counter()
        with ExitStack() as stack:
            workers = stack.enter_context(WorkerPool(self.where)) if self.where is not None else None
            threads = stack.enter_context(ThreadPoolExecutor(plan.threads))
            try:
                while self._part() < 1.0:
                    began = time.perf_counter()
                    error = self._round(threads, workers)
                    self.progress.round += 1
                    self.progress.seconds += time.perf_counter() - began
                    if self.progress.round % plan.measure_every == 0 or self._part() >= 1.0:
                        self._measure(threads, error, tell, language)
                        with uninterrupted():
                            self.save()
            except KeyboardInterrupt as told:
                with suppress(KeyboardInterrupt), uninterrupted():
                    self.save()
                tell(text("train.stopped", round=self.progress.round).sentence(language))
                return told
        return None

    def _part(self) -> float:
        """How much of the course is behind us, 0 to 1, by rounds or by the clock."""
        spent = time.perf_counter() - self._began
        by_clock = spent / (60 * self.plan.minutes) if self.plan.minutes else 0.0
        return max(self.progress.round / max(1, self.plan.rounds), by_clock)

    def _round(self, threads: ThreadPoolExecutor, workers: WorkerPool | None) -> float:
        """Games, in parts, then as many batches as `reuse` says; returns the mean error."""
        plan, part = self.plan, min(1.0, self._part())
        td_lambda = plan.last_td_lambda + (plan.td_lambda - plan.last_td_lambda) * (1.0 - part)
        rate = plan.rate * (0.01 + 0.99 * 0.5 * (1.0 + cos(pi * part)))
        fresh = self._play(td_lambda, threads, workers)
        random = np.random.default_rng((plan.seed, self.progress.round))
        # With few examples to draw from, as after a course is resumed, the network would learn them by heart.
        batches = round(fresh * plan.reuse / plan.batch) if self._filled >= min(8 * plan.batch, plan.replay_size) else 0
        drawn = [random.integers(0, self._filled, plan.batch) for _ in range(batches)]
        return self.learner.learn(self._replay, drawn, rate)

    def _play(self, td_lambda: float, threads: ThreadPoolExecutor, workers: WorkerPool | None) -> int:
        """A round of games; the examples replace the oldest ones, in the order of the parts."""
        plan = self.plan
        whole, rest = divmod(plan.games, GAMES_A_PART)
        sizes = [GAMES_A_PART] * whole + ([rest] if rest else [])
        batch = Batch((plan.seed << 40) + (self.progress.round << 16), 0, td_lambda, plan.depth, plan.against)
        play = partial(play_part, self.game.name, self.learner.network, batch)
        if workers is None:
            parts = list(threads.map(play, range(len(sizes)), sizes))
        else:
            parts = sorted(workers.distribute(play, list(enumerate(sizes))), key=lambda one: one[0])
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

    def _measure(self, threads: ThreadPoolExecutor, error: float, tell: Tell, language: str) -> None:
        """A match of the averaged network against the baseline, or the bot of the course: one more point of the curve."""
        plan = self.plan
        each = max(2, plan.measure_games // plan.threads)
        network, opponent = self.learner.ema, plan.against or self.self_play.baseline()
        results = np.array(
            list(threads.map(lambda thread: self.self_play.match(network, opponent, each, thread), range(plan.threads)))
        ).sum(axis=0)
        share = float((results[0] + results[1] / 2) / results.sum())
        low, high = interval(
            [[points] for points, games in zip((1.0, 0.5, 0.0), results, strict=True) for _ in range(games)]
        )
        spread = (high - low) / 2
        progress = self.progress
        entry = {
            "round": progress.round,
            "games": progress.games,
            "examples": progress.examples,
            "seconds": round(progress.seconds, 1),
            "error": round(error, 5),
            "share": round(share, 4),
            "within": round(spread, 4),
            "elo": round(elo_of(share, 2), 1),
        }
        progress.curve.append(entry)
        told = text(
            "train.round",
            round=progress.round,
            rounds=plan.rounds,
            games=progress.games,
            turns=progress.examples,
            seconds=f"{progress.seconds:.0f}",
            error=f"{error:.4f}",
            share=f"{100 * share:.1f}",
            within=f"{100 * spread:.1f}",
            opponent=_opponent(plan.against, "train.baseline"),
        )
        tell(told.sentence(language))


def play_part(game: str, network: Network, batch: Batch, part: int, games: int) -> tuple[int, Examples]:
    """One part of a round, wherever it is played: its number and its examples."""
    self_play = find_self_play(find_game(game))
    # What came from another machine is read-only, and functions that are compiled for writable weights would not take it.
    own = Network(*(np.array(weights) for weights in network))
    examples = self_play.examples_for(games)
    count = self_play.play(own, batch._replace(seed=batch.seed + part, games=games), examples)
    features, counts = (numbers[:count].astype(np.int16) for numbers in (examples.features, examples.counts))
    return part, Examples(features, counts, examples.targets[:count])


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    """Within, a file of weights that is cut off, damaged or something else is a BadRequest."""
    try:
        if file.is_file() and not is_zipfile(file):  # numpy would take it for something else and leave it open
            raise BadZipFile
        yield
    except Problem:
        raise
    except (BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
        raise BadRequest("train.no-weights", file=str(file)) from error


def _opponent(level: int, nobody: str) -> Text:
    """What a bot is called, or who plays where there is none."""
    return literal(f"bot:{level}") if level else text(nobody)


@contextmanager
def _whole(file: Path) -> Iterator[Path]:
    """Another file to write, which takes this one's place when it is whole; a Problem where the disk does not take it."""
    fresh = file.with_name(f"{file.stem}.new{file.suffix}")
    try:
        yield fresh
        fresh.replace(file)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise unwritable(file, error) from error


def plot(course: Course, file: Path, language: str = "en") -> bool:
    """Draw the curve of strength over games, with 95 % intervals; False where matplotlib is not installed."""
    if not can_plot():
        return False
    curve, opponent = course.progress.curve, course.plan.against
    games, strength = [one["games"] for one in curve], [one["elo"] for one in curve]
    ends = [[elo_of(one["share"] + side * one.get("within", 0.0), 2) for one in curve] for side in (-1, 1)]
    figure, axes = pyplot().subplots(figsize=(7, 4))
    axes.fill_between(games, *ends, alpha=0.2, linewidth=0)
    axes.plot(games, strength, marker=".")
    axes.set_xlabel(text("train.plot.games").sentence(language))
    axes.set_ylabel(text("train.plot.elo", opponent=_opponent(opponent, "train.baseline")).sentence(language))
    axes.grid(alpha=0.3)
    figure.tight_layout()
    save_plot(figure, file)
    return True
