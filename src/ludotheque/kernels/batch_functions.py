"""The compiled functions of a batch: each goes through all its matches in one call. `batch` has the class around them.

What one match does (`MatchFunctions`) and what one row of masks is (`mark`) is the same on any target.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.encoding import Deal, Encoding
from ludotheque.kernels.jit import part_of_rules, rule_in, whole
from ludotheque.kernels.random import Random, below
from ludotheque.kernels.records import State
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.targets import CHANCE, OVER

SKIP: Final = -1
"""In place of an action: leave the match as it is."""
States: TypeAlias = NDArray[np.void]
Numbers: TypeAlias = NDArray[Any]


class BatchArrays(NamedTuple):
    """How all matches of a batch stand: one row, or one number, for each."""

    states: States
    movers: Numbers
    """Who decides, or OVER; with explicit chance also CHANCE."""
    actions: Numbers
    counts: Numbers
    """How many of a row of `actions` are legal."""
    results: Numbers
    finished: Numbers
    """Whether the last step ended the match."""
    random: Numbers
    """A generator for each."""
    undealt: States
    """One state: a match before anything is drawn."""


class Ways(NamedTuple):
    """How a batch is played."""

    explicit: bool
    """Whether chance's outcomes are played by the caller."""
    renew: bool
    """Whether a match that ends begins anew at once, in compiled code."""
    by_lot: bool
    """Whether the lot decides who starts."""


class MatchFunctions(NamedTuple):
    """What one match of a batch does."""

    settle: Callable[[BatchArrays, Ways, int], None]
    """(arrays, ways, match): let chance draw until somebody decides or it is over, and note how it stands."""
    begin: Callable[[BatchArrays, Ways, int], None]
    """(arrays, ways, match): lay it out anew and settle it; only for a game with `deal`."""
    step: Callable[[BatchArrays, Ways, int, int], None]
    """(arrays, ways, match, action): play a legal action and settle it, if it is not over; begin anew if that is wanted."""


class BatchFunctions(NamedTuple):
    """What a batch does in one compiled call."""

    settle: Callable[[BatchArrays, Ways, Numbers], None]
    """(arrays, ways, which): in some matches, let chance draw until somebody decides or it is over."""
    begin: Callable[[BatchArrays, Ways, Numbers], None]
    """(arrays, ways, which): lay out some matches anew; only for a game with `deal`."""
    step: Callable[[BatchArrays, Ways, Numbers], int]
    """(arrays, ways, chosen): play one action in each match and settle it; returns a match whose action is illegal, or -1."""
    choose: Callable[[BatchArrays, Numbers], None]
    """(arrays, chosen): fill in a random legal action for each match, or an outcome by its odds."""
    masks: Callable[[BatchArrays, Numbers], None]
    """(arrays, out): which actions are legal, a row of 0 and 1 for each match."""
    weights: Callable[[BatchArrays, Numbers], None]
    """(arrays, out): the weights of chance's outcomes, a row for each match; all 0 where chance is not to move."""
    observe: Callable[[BatchArrays, Numbers, Numbers], None]
    """(arrays, seats, out): what a seat sees of each match; seat -1 is the one to move."""


@part_of_rules
def mark(actions: Numbers, count: int, out: Numbers) -> None:
    """Fill in a mask: 1 at each of the first `count` actions, 0 elsewhere."""
    out[:] = 0
    for which in range(count):
        out[actions[which]] = 1


@cache
def make_match_functions(rules: Rules, encoding: Encoding | None) -> MatchFunctions:
    """They are made once for each game, and compiled into whatever calls them."""
    to_move, legal, play = rules.module.to_move, rules.module.legal, rules.module.play
    draw, returns = rules.module.draw, rules.module.returns
    deal: Deal = _no_deal(rules) if encoding is None or encoding.deal_rule is None else encoding.deal_rule

    @rule_in(rules.folder)
    def settle_one(batch: BatchArrays, ways: Ways, match: int) -> None:
        state = batch.states[match]
        mover = to_move(state)
        while mover == CHANCE and not ways.explicit:
            play(state, draw(state, batch.random[match]))
            mover = to_move(state)
        batch.movers[match] = mover
        if mover == OVER:
            batch.counts[match] = 0
            returns(state, batch.results[match])
        else:
            batch.counts[match] = legal(state, batch.actions[match])

    @rule_in(rules.folder)
    def begin_one(batch: BatchArrays, ways: Ways, match: int) -> None:
        batch.states[match] = batch.undealt[0]
        deal(batch.states[match], batch.random[match], ways.by_lot)
        settle_one(batch, ways, match)

    @rule_in(rules.folder)
    def step_one(batch: BatchArrays, ways: Ways, match: int, action: int) -> None:
        if ways.renew and batch.finished[match]:
            batch.results[match, :] = 0.0
        batch.finished[match] = False
        if batch.movers[match] != OVER and action != SKIP:
            play(batch.states[match], action)
            settle_one(batch, ways, match)
            if batch.movers[match] == OVER:
                batch.finished[match] = True
                if ways.renew:
                    begin_one(batch, ways, match)

    return MatchFunctions(settle_one, begin_one, step_one)


@cache
def make_batch_functions(rules: Rules, encoding: Encoding | None) -> BatchFunctions:
    """They are made once for each game, and compiled when they are first called."""
    draw, weight = rules.module.draw, rules.module.weight
    settle_one, begin_one, step_one = make_match_functions(rules, encoding)

    @rule_in(rules.folder)
    def settle(batch: BatchArrays, ways: Ways, which: Numbers) -> None:
        for match in which:
            settle_one(batch, ways, match)

    @rule_in(rules.folder)
    def begin(batch: BatchArrays, ways: Ways, which: Numbers) -> None:
        for match in which:
            begin_one(batch, ways, match)

    @rule_in(rules.folder)
    def step(batch: BatchArrays, ways: Ways, chosen: Numbers) -> int:
        movers, actions, counts = batch.movers, batch.actions, batch.counts
        for match in range(len(chosen)):
            if movers[match] != OVER and chosen[match] != SKIP:
                found = False
                for which in range(counts[match]):
                    found = found or actions[match, which] == chosen[match]
                if not found:
                    return match
        for match in range(len(chosen)):
            step_one(batch, ways, match, whole(chosen[match]))
        return -1

    @rule_in(rules.folder)
    def choose(batch: BatchArrays, chosen: Numbers) -> None:
        for match in range(len(chosen)):
            chosen[match] = 0
            if batch.movers[match] == CHANCE:
                chosen[match] = draw(batch.states[match], batch.random[match])
            elif batch.counts[match] > 0:
                chosen[match] = batch.actions[match, below(batch.random[match], batch.counts[match])]

    @rule_in(rules.folder)
    def masks(batch: BatchArrays, out: Numbers) -> None:
        for match in range(len(out)):
            mark(batch.actions[match], batch.counts[match] if batch.movers[match] >= 0 else 0, out[match])

    @rule_in(rules.folder)
    def weights(batch: BatchArrays, out: Numbers) -> None:
        for match in range(len(out)):
            out[match, :] = 0
            if batch.movers[match] == CHANCE:
                for which in range(batch.counts[match]):
                    outcome = whole(batch.actions[match, which])
                    out[match, outcome] = weight(batch.states[match], outcome)

    return BatchFunctions(settle, begin, step, choose, masks, weights, _observe(rules, encoding))


def _no_deal(rules: Rules) -> Deal:
    """For a game that has none: never called, but compiled with the rest."""

    @rule_in(rules.folder)
    def deal(_state: State, _random: Random, _by_lot: bool) -> None:
        return

    return deal


def _observe(rules: Rules, encoding: Encoding | None) -> Callable[[BatchArrays, Numbers, Numbers], None]:
    if encoding is None:

        def nothing(_batch: BatchArrays, _seats: Numbers, _out: Numbers) -> None:
            raise AssertionError("a batch asks for the encoding first")

        return nothing
    observe_one = encoding.observe_rule

    @rule_in(rules.folder)
    def observe(batch: BatchArrays, seats: Numbers, out: Numbers) -> None:
        for match in range(len(out)):
            seat = seats[match] if seats[match] >= 0 else max(0, batch.movers[match])
            observe_one(batch.states[match], seat, out[match])

    return observe
