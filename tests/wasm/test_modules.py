"""Modules of kernels in Node: the same answers as native rules and entries, bit for bit, and memory that is given back."""

import os
import random
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernels.test_targets import answers
from ludotheque.core import CHANCE, Dice, Match, find_game
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.jit import JIT
from ludotheque.kernels.random import seeded
from ludotheque.kernels.wasm_target import WasmKernels, WasmTarget
from table import discrete
from test_golden import FOLDER, TABLES, playthrough
from tools.wasm.link import build, imports, link
from wasm.node import NodeBridge, in_wasm, open_bridge

GAMES = ["wykersham"]
if os.environ.get("LUDOTHEQUE_KERNELS") == "all":  # make test-wasm
    GAMES += ["twisty", "yam-master"]

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled here")


def game_of(name: str) -> DiscreteGame:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    return game


@pytest.fixture(scope="module", params=GAMES)
def bridge(request: pytest.FixtureRequest) -> Iterator[NodeBridge]:
    with open_bridge(build(game_of(request.param))) as opened:
        yield opened


@pytest.fixture(scope="module")
def kernels(bridge: NodeBridge) -> WasmKernels:
    return WasmKernels(bridge)


@pytest.fixture(scope="module")
def game(kernels: WasmKernels) -> DiscreteGame:
    return game_of(kernels.about["game"])


@pytest.mark.parametrize(("name", "players"), [table for table in TABLES if table[0] in GAMES])
def test_a_golden_match_goes_as_it_went_before(name: str, players: int) -> None:
    with in_wasm(game_of(name)):
        assert playthrough(name, players) == (FOLDER / f"{name}-{players}.txt").read_text("utf-8")


def test_rules_give_the_same_answers_as_native_ones(game: DiscreteGame, kernels: WasmKernels) -> None:
    native, target = game.rules.compiled.target, WasmTarget(kernels)
    for players in game.seats:
        match, chooser = Match(game, players, dice=Dice("wasm")), random.Random(players)
        while True:
            position = discrete(match.position)
            action = None if match.over else chooser.choice(position.action_numbers())
            expected = answers(game, native, position.state_bytes, action)
            assert answers(game, target, position.state_bytes, action) == expected, position.picture()
            if match.over or len(match.log) > 150:
                break
            if match.to_move == CHANCE:
                match.draw()
            else:
                assert action is not None
                match.play(game.write(position.fields, action))


def test_playouts_are_the_same_to_the_last_random_number(game: DiscreteGame, kernels: WasmKernels) -> None:
    state = discrete(Match(game, dice=Dice("playouts")).position).state_bytes
    found = []
    for where in (game.kernels, kernels):
        numbers, totals = array("q", seeded(7).tolist()), array("d", bytes(8 * game.rules.most_players))
        found.append((where.call("playouts", state, numbers, totals, 300), numbers.tolist(), totals.tolist()))
    assert found[0] == found[1]


def test_memory_is_given_back(bridge: NodeBridge, game: DiscreteGame, kernels: WasmKernels) -> None:
    state = discrete(Match(game, dice=Dice("memory")).position).state_bytes
    numbers, totals = array("q", seeded(7).tolist()), array("d", bytes(8 * game.rules.most_players))

    def use() -> None:
        rooms = [kernels.room(size) for size in (100, 100_000, 3_000_000)]
        kernels.call("playouts", state, numbers, totals, 2_000)
        del rooms

    for _ in range(3):
        use()
    before = bridge.memory()
    for _ in range(30):
        use()
    assert bridge.memory() == before


@pytest.mark.parametrize("size", [200, 160_000])
def test_a_room_is_zero_even_where_something_was_before(kernels: WasmKernels, size: int) -> None:
    full = kernels.keep(b"\xff" * size)
    seen = bytearray(size)
    kernels.call("copy_bytes", full, seen, size)
    assert seen == b"\xff" * size
    del full
    kernels.call("copy_bytes", kernels.room(size), seen, size)
    assert seen == bytes(size)


def test_the_module_imports_nothing(game: DiscreteGame) -> None:
    assert imports(build(game).read_bytes()) == []


def test_the_module_knows_nothing_of_the_machine_that_built_it(game: DiscreteGame) -> None:
    content = build(game).read_bytes()
    assert b".py" not in content  # numba pickles the file names of its errors
    assert os.fsencode(Path(__file__).parents[2]) not in content


@pytest.mark.skipif(os.environ.get("LUDOTHEQUE_KERNELS") != "all", reason="compiles a game once more: make test-wasm")
def test_the_same_sources_make_the_same_bytes(tmp_path: Path) -> None:
    game = game_of("wykersham")
    assert link(game) == build(game).read_bytes()
