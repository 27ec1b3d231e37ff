"""Plots of a tournament: ratings with their intervals, and each line-up's share of the points. Needs the extra `plot`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from ludotheque.arena.ratings import Rating
from ludotheque.arena.scores import scores
from ludotheque.arena.tournament import Standing
from ludotheque.plotting import check_plot, pyplot, save_plot

INK, DOT, EVEN = "#1f2d3d", "#4c78a8", "#e45756"
LONGEST: Final = 30  # letters of a name


def draw_tournament(
    standings: Sequence[Standing], ratings: Mapping[str, Rating], file: Path, title: str, say: Callable[[str], str]
) -> None:
    """Draw the share of every line-up's first player and, if there are any, all ratings, the best at the top."""
    check_plot(file)
    lines = [one for one in standings if one.played]
    rows = max(len(lines), len(ratings), 1)
    figure, axes = pyplot().subplots(
        1, 2 if ratings else 1, figsize=(14 if ratings else 8, 1.8 + 0.4 * rows), layout="constrained", squeeze=False
    )
    figure.suptitle(title)
    shares = axes[0][0]
    for row, standing in enumerate(reversed(lines)):
        first, *_ = scores(standing.series, standing.played)
        low, high = first.interval
        shares.plot([100 * low, 100 * high], [row, row], color=INK)
        shares.plot([100 * first.share], [row], "o", color=DOT)
        even = 100 / len(standing.series.players)
        shares.plot([even, even], [row - 0.4, row + 0.4], color=EVEN, linestyle="--")
    shares.set_yticks(range(len(lines)), [_line_up(one.series.players) for one in reversed(lines)])
    shares.set_xlim(0, 100)
    shares.set_title(say("arena.plot-shares"))
    if ratings:
        strength = axes[0][1]
        ordered = sorted(ratings.items(), key=lambda one: one[1].value)
        for row, (_, rating) in enumerate(ordered):
            strength.plot(rating.interval, [row, row], color=INK)
            strength.plot([rating.value], [row], "o", color=DOT)
        strength.set_yticks(range(len(ordered)), [_short(name) for name, _ in ordered])
        strength.grid(axis="x", alpha=0.3)
        strength.set_title(say("arena.plot-ratings"))
    save_plot(figure, file)


def _line_up(players: Sequence[str]) -> str:
    first, *others = players
    if len(set(others)) == 1 and len(others) > 1:
        return f"{_short(first)} – {len(others)} × {_short(others[0])}"
    return " – ".join(map(_short, players))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else "…" + name[1 - LONGEST :]
