"""Every clause has its mark and a test, every printed statement its clause, and no test names an unknown clause."""

import pytest

from clauses import clauses_of, marks_in, marks_of, missing, named_by_tests, statements_of
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


@pytest.mark.parametrize("game", game_names())
def test_every_clause_says_where_it_comes_from(game: str) -> None:
    marks = marks_of(game)
    assert list(marks) == clauses_of(game)
    assert [clause for clause, found in marks.items() if not found] == []


def test_a_clause_without_a_mark_at_its_beginning_is_found() -> None:
    assert marks_in("*Printed:* the higher die starts. *Ruling:* equal dice are rolled again.") == ["Printed", "Ruling"]
    assert marks_in("*Ruling, so that every game ends:* after 100 turns.") == ["Ruling"]
    assert marks_in("The higher die starts. *Ruling:* equal dice are rolled again.") == []


@pytest.mark.parametrize(
    ("clause", "marks"),
    [
        ("W7", ["Printed", "Published"]),
        ("W9", ["Printed", "Published", "Ruling"]),
        ("W12", ["Printed", "Ruling"]),
        ("W13", ["Printed", "Ruling", "Ruling"]),
        ("W20", ["Printed", "Ruling"]),
    ],
)
def test_clauses_with_parts_mark_each_part(clause: str, marks: list[str]) -> None:
    assert marks_of("wykersham")[clause] == marks


@pytest.mark.parametrize("game", game_names())
def test_every_printed_statement_has_its_clause(game: str) -> None:
    statements = statements_of(game)
    known = set(clauses_of(game))
    assert len(statements) > 10
    for statement, places in statements.items():
        assert set(places) <= known | {"advice"}, statement
    printed = {clause for clause, marks in marks_of(game).items() if "Printed" in marks}
    assert printed <= {place for places in statements.values() for place in places}, "printed, but not in the table"
