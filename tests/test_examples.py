"""The examples on the rules pages are positions that the engine accepts, in every language the same, and can be read as text."""

import re
from collections.abc import Iterator

import pytest

from ludotheque.core import Example, find_game, game_names, languages
from ludotheque.core.examples import in_letters, names_on, with_captions

GAMES = [name for name in game_names() if find_game(name).examples]
EXAMPLES = [(game, name) for game in GAMES for name in find_game(game).examples]


def of(game: str, name: str) -> Example:
    return find_game(game).examples[name]


def test_every_game_of_ours_has_examples() -> None:
    assert set(GAMES) >= {"yam-master", "wykersham", "twisty", "yikerz"}


@pytest.mark.parametrize(("game", "name"), EXAMPLES)
def test_an_example_is_a_position_of_the_game(game: str, name: str) -> None:
    found, example = find_game(game), of(game, name)
    options = found.read_options(example.options)
    position = found.from_view(example.view, found.read_players(example.players), options)
    assert position.view() == example.view, "as the engine writes it"
    assert all(options[key] == value for key, value in example.options.items())


@pytest.mark.parametrize("game", GAMES)
def test_every_language_shows_the_same_examples_each_with_a_caption(game: str) -> None:
    shown = {language: names_on(find_game(game).rules_page(language)) for language in languages()}
    first = shown["en"]
    assert all(names == first for names in shown.values()), shown
    assert set(first) <= set(find_game(game).examples)
    for language in languages():
        captions = re.findall(r"^```position [\w-]+\n(.*?)^```$", find_game(game).rules_page(language), re.M | re.S)
        assert all(caption.strip() for caption in captions)


def blocks(page: str) -> Iterator[str]:
    """The kinds of the fenced blocks of a page."""
    fences = re.findall(r"^```(.*)$", page, re.M)
    assert len(fences) % 2 == 0
    yield from fences[::2]


@pytest.mark.parametrize("game", GAMES)
def test_in_a_terminal_an_example_is_drawn_in_letters_above_its_caption(game: str) -> None:
    found = find_game(game)
    for language in languages():
        page, text = found.rules_page(language), found.rules_text(language)
        assert len(names_on(page)) == len(re.findall("^```position ", page, re.M)), "a block that is not read"
        assert not any(kind.startswith("position") for kind in blocks(text))
        for name in names_on(page):
            example = of(game, name)
            options = found.read_options(example.options)
            picture = found.from_view(example.view, example.players, options).picture(language=language)
            assert picture.rstrip() in text


def test_a_page_without_examples_stays_as_it_is() -> None:
    page = "# Title\n\n```text\n  o o\n```\n\nSome words.\n"
    assert in_letters(page, lambda name: name) == with_captions(page) == page


def test_without_the_game_the_caption_is_what_is_left_of_an_example() -> None:
    page = "Before.\n\n```position goal\nFive in line.\n```\n\nAfter.\n"
    assert with_captions(page) == "Before.\n\nFive in line.\n\nAfter.\n"
