"""`ludotheque bench`: how fast everything is, beside OpenSpiel where it is installed. Runs bench/speed of the source tree."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.translator import LanguageOption, translator_of
from ludotheque.core import BadRequest


def source_tree() -> Path | None:
    """The folder that this package is run from, if it is a source tree with benchmarks."""
    folder = Path(__file__).resolve().parents[3]
    return folder if (folder / "bench" / "speed" / "__main__.py").is_file() else None


def bench(
    ctx: typer.Context,
    rounds: Annotated[int, typer.Option(min=1, help="help.bench.rounds")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="help.bench.as-json")] = False,
    start_up: Annotated[bool, typer.Option(help="help.bench.start-up")] = True,
    language: LanguageOption = None,
) -> None:
    """Measure playouts, search, the exact turn, start-up and memory, beside OpenSpiel in the same run."""
    translator = translator_of(ctx, language)
    folder = source_tree()
    if folder is None:
        raise BadRequest("bench.sources-needed")
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "bench.speed", "--rounds", str(rounds), "--language", translator.language]
    command += [*(["--json"] if as_json else []), "--start-up" if start_up else "--no-start-up"]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=False)  # noqa: S603 - our own program
    if ended.returncode:
        raise typer.Exit(ended.returncode)
