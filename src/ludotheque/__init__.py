"""Ludothèque: four out-of-print board games for people and for programs."""

__version__ = "0.1.0"
