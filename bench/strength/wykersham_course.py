"""A training of Wykersham on a machine with many cores, and what is measured with its weights. Each step prints one JSON line a
measurement and writes its files as it goes, so that an interrupted run leaves what it has done.

`python -m bench.strength.wykersham_course train FOLDER MINUTES THREADS [DEVICE]` goes on from the shipped weights, then plays the new
ones against them. FOLDER gets weights.npz, curve.json, compared.json, and better.npz: the new weights, or the shipped ones where the
new lost. DEVICE is what PyTorch learns on; without it the cores learn.

`python -m bench.strength.wykersham_course measure FOLDER SECONDS THREADS` plays neighbouring levels against each other with
better.npz, each match for SECONDS at most, then checks the shipped puzzles with it and makes others for those that fail, then measures
what each level gives away: measured.json, puzzles.json, losses.json.

`python -m bench.strength.wykersham_course noise FOLDER SECONDS THREADS` plays levels that might be: noise.json.
"""

import argparse
import json
import shutil
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.strength.wykersham import Contest, combination_table, loss_table, play_contest
from bench.strength.wykersham import contests as contests_of_levels
from ludotheque.analysis import read_puzzles
from ludotheque.core import JsonObject
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.features import handmade_network
from ludotheque.games.wykersham.levels import SKILLS, Skill
from ludotheque.games.wykersham.player import learned
from ludotheque.kernels.network import Network, as_network, load_network, weights_of
from ludotheque.kernels.self_play import Batch
from ludotheque.training.course import Course, Plan
from tools.puzzles.grading import write_puzzles
from tools.puzzles.wykersham import Checker, puzzles

BEGAN: Final = time.perf_counter()
GAMES: Final = 2048  # a round
NEW_PUZZLES: Final = 1000  # the first seed of games for them: no shipped puzzle came out of such a game
LEVELS: Final = (
    "level 2 v 1",
    "level 3 v 2",
    "level 4 v 3",
    "level 5 v 4",
    "level 5 v 4, options 8",
    "v judge made by hand",
)


def log(text: str) -> None:
    """Progress, with the seconds since the start."""
    print(f"{time.perf_counter() - BEGAN:6.0f} s  {text}", flush=True)


def keep(measured: list[dict[str, Any]], file: Path) -> None:
    """Write what has been measured so far."""
    file.write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", "utf-8")


def measure_all(
    contests: Iterable[Contest], seconds: float, pool: ThreadPoolExecutor, file: Path
) -> list[dict[str, Any]]:
    """Play matches, each so long at most, and keep the results in a file."""
    done: list[dict[str, Any]] = []
    for seed, contest in enumerate(contests):
        done.append(play_contest(contest, 1.0, pool, seed, seconds))
        log(json.dumps(done[-1], ensure_ascii=False))
        keep(done, file)
    return done


def former_courses() -> list[dict[str, Any]]:
    """The plans and curves that led to the shipped weights, the oldest first."""
    with as_file(files(GAME.package) / "weights.npz") as file, np.load(file, allow_pickle=False) as parts:
        about = json.loads(str(parts["about"]))
    return [*about.pop("before", []), about]


def train(folder: Path, minutes: float, threads: int, device: str) -> None:
    """Go on from the shipped weights, then compare."""
    former = former_courses()
    with as_file(files(GAME.package) / "weights.npz") as shipped:
        plan = Plan(
            rounds=1_000_000,
            minutes=minutes,
            games=GAMES,
            batch=8192,
            reuse=2.0,
            replay_size=3_000_000,
            rate=0.0012,
            td_lambda=0.35,
            last_td_lambda=0.1,
            start=str(shipped),
            threads=threads,
            device=device,
            measure_every=20,
            measure_games=4000,
        )
        course = Course(GAME, folder, plan)
    course.plan = replace(course.plan, start="the weights of the course before")
    course.before = former
    log("compiling")
    _ = GAME.rules.compiled
    course.self_play.play(course.learner.network, Batch(1, 1, 0.5), course.self_play.examples_for(1))
    log("the course begins")
    course.run(log)
    (folder / "checkpoint.npz").unlink()
    new, old, clear, ahead = course.learner.ema, as_network(learned()), Skill(), SKILLS[5]
    contests = (
        Contest("new v shipped, at a glance", new, clear, old, clear, 16_000),
        Contest("new v shipped, level 5", new, ahead, old, ahead, 2000),
        Contest("new v shipped, at a glance, goals one by one", new, clear, old, clear, 4000, 8),
    )
    with ThreadPoolExecutor(threads) as pool:
        compared = measure_all(contests, 60.0, pool, folder / "compared.json")
    stronger = compared[0]["share"] >= 0.5 and compared[1]["share"] + compared[1]["±"] >= 0.5
    with as_file(files(GAME.package) / "weights.npz") as shipped:
        shutil.copy(folder / "weights.npz" if stronger else shipped, folder / "better.npz")
    log(f"better: {'the new weights' if stronger else 'the shipped weights'}")


def measure(folder: Path, seconds: float, threads: int) -> None:
    """Levels against each other, then puzzles, all with the better weights."""
    network = load_network(folder / "better.npz")
    contests = [one for one in contests_of_levels(network) if one.what.endswith(LEVELS)]
    with ThreadPoolExecutor(threads) as pool:
        measure_all(contests, seconds, pool, folder / "measured.json")
        make_puzzles(folder / "puzzles.json", network, seconds, threads, pool)
        losses: list[dict[str, Any]] = []
        for table in further_tables(network, pool):
            losses.append(table)
            log(json.dumps(table, ensure_ascii=False))
            keep(losses, folder / "losses.json")


def further_tables(network: Network, pool: ThreadPoolExecutor) -> Iterator[dict[str, Any]]:
    """What the levels give away, and how often combinations matter."""
    yield from loss_table(network, 1.0, pool, lambda _: True)
    yield combination_table(network, 1.0, pool)


def make_puzzles(file: Path, network: Network, seconds: float, threads: int, pool: ThreadPoolExecutor) -> None:
    """The shipped puzzles that still hold, with their new values, and others in place of those that do not."""
    shipped = read_puzzles(GAME)
    options, weights = GAME.read_options(), weights_of(network)

    def check(thread: int) -> list[JsonObject | None]:
        checker = Checker(weights)
        return [checker.puzzle_of_view(one.view, options, one.answer) for one in shipped[thread::threads]]

    kept = [one for part in pool.map(check, range(threads)) for one in part if one is not None]
    log(f"{len(kept)} of {len(shipped)} puzzles hold")
    write_puzzles(GAME, file, kept)
    until, made = time.perf_counter() + seconds, list[JsonObject]()

    def make(thread: int) -> None:
        for puzzle in puzzles(NEW_PUZZLES + thread, weights):
            made.append(puzzle)
            if time.perf_counter() > until or len(made) >= 2 * (len(shipped) - len(kept)):
                return

    list(pool.map(make, range(threads)))
    wanted = sorted(made, key=lambda one: -int(str(one["grade"])))[: len(shipped) - len(kept)]
    write_puzzles(GAME, file, [*kept, *wanted])
    log(f"{len(made)} made, {len(wanted)} taken")


def noise_contests(network: Network) -> Iterator[Contest]:
    """Levels that might be, against the network without noise."""
    hand, beginner = (as_network(handmade_network(sees_others=sees)) for sees in (True, False))
    clear = Skill()
    yield Contest("one turn ahead v at a glance", network, Skill(depth=1), network, clear, 640)
    for noise in (0.1, 0.2, 0.35, 0.6):
        for max_loss in (0.06, 0.13):
            skill = Skill(noise=noise, max_loss=max_loss)
            yield Contest(f"clear v noise {noise}, most lost {max_loss}", network, clear, network, skill, 1600)
    for noise in (0.0, 0.1, 0.2, 0.4):
        yield Contest(f"clear v by hand, noise {noise}", network, clear, hand, Skill(noise=noise), 1600)
        yield Contest(f"by hand v beginner, noise {noise}", hand, clear, beginner, Skill(noise=noise), 1600)


def main() -> None:
    """Train, measure, or try noise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "measure", "noise"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("length", type=float, help="minutes of training, or the most seconds of a match")
    parser.add_argument("threads", type=int)
    parser.add_argument("device", nargs="?", default="")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.what == "train":
        train(given.folder, given.length, given.threads, given.device)
    elif given.what == "measure":
        measure(given.folder, given.length, given.threads)
    else:
        with ThreadPoolExecutor(given.threads) as pool:
            network = load_network(given.folder / "better.npz")
            measure_all(noise_contests(network), given.length, pool, given.folder / "noise.json")
    log("done")


if __name__ == "__main__":
    main()
