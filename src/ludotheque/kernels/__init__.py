"""Compiled rules: the `@rule` decorator and its cache, random numbers, playouts, batches and search for any game.

What text modules need (`DiscreteGame`, `Layout`) is imported at once and needs no numpy; everything else when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludotheque.kernels.discrete import DiscreteGame, DiscretePosition
from ludotheque.kernels.layout import Field, Fields, Layout, MutableState
from ludotheque.kernels.targets import CHANCE, OVER, RulesTarget
from ludotheque.kernels.tree_search import Found, TreeSearch

if TYPE_CHECKING:
    from ludotheque.kernels.batch import Batch
    from ludotheque.kernels.jit import JIT, part_of_rules, rule, rule_in, whole
    from ludotheque.kernels.playout import make_casual, make_playout, make_playouts, make_uniform, random_playouts
    from ludotheque.kernels.random import Random, below, next_word, seeded
    from ludotheque.kernels.rules import Actions, Returns, Rules, State, Weights, record_type
    from ludotheque.kernels.search import Search, Simulate, make_simulate

_LAZY = {
    "batch": ("Batch",),
    "jit": ("JIT", "part_of_rules", "rule", "rule_in", "whole"),
    "playout": ("make_casual", "make_playout", "make_playouts", "make_uniform", "random_playouts"),
    "random": ("Random", "below", "next_word", "seeded"),
    "rules": ("Actions", "Returns", "Rules", "State", "Weights", "record_type"),
    "search": ("Search", "Simulate", "make_simulate"),
}
_HOME = {name: module for module, names in _LAZY.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what needs numpy and numba when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found


__all__ = [
    "CHANCE",
    "JIT",
    "OVER",
    "Actions",
    "Batch",
    "DiscreteGame",
    "DiscretePosition",
    "Field",
    "Fields",
    "Found",
    "Layout",
    "MutableState",
    "Random",
    "Returns",
    "Rules",
    "RulesTarget",
    "Search",
    "Simulate",
    "State",
    "TreeSearch",
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
    "record_type",
    "rule",
    "rule_in",
    "seeded",
    "whole",
]
