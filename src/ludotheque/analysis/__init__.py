"""What can be learnt from matches: the review of one, and studies of a game's balance from many.

Who plays them is the business of players and arena.
"""

from ludotheque.analysis.review import Foreseeing, Moment, Review, Sum, moments, review
from ludotheque.analysis.study import Observed, Study, observe, play_study
from ludotheque.analysis.summary import Fact, Length, Order, Summary, summarise

__all__ = [
    "Fact",
    "Foreseeing",
    "Length",
    "Moment",
    "Observed",
    "Order",
    "Review",
    "Study",
    "Sum",
    "Summary",
    "moments",
    "observe",
    "play_study",
    "review",
    "summarise",
]
