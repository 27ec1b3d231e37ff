"""Plots of a study: length, points by playing order, the game's facts; each as PNG and SVG. Needs the extra `plot`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludotheque.analysis.study import Observed
from ludotheque.analysis.summary import Summary
from ludotheque.plotting import FORMATS, pyplot, save_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, PAPER, ACCENT = "#1f2d3d", "#4c78a8", "#e45756"
Say = Callable[[str], str]
"""The sentence of a key, such as `study.plot-length`."""


def draw_study(
    summary: Summary, observed: Sequence[Observed], folder: Path, title: str, say: Say, fact_name: Say
) -> list[Path]:
    """Draw one study; returns the files."""
    facts = len(summary.facts)
    figure, (length, order, numbers) = pyplot().subplots(
        1, 3, figsize=(16, max(4.5, 1.5 + 0.28 * facts)), layout="constrained", width_ratios=(1, 0.7, 1.1)
    )
    figure.suptitle(title)
    _draw_length(length, summary, observed, say)
    _draw_order(order, summary, say)
    _draw_facts(numbers, summary, say, fact_name)
    return _save(figure, folder, f"{summary.study.game}-{summary.study.players}")


def draw_by_players(summaries: Sequence[Summary], folder: Path, title: str, say: Say) -> list[Path]:
    """Draw what the number of players changes: the starter's advantage and the length."""
    figure, (order, length) = pyplot().subplots(1, 2, figsize=(10, 4), layout="constrained")
    figure.suptitle(title)
    counts = [str(one.study.players) for one in summaries]
    most = max(one.study.players for one in summaries)
    for place in range(most):
        some = [(number, one) for number, one in enumerate(summaries) if place < one.study.players]
        shares = [one.order[place].share for _, one in some]
        errors = [
            [share - one.order[place].interval[0] for share, (_, one) in zip(shares, some, strict=True)],
            [one.order[place].interval[1] - share for share, (_, one) in zip(shares, some, strict=True)],
        ]
        width = 0.8 / most
        order.bar([number + place * width for number, _ in some], shares, width, yerr=errors, label=str(place + 1))
    middles = [number + (one.study.players - 1) * 0.4 / most for number, one in enumerate(summaries)]
    order.set_xticks(middles, counts)
    order.set_xlabel(say("study.plot-players"))
    order.set_title(say("study.plot-order"))
    order.legend(title=say("study.place"), loc="upper left", bbox_to_anchor=(1, 1))
    length.bar(counts, [one.length.mean for one in summaries], color=PAPER)
    length.set_xlabel(say("study.plot-players"))
    length.set_title(say("study.plot-length"))
    return _save(figure, folder, f"{summaries[0].study.game}-players")


def _draw_length(axes: "Axes", summary: Summary, observed: Sequence[Observed], say: Say) -> None:
    axes.hist([one.actions for one in observed], bins="auto", color=PAPER)
    axes.axvline(summary.length.mean, color=ACCENT)
    axes.set_title(say("study.plot-length"))
    axes.set_ylabel(say("study.plot-games"))


def _draw_order(axes: "Axes", summary: Summary, say: Say) -> None:
    places = [str(place + 1) for place in range(summary.study.players)]
    shares = [one.share for one in summary.order]
    errors = [
        [one.share - one.interval[0] for one in summary.order],
        [one.interval[1] - one.share for one in summary.order],
    ]
    axes.bar(places, shares, yerr=errors, capsize=6, color=PAPER, ecolor=INK)
    axes.axhline(1 / summary.study.players, color=ACCENT, linestyle="--", label=say("study.plot-even"))
    axes.set_title(say("study.plot-order"))
    axes.legend()


def _draw_facts(axes: "Axes", summary: Summary, say: Say, fact_name: Say) -> None:
    if not summary.facts:
        axes.axis("off")
        return
    facts = summary.facts[::-1]
    rows = range(len(facts))
    within = [fact.interval or (fact.mean, fact.mean) for fact in facts]
    errors = [
        [fact.mean - low for fact, (low, _) in zip(facts, within, strict=True)],
        [high - fact.mean for fact, (_, high) in zip(facts, within, strict=True)],
    ]
    axes.errorbar([fact.mean for fact in facts], rows, xerr=errors, fmt="o", color=PAPER, ecolor=INK, markersize=4)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_xlim(left=0)
    axes.set_yticks(list(rows), [fact_name(fact.name) for fact in facts])
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(say("study.plot-facts"))


def _save(figure: Any, folder: Path, name: str) -> list[Path]:
    files = [folder / f"{name}{ending}" for ending in FORMATS]
    for file in files:
        save_plot(figure, file)
    return files
