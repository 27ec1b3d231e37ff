"""Wykersham's tests run the compiled rules; without the JIT, the same source interpreted."""

import pytest

from ludotheque.games.wykersham import GAME


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """Do not begin with the interpreted rules while the compiler is at work: that is for people."""
    assert GAME.rules.compiled
