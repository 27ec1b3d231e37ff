"""What all tests share: compiled rules are made before anything is judged, and golden files can be written anew."""

from pathlib import Path

import pytest

from ludotheque.core import find_game, game_names
from ludotheque.kernels import DiscreteGame


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write the golden playthroughs anew")


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
