"""Which language a reader gets: any that is installed, by what the client prefers."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import ludotheque
from ludotheque.answers import language
from ludotheque.answers.language import choose_language, match_language
from server.guests import PATIENCE, Guest, House, house

GERMAN = {
    "server.not-found.table": "Diesen Tisch gibt es hier nicht.",
    "server.message.hello-again": "Hallo wurde schon gesagt.",
    "table.phrase.hello": "Hallo!",
}
GERMAN_GAME = {"event.roll": "{player} würfelt {dice}"}


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("en;q=0.5, fr;q=0.9", "fr"),
        ("de, en;q=0.5", "en"),
        ("de, pt-BR;q=0.9, fr;q=0.8", "pt-BR"),
        ("pt, fr;q=0.8", "fr"),
        ("FR;q=0, en;q=0.1", "en"),
        ("fr;q=often, en;q=0.1", "en"),
        ("*;q=0.5", "en"),
        (";;;,,;q=", "en"),
    ],
)
def test_the_preferred_installed_language_is_chosen(
    accepted: str, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "languages", lambda: ("en", "fr", "pt-BR"))
    assert choose_language(accepted) == chosen


def test_a_tag_matches_its_own_language_only() -> None:
    assert match_language("fr-CA") == "fr"
    assert match_language("frisian") is None
    assert match_language("../en") is None


@pytest.fixture(scope="module")
def german_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server of a copy of the package with two more files and no change of code."""
    folder = tmp_path_factory.mktemp("german")
    ignored = shutil.ignore_patterns("__pycache__", "page")
    shutil.copytree(Path(ludotheque.__file__).parent, folder / "ludotheque", ignore=ignored)
    for package, sentences in (("", GERMAN), ("games/yam_master/", GERMAN_GAME)):
        (folder / f"ludotheque/{package}locales/de.json").write_text(json.dumps(sentences), "utf-8")
    with house(f"sqlite:///{folder / 'tables.sqlite'}", "--no-limits", environment={"PYTHONPATH": str(folder)}) as one:
        yield one


def test_a_server_speaks_a_language_that_was_added(german_house: House) -> None:
    site = httpx.get(f"{german_house.url}/api/site", timeout=PATIENCE).json()
    assert site["languages"] == ["en", "de", "fr"]
    assert site["phrases"][0]["words"] == {"en": "Hello!", "de": "Hallo!", "fr": "Bonjour !"}
    headers = {"accept-language": "de-CH, en;q=0.5"}
    lost = httpx.get(f"{german_house.url}/api/tables/none", headers=headers, timeout=PATIENCE).json()
    assert lost["error"]["sentence"] == GERMAN["server.not-found.table"]
    anna = Guest(german_house, "Anna")
    table = anna.opens(seats=[{"kind": "me"}, {"kind": "me", "name": "Zoé"}])
    chair = anna.enters(table, language="de-AT")
    chair.until("state")
    chair.sends(do="hello", version=1)
    assert chair.until("refused")["sentence"] == GERMAN["server.message.hello-again"]
    chair.sends(do="roll", id="first", at=chair.number)
    words = chair.until("step")["events"][0]["words"]
    assert set(words) == {"en", "de", "fr"}
    assert "würfelt" in words["de"]
    chair.leaves()
