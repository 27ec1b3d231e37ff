"""The command line speaks both languages: the same sentences with the same facts."""

import string

from ludotheque.cli.table import WORDS
from ludotheque.core import Words


def facts(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_every_sentence_is_there_in_both_languages_with_the_same_facts() -> None:
    words = Words("ludotheque.cli")
    english, french = words.templates("en"), words.templates("fr")
    assert set(english) == set(french)
    for name, template in english.items():
        assert facts(template) == facts(french[name]), name


def test_no_word_of_the_table_means_two_things() -> None:
    words = Words("ludotheque.cli")
    for language in ("en", "fr"):
        said = [words.say(f"word.{name}", language) for name in WORDS]
        assert len(set(said)) == len(said)
