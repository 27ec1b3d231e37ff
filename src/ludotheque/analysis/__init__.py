"""What can be learnt from matches: the review of one, studies of a game's balance from many, puzzles."""

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
from ludotheque.analysis.study import Observed, Study, observe, play_study
from ludotheque.analysis.summary import Fact, Length, Order, Summary, summarise

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
