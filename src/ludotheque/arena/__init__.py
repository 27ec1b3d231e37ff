"""Many matches: series and tournaments, their results and intervals. Players are named as in `ludotheque.bots`.

Ratings are in `arena.ratings`, plots in `arena.plots`: their libraries take a while to import.
"""

from ludotheque.arena.distributed import Backend, WorkerPool, distribute
from ludotheque.arena.records import Records
from ludotheque.arena.results import Results, run_id, stored_seed
from ludotheque.arena.scores import Score, interval, score_of, scores
from ludotheque.arena.series import Played, Series, play_series, play_task
from ludotheque.arena.sprt import Sprt, Verdict, elo_of, expected_share
from ludotheque.arena.tournament import Standing, ladder, matches_of, play_tournament, player_names, round_robin
from ludotheque.arena.versions import versions

__all__ = [
    "Backend",
    "Played",
    "Records",
    "Results",
    "Score",
    "Series",
    "Sprt",
    "Standing",
    "Verdict",
    "WorkerPool",
    "distribute",
    "elo_of",
    "expected_share",
    "interval",
    "ladder",
    "matches_of",
    "play_series",
    "play_task",
    "play_tournament",
    "player_names",
    "round_robin",
    "run_id",
    "score_of",
    "scores",
    "stored_seed",
    "versions",
]
