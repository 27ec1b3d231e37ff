"""The bots decide as their signature says: no refactoring changes a decision, and a stronger bot changes the list on purpose."""

import pytest

from ludotheque.bots import LEVELS
from ludotheque.core import find_game
from signature.decisions import POSITIONS, differences, read_entries


@pytest.mark.parametrize("name", POSITIONS)
def test_every_level_decides_as_before(name: str) -> None:
    found = differences(name)
    assert not found, "\n".join([*found, "If that is meant: make signature, then measure the new strength."])


@pytest.mark.parametrize("name", POSITIONS)
def test_the_list_has_decisions_of_every_level_and_number_of_players(name: str) -> None:
    entries = read_entries(name)
    assert {entry["players"] for entry in entries} == set(find_game(name).seats)
    for level in LEVELS:
        assert sum(str(level) in entry["decisions"] for entry in entries) >= 5, level
