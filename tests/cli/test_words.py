"""The words that can be typed at the terminal's table."""

from ludotheque.cli.table import WORDS
from ludotheque.core import Catalogue, languages


def test_no_word_of_the_table_means_two_things() -> None:
    catalogue = Catalogue("ludotheque")
    for language in languages():
        said = [catalogue.say(f"play.word.{name}", language) for name in WORDS]
        assert len(set(said)) == len(said)
