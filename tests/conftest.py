"""What all tests share: rules are compiled first, golden files can be rewritten, and nothing may be left running."""

from pathlib import Path

import pytest

from ludotheque.core import find_game, game_names
from ludotheque.kernels import DiscreteGame


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write the golden playthroughs anew")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.import_plugin("leftovers")


@pytest.fixture(scope="session")
def write_golden(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--write-golden"))


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """Tests judge the compiled rules (interpreted where the JIT is off), never a mixture by accident."""
    for name in game_names():
        game = find_game(name)
        if isinstance(game, DiscreteGame):
            _ = game.rules.compiled


@pytest.fixture(scope="session")
def project() -> Path:
    return Path(__file__).parent.parent
