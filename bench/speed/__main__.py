"""`python -m bench.speed`, or `ludotheque bench`: measures everything and prints one table, or JSON for programs."""

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import TypeAlias

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.speed import subjects
from bench.speed.measure import Measured, Subject, count_of, measure
from bench.speed.report import goals_met, ratios
from ludotheque import __version__
from ludotheque.cli.speech import Speech
from ludotheque.core import LANGUAGES, BadJson, Json, Reader, parse, write_json

Naming: TypeAlias = Callable[[str], str]
"""What something that is measured is called in the reader's language."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    parser.add_argument(
        "--start-up", action=argparse.BooleanOptionalAction, default=True, help="measure the engine's start, too"
    )
    parser.add_argument("--language", choices=LANGUAGES)
    given = parser.parse_args(arguments)
    measured = _measure(subjects.all_subjects(start_up=given.start_up), given.rounds)
    if given.json:
        sys.stdout.write(write_json(_json(measured)) + "\n")
    else:
        _show(measured, given.rounds, Speech(given.language))


def _json(measured: Sequence[Measured]) -> dict[str, Json]:
    return {
        "version": __version__,
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load": list(os.getloadavg()),
        "rows": [one.json() for one in measured],
        "ratios": {ratio.name: ratio.value for ratio in ratios(measured)},
        "goals": [
            {"goal": goal.name, "limit": goal.limit, "at_least": goal.at_least, "measured": value, "met": met}
            for goal, value, met in goals_met(measured)
        ],
    }


def in_french() -> Mapping[str, str]:
    """The French names of what is measured, and of its parts."""
    reader = Reader(parse((files("bench.speed") / "names.fr.json").read_text("utf-8")), BadJson, "names.fr.json")
    return {name: reader.key(name).text() for name in reader.object()}


def naming(language: str) -> Naming:
    """How to name what is measured; a name that is not known stays as it is."""
    known = in_french() if language == "fr" else {}

    def named(english: str) -> str:
        return known.get(english) or ", ".join(known.get(part, part) for part in english.split(", "))

    return named


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


def _show(measured: Sequence[Measured], rounds: int, speech: Speech) -> None:
    """The table, the ratios and the goals, for people."""
    named = naming(speech.language)
    _show_table(measured, named, speech.language)
    facts: dict[str, Json] = {
        "machine": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "date": time.strftime("%Y-%m-%d"),
        "load": f"{os.getloadavg()[0]:.1f}",
        "rounds": rounds,
    }
    lines = ["", speech.say("bench.machine", **facts), speech.say("bench.rates"), speech.say("bench.dice"), ""]
    for ratio in ratios(measured):
        name = f"{ratio.ours} / {ratio.theirs}, {named(ratio.what)}"
        lines.append(f"  {name:75}  {_grouped(ratio.value, 1, speech.language):>10} ×")
    lines.append("")
    for goal, value, met in goals_met(measured):
        verdict = "bench.not-measured" if value is None else "bench.met" if met else "bench.missed"
        judged = speech.say(verdict, value="" if value is None else _grouped(value, 1, speech.language))
        sign, limit = "≥" if goal.at_least else "≤", _grouped(goal.limit, 0, speech.language)
        lines.append("  " + speech.say("bench.goal", goal=named(goal.name), sign=sign, limit=limit, verdict=judged))
    sys.stdout.write("\n".join(lines) + "\n")


def _show_table(measured: Sequence[Measured], named: Naming, language: str) -> None:
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
    sys.stdout.flush()


def _figure(value: float, language: str) -> str:
    return _grouped(value, 0, language) if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.3f}"


def _grouped(value: float, digits: int, language: str) -> str:
    """With its thousands apart."""
    return f"{value:,.{digits}f}".replace(",", "\u202f" if language == "fr" else ",")


if __name__ == "__main__":
    main()
