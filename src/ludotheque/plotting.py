"""Plotting with matplotlib, which is an extra: whether it is there and can write a file is checked before anything is computed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ludotheque.core import BadOption, BadRequest
from ludotheque.core.problems import unwritable
from ludotheque.extras import is_installed, line_that_adds

FORMATS: Final = (".png", ".svg")


def can_plot() -> bool:
    """Whether matplotlib is installed."""
    return is_installed("plot")


def pyplot() -> Any:
    """matplotlib's pyplot, drawing into files; or a problem that says how to get it."""
    try:
        import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import

        mpl.use("Agg")
        from matplotlib import pyplot as plt  # noqa: PLC0415
    except ImportError as error:
        raise BadRequest("plot.matplotlib-missing", line=line_that_adds("plot")) from error
    return plt


def check_plot(file: Path, formats: Sequence[str] = FORMATS) -> None:
    """Before the work that is to be drawn: is matplotlib there, is it a format that it writes, is there such a folder?"""
    if file.suffix.lower() not in formats:
        *others, last = formats
        raise BadOption("plot.format", formats=", ".join(others), last=last, file=file.name)
    if not file.absolute().parent.is_dir():
        raise BadOption("plot.no-folder", folder=str(file.absolute().parent), file=file.name)
    pyplot()


def save_plot(figure: Any, file: Path, dpi: int = 150) -> None:
    """Write a figure and forget it."""
    try:
        figure.savefig(file, dpi=dpi)
    except OSError as error:
        raise unwritable(file, error) from error
    finally:
        pyplot().close(figure)
