"""`make bench-wasm`: rules and kernels in WebAssembly (Node) beside native ones in the same run, with the sizes of the modules.

`PYTHONPATH=tests python -m bench.speed.wasm [GAME…]`. The calls cross a pipe here, some 0.1 ms each: a decision is one call or a few.
"""

import gzip
import json
import sys
import time
from array import array
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, Final

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match
from ludotheque.kernels import DiscreteGame, DiscretePosition
from ludotheque.kernels.random import seeded
from tools.wasm.link import build, games
from wasm.node import in_wasm

PLAYED: Final = 4_000  # matches a round
ROUNDS: Final = 5
LEVEL: Final = 5
POSITIONS: Final = 12


def positions(game: DiscreteGame) -> list[DiscretePosition]:
    """Positions out of one match, for the strongest bot to think about."""
    match = Match(game, dice=Dice("bench wasm"))
    found: list[DiscretePosition] = []
    while not match.over and len(found) < POSITIONS:
        if match.to_move == CHANCE:
            match.draw()
            continue
        position = match.position
        assert isinstance(position, DiscretePosition)
        found.append(position)
        match.play(position.legal().actions[0])
    return found


def playouts(game: DiscreteGame) -> float:
    """Millions of actions a second, in random matches."""
    position = Match(game, dice=Dice("bench wasm")).position
    assert isinstance(position, DiscretePosition)
    numbers, totals = array("q", seeded(1).tolist()), array("d", bytes(8 * game.rules.most_players))
    rates: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        played = int(game.kernels.call("playouts", position.state_bytes, numbers, totals, PLAYED))
        rates.append(played / (time.perf_counter() - began) / 1e6)
    return median(rates)


def decision(game: DiscreteGame, asked: list[DiscretePosition]) -> float:
    """Milliseconds of a decision of the strongest level: the median over the positions, each asked of a new bot."""
    bot(game, LEVEL).choose(asked[0])
    taken = []
    for position in asked:
        player = bot(game, LEVEL)
        began = time.perf_counter()
        player.choose(position)
        taken.append(1000 * (time.perf_counter() - began))
    return median(taken)


def both(game: DiscreteGame, measure: Callable[[], float]) -> dict[str, float]:
    """A figure, native and in WebAssembly, and the second as a share of the first."""
    native = measure()
    with in_wasm(game):
        wasm = measure()
    return {"native": round(native, 2), "wasm": round(wasm, 2), "ratio": round(wasm / native, 2)}


def main() -> None:
    """Measure and print, one game a line."""
    for game in games():
        if sys.argv[1:] and game.name not in sys.argv[1:]:
            continue
        content = build(game).read_bytes()
        asked = positions(game)
        told: dict[str, Any] = {
            "game": game.name,
            "bytes": len(content),
            "compressed": len(gzip.compress(content, 9, mtime=0)),
            "million_actions_a_second": both(game, partial(playouts, game)),
            "level_5_milliseconds": both(game, partial(decision, game, asked)),
        }
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
