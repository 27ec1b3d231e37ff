"""`ludotheque bench`: one table of how fast everything is, beside OpenSpiel where it is installed. ludotheque.bench measures.

What is measured is named in English where it is measured; bench.fr.json has each name, or each part between commas, once more.
"""

import os
import platform
import time
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from ludotheque import __version__
from ludotheque.cli.speech import LanguageOption, speech_of
from ludotheque.core import BadJson, Json, Reader, parse, write_json

if TYPE_CHECKING:
    from ludotheque.bench import Measured, Subject

Naming: TypeAlias = Callable[[str], str]
"""What something that is measured is called in the reader's language."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench")(bench)


def bench(
    ctx: typer.Context,
    rounds: Annotated[int, typer.Option(min=1, help="How often everything is measured.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Figures for programs.")] = False,
    start_up: Annotated[bool, typer.Option(help="Measure how long the engine takes to start, too.")] = True,
    language: LanguageOption = None,
) -> None:
    """Measure playouts, search, the exact turn, start-up and memory, beside OpenSpiel in the same run."""
    from ludotheque.bench import all_subjects, goals_met, ratios  # noqa: PLC0415 - `--help` does not wait for it

    speech = speech_of(ctx, language)
    measured = _measure(all_subjects(start_up=start_up), rounds)
    date = time.strftime("%Y-%m-%d")
    if as_json:
        told: dict[str, Json] = {
            "version": __version__,
            "date": date,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
            "load": list(os.getloadavg()),
            "rows": [one.json() for one in measured],
            "ratios": {ratio.name: ratio.value for ratio in ratios(measured)},
            "goals": [
                {"goal": goal.name, "limit": goal.limit, "at_least": goal.at_least, "measured": value, "met": met}
                for goal, value, met in goals_met(measured)
            ],
        }
        typer.echo(write_json(told))
        return
    named = naming(speech.language)
    _show(measured, named, speech.language)
    facts: dict[str, Json] = {
        "machine": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
    }
    load = f"{os.getloadavg()[0]:.1f}"
    typer.echo("\n" + speech.say("bench.machine", **facts, date=date, load=load, rounds=rounds))
    typer.echo(speech.say("bench.rates"))
    typer.echo(speech.say("bench.dice") + "\n")
    for ratio in ratios(measured):
        typer.echo(
            f"  {f'{ratio.ours} / {ratio.theirs}, {named(ratio.what)}':75}  {_grouped(ratio.value, 1, speech.language):>10} ×"
        )
    typer.echo("")
    for goal, value, met in goals_met(measured):
        verdict = "bench.not-measured" if value is None else "bench.met" if met else "bench.missed"
        judged = speech.say(verdict, value="" if value is None else _grouped(value, 1, speech.language))
        sign, limit = "≥" if goal.at_least else "≤", _grouped(goal.limit, 0, speech.language)
        typer.echo("  " + speech.say("bench.goal", goal=named(goal.name), sign=sign, limit=limit, verdict=judged))


def in_french() -> Mapping[str, str]:
    """The French names of what is measured, and of its parts."""
    reader = Reader(parse((files("ludotheque.cli") / "bench.fr.json").read_text("utf-8")), BadJson, "bench.fr.json")
    return {name: reader.key(name).text() for name in reader.object()}


def naming(language: str) -> Naming:
    """How to name what is measured; what a third party's game calls otherwise stays as it is."""
    known = in_french() if language == "fr" else {}

    def named(english: str) -> str:
        return known.get(english) or ", ".join(known.get(part, part) for part in english.split(", "))

    return named


def _measure(subjects: "list[Subject]", rounds: int) -> "list[Measured]":
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    from ludotheque.bench.measure import count_of, measure  # noqa: PLC0415

    console = Console(stderr=True)
    measured: list[Measured] = []
    with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
        bar = progress.add_task("", total=count_of(subjects, rounds))
        for done, so_far in measure(subjects, rounds):
            measured = so_far
            progress.update(bar, completed=done)
    return measured


def _show(measured: "list[Measured]", named: Naming, language: str) -> None:
    """The table."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for column in ("", "what", "unit"):
        table.add_column(named(column), no_wrap=True)
    for column in ("median", "min", "max"):
        table.add_column(named(column), justify="right", no_wrap=True)
    before = ""
    for one in measured:
        subject = one.row.subject if one.row.subject != before else ""
        before = one.row.subject
        figures = (one.median, min(one.values), max(one.values))
        table.add_row(
            named(subject), named(one.row.what), named(one.row.unit), *(_figure(one, language) for one in figures)
        )
    Console(width=max(Console().width, 140)).print(table)


def _figure(value: float, language: str) -> str:
    return _grouped(value, 0, language) if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.3f}"


def _grouped(value: float, digits: int, language: str) -> str:
    """With its thousands apart."""
    return f"{value:,.{digits}f}".replace(",", "\u202f" if language == "fr" else ",")
