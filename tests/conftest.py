"""What all tests share: rules are compiled first, golden files can be rewritten, and nothing may be left running."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

import leftovers
from ludotheque.core import find_game, game_names
from ludotheque.kernels import DiscreteGame

TESTS: Final = Path(__file__).parent
SLOW: Final = (
    "analysis",
    "arena",
    "bots",
    "browser/test_archive.py",
    "browser/test_both_hosts.py",
    "cli",
    "page",
    "server",
    "signature",
    "training",
    "wasm/test_modules.py",
    "yam_master_player",
    "yikerz",
    "engine/test_against_reference.py",
    "engine/test_process.py",
    "kernels/test_batch.py",
    "kernels/test_jit.py",
    "test_leftovers.py",
    "test_third_party.py",
    "twisty/test_against_reference.py",
    "twisty/test_player.py",
    "twisty/test_puzzles.py",
    "twisty/test_race.py",
    "wykersham/test_accelerators.py",
    "twisty/test_turns.py",
    "wykersham/test_cache.py",
    "wykersham/test_endgame.py",
    "wykersham/test_player.py",
    "wykersham/test_puzzles.py",
    "wykersham/test_self_play.py",
)
"""Places whose tests play many games, think with bots, simulate magnets or start processes: not part of `make check`."""


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow = tuple(TESTS / place for place in SLOW)
    gone = [place.name for place in slow if not place.exists()]
    assert not gone, f"tests/conftest.py lists slow tests that do not exist: {gone}"
    for item in items:
        if any(item.path.is_relative_to(place) for place in slow):
            item.add_marker(pytest.mark.slow)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write the golden playthroughs anew")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(leftovers, "leftovers")


@pytest.fixture(scope="session")
def write_golden(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--write-golden"))


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> Iterator[None]:
    """Tests judge the compiled rules (interpreted where the JIT is off), never a mixture by accident; or WebAssembly, if asked to."""
    discrete = [game for game in map(find_game, game_names()) if isinstance(game, DiscreteGame)]
    with ExitStack() as stack:
        for game in discrete:
            if os.environ.get("LUDOTHEQUE_TARGET") == "wasm":  # make test-wasm
                from wasm.node import in_wasm  # noqa: PLC0415 - no other test needs Node

                stack.enter_context(in_wasm(game))
            else:
                _ = game.rules.compiled
        yield


@pytest.fixture(scope="session")
def project() -> Path:
    return Path(__file__).parent.parent
