"""The manual: every topic has its pages, in the package too, and links lead to other topics or become words."""

import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludotheque import manual
from ludotheque.cli.app import app
from ludotheque.core import BadRequest, Catalogue, game_names, languages

PROJECT = Path(__file__).parents[1]
NAMES = [topic.name for topic in manual.TOPICS]


def show(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["help", *arguments], env={"LANG": "C"})
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("topic", manual.TOPICS, ids=lambda topic: topic.name)
def test_every_topic_has_a_page_and_those_for_players_have_one_in_every_language(topic: manual.Topic) -> None:
    pages = {language: manual.page(topic.name, language) for language in languages()}
    assert all(page.startswith("# ") for page in pages.values())
    assert topic.hosts or len(set(pages.values())) == len(languages())
    assert not any(re.search(r"\]\(", page) for page in pages.values()), "without addresses, links are plain words"


def test_every_page_is_in_the_wheel_where_it_is_looked_for() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    place = manual.PACKAGED.relative_to(manual.PACKAGED.parents[1])
    for topic in manual.TOPICS:
        (source,) = [one for one in included if topic.file == one or topic.file.startswith(f"{one}/")]
        assert included[source] == f"{place}/{source}"


def test_links_between_topics_lead_where_the_reader_is() -> None:
    page = manual.page("playing", "fr", lambda name: f"/help/{name}")
    assert "[clavier et accès](/help/access)" in page
    assert "In English" not in page
    hosting = manual.page("hosting", "en", lambda name: f"/help/{name}")
    assert "[Behind a proxy](/help/reverse-proxy)" in hosting
    assert "[the policy](/help/security)" in hosting


def test_help_lists_every_topic_and_every_game_and_shows_each() -> None:
    listed = show()
    assert all(re.search(rf"^  {name} ", listed, re.MULTILINE) for name in (*NAMES, *game_names()))
    assert show("dice", "--language", "fr").startswith("# Des dés honnêtes")
    assert show("twisty").startswith("# Twisty")


def test_an_unknown_topic_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadRequest, match="friends"):
        manual.page("frends", "en")
    with pytest.raises(BadRequest, match="reverse-proxy"):
        manual.page("xyzzy", "en")


def test_the_command_that_shows_the_manual_says_so() -> None:
    """Its name is that of an option, which has another sentence."""
    for asked in ([], ["help"]):
        shown = CliRunner().invoke(app, [*asked, "--help"], env={"LANG": "C", "COLUMNS": "200"}).stdout
        assert "Read the manual" in shown
        assert "Show this message and exit" in shown


def test_no_sentence_sends_anybody_to_a_file_that_an_installation_does_not_have() -> None:
    catalogue = Catalogue("ludotheque")
    for language in languages():
        told = catalogue.templates(language).items()
        lost = [key for key, sentence in told if re.search(r"\bdocs/|\.md\b", sentence)]
        assert lost == []
