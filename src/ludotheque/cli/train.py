"""`ludotheque train GAME`: trains a game's network by self-play, with `ludotheque.training`."""

from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli import game_list
from ludotheque.cli.locking import lock_outputs
from ludotheque.cli.parameters import ALL_CORES, GameArgument, RayOption
from ludotheque.cli.signals import exit_status, interruptible
from ludotheque.cli.translator import LanguageOption, translator_of
from ludotheque.core import BadOption, find_game
from ludotheque.core.problems import unwritable


def train(
    ctx: typer.Context,
    game: GameArgument,
    folder: Annotated[Path, typer.Option(help="help.train.folder")] = Path("training"),
    rounds: Annotated[int, typer.Option(min=1, help="help.train.rounds")] = 300,
    minutes: Annotated[float, typer.Option(min=0, help="help.train.minutes")] = 0.0,
    games: Annotated[int, typer.Option(min=1, help="help.train.games")] = 512,
    width: Annotated[int, typer.Option(min=2, help="help.train.width")] = 128,
    rate: Annotated[float, typer.Option(min=0, max=1, help="help.train.rate")] = 0.002,
    start: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="help.train.start")] = None,
    against: Annotated[
        str | None,
        typer.Option(help="help.train.against"),
    ] = None,
    depth: Annotated[int, typer.Option(min=0, max=2, help="help.train.depth")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="help.train.seed")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="help.train.threads")] = ALL_CORES,
    device: Annotated[
        str,
        typer.Option(help="help.train.device"),
    ] = "",
    jobs: Annotated[int, typer.Option(min=1, help="help.train.jobs")] = ALL_CORES,
    ray: RayOption = None,
    resume: Annotated[bool, typer.Option(help="help.train.resume")] = True,
    language: LanguageOption = None,
) -> None:
    """Play against itself, learn, measure, save, again. Ctrl-C stops; the same command goes on later."""
    from ludotheque.arena import Backend  # noqa: PLC0415 - `--help` does not wait for it
    from ludotheque.arena.distributed import check_ray  # noqa: PLC0415
    from ludotheque.training.course import Course, Plan, plot  # noqa: PLC0415

    translator = translator_of(ctx, language)
    plan = Plan(
        rounds=rounds,
        minutes=minutes,
        games=games,
        width=width,
        rate=rate,
        start=str(start or ""),
        against=_level(against),
        depth=depth,
        seed=seed,
        threads=threads,
        device=device,
    )
    if ray is not None:
        check_ray()
    where = Backend(jobs, ray) if ray is not None else None
    course = Course(find_game(game_list.check_game(game)), folder, plan, where)
    try:
        folder.mkdir(parents=True, exist_ok=True)  # before anything is played
    except OSError as error:
        raise unwritable(folder, error) from error
    ctx.with_resource(lock_outputs(course.checkpoint))
    if resume and course.resume():
        typer.echo(translator.say("train.resumed", round=course.progress.round))
        former = course.before[-1] if course.before else None
        if former is not None and former["round"] == course.progress.round:
            changes = [
                translator.say("train.change", option=f"--{name}", now=str(now), before=str(before))
                for name, (before, now) in course.changed(former["plan"]).items()
            ]
            current = course.game.rules_version
            if (rules := former.get("rules", current)) != current:
                word = translator.say("warm.part.rules")
                changes.append(translator.say("train.change", option=word, now=str(current), before=str(rules)))
            typer.echo(translator.say("train.changed", changes=", ".join(changes)))
    with interruptible() as uninterrupted:
        stopped = course.run(typer.echo, translator.language, uninterrupted)
    drawn = plot(course, folder / "curve.png", translator.language)
    typer.echo(translator.say("train.done" if drawn else "train.done-without-plot", folder=str(folder)))
    if stopped is not None:
        raise typer.Exit(exit_status(stopped))


def _level(player: str | None) -> int:
    """The level in a bot's name; 0 for None."""
    if player is None:
        return 0
    name, _, level = player.partition(":")
    if name != "bot" or level not in ("1", "2", "3", "4", "5"):
        raise BadOption("train.against", player=player)
    return int(level)
