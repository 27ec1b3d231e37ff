"""Warm-up at the start: loads the rules, lets every worker think once, and freezes what the garbage collector need not scan.

Only speed depends on it: the first move at the first table is as quick as the last.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Sequence
from typing import Final

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match, find_game, game_names
from ludotheque.server.garbage import collect_all
from ludotheque.server.live import LiveTurns
from ludotheque.server.remote_rules import runs_here
from ludotheque.server.workers import Workers, WorkFailed, WorkLost

LOG: Final = logging.getLogger("ludotheque.server")
LEVEL: Final = 3  # the bot that takes over an abandoned seat, and the page's default
SECONDS: Final = 60.0
SWITCH_SECONDS: Final = 0.001  # the writer's thread need not wait long for a busy event loop


async def warm_up(pools: Sequence[Workers], live: LiveTurns) -> None:
    """Load the rules in this process, let every worker think once about every game, and load the physics of live turns."""
    sys.setswitchinterval(SWITCH_SECONDS)
    names = [name for name in game_names() if runs_here(find_game(name))]
    for name in names:
        await asyncio.to_thread(_load, name)
    collect_all()  # modules, rules and schemas stay until the end
    live.warm_up()
    with contextlib.suppress(WorkLost, WorkFailed):  # the next caller gets the error
        await asyncio.gather(*(pool.run(SECONDS, _think_once, names) for pool in pools for _ in pool.all))
    LOG.info("ready")


def _load(name: str) -> None:
    game = find_game(name)
    assert runs_here(game)
    _ = Match(game, dice=Dice("ready")).position.to_move  # from the cache, otherwise a thread compiles them


def _think_once(names: list[str]) -> None:
    """In a worker: a first decision in every game, so that the next ones find everything loaded."""
    for name in names:
        match = Match(find_game(name), dice=Dice("ready"))
        while match.to_move == CHANCE:
            match.draw()
        player = bot(match.game, LEVEL)
        try:
            player.choose(match.position, seconds=0.01)
        finally:
            player.close()
