"""What one thread of a GPU does for one match of a batch, compiled from the same rules as on a processor.

`ptx` makes kernels of these functions; `envs.gpu` launches them. All arrays are the whole batch's: a thread has its match's
number. What it needs for itself (`actions`, `words`) is scratch memory of its own, whatever the match.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ludotheque.kernels.batch_functions import SKIP, BatchArrays, Numbers, States, Ways, make_match_functions
from ludotheque.kernels.encoding import Encoding
from ludotheque.kernels.jit import part_of_rules, rule_in, whole
from ludotheque.kernels.random import below
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.targets import OVER

WORD_BITS: Final = 32
NOBODY: Final = -1
"""In place of a match whose action is illegal: there is none."""


def mask_words(encoding: Encoding) -> int:
    """How many words of 32 bits hold a mask."""
    return -(-encoding.num_actions // WORD_BITS)


class GpuFunctions(NamedTuple):
    """The kernels' bodies. Those that play note the legal actions as bits, for masks and for the check of the next action."""

    begin: Callable[..., None]
    check: Callable[..., None]
    step: Callable[..., None]
    choose: Callable[..., None]
    play: Callable[..., None]
    masks: Callable[..., None]
    observe: Callable[..., None]


@part_of_rules
def note_legal(batch: BatchArrays, bits: Numbers, words: Numbers, match: int) -> None:
    """Note a match's legal actions as bits; none where no player decides."""
    for which in range(len(words)):
        words[which] = 0
    if batch.movers[match] >= 0:
        for which in range(batch.counts[match]):
            action = whole(batch.actions[match, which])
            words[action >> 5] |= np.uint32(1 << (action & 31))
    for which in range(len(words)):
        bits[which, match] = words[which]


@part_of_rules
def is_legal(bits: Numbers, match: int, action: int) -> bool:
    """Whether an action is among those noted."""
    if action < 0 or action >> 5 >= len(bits):
        return False
    return (whole(bits[action >> 5, match]) >> (action & 31)) & 1 == 1


def make_gpu_functions(rules: Rules, encoding: Encoding) -> GpuFunctions:
    """They are compiled by `ptx`."""
    _, begin_one, step_one = make_match_functions(rules, encoding)
    legal: Callable[[Any, Any], int] = rules.module.legal
    observe_one = encoding.observe_rule

    @rule_in(rules.folder)
    def begin(
        states: States, movers: Numbers, actions: Numbers, counts: Numbers, results: Numbers, finished: Numbers,
        random: Numbers, undealt: States, bits: Numbers, words: Numbers, chosen: Numbers, by_lot: int, match: int,
    ) -> None:  # fmt: skip
        if chosen[match] != 0:
            batch = BatchArrays(states, movers, actions, counts, results, finished, random, undealt)
            begin_one(batch, Ways(False, False, by_lot != 0), match)
            results[match, :] = 0.0
            finished[match] = False
            note_legal(batch, bits, words, match)

    @rule_in(rules.folder)
    def check(movers: Numbers, bits: Numbers, chosen: Numbers, wrong: Numbers, match: int) -> None:
        action = whole(chosen[match])
        if movers[match] != OVER and action != SKIP and not is_legal(bits, match, action):
            wrong[0] = match  # one of them, whichever thread is the last

    @rule_in(rules.folder)
    def step(
        states: States, movers: Numbers, actions: Numbers, counts: Numbers, results: Numbers, finished: Numbers,
        random: Numbers, undealt: States, bits: Numbers, words: Numbers, chosen: Numbers, wrong: Numbers,
        renew: int, by_lot: int, match: int,
    ) -> None:  # fmt: skip
        if wrong[0] == NOBODY:
            batch = BatchArrays(states, movers, actions, counts, results, finished, random, undealt)
            step_one(batch, Ways(False, renew != 0, by_lot != 0), match, whole(chosen[match]))
            note_legal(batch, bits, words, match)

    @rule_in(rules.folder)
    def choose(states: States, movers: Numbers, actions: Numbers, random: Numbers, chosen: Numbers, match: int) -> None:
        chosen[match] = 0
        if movers[match] != OVER:
            count = legal(states[match], actions[match])
            chosen[match] = actions[match, below(random[match], count)]

    @rule_in(rules.folder)
    def play(
        states: States, movers: Numbers, actions: Numbers, counts: Numbers, results: Numbers, finished: Numbers,
        random: Numbers, undealt: States, bits: Numbers, words: Numbers, steps: int, renew: int, by_lot: int, match: int,
    ) -> None:  # fmt: skip
        batch = BatchArrays(states, movers, actions, counts, results, finished, random, undealt)
        ways = Ways(False, renew != 0, by_lot != 0)
        if movers[match] != OVER:
            counts[match] = legal(states[match], actions[match])
        for _ in range(steps):
            action = 0
            if counts[match] > 0:
                action = whole(actions[match, below(random[match], counts[match])])
            step_one(batch, ways, match, action)
        note_legal(batch, bits, words, match)

    @rule_in(rules.folder)
    def masks(bits: Numbers, out: Numbers, match: int) -> None:
        for action in range(out.shape[1]):
            out[match, action] = (whole(bits[action >> 5, match]) >> (action & 31)) & 1

    @rule_in(rules.folder)
    def observe(states: States, movers: Numbers, seats: Numbers, out: Numbers, match: int) -> None:
        seat = whole(seats[match])
        if seat < 0:
            seat = max(0, whole(movers[match]))
        observe_one(states[match], seat, out[match])

    return GpuFunctions(begin, check, step, choose, play, masks, observe)
