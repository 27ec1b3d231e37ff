"""Compiled rules are cached between processes, compiled again when a rule changes, and a broken cache does no harm."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludotheque.core import Dice, JsonObject, Match
from ludotheque.games.yam_master import GAME
from ludotheque.kernels import (
    CHANCE,
    JIT,
    OVER,
    Search,
    make_casual,
    make_playout,
    make_uniform,
    random_playouts,
    seeded,
)
from ludotheque.kernels.random import below, next_word
from table import discrete

needs_jit = pytest.mark.skipif(not JIT, reason="the JIT is switched off")

PIG = """
import numpy as np
from ludotheque.kernels import CHANCE, OVER, Actions, Random, Returns, State, below, rule

STATE = np.dtype([("banked", np.int16, (2,)), ("turn", np.int16), ("player", np.int8), ("rolling", np.bool_)], align=True)
MOST_ACTIONS, MOST_PLAYERS, GOAL = 6, 2, 100
HOLD, ROLL = 0, 1

@rule
def to_move(state: State) -> int:
    if state.banked.max() >= GOAL:
        return OVER
    return CHANCE if state.rolling else state.player

@rule
def legal(state: State, actions: Actions) -> int:
    if state.rolling:
        for face in range(1, 7):
            actions[face - 1] = face
        return 6
    actions[0], actions[1] = HOLD, ROLL
    return 2

@rule
def weight(state: State, outcome: int) -> int:
    return 1

@rule
def draw(state: State, random: Random) -> int:
    return 1 + below(random, 6)

@rule
def play(state: State, action: int) -> None:
    if not state.rolling and action == ROLL:
        state.rolling = True
        return
    if not state.rolling:
        state.banked[state.player] += state.turn
    elif action > 1:
        state.turn += action
        state.rolling = False
        return
    state.turn = 0
    state.rolling = False
    state.player = 1 - state.player

@rule
def returns(state: State, result: Returns) -> None:
    for seat in range(2):
        result[seat] = 1.0 if state.banked[seat] >= GOAL else 0.0
"""

RUN = """
import sys, time
sys.path.insert(0, sys.argv[1])
from ludotheque.kernels import Rules, Search, random_playouts
rules = Rules("pig_for_tests.rules")
hit = rules.cached
start = time.perf_counter()
rules.compiled
state = rules.new_state()
played, totals = random_playouts(rules, state, 200, 1)
search = Search(rules, state, 1)
search.think(500)
simulate = search._kernels.entries["simulate"].function
module = rules.module
compiled = [one for one in (module.play, module.legal, module.to_move, simulate) if hasattr(one, "stats")]
hits = sum(sum(one.stats.cache_hits.values()) for one in compiled)
print(hit, hits, played, totals.tolist(), [(one.action, one.visits) for one in search.found()])
"""


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    folder = tmp_path / "games with a space" / "pig_for_tests"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "rules.py").write_text(PIG)
    return folder


def run(pig: Path, cache: Path, **more: str) -> list[str]:
    """Play pig in a process of its own: was it cached, how many functions came from the cache, and what was played."""
    environment = {**os.environ, "LUDOTHEQUE_CACHE": str(cache), **more}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN, str(pig.parent)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split(maxsplit=2)


@needs_jit
def test_a_second_process_finds_the_rules_and_the_search_compiled(pig: Path, tmp_path: Path) -> None:
    cold, warm = run(pig, tmp_path / "cache"), run(pig, tmp_path / "cache")
    assert cold[:2] == ["False", "0"]
    assert warm[0] == "True"
    assert int(warm[1]) == 4, "play, legal, to_move and the search come from the cache"
    assert cold[2] == warm[2]


@needs_jit
def test_a_changed_rule_is_compiled_again_even_in_another_file(pig: Path, tmp_path: Path) -> None:
    (pig / "facts.py").write_text("GOAL = 100\n")
    (pig / "rules.py").write_text(
        PIG.replace("MOST_PLAYERS, GOAL = 6, 2, 100", "MOST_PLAYERS = 6, 2\nfrom pig_for_tests.facts import GOAL")
    )
    first = run(pig, tmp_path / "cache")
    (pig / "facts.py").write_text("GOAL = 20\n")
    second = run(pig, tmp_path / "cache")
    assert second[:2] == ["False", "0"]
    assert int(second[2].split()[0]) < int(first[2].split()[0]), "the shorter game is played"


@needs_jit
def test_playouts_by_different_players_are_compiled_apart() -> None:
    """Uniform and casual playouts are the same lines of source: each must play as its own player does, interpreted."""
    rules = GAME.rules
    start = discrete(Match(GAME, dice=Dice("apart")).position).state
    plain = rules.interpreted
    lengths = {}
    for name, choose in (("uniform", make_uniform(rules)), ("casual", make_casual(rules))):
        played = make_playout(rules, choose)(rules.copy(start), np.zeros(rules.most_actions, np.int32), seeded(5))
        state, random, actions, expected = rules.copy(start), seeded(5), np.zeros(rules.most_actions, np.int32), 0
        while (mover := plain.to_move(state)) != OVER:
            if mover == CHANCE:
                action = plain.draw(state, random)
            else:
                count = plain.legal(state, actions)
                casual = plain.module.casual
                action = casual(state, actions, count, random) if name == "casual" else actions[below(random, count)]
            plain.play(state, int(action))
            expected += 1
        assert played == expected, name
        lengths[name] = played
    assert lengths["casual"] != lengths["uniform"]


@needs_jit
def test_a_damaged_cache_is_replaced(pig: Path, tmp_path: Path) -> None:
    cold = run(pig, tmp_path / "cache")
    for file in (tmp_path / "cache").rglob("*.nb*"):
        file.write_bytes(b"not a cache")
    assert run(pig, tmp_path / "cache")[2] == cold[2]


def test_rules_work_where_nothing_can_be_kept(pig: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    assert run(pig, blocked)[:2] == ["False", "0"]


def test_interpreted_rules_play_the_same_games(pig: Path, tmp_path: Path) -> None:
    assert run(pig, tmp_path / "cache")[2] == run(pig, tmp_path / "other", NUMBA_DISABLE_JIT="1")[2]


@needs_jit
def test_people_are_served_interpreted_rules_until_compiled_ones_are_there(tmp_path: Path) -> None:
    script = (
        "import time; from ludotheque.core import find_game, Match, Dice\n"
        "game = find_game('yam-master'); game.rules.interpreted; began = time.perf_counter()\n"
        "match = Match(game, dice=Dice('1')); match.draw(); match.play('pass')\n"
        "print(time.perf_counter() - began, game.rules.is_compiled)\n"
        "game.rules.compiled; match.draw(); print(match.position.view()['rolls'])\n"
    )
    environment = {**os.environ, "LUDOTHEQUE_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    waited, compiled, rolls = done.stdout.split()
    assert compiled == "False", "the first moves came before the compiler was done"
    assert float(waited) < 2
    assert rolls == "1"


def test_random_numbers_are_those_of_sfc32() -> None:
    """Against the generator written once more with plain integers, as its author published it."""
    state = [5, 0, 0x9E3779B9, 1]

    def plain() -> int:
        a, b, c, counter = state
        word = (a + b + counter) % 2**32
        state[:] = [
            b ^ (b >> 9),
            (c + (c << 3)) % 2**32,
            (((c << 21) | (c >> 11)) % 2**32 + word) % 2**32,
            (counter + 1) % 2**32,
        ]
        return word

    for _ in range(15):
        plain()
    random = seeded(5)
    assert [int(next_word(random)) for _ in range(1000)] == [plain() for _ in range(1000)]


def test_small_random_numbers_are_even() -> None:
    random = seeded(1)
    counts = np.bincount([below(random, 6) for _ in range(30_000)], minlength=6)
    assert len(counts) == 6
    assert 4800 < counts.min() <= counts.max() < 5200


def test_playouts_share_out_one_point_a_game() -> None:
    start = discrete(Match(GAME, dice=Dice("1")).first)
    games = 200 if JIT else 2
    played, totals = random_playouts(GAME.rules, start.state, games, seed=3)
    assert totals.sum() == games
    assert played > 20 * games
    assert start.view()["turns"] == [0, 0], "the start is not changed"


def test_search_finds_the_winning_move() -> None:
    view: JsonObject = {
        "phase": "decide", "player": 0, "rolls": 3, "dice": "11123", "kept": "", "defi": False,
        "board": [".0000", ".....", ".....", ".....", "1111."], "turns": [10, 10],
    }  # fmt: skip
    position = GAME.from_view(view, 2, GAME.read_options())
    search = Search(GAME.rules, position.state, seed=1)
    search.think(300)
    best = search.found()[0]
    assert GAME.write(position.state, best.action) == "place r1c1"
    assert best.value == 1.0


def test_search_goes_on_where_it_was_and_is_the_same_for_a_seed() -> None:
    start = Match(GAME, dice=Dice("1"))
    start.draw()
    whole, parts = (Search(GAME.rules, discrete(start.position).state, seed=2) for _ in range(2))
    count = 3000 if JIT else 20
    whole.think(count)
    parts.think(count // 2)
    parts.think(count // 2)
    assert whole.found() == parts.found()
    assert whole.simulations == parts.simulations == count
    assert sum(one.visits for one in whole.found()) == count


def test_search_stops_growing_where_memory_ends() -> None:
    start = Match(GAME, dice=Dice("1"))
    start.draw()
    search = Search(GAME.rules, discrete(start.position).state, most_nodes=5000)
    search.think(100_000 if JIT else 300)
    assert search.found()[0].visits > 0


def test_nothing_is_left_behind_by_a_deleted_cache(tmp_path: Path, pig: Path) -> None:
    run(pig, tmp_path / "cache")
    shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    assert run(pig, tmp_path / "cache")[0] == "False"
