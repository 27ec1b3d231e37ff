"""What every course of training shares: rounds, measuring, a checkpoint after each measurement, stopping and resuming, the curve.

How games are played and learned from is a subclass's: `course` for games with turns of their own, `policy_course` for any game.
"""

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol
from zipfile import BadZipFile, is_zipfile

import numpy as np

from ludotheque import __version__
from ludotheque.arena import elo_of, interval
from ludotheque.core import BadRequest, Game, Problem, Text, text
from ludotheque.core.problems import unwritable
from ludotheque.kernels.cache_keys import source_hash
from ludotheque.plotting import can_plot, pyplot, save_plot

Tell = Callable[[str], None]


class BasePlan(Protocol):
    """What every plan has; a plan is a frozen dataclass of numbers and texts."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def rounds(self) -> int:
        """How many rounds."""

    @property
    def minutes(self) -> float:
        """Stop after so long, if that is sooner; 0: no limit."""

    @property
    def measure_every(self) -> int:
        """Rounds between two measurements."""


MAY_CHANGE: Final = ("rounds", "minutes", "threads", "device", "measure_every", "measure_games")
"""What a course may be taken up again with without another plan: how long, where, and how often it is looked at."""


@dataclass
class Progress:
    """Where a course stands; `curve` has one entry for each measurement."""

    round: int = 0
    games: int = 0
    examples: int = 0
    seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)


class BaseCourse(ABC):
    """One course of training, in a folder of its own."""

    plan: BasePlan

    def __init__(self, game: Game, folder: Path) -> None:
        self.game = game
        self.folder = folder
        self.progress = Progress()
        self.before: list[
            dict[str, Any]
        ] = []  # other plans that the course began with, each with the round that it led to
        self._began = 0.0

    @property
    def players(self) -> int:
        """How many players a game has."""
        return 2

    @abstractmethod
    def opponent(self, nobody: str) -> Text:
        """Who the course is measured against; `nobody` is the key of what is said where there is no such player."""

    @abstractmethod
    def _state(self) -> Mapping[str, Any]:
        """Everything of the learner that a checkpoint keeps."""

    @abstractmethod
    def _restore(self, kept: Mapping[str, Any], former: Mapping[str, Any]) -> None:
        """Go on from a checkpoint that another plan, or this one, has led to; BadRequest if it does not fit."""

    @abstractmethod
    def _save_weights(self, file: Path) -> None:
        """Write the weights to play with."""

    @abstractmethod
    def _working(self, stack: ExitStack) -> None:
        """Start whatever plays, until the stack is left."""

    @abstractmethod
    def _round(self) -> float:
        """Play games and learn from them; returns the mean error."""

    @abstractmethod
    def _points(self) -> Sequence[float]:
        """A match against the opponent: the network's points in each game, 1 for a win, a draw shared."""

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
        with readable(self.checkpoint), np.load(self.checkpoint, allow_pickle=False) as kept:
            former = json.loads(str(kept["plan"]))
            if "game" in kept and str(kept["game"]) != self.game.name:
                raise BadRequest(
                    "train.course-of-another-game",
                    folder=str(self.folder),
                    found=str(kept["game"]),
                    game=self.game.name,
                )
            self._restore(kept, former)
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
        with whole_file(self.checkpoint) as fresh:
            np.savez(fresh, allow_pickle=False, **self._state(), **about)
        with whole_file(self.folder / "curve.json") as fresh:
            fresh.write_text(json.dumps(self.progress.curve, indent=1) + "\n")
        with whole_file(self.folder / "weights.npz") as fresh:
            self._save_weights(fresh)

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
            self._working(stack)
            try:
                while self._part() < 1.0:
                    began = time.perf_counter()
                    error = self._round()
                    self.progress.round += 1
                    self.progress.seconds += time.perf_counter() - began
                    if self.progress.round % plan.measure_every == 0 or self._part() >= 1.0:
                        self._measure(error, tell, language)
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

    def _measure(self, error: float, tell: Tell, language: str) -> None:
        """A match of the averaged network: one more point of the curve."""
        points = self._points()
        share = sum(points) / len(points)
        low, high = interval([[one] for one in points])
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
            "elo": round(elo_of(share, self.players), 1),
        }
        progress.curve.append(entry)
        told = text(
            "train.round",
            round=progress.round,
            rounds=self.plan.rounds,
            games=progress.games,
            turns=progress.examples,
            seconds=f"{progress.seconds:.0f}",
            error=f"{error:.4f}",
            share=f"{100 * share:.1f}",
            within=f"{100 * spread:.1f}",
            opponent=self.opponent("train.baseline"),
        )
        tell(told.sentence(language))


@contextmanager
def readable(file: Path) -> Iterator[None]:
    """Within, a file of weights that is cut off, damaged or something else is a BadRequest."""
    try:
        if file.is_file() and not is_zipfile(file):  # numpy would take it for something else and leave it open
            raise BadZipFile
        yield
    except Problem:
        raise
    except (BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
        raise BadRequest("train.no-weights", file=str(file)) from error


@contextmanager
def whole_file(file: Path) -> Iterator[Path]:
    """Another file to write, which takes this one's place when it is whole; a Problem where the disk does not take it."""
    fresh = file.with_name(f"{file.stem}.new{file.suffix}")
    try:
        yield fresh
        fresh.replace(file)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise unwritable(file, error) from error


def plot(course: BaseCourse, file: Path, language: str = "en") -> bool:
    """Draw the curve of strength over games, with 95 % intervals; False where matplotlib is not installed."""
    if not can_plot():
        return False
    curve = course.progress.curve
    games, strength = [one["games"] for one in curve], [one["elo"] for one in curve]
    ends = [[elo_of(one["share"] + side * one.get("within", 0.0), course.players) for one in curve] for side in (-1, 1)]
    figure, axes = pyplot().subplots(figsize=(7, 4))
    axes.fill_between(games, *ends, alpha=0.2, linewidth=0)
    axes.plot(games, strength, marker=".")
    axes.set_xlabel(text("train.plot.games").sentence(language))
    axes.set_ylabel(text("train.plot.elo", opponent=course.opponent("train.baseline")).sentence(language))
    axes.grid(alpha=0.3)
    figure.tight_layout()
    save_plot(figure, file)
    return True
