"""Many matches: series, their results and intervals. Who plays is named as everywhere (ludotheque.players)."""

from ludotheque.arena.series import Played, Series, play_series, play_task, spread
from ludotheque.arena.tally import Tally, interval, tallies

__all__ = ["Played", "Series", "Tally", "interval", "play_series", "play_task", "spread", "tallies"]
