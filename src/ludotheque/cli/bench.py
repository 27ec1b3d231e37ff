"""`ludotheque bench`: how fast everything is, beside OpenSpiel where it is installed. Runs bench/speed of the source tree."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.speech import LanguageOption, speech_of
from ludotheque.core import BadRequest


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench")(bench)


def source_tree() -> Path | None:
    """The folder that this package is run from, if it is a source tree with benchmarks."""
    folder = Path(__file__).resolve().parents[3]
    return folder if (folder / "bench" / "speed" / "__main__.py").is_file() else None


def bench(
    ctx: typer.Context,
    rounds: Annotated[int, typer.Option(min=1, help="How often everything is measured.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Figures for programs.")] = False,
    start_up: Annotated[bool, typer.Option(help="Measure how long the engine takes to start, too.")] = True,
    language: LanguageOption = None,
) -> None:
    """Measure playouts, search, the exact turn, start-up and memory, beside OpenSpiel in the same run."""
    speech = speech_of(ctx, language)
    folder = source_tree()
    if folder is None:
        raise BadRequest(
            "Benchmarks come with the source tree, and this is an installed package. Run them from a checkout: make bench",
            "Les mesures viennent avec les sources, et ceci est un paquet installé. Lancez-les depuis les sources : make bench",
        )
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "bench.speed", "--rounds", str(rounds), "--language", speech.language]
    command += [*(["--json"] if as_json else []), "--start-up" if start_up else "--no-start-up"]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=False)  # noqa: S603 - our own program
    if ended.returncode:
        raise typer.Exit(ended.returncode)
