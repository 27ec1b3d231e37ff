"""What can be learnt from matches: studies of a game's balance. Who plays them is the business of players and arena."""

from ludotheque.analysis.study import Observed, Study, observe, play_study
from ludotheque.analysis.summary import Fact, Length, Order, Summary, summarise

__all__ = ["Fact", "Length", "Observed", "Order", "Study", "Summary", "observe", "play_study", "summarise"]
