"""How fast everything is, beside OpenSpiel in the same run. A game adds rows of its own by a module bench.py in its folder."""

from ludotheque.bench.measure import Measured, Row, Subject, measure
from ludotheque.bench.report import GOALS, Goal, goals_met, ratios
from ludotheque.bench.subjects import all_subjects

__all__ = ["GOALS", "Goal", "Measured", "Row", "Subject", "all_subjects", "goals_met", "measure", "ratios"]
