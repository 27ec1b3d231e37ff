"""`ludotheque study GAME`: how balanced a game is, from many matches between equal bots. `ludotheque.analysis` plays them."""

import secrets
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludotheque.cli import game_list
from ludotheque.cli.parameters import ALL_CORES, GameArgument, GameOptions, JobsOption, ResultsAsJson
from ludotheque.cli.play import read_given_options
from ludotheque.cli.signals import exit_status, interruptible
from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.core import BadOption, Game, Json, find_game, write_json
from ludotheque.core.problems import reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ludotheque.analysis import Observed, Summary


def study(
    ctx: typer.Context,
    game: GameArgument,
    players: Annotated[int | None, typer.Option(help="help.study.players")] = None,
    games: Annotated[int, typer.Option(min=1, help="help.study.games")] = 200,
    level: Annotated[int, typer.Option(min=1, max=5, help="help.study.level")] = 3,
    seed: Annotated[str | None, typer.Option(help="help.study.seed")] = None,
    option: GameOptions = None,
    out: Annotated[Path | None, typer.Option(file_okay=False, help="help.study.out")] = None,
    jobs: JobsOption = ALL_CORES,
    as_json: ResultsAsJson = False,
    language: LanguageOption = None,
) -> None:
    """Let equal bots play many matches and tell how long they are, what starting is worth, and how often each rule occurs."""
    from ludotheque.analysis import Observed, Study, play_study, summarise  # noqa: PLC0415 - `--help` does not wait for it

    translator = translator_of(ctx, language)
    found = find_game(game_list.check_game(game))
    counts = found.seats if players is None else (found.read_players(players),)
    options = found.read_options(read_given_options(option or [], found), min(counts))
    if out is not None:
        _prepare(out)
    chosen_seed = seed if seed is not None else secrets.token_hex(8)
    summaries: list[Summary] = []
    written: list[Path] = []
    status = 0
    for count in counts:
        plan = Study(game, count, games, level, f"{chosen_seed}.{count}", dict(options))
        observed: list[Observed] = []
        try:
            with interruptible(), closing(play_study(plan, jobs)) as results:
                _collect(results, observed, plan.players, games, translator)
        except KeyboardInterrupt as stopped:
            status = exit_status(stopped)
            typer.echo(translator.say("study.stopped", done=len(observed), games=games), err=True)
        if observed:
            summary = summarise(plan, sorted(observed, key=lambda one: one.number))
            summaries.append(summary)
            if not as_json:
                _show(found, summary, translator)
            if out is not None:
                written += _draw(found, summary, observed, out, translator)
        if status:
            break
    told: Json = [one.json() for one in summaries]
    if as_json:
        typer.echo(write_json({"game": game, "studies": told}))
    elif not summaries:
        typer.echo(translator.say("study.nothing"))
    if out is not None and summaries:
        written += _finish(found, summaries, out, translator)
        typer.echo(translator.say("study.written", files=", ".join(map(str, written))), err=as_json)
    if status:
        raise typer.Exit(status)


def _prepare(out: Path) -> None:
    """Make the folder and check that plots can be drawn, before anything is played."""
    from ludotheque.plotting import pyplot  # noqa: PLC0415

    pyplot()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOption("cli.folder-not-made", folder=str(out), why=reason(error)) from error


def _collect(
    results: "Iterator[Observed]", observed: "list[Observed]", players: int, games: int, translator: Translator
) -> None:
    """Collect the matches, with a progress bar if standard error is a terminal."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        bar = progress.add_task(translator.say("study.working", players=players, done=0, games=games), total=games)
        for one in results:
            observed.append(one)
            told = translator.say("study.working", players=players, done=len(observed), games=games)
            progress.update(bar, completed=len(observed), description=told)


def fact_name(game: Game, name: str, language: str) -> str:
    """A fact in the reader's language, if the game's catalogue has it."""
    return game.catalogue.templates(language).get(f"study.{name}", name)


def _title(game: Game, summary: "Summary", translator: Translator) -> str:
    facts = {"players": summary.study.players, "games": summary.matches, "level": summary.study.level}
    return translator.say("study.title", title=game.title, **facts)


def _show(game: Game, summary: "Summary", translator: Translator) -> None:
    """A study in words and two tables."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    length = summary.length
    low, high = (translator.number(end, 3, signed=True) for end in summary.advantage_interval)
    typer.echo(_title(game, summary, translator))
    typer.echo(
        translator.say(
            "study.length",
            mean=translator.number(length.mean),
            median=f"{length.median:g}",
            low=f"{length.usual[0]:g}",
            high=f"{length.usual[1]:g}",
            shortest=length.shortest,
            longest=length.longest,
        )
    )
    typer.echo(translator.say("study.draws", percent=translator.number(100 * summary.draws)))
    points = translator.number(summary.advantage, 3, signed=True)
    typer.echo(translator.say("study.advantage", points=points, low=low, high=high) + "\n")
    order = Table(box=None, pad_edge=False)
    order.add_column(translator.say("study.place"))
    for column in ("share", "interval"):
        order.add_column(translator.say(f"study.{column}"), justify="right", no_wrap=True)
    for place, one in enumerate(summary.order, 1):
        order.add_row(str(place), translator.number(one.share, 3), _within(one.interval, translator))
    facts = Table(box=None, pad_edge=False)
    facts.add_column(translator.say("study.fact"))
    for column in ("mean", "interval", "occurs"):
        facts.add_column(translator.say(f"study.{column}"), justify="right", no_wrap=True)
    for fact in summary.facts:
        within = _within(fact.interval, translator) if fact.interval else "–"
        name = fact_name(game, fact.name, translator.language)
        facts.add_row(name, translator.number(fact.mean, 3), within, f"{translator.number(100 * fact.occurs)} %")
    console = Console()
    for table in (order, facts):
        console.print(table)
        typer.echo("")


def _within(interval: tuple[float, float], translator: Translator) -> str:
    return "–".join(translator.number(end, 3) for end in interval)


def _draw(game: Game, summary: "Summary", observed: "list[Observed]", out: Path, translator: Translator) -> list[Path]:
    from ludotheque.analysis.plots import draw_study  # noqa: PLC0415

    return draw_study(
        summary,
        observed,
        out,
        _title(game, summary, translator),
        translator.say,
        lambda name: fact_name(game, name, translator.language),
    )


def _finish(game: Game, summaries: "list[Summary]", out: Path, translator: Translator) -> list[Path]:
    """Write the plot that compares the numbers of players, and the figures as JSON."""
    from ludotheque.analysis.plots import draw_by_players  # noqa: PLC0415

    files: list[Path] = []
    if len(summaries) > 1:
        files += draw_by_players(summaries, out, game.title, translator.say)
    numbers = out / f"{game.name}.json"
    numbers.write_text(write_json([one.json() for one in summaries]) + "\n", "utf-8")
    return [*files, numbers]
