"""What can be learnt from matches: the review of one, studies of a game's balance from many, puzzles.

Studies are imported when they are first used: they play matches in many processes, which a browser does not have.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludotheque.analysis.puzzles import (
    JudgedAnswer,
    Puzzle,
    judge_answer,
    puzzle_numbered,
    puzzle_of_the_day,
    read_puzzles,
)
from ludotheque.analysis.reasons import Comparison, ComparisonText, Line, advise, compare, read_comparison
from ludotheque.analysis.review import Moment, PositionJudge, Review, SeatSummary, moments, review, reviewable

if TYPE_CHECKING:
    from ludotheque.analysis.study import Observed, Study, observe, play_study
    from ludotheque.analysis.summary import Fact, Length, Order, Summary, summarise

_LAZY = {
    "study": ("Observed", "Study", "observe", "play_study"),
    "summary": ("Fact", "Length", "Order", "Summary", "summarise"),
}
_HOME = {name: module for module, names in _LAZY.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what studies need when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found


__all__ = [
    "Comparison",
    "ComparisonText",
    "Fact",
    "JudgedAnswer",
    "Length",
    "Line",
    "Moment",
    "Observed",
    "Order",
    "PositionJudge",
    "Puzzle",
    "Review",
    "SeatSummary",
    "Study",
    "Summary",
    "advise",
    "compare",
    "judge_answer",
    "moments",
    "observe",
    "play_study",
    "puzzle_numbered",
    "puzzle_of_the_day",
    "read_comparison",
    "read_puzzles",
    "review",
    "reviewable",
    "summarise",
]
