"""A long training of Wykersham on a machine with many cores, then matches for choosing the noise of the levels, and puzzles.

`python -m bench.strength.wykersham_course FOLDER MINUTES THREADS [SHARE]` prints progress and one JSON line a measurement. FOLDER gets
weights.npz, curve.json, measured.json and puzzles.json after every step, so that an interrupted run leaves what it has done.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.strength.wykersham import Contest, loss_table, play_contest
from ludotheque.core import JsonObject
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.search import Skill, handmade_network
from ludotheque.kernels.network import Network
from ludotheque.kernels.self_play import Batch
from ludotheque.training.course import Course, Plan
from tools.puzzles.grading import write_puzzles
from tools.puzzles.wykersham import puzzles

BEGAN = time.perf_counter()


def log(text: str) -> None:
    """Progress, with the seconds since the start."""
    print(f"{time.perf_counter() - BEGAN:6.0f} s  {text}", flush=True)


def contests(learned: Network) -> Iterator[Contest]:
    """Levels that might be, against the network without noise."""
    hand, beginner, clear = handmade_network(), handmade_network(sees_others=False), Skill()
    yield Contest("learned v by hand", learned, clear, hand, clear, 4000)
    ahead = Skill(depth=1)
    yield Contest("one turn ahead v at a glance", learned, ahead, learned, clear, 640)
    for noise in (0.1, 0.2, 0.35, 0.6):
        for max_loss in (0.06, 0.13):
            skill = Skill(noise=noise, max_loss=max_loss)
            yield Contest(f"clear v noise {noise}, most lost {max_loss}", learned, clear, learned, skill, 1600)
    for noise in (0.0, 0.1, 0.2, 0.4):
        yield Contest(f"clear v by hand, noise {noise}", learned, clear, hand, Skill(noise=noise), 1600)
        yield Contest(f"by hand v beginner, noise {noise}", hand, clear, beginner, Skill(noise=noise), 1600)


def main() -> None:
    """Train, then measure, then make puzzles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("minutes", type=float)
    parser.add_argument("threads", type=int)
    parser.add_argument("share", type=float, nargs="?", default=1.0)
    given = parser.parse_args()
    folder, minutes, threads, share = given.folder, given.minutes, given.threads, given.share
    plan = Plan(
        rounds=1_000_000,
        minutes=minutes,
        games=max(threads, int(1024 * share)),
        batch=max(64, int(2048 * share)),
        replay_size=max(20_000, int(3_000_000 * share)),
        threads=threads,
        measure_every=max(2, int(10 * share)),
        measure_games=max(2 * threads, int(2000 * share)),
    )
    with tempfile.TemporaryDirectory() as work:
        course = Course(GAME, Path(work), plan)

        def tell(text: str) -> None:
            log(text)
            course.save()
            for name in ("weights.npz", "curve.json"):
                shutil.copy(Path(work) / name, folder / name)

        log("compiling")
        _ = GAME.rules.compiled
        course.self_play.play(course.learner.network, Batch(1, 1, 0.5), course.self_play.examples_for(1))
        log("the course begins")
        course.run(tell)
    learned = course.learner.ema
    done: list[dict[str, object]] = []

    def keep(measured: dict[str, object]) -> None:
        done.append(measured)
        log(json.dumps(measured, ensure_ascii=False))
        (folder / "measured.json").write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n", "utf-8")

    with ThreadPoolExecutor(threads) as pool:
        for seed, contest in enumerate(contests(learned)):
            keep(play_contest(contest, share, pool, seed))
        made: list[JsonObject] = []

        def make(thread: int) -> None:
            until = time.perf_counter() + 25 * share
            for puzzle in puzzles(thread, learned):
                made.append(puzzle)
                if thread == 0:
                    write_puzzles(GAME, folder / "puzzles.json", list(made))
                if time.perf_counter() > until or len(made) > 1500:
                    return

        for _ in pool.map(make, range(threads)):
            write_puzzles(GAME, folder / "puzzles.json", made)
        log(f"{len(made)} puzzles")
        for table in loss_table(learned, share, pool, lambda _: True):
            keep(table)
    log("done")


if __name__ == "__main__":
    main()
