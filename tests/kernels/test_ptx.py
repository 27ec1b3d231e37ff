"""The kernels for a GPU, as far as they can be tested without one: they compile, and their text is what the host expects."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludotheque.core import BadOption, find_game
from ludotheque.envs.gpu.driver import LIBRARY
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.gpu_functions import is_legal, note_legal
from ludotheque.kernels.jit import JIT
from ludotheque.kernels.ptx import kernels_of, ptx_of
from ludotheque.kernels.random import seeded, seeded_many

GAMES = ["wykersham"]
if os.environ.get("LUDOTHEQUE_KERNELS") == "all":  # a minute each
    GAMES += ["yam-master", "twisty"]


def game_of(name: str) -> DiscreteGame:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    return game


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled here")
@pytest.mark.parametrize("name", GAMES)
def test_every_kernel_is_in_the_text_with_its_arguments(name: str) -> None:
    game = game_of(name)
    text = ptx_of(game)
    found = dict(re.findall(r"\.visible \.entry (\w+)\((.*?)\)", text, re.DOTALL))
    expected = kernels_of(game)
    assert set(found) == set(expected)
    for kernel, (_, parameters) in expected.items():
        arguments = 1 + sum(one.arguments for one in parameters)  # the number of matches comes first
        assert len(re.findall(r"\.param", found[kernel])) == arguments, kernel
        assert len(re.findall(r"\.param \.u64|\.param \.b64", found[kernel])) == arguments, kernel


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled here")
def test_the_text_calls_nothing_outside() -> None:
    """Neither Python's memory nor its errors: a card has none of them."""
    text = ptx_of(game_of(GAMES[-1]))
    assert not re.findall(r"\.extern", text)
    assert "NRT_MemInfo" not in text


@pytest.mark.skipif(not JIT, reason="nothing is compiled here")
def test_a_game_whose_kernels_do_not_compile_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path))
    failing = subprocess.CompletedProcess([], 1, "", "LLVM says no")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failing)
    with pytest.raises(BadOption, match="LLVM says no"):
        ptx_of(game_of("wykersham"))


def test_a_machine_without_a_card_is_told_what_to_use() -> None:
    """In a process of its own, with a driver that does not exist."""
    program = (
        "from ludotheque.envs.gpu import driver\n"
        "driver.LIBRARY = 'no-such-driver.so'\n"
        "from ludotheque.core import BadOption\n"
        "try:\n    driver.driver(0)\nexcept BadOption as problem:\n    print(problem)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "No NVIDIA driver" in said
    assert "ludotheque.envs.Batch" in said
    assert LIBRARY != "no-such-driver.so"


@pytest.mark.parametrize("first", [0, 77, 5 << 20, (1 << 64) - 2, -3, 9 << 90])
def test_generators_made_at_once_are_those_made_one_by_one(first: int) -> None:
    assert seeded_many(first, 5).tolist() == [seeded(first + one).tolist() for one in range(5)]


class Standing:
    """One match of a batch whose player has a few actions, as far as `note_legal` looks."""

    def __init__(self, mover: int, actions: list[int]) -> None:
        self.movers = np.array([mover])
        self.counts = np.array([len(actions)])
        self.actions = np.array([actions], np.int32)


@pytest.mark.parametrize("actions", [[0], [31, 32], [5, 64, 70], []])
def test_bits_tell_exactly_the_legal_actions(actions: list[int]) -> None:
    bits, words = np.full((3, 1), 7, np.uint32), np.zeros(3, np.uint32)
    note_legal(Standing(0, actions), bits, words, 0)  # type: ignore[arg-type] # as much of a batch as it looks at
    assert [action for action in range(96) if is_legal(bits, 0, action)] == sorted(actions)
    assert not is_legal(bits, 0, -1)
    assert not is_legal(bits, 0, 96)
    note_legal(Standing(-2, actions), bits, words, 0)  # type: ignore[arg-type] # over: nothing is legal
    assert not bits.any()
