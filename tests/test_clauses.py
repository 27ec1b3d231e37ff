"""Every clause of every registered game has a test, and no test names a clause that does not exist."""

import pytest

from clauses import clauses_of, missing, named_by_tests
from ludotheque.core import game_names


@pytest.mark.parametrize("game", game_names())
def test_every_clause_has_a_test(game: str) -> None:
    clauses = clauses_of(game)
    numbers = [int(clause[1:]) for clause in clauses]
    assert sorted(numbers) == list(range(1, len(numbers) + 1)), "a clause is missing on the page, or there twice"
    assert not missing(game)


def test_no_test_names_an_unknown_clause() -> None:
    known = {clause for game in ("yam-master", "wykersham", "twisty", "yikerz") for clause in clauses_of(game)}
    assert set(named_by_tests()) <= known
