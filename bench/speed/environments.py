"""Decisions a second of `ludotheque.envs.Batch` with masks and observations, beside OpenSpiel and pgx in the same run.

`python -m bench.speed.environments`. Peers are measured where they are installed: `pip install open_spiel pgx`. Every loop
chooses a random legal action, plays it with the dice that follow, and hands out a mask and an observation. Processor time
of one core; rounds alternate, so that a busy machine is busy for all alike.
"""

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any, Final

from bench.speed.measure import repeated
from ludotheque.core import find_game
from ludotheque.envs import Batch
from ludotheque.kernels import DiscreteGame

GAMES: Final = ("yam-master", "wykersham", "twisty")
OPENSPIEL: Final = ("yacht", "backgammon")
PGX: Final = ("backgammon", "connect_four", "2048")
Loop = Callable[[], float]
"""Plays some decisions and returns how many."""


def main() -> None:
    """Measure and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=4096, help="matches side by side, ours and pgx's")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured")
    parser.add_argument("--seconds", type=float, default=1.0, help="of one measurement")
    given = parser.parse_args()
    loops: dict[str, Loop] = {}
    for name in GAMES:
        loops[f"ludotheque {name}"] = ours(name, given.size, seen=True)
        loops[f"ludotheque {name}, neither masks nor observations"] = ours(name, given.size, seen=False)
    if find_spec("pyspiel"):
        loops |= {f"OpenSpiel {name}": openspiel(name) for name in OPENSPIEL}
    if find_spec("pgx"):
        loops |= {f"pgx {name}": pgx(name, given.size) for name in PGX}
    for loop in loops.values():
        loop()  # compiled before the clock starts
    rates: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(given.rounds):
        for name, loop in loops.items():
            played, took = repeated(loop, given.seconds)
            rates[name].append(played / took)
    document = {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load": os.getloadavg()[0],
        "size": given.size,
        "decisions a second": {
            name: {"median": round(median(some)), "min": round(min(some)), "max": round(max(some))}
            for name, some in rates.items()
        },
    }
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def ours(name: str, size: int, *, seen: bool) -> Loop:
    """One of our games in a batch that begins anew by itself."""
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    batch = Batch(game, size, seed=1, auto_reset=True)
    masks, observations = batch.masks(), batch.observe()

    def loop() -> float:
        batch.step(batch.random_actions())
        if seen:
            batch.masks(masks)
            batch.observe(observations)
        return size

    return loop


def openspiel(name: str) -> Loop:
    """A game of OpenSpiel through its Python interface, one match after the other."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(name)
    chooser = random.Random(1)

    def loop() -> float:
        """One match."""
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chooser.choices(outcomes, odds)[0])
                continue
            state.legal_actions_mask()
            state.observation_tensor(state.current_player())
            state.apply_action(chooser.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return loop


def pgx(name: str, size: int) -> Loop:
    """A game of pgx, a batch at a time, compiled by JAX for the processor; its observation and mask are part of every state."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax: Any = import_module("jax")
    environment: Any = import_module("pgx").make(name)
    step = import_module("pgx.experimental.wrappers").auto_reset(environment.step, environment.init)

    def advance(state: Any, key: Any) -> Any:
        choose, play = jax.random.split(key)
        odds = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        chosen = jax.random.categorical(choose, odds, axis=-1)
        return jax.vmap(step)(state, chosen, jax.random.split(play, size))

    compiled = jax.jit(advance)
    keys = jax.random.split(jax.random.PRNGKey(1), size)
    held = {"state": jax.jit(jax.vmap(environment.init))(keys), "key": jax.random.PRNGKey(2)}

    def loop() -> float:
        held["key"], key = jax.random.split(held["key"])
        held["state"] = compiled(held["state"], key)
        jax.block_until_ready(held["state"].observation)
        return size

    return loop


if __name__ == "__main__":
    main()
