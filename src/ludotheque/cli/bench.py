"""`ludotheque bench`: one table of how fast everything is, beside OpenSpiel where it is installed. ludotheque.bench measures."""

import os
import platform
import time
from typing import TYPE_CHECKING, Annotated

import typer

from ludotheque import __version__
from ludotheque.core import Json, write_json

if TYPE_CHECKING:
    from ludotheque.bench import Measured, Subject


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench")(bench)


def bench(
    rounds: Annotated[int, typer.Option(min=1, help="How often everything is measured.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Figures for programs.")] = False,
    start_up: Annotated[bool, typer.Option(help="Measure how long the engine takes to start, too.")] = True,
) -> None:
    """Measure playouts, search, the exact turn, start-up and memory, beside OpenSpiel in the same run."""
    from ludotheque.bench import all_subjects, goals_met, ratios  # noqa: PLC0415 - `--help` does not wait for it

    measured = _measure(all_subjects(start_up=start_up), rounds)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    date = time.strftime("%Y-%m-%d")
    if as_json:
        told: dict[str, Json] = {
            "version": __version__,
            "date": date,
            "machine": machine,
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
    _show(measured)
    typer.echo(
        f"\n{machine}, {date}; load {os.getloadavg()[0]:.1f}. Medians of up to {rounds} rounds, with the spread."
    )
    typer.echo("Rates are per second of processor time on one core; start-up and two processes are by the clock.")
    typer.echo(
        "Dice not counted: without the time for listing and drawing chance, which is nearly all of it in yacht.\n"
    )
    for ratio in ratios(measured):
        typer.echo(f"  {ratio.name:75}  {ratio.value:10,.1f} ×")
    typer.echo("")
    for goal, value, met in goals_met(measured):
        sign = "≥" if goal.at_least else "≤"
        verdict = "not measured" if value is None else f"{value:,.1f}: {'met' if met else 'MISSED'}"
        typer.echo(f"  {goal.name} {sign} {goal.limit:,.0f}: {verdict}")


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


def _show(measured: "list[Measured]") -> None:
    """The table."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for column in ("", "what", "unit"):
        table.add_column(column, no_wrap=True)
    for column in ("median", "min", "max"):
        table.add_column(column, justify="right", no_wrap=True)
    before = ""
    for one in measured:
        subject = one.row.subject if one.row.subject != before else ""
        before = one.row.subject
        figures = (one.median, min(one.values), max(one.values))
        table.add_row(subject, one.row.what, one.row.unit, *map(_figure, figures))
    Console(width=max(Console().width, 140)).print(table)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.3f}"
