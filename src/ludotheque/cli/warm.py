"""`ludotheque warm`: compiles ahead whatever the games need. The cache is in `kernels`."""

import os
import re
import shutil
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.paths import cache_root

if TYPE_CHECKING:
    from ludotheque.core import Game, Position, SetupDice

PARTS: Final = ("rules", "playouts", "search", "bots")
DAYS_KEPT: Final = 30
OURS: Final = re.compile(r"\w+-[0-9a-f]{20}")


def warm(
    ctx: typer.Context,
    language: LanguageOption = None,
    jobs: Annotated[int, typer.Option(min=1, help="help.warm.jobs")] = os.cpu_count() or 1,
) -> None:
    """Compile the rules, playouts and searches of all games ahead; quick when nothing is to do."""
    from ludotheque.core import Problem, game_names  # noqa: PLC0415

    translator = translator_of(ctx, language)
    cold: list[str] = []
    failed: list[str] = []
    for name in game_names():
        try:
            if not _stamp(name).exists():
                cold.append(name)
        except Problem as problem:
            failed.append(name)
            typer.echo(problem.sentence(translator.language), err=True)
    failed += _compile_all(cold, jobs, translator) if cold else []
    removed = remove_old_folders({_folder(name) for name in game_names() if name not in failed})
    if removed:
        typer.echo(translator.say("warm.removed", count=removed))
    typer.echo(translator.say("warm.done", count=len(game_names()) - len(failed)))
    if failed:
        raise typer.Exit(1)


def _compile_all(names: list[str], jobs: int, translator: Translator) -> list[str]:
    """Compile every part of every game, several games at once; returns the games that failed."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    failed: list[str] = []
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with (
        ProcessPoolExecutor(min(jobs, len(names)), get_context("spawn")) as pool,
        Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress,
    ):
        bar = progress.add_task("", total=len(names) * len(PARTS))
        running: dict[Future[None], tuple[str, int]] = {
            pool.submit(warm_part, name, PARTS[0]): (name, 0) for name in names
        }
        while running:
            name, which = next(iter(running.values()))
            part = translator.say(f"warm.part.{PARTS[which]}")
            progress.update(bar, description=translator.say("warm.work", game=name, part=part))
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                name, which = running.pop(future)
                if (error := future.exception()) is not None:
                    failed.append(name)
                    why = f"{type(error).__name__}: {error}"
                    typer.echo(translator.say("warm.failed", game=name, why=why), err=True)
                    progress.advance(bar, len(PARTS) - which)
                    continue
                progress.advance(bar)
                if which + 1 < len(PARTS):
                    running[pool.submit(warm_part, name, PARTS[which + 1])] = (name, which + 1)
    return failed


def warm_part(name: str, part: str) -> None:
    """Compile one part of one game, by using it once."""
    from ludotheque.bots import LEVELS, bot  # noqa: PLC0415
    from ludotheque.core import find_game  # noqa: PLC0415
    from ludotheque.kernels import DiscreteGame, Search, random_playouts  # noqa: PLC0415
    from ludotheque.kernels.entries import LocalKernels  # noqa: PLC0415

    game = find_game(name)
    if isinstance(game, DiscreteGame):
        game.use_target(game.rules.compiled.target)
        state = game.start(game.seats[0], game.read_options(), _dice()).state
        if part == "playouts":
            random_playouts(game.rules, state, 1)
        elif part == "search":
            Search(game.rules, state).think(1)
    if part == "rules" and game.capabilities.warm_up is not None:
        game.capabilities.warm_up()
    if part == "bots":
        if isinstance(game, DiscreteGame):
            kernels = LocalKernels(game.rules)
            kernels.compile()
            game.use_kernels(kernels)
        position = _first_decision(game)
        for level in LEVELS if game.capabilities.bots else ():
            bot(game, level).choose(position, seconds=0.01)
        stamp = _stamp(name)
        try:
            stamp.parent.mkdir(parents=True, exist_ok=True)
            stamp.touch()
        except OSError:
            return  # no writable cache: every process compiles for itself


def _dice() -> "SetupDice":
    from ludotheque.core import Dice, SetupDice  # noqa: PLC0415

    return SetupDice(Dice("warm"))


def _first_decision(game: "Game") -> "Position":
    """A position where a seat is to move."""
    from ludotheque.core import CHANCE, Dice, Match  # noqa: PLC0415

    match = Match(game, dice=Dice("warm"))
    while match.to_move == CHANCE:
        match.draw()
    return match.position


def _folder(name: str) -> Path:
    """The cache folder of a game for its present sources."""
    from ludotheque.core import find_game  # noqa: PLC0415
    from ludotheque.kernels.cache_keys import cache_folder  # noqa: PLC0415

    file = sys.modules[find_game(name).package].__file__
    assert file is not None
    return cache_folder(Path(file).parent)


def _stamp(name: str) -> Path:
    """The file that marks a game as compiled."""
    return _folder(name) / "warm"


def is_warm(name: str) -> bool:
    """Whether everything of a game is compiled."""
    return _stamp(name).exists()


def is_ours(folder: Path) -> bool:
    """Whether a folder holds compiled rules: the cache may be among other things."""
    return bool(OURS.fullmatch(folder.name)) and any(
        next(folder.glob(name), None) is not None for name in ("rules.ready", "warm", "*.nbi")
    )


def remove_old_folders(needed: set[Path], now: float | None = None) -> int:
    """Remove cache folders that are not needed and have not been read for a month; returns how many."""
    oldest = (time.time() if now is None else now) - DAYS_KEPT * 24 * 3600
    removed = 0
    for folder in cache_root().glob("*-*"):
        if folder in needed or not is_ours(folder):
            continue
        times = [max(status.st_atime, status.st_mtime) for status in map(Path.stat, folder.rglob("*"))]
        if max(times, default=folder.stat().st_mtime) < oldest:
            shutil.rmtree(folder, ignore_errors=True)  # another process may be removing it, too
            removed += 1
    return removed
