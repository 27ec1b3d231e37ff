"""What every registered game must do, whoever wrote it: the suite of `ludotheque.conformance`, and a few more things of ours."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludotheque.conformance import Case
from ludotheque.conformance.every_game import refuses, spoilt
from ludotheque.conformance.matches import random_match
from ludotheque.core import find_game, game_names, languages
from ludotheque.kernels import JIT, DiscreteGame

LISTED = [name for name in game_names() if isinstance(find_game(name), DiscreteGame)]
each_game = pytest.mark.parametrize("name", LISTED)


def test_every_game_does_what_every_game_must(conformance: Case) -> None:
    conformance.run()


@each_game
@settings(max_examples=150 if JIT else 10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(place=st.integers(0, 60), text=st.text(max_size=20), flip=st.integers(0, 30))
def test_every_other_text_is_refused_and_changes_nothing(name: str, place: int, text: str, flip: int) -> None:
    game = find_game(name)
    match = random_match(game, game.seats[0], 8, longest=60)
    position = match.at(min(place, len(match.log)))
    legal = position.legal().actions
    for wrong in (text, *spoilt(legal[flip % len(legal)] if legal else "pass")):
        refuses(position, wrong)


@each_game
def test_another_seed_gives_another_match_for_every_number_of_players(name: str) -> None:
    game = find_game(name)
    for players in game.seats:
        first, second = ([entry.action for entry in random_match(game, players, seed).log] for seed in (1, 2))
        assert first != second


@each_game
def test_both_languages_have_the_same_words(name: str) -> None:
    words = find_game(name).catalogue
    english, french = words.templates("en"), words.templates("fr")
    assert set(english) == set(french)
    assert all(text.strip() for text in [*english.values(), *french.values()])


@each_game
def test_the_rules_can_be_read_in_both_languages(name: str) -> None:
    pages = [find_game(name).rules_page(language) for language in languages()]
    assert all(page.startswith("# ") and len(page.splitlines()) > 20 for page in pages)
    assert pages[0] != pages[1]
