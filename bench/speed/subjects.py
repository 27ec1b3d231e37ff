"""What is measured: playouts and search of every discrete game, OpenSpiel's nearest games, and the engine's start.

Rows of single games are in the modules beside this one; another maker's game brings its own by `capabilities.benchmark`.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any, Final

from bench.speed import yam_master, yikerz
from bench.speed.measure import SECONDS, Row, Subject, repeated, timed
from bench.speed.report import ACTIONS, PLAYOUTS, ROLLOUTS, SEARCH, SEARCH_CPP, SIMULATIONS_A_SECOND, WITHOUT_DICE
from ludotheque.core import BenchmarkCase, Dice, Game, SetupDice, UnknownGame, find_game, game_names, literal, text
from ludotheque.kernels import DiscreteGame, Search, State, random_playouts

GAMES_AT_ONCE: Final = 200
SIMULATIONS: Final = 2000
GAMES: Final = text("bench.unit.games")
PEERS: Final = ("yacht", "backgammon")
OWN_ROWS: Final[dict[str, Callable[[], list[Subject]]]] = {
    "yam-master": yam_master.subjects,
    "yikerz": yikerz.subjects,
}


def all_subjects(*, start_up: bool = True) -> list[Subject]:
    """Everything that can be measured here; OpenSpiel only where it is installed."""
    subjects: list[Subject] = []
    for name in game_names():
        try:
            game = find_game(name)
        except UnknownGame:
            continue  # it lacks a package here; `ludotheque warm` says which
        if isinstance(game, DiscreteGame):
            subjects += _of_game(game)
        if name in OWN_ROWS:
            subjects += OWN_ROWS[name]()
        if game.capabilities.benchmark is not None:
            subjects += [_of_case(game, case) for case in game.capabilities.benchmark()]
    if find_spec("pyspiel"):
        for name in PEERS:
            subjects += _of_peer(name)
    if start_up:
        subjects += [_start_up(cold=False), _start_up(cold=True)]
    return subjects


def _first_state(name: str) -> State:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    return game.start(game.seats[0], game.read_options(), SetupDice(Dice("bench"))).state


def playouts(name: str, seconds: float = SECONDS, seed: int = 1) -> tuple[float, float, float]:
    """Random games of one game for about that long: games, actions and the processor time they took."""
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    state = _first_state(name)
    random_playouts(game.rules, state, 1)  # compiled, or read from the cache, before the clock starts
    games = 0

    def some() -> float:
        nonlocal games
        games += GAMES_AT_ONCE
        played, _ = random_playouts(game.rules, state, GAMES_AT_ONCE, seed + games)
        return played

    actions, took = repeated(some, seconds)
    return games, actions, took


def by_the_clock(name: str) -> float:
    """Actions a second of the clock."""
    began = time.perf_counter()
    _, actions, _ = playouts(name)
    return actions / (time.perf_counter() - began)


def _of_game(game: DiscreteGame) -> list[Subject]:
    name = game.name

    def one_core() -> Sequence[float]:
        games, actions, took = playouts(name)
        return games / took, actions / took

    def two_cores() -> Sequence[float]:
        """How many times as much two processes play as one by the clock, one right after the other."""
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            list(pool.map(by_the_clock, [name] * 2))  # both have loaded everything
            (alone,) = pool.map(by_the_clock, [name])
            both = list(pool.map(by_the_clock, [name] * 2))
        return [sum(both) / alone]

    def search() -> Sequence[float]:
        thought = Search(game.rules, _first_state(name), 1)
        thought.think(10)  # compiled, or read from the cache
        done, took = repeated(lambda: _think(thought))
        return [done / took]

    title = literal(name)
    return [
        Subject((Row(title, PLAYOUTS, GAMES), Row(title, PLAYOUTS, ACTIONS)), one_core),
        Subject((Row(title, text("bench.two-processes"), text("bench.unit.times-one")),), two_cores, rounds=3),
        Subject((Row(title, SEARCH, SIMULATIONS_A_SECOND),), search),
    ]


def _of_case(game: Game, case: BenchmarkCase) -> Subject:
    """A case that a game brings itself: microseconds of one call."""
    row = Row(literal(game.name), literal(case.name), text("bench.unit.microseconds"))
    return Subject((row,), lambda: [timed(case.call, case.calls)])


def _think(search: Search) -> float:
    before = search.simulations
    search.think(SIMULATIONS)
    return search.simulations - before


def _of_peer(name: str) -> list[Subject]:
    """OpenSpiel: random games through its Python API, and its own search (C++) with one rollout a simulation."""
    spiel: Any = import_module("pyspiel")
    game = spiel.load_game(name)
    dice = random.Random(1)
    subject = literal(f"OpenSpiel {name}")

    def rollouts() -> Sequence[float]:
        games, listing = 0, 0.0

        def one() -> float:
            nonlocal games, listing
            games += 1
            played, listed = _spiel_rollout(game, dice)
            listing += listed
            return played

        actions, took = repeated(one, 4 * SECONDS)  # few fit in: a longer look
        return games / took, actions / took, actions / (took - listing)

    def search() -> Sequence[float]:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        simulations = 100
        bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(1, 7), 0.7, simulations, 1000, False, 7, False)

        def once() -> float:
            bot.step(state)
            return simulations

        done, took = repeated(once, 2 * SECONDS)
        return [done / took]

    rows = (
        Row(subject, ROLLOUTS, GAMES),
        Row(subject, ROLLOUTS, ACTIONS),
        Row(subject, WITHOUT_DICE, ACTIONS),
    )
    return [Subject(rows, rollouts), Subject((Row(subject, SEARCH_CPP, SIMULATIONS_A_SECOND),), search, rounds=3)]


def _spiel_rollout(game: Any, dice: random.Random) -> tuple[int, float]:
    """One random game, as OpenSpiel's own examples play it: the number of actions, and the time spent on drawing chance.

    Yacht lists up to 7776 outcomes for a roll, and our drawing from such a list in Python is slow as well: together nearly
    all of the time. A ratio that counts it says little about the rules, so the goal is judged without it.
    """
    state = game.new_initial_state()
    played, listing = 0, 0.0
    while not state.is_terminal():
        if state.is_chance_node():
            began = time.process_time()
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            action = dice.choices(outcomes, odds)[0]
            listing += time.process_time() - began
        else:
            action = dice.choice(state.legal_actions())
        state.apply_action(action)
        played += 1
    return played, listing


ASKED: Final = b'{"do":"hello"}\n{"do":"new","game":"yam-master","seed":1}\n'


def _start_up(*, cold: bool) -> Subject:
    """A process that answers hello and new: how long that takes from nothing, and how much memory it needs."""

    def run() -> Sequence[float]:
        if not cold:
            return engine_start(dict(os.environ))
        with tempfile.TemporaryDirectory() as empty:
            return engine_start({**os.environ, "LUDOTHEQUE_CACHE": empty})

    engine = text("bench.engine")
    start_up = text("bench.start-up-cold" if cold else "bench.start-up-warm")
    rows = (
        Row(engine, start_up, text("bench.unit.seconds")),
        Row(engine, start_up, text("bench.unit.processor-seconds")),
        Row(engine, text("bench.memory-cold" if cold else "bench.memory-warm"), text("bench.unit.megabytes")),
    )
    return Subject(rows, run, rounds=5)


def engine_start(environment: dict[str, str]) -> tuple[float, float, float]:
    """Seconds until the second answer by the clock, the processor's seconds in all, and megabytes of memory at most."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "ludotheque", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(ASKED)
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    took = time.perf_counter() - began
    assert all(answer["ok"] for answer in answers)
    process.stdin.close()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
