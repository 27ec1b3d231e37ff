"""The rules pages tell every option and show every example, and the examples play as their captions say."""

from collections.abc import Iterable

import pytest

from ludotheque.core import Match, find_game
from ludotheque.core.examples import names_on
from test_vocabulary import GAMES, LANGUAGES, SOURCES, sentences


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_rules_page_tells_every_option_and_shows_every_example(game: str, language: str) -> None:
    found = find_game(game)
    page = found.rules_page(language)
    assert [option.name for option in found.declared_options if f"`{option.name}`" not in page] == []
    assert set(names_on(page)) == set(found.examples)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_explained_where_it_is_chosen(game: str, language: str) -> None:
    said = {text.where.split(" ", 1)[1] for text in sentences(SOURCES / "games" / GAMES[game], language)}
    options = [option.name for option in find_game(game).declared_options]
    assert [name for name in options if not {f"option.{name}", f"option.{name}.about"} <= said] == []


# What the captions of the examples say


def match_of(game: str, name: str) -> Match:
    example = find_game(game).examples[name]
    return Match(find_game(game), example.players, dict(example.options), setup=example.view)


def after(game: str, name: str, *actions: str) -> Match:
    match = match_of(game, name)
    for action in actions:
        match.play(action)
    return match


def cells(actions: Iterable[str], verb: str) -> set[str]:
    return {action.removeprefix(f"{verb} ") for action in actions if action.startswith(f"{verb} ")}


def test_wykershams_examples_play_as_they_are_told() -> None:
    examples = find_game("wykersham").examples
    assert after("wykersham", "before-goal", "right").position.view() == examples["goal"].view
    assert after("wykersham", "before-combination", "right").position.view() == examples["combination"].view
    lines = {name: {action[0] for action in match_of("wykersham", name).position.legal().actions} for name in examples}
    assert (lines["dice"], lines["double"]) == ({"3", "5"}, {"n", "3"})
    fewest = after("wykersham", "combination", "take", "1", "1")
    most = after("wykersham", "combination", "take", "2", "2")
    assert (fewest.position.view()["winnings"], most.position.view()["winnings"]) == ([9, 0], [11, 0])
    assert after("wykersham", "combination", "leave").position.view()["winnings"] == [0, 0]


def test_yam_masters_examples_play_as_they_are_told() -> None:
    brelan = match_of("yam-master", "brelan").position.legal().actions
    assert cells(brelan, "place") == {"r2c1", "r5c2"}
    yam = match_of("yam-master", "yam").position.legal().actions
    assert cells(yam, "place") == {"r2c1", "r5c2", "r2c2", "r2c4", "r3c2", "r3c3"}
    assert cells(yam, "take") == {"r1c1", "r4c4"}
    assert match_of("yam-master", "lines").position.view()["points"] == [1, 2]
    assert match_of("yam-master", "five").over


def test_twistys_examples_play_as_they_are_told() -> None:
    assert after("twisty", "collect", "e4").position.view()["collected"] == [4, 2]
    assert after("twisty", "chain", "e3", "f4", "g6").position.view()["collected"] == [4, 2]
    assert after("twisty", "steal", "d5").position.view()["collected"] == [4, 3]
    assert set(match_of("twisty", "shield").position.legal().actions) == {"shield", "stay"}
    finished = after("twisty", "finish", "d4")
    assert finished.over
    assert list(finished.position.returns()) == [1, 0]
