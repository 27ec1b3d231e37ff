"""Plots: matplotlib, which is an extra, and a file that it can write; a mistake is told before anything is computed.

What is drawn is the business of whoever draws it.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from ludotheque.core import BadOption, BadRequest
from ludotheque.core.problems import unwritable

FORMATS: Final = (".png", ".svg")


def can_plot() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def pyplot() -> Any:
    """matplotlib's pyplot, drawing into files; or a problem that says how to get it."""
    try:
        import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import

        mpl.use("Agg")
        from matplotlib import pyplot as plt  # noqa: PLC0415
    except ImportError as error:
        raise BadRequest(
            "Plots need matplotlib, which is not installed. Install it with: pip install 'ludotheque[plot]'",
            "Les graphiques demandent matplotlib, qui n'est pas installé. Installez-le avec : pip install 'ludotheque[plot]'",
        ) from error
    return plt


def check_plot(file: Path, formats: Sequence[str] = FORMATS) -> None:
    """Before the work that is to be drawn: is matplotlib there, is it a format that it writes, is there such a folder?"""
    if file.suffix.lower() not in formats:
        *others, last = formats
        raise BadOption(
            f"A plot is a {', '.join(others)} or {last} file, not {file.name}.",
            f"Un graphique est un fichier {', '.join(others)} ou {last}, pas {file.name}.",
        )
    if not file.absolute().parent.is_dir():
        raise BadOption(
            f"There is no folder {file.absolute().parent} to draw {file.name} in. Make it, or name another.",
            f"Il n'y a pas de dossier {file.absolute().parent} où dessiner {file.name}. Créez-le, ou nommez-en un autre.",
        )
    pyplot()


def save_plot(figure: Any, file: Path, dpi: int = 150) -> None:
    """Write a figure and forget it."""
    try:
        figure.savefig(file, dpi=dpi)
    except OSError as error:
        raise unwritable(file, error) from error
    finally:
        pyplot().close(figure)
