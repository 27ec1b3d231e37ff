"""`ludotheque train GAME`: teach a game's network by self-play. ludotheque.training does it."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli import shelf
from ludotheque.cli.speech import LanguageOption, speech_of
from ludotheque.core import find_game


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("train")(train)


def train(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(help="As in `ludotheque games`.", autocompletion=shelf.complete_game)],
    folder: Annotated[Path, typer.Option(help="Where checkpoint, weights and curve are kept.")] = Path("training"),
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds of self-play.")] = 300,
    minutes: Annotated[float, typer.Option(min=0, help="Stop after so long, if that is sooner; 0: no limit.")] = 0.0,
    games: Annotated[int, typer.Option(min=1, help="Games in a round.")] = 512,
    width: Annotated[int, typer.Option(min=2, help="Units of the first layer.")] = 128,
    seed: Annotated[int, typer.Option(min=0, help="With the same plan and no --minutes: the same network.")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="Threads that play and learn.")] = os.cpu_count() or 1,
    resume: Annotated[bool, typer.Option(help="Go on with the course in the folder; otherwise begin anew.")] = True,
    language: LanguageOption = None,
) -> None:
    """Play against itself, learn, measure, save, again. Ctrl-C stops; the same command goes on later.

    weights.npz in the folder is what bots play with: copy it into the game's folder to use it.
    """
    from ludotheque.training.course import Course, Plan, plot  # noqa: PLC0415 - `--help` does not wait for it

    speech = speech_of(ctx, language)
    plan = Plan(rounds=rounds, minutes=minutes, games=games, width=width, seed=seed, threads=threads)
    course = Course(find_game(shelf.check_game(game)), folder, plan)
    if resume and course.resume():
        typer.echo(speech.say("train.resumed", round=course.progress.round))
    course.run(typer.echo)
    drawn = plot(course.progress.curve, folder / "curve.png")
    typer.echo(speech.say("train.done" if drawn else "train.done-without-plot", folder=str(folder)))
