"""The conformance suite for pytest: a test with the argument `conformance` is run for every case.

Loaded by `-p ludotheque.conformance.plugin`, never by itself: installing Ludothèque changes nobody's pytest. `--game NAME`,
repeated, or `ludotheque_games` in pytest's configuration says which games; without either it is every installed one.
"""

import pytest

from ludotheque.conformance.cases import cases


def pytest_addoption(parser: pytest.Parser) -> None:
    """The games to check."""
    parser.addoption("--game", action="append", default=[], help="a game to check; may be repeated")
    parser.addini("ludotheque_games", "the games to check; all installed ones if none are named", "args", [])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case."""
    if "conformance" in metafunc.fixturenames:
        from ludotheque.core import game_names  # noqa: PLC0415 - most test runs ask for none

        config = metafunc.config
        names = config.getoption("--game") or config.getini("ludotheque_games") or game_names()
        metafunc.parametrize("conformance", cases(*names), ids=str)
