"""Pictures of a tournament: everybody's strength with its interval, and each line-up's share. Needs the extra `plot`.

The numbers are ratings.py's and tally.py's; the sentences are given by whoever asks.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ludotheque.arena.ratings import Rating
from ludotheque.arena.tally import tallies
from ludotheque.arena.tournament import Standing
from ludotheque.core import BadOption, BadRequest

FORMATS: Final = (".png", ".svg")
INK, DOT, EVEN = "#1f2d3d", "#4c78a8", "#e45756"
LONGEST: Final = 30  # letters of a name


def check_plot(file: Path) -> Any:
    """Before anything is played: matplotlib, or a problem that says how to get it; and a file that it can write."""
    if file.suffix.lower() not in FORMATS:
        raise BadOption(
            f"A plot is a .png or a .svg file, not {file.name}.",
            f"Un graphique est un fichier .png ou .svg, pas {file.name}.",
        )
    try:
        import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import

        mpl.use("Agg")
        from matplotlib import pyplot  # noqa: PLC0415
    except ImportError as error:
        raise BadRequest(
            "--plot needs matplotlib, which is not installed. Install it with: pip install 'ludotheque[plot]'",
            "--plot demande matplotlib, qui n'est pas installé. Installez-le avec : pip install 'ludotheque[plot]'",
        ) from error
    return pyplot


def draw_tournament(
    standings: Sequence[Standing], ratings: Mapping[str, Rating], file: Path, title: str, say: Callable[[str], str]
) -> None:
    """Draw the shares of every line-up's first player and, where there are ratings, everybody's; best at the top."""
    pyplot = check_plot(file)
    lines = [one for one in standings if one.played]
    rows = max(len(lines), len(ratings), 1)
    figure, axes = pyplot.subplots(
        1, 2 if ratings else 1, figsize=(14 if ratings else 8, 1.8 + 0.4 * rows), layout="constrained", squeeze=False
    )
    figure.suptitle(title)
    shares = axes[0][0]
    for row, standing in enumerate(reversed(lines)):
        first, *_ = tallies(standing.series, standing.played)
        low, high = first.interval
        shares.plot([100 * low, 100 * high], [row, row], color=INK)
        shares.plot([100 * first.share], [row], "o", color=DOT)
        even = 100 / len(standing.series.players)
        shares.plot([even, even], [row - 0.4, row + 0.4], color=EVEN, linestyle="--")
    shares.set_yticks(range(len(lines)), [_line_up(one.series.players) for one in reversed(lines)])
    shares.set_xlim(0, 100)
    shares.set_title(say("plot-shares"))
    if ratings:
        strength = axes[0][1]
        ordered = sorted(ratings.items(), key=lambda one: one[1].value)
        for row, (_, rating) in enumerate(ordered):
            strength.plot(rating.interval, [row, row], color=INK)
            strength.plot([rating.value], [row], "o", color=DOT)
        strength.set_yticks(range(len(ordered)), [_short(name) for name, _ in ordered])
        strength.grid(axis="x", alpha=0.3)
        strength.set_title(say("plot-ratings"))
    try:
        figure.savefig(file, dpi=150)
    except OSError as error:
        raise BadOption(
            f"{file} cannot be written: {error.strerror}.", f"{file} ne peut pas être écrit : {error.strerror}."
        ) from error
    finally:
        pyplot.close(figure)


def _line_up(players: Sequence[str]) -> str:
    first, *others = players
    if len(set(others)) == 1 and len(others) > 1:
        return f"{_short(first)} – {len(others)} × {_short(others[0])}"
    return " – ".join(map(_short, players))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else "…" + name[1 - LONGEST :]
