"""Many matches: series and tournaments, their results and intervals. Who plays is named as everywhere (ludotheque.bots).

Ratings stay in `arena.ratings`, pictures in `arena.pictures`: what they need takes a while to import.
"""

from ludotheque.arena.results import Results, name_of, seed_of
from ludotheque.arena.series import Played, Series, play_series, play_task
from ludotheque.arena.spread import Where, Workers, spread
from ludotheque.arena.sprt import Sprt, Verdict, elo_of, expected_share
from ludotheque.arena.tally import Tally, interval, tallies, tally_of
from ludotheque.arena.tournament import Standing, ladder, names_of, of_player, play_tournament, round_robin

__all__ = [
    "Played",
    "Results",
    "Series",
    "Sprt",
    "Standing",
    "Tally",
    "Verdict",
    "Where",
    "Workers",
    "elo_of",
    "expected_share",
    "interval",
    "ladder",
    "name_of",
    "names_of",
    "of_player",
    "play_series",
    "play_task",
    "play_tournament",
    "round_robin",
    "seed_of",
    "spread",
    "tallies",
    "tally_of",
]
