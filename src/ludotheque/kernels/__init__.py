"""The layer of compiled rules: the `@rule` decorator and its cache, random numbers, playouts and search for any game.

What the rules say is written in each game's rules.py.
"""

from ludotheque.kernels.batch import Batch
from ludotheque.kernels.discrete import DiscreteGame, DiscretePosition
from ludotheque.kernels.jit import JIT, part_of_rules, rule, rule_in, whole
from ludotheque.kernels.playout import make_casual, make_playout, make_playouts, make_uniform, random_playouts
from ludotheque.kernels.random import Random, below, next_word, seeded
from ludotheque.kernels.rules import CHANCE, OVER, Actions, Returns, Rules, State, Weights
from ludotheque.kernels.search import Found, Search, Simulate, make_simulate

__all__ = [
    "CHANCE",
    "JIT",
    "OVER",
    "Actions",
    "Batch",
    "DiscreteGame",
    "DiscretePosition",
    "Found",
    "Random",
    "Returns",
    "Rules",
    "Search",
    "Simulate",
    "State",
    "Weights",
    "below",
    "make_casual",
    "make_playout",
    "make_playouts",
    "make_simulate",
    "make_uniform",
    "next_word",
    "part_of_rules",
    "random_playouts",
    "rule",
    "rule_in",
    "seeded",
    "whole",
]
