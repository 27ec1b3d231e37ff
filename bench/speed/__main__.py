"""`python -m bench.speed`, or `ludotheque bench`: measures everything and prints one table, or JSON for programs."""

import argparse
import os
import platform
import sys
import time
from collections.abc import Sequence

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.speed import subjects
from bench.speed.measure import Measured, Subject, count_of, measure
from bench.speed.report import goals_met, ratios
from ludotheque import __version__
from ludotheque.cli.translator import Translator
from ludotheque.core import Json, Text, languages, write_json


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    parser.add_argument(
        "--start-up", action=argparse.BooleanOptionalAction, default=True, help="measure the engine's start, too"
    )
    parser.add_argument("--language", choices=languages())
    given = parser.parse_args(arguments)
    measured = _measure(subjects.all_subjects(start_up=given.start_up), given.rounds)
    if given.json:
        sys.stdout.write(write_json(_json(measured)) + "\n")
    else:
        _show(measured, given.rounds, Translator(given.language))


def _json(measured: Sequence[Measured]) -> dict[str, Json]:
    return {
        "version": __version__,
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load": list(os.getloadavg()),
        "rows": [one.json() for one in measured],
        "ratios": {ratio.name(): ratio.value for ratio in ratios(measured)},
        "goals": [
            {"goal": str(goal.name), "limit": goal.limit, "at_least": goal.at_least, "measured": value, "met": met}
            for goal, value, met in goals_met(measured)
        ],
    }


def _measure(measurable: Sequence[Subject], rounds: int) -> list[Measured]:
    """Measure, with a progress bar where standard error is a terminal."""
    console = Console(stderr=True)
    measured: list[Measured] = []
    with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
        bar = progress.add_task("", total=count_of(measurable, rounds))
        for done, so_far in measure(measurable, rounds):
            measured = so_far
            progress.update(bar, completed=done)
    return measured


def _show(measured: Sequence[Measured], rounds: int, translator: Translator) -> None:
    """The table, the ratios and the goals, for people."""
    _show_table(measured, translator)
    facts: dict[str, Json] = {
        "machine": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "date": time.strftime("%Y-%m-%d"),
        "load": f"{os.getloadavg()[0]:.1f}",
        "rounds": rounds,
    }
    lines = [
        "",
        translator.say("bench.machine", **facts),
        translator.say("bench.rates"),
        translator.say("bench.dice"),
        "",
    ]
    lines += [
        f"  {one.name(translator.language):75}  {translator.grouped(one.value, 1):>10} ×" for one in ratios(measured)
    ]
    lines.append("")
    for goal, value, met in goals_met(measured):
        verdict = "bench.not-measured" if value is None else "bench.met" if met else "bench.missed"
        judged = translator.say(verdict, value="" if value is None else translator.grouped(value, 1))
        sign, limit = "≥" if goal.at_least else "≤", translator.grouped(goal.limit)
        lines.append("  " + translator.say("bench.goal", goal=goal.name, sign=sign, limit=limit, verdict=judged))
    sys.stdout.write("\n".join(lines) + "\n")


def _show_table(measured: Sequence[Measured], translator: Translator) -> None:
    table = Table("", box=None, pad_edge=False)
    for column in ("what", "unit"):
        table.add_column(translator.say(f"bench.{column}"), no_wrap=True)
    for column in ("median", "min", "max"):
        table.add_column(translator.say(f"bench.{column}"), justify="right", no_wrap=True)
    before: Text | None = None
    for one in measured:
        row = one.row
        names = ["" if row.subject == before else row.subject.sentence(translator.language)]
        names += [name.sentence(translator.language) for name in (row.what, row.unit)]
        before = row.subject
        table.add_row(*names, *(_figure(value, translator) for value in (one.median, min(one.values), max(one.values))))
    Console(width=max(Console().width, 140)).print(table)
    sys.stdout.flush()


def _figure(value: float, translator: Translator) -> str:
    return translator.grouped(value) if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.3f}"


if __name__ == "__main__":
    main()
