"""`ludotheque train GAME`: trains a network by self-play, with `ludotheque.training`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from ludotheque.cli import game_list
from ludotheque.cli.locking import lock_outputs
from ludotheque.cli.parameters import ALL_CORES, GameArgument, GameOptions, RayOption
from ludotheque.cli.play import read_given_options
from ludotheque.cli.signals import exit_status, interruptible
from ludotheque.cli.translator import LanguageOption, translator_of
from ludotheque.core import BadOption, Game, find_game, write_json
from ludotheque.core.problems import shortened, unwritable
from ludotheque.kernels import DiscreteGame

TURNS: Final = "turns"
ALPHAZERO: Final = "alphazero"
METHODS: Final = (TURNS, ALPHAZERO)
EXAMPLES_A_GAME: Final = 400
"""Examples that are kept to draw from, for each game of a round: those of a few rounds."""
LARGEST_BATCH: Final = 2048


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
    method: Annotated[str | None, typer.Option(help="help.train.method")] = None,
    players: Annotated[int | None, typer.Option(help="help.train.players")] = None,
    option: GameOptions = None,
    simulations: Annotated[int | None, typer.Option(min=2, max=10_000, help="help.train.simulations")] = None,
    matches: Annotated[int | None, typer.Option(min=1, max=1 << 20, help="help.train.matches")] = None,
    layers: Annotated[int | None, typer.Option(min=0, max=100, help="help.train.layers")] = None,
    opponent: Annotated[str | None, typer.Option(help="help.train.opponent")] = None,
    resume: Annotated[bool, typer.Option(help="help.train.resume")] = True,
    language: LanguageOption = None,
) -> None:
    """Play against itself, learn, measure, save, again. Ctrl-C stops; the same command goes on later."""
    from ludotheque.arena import Backend  # noqa: PLC0415 - `--help` does not wait for it
    from ludotheque.arena.distributed import check_ray  # noqa: PLC0415
    from ludotheque.training.base_course import BaseCourse, plot  # noqa: PLC0415
    from ludotheque.training.course import Course, Plan  # noqa: PLC0415
    from ludotheque.training.policy_course import PolicyCourse, PolicyPlan  # noqa: PLC0415

    translator = translator_of(ctx, language)
    found = find_game(game_list.check_game(game))
    chosen = _method(found, method)
    own: dict[str, object] = {"--players": players, "--option": option, "--simulations": simulations}
    own |= {"--matches": matches, "--layers": layers, "--opponent": opponent}
    others: dict[str, object] = {"--start": start, "--against": against, "--depth": depth or None, "--ray": ray}
    for name, given in (own if chosen == TURNS else others).items():
        if given is not None:
            raise BadOption("train.not-for-method", option=name, method=chosen)
    if ray is not None:
        check_ray()
    course: BaseCourse
    if chosen == TURNS:
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
        course = Course(found, folder, plan, Backend(jobs, ray) if ray is not None else None)
    else:
        seats = found.read_players(players)
        options = found.read_options(read_given_options(option or [], found), seats)
        policy_plan = PolicyPlan(
            rounds=rounds,
            minutes=minutes,
            games=games,
            width=width,
            rate=rate,
            seed=seed,
            threads=threads,
            device=device,
            players=seats,
            options=write_json(dict(options)),
            replay_size=max(PolicyPlan.replay_size, games * EXAMPLES_A_GAME),
            batch=min(LARGEST_BATCH, max(PolicyPlan.batch, games // 2)),
        )
        policy_plan = replace(
            policy_plan,
            simulations=simulations or policy_plan.simulations,
            matches=matches or policy_plan.matches,
            layers=policy_plan.layers if layers is None else layers,
            opponent=opponent or policy_plan.opponent,
        )
        assert isinstance(found, DiscreteGame)
        course = PolicyCourse(found, folder, policy_plan)
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


def _method(game: Game, given: str | None) -> str:
    """The method that was asked for, or the game's usual one; BadOption if there is none."""
    if given not in (None, *METHODS):
        raise BadOption("train.method", method=shortened(given))
    can_search = isinstance(game, DiscreteGame) and game.capabilities.encoding is not None
    method = given or (TURNS if game.capabilities.self_play is not None or not can_search else ALPHAZERO)
    if not can_search and (method == ALPHAZERO or game.capabilities.self_play is None):
        raise BadOption("train.no-encoding", game=game.title)
    return method


def _level(player: str | None) -> int:
    """The level in a bot's name; 0 for None."""
    if player is None:
        return 0
    name, _, level = player.partition(":")
    if name != "bot" or level not in ("1", "2", "3", "4", "5"):
        raise BadOption("train.against", player=player)
    return int(level)
