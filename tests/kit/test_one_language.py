"""A game in one language is enough: readers of others get that one, whichever it is."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludotheque.core import Catalogue
from ludotheque.core.catalogue import own_languages, page_in


@pytest.fixture(params=["en", "fr", "de"])
def package(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    language, name = request.param, f"only_{request.param}"
    (tmp_path / name / "locales").mkdir(parents=True)
    (tmp_path / name / "__init__.py").touch()
    (tmp_path / name / "rules.md").touch()  # not a page in a language
    sentences = {"seat.0": f"A {language}", "event.takes_other": "{count} " + language}
    (tmp_path / name / "locales" / f"{language}.json").write_text(json.dumps(sentences), "utf-8")
    (tmp_path / name / f"rules.{language}.md").write_text(f"# Rules {language}", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    sys.modules.pop(name, None)


@pytest.mark.parametrize("reader", ["en", "fr"])
def test_every_reader_gets_the_language_that_there_is(package: str, reader: str) -> None:
    language = package.removeprefix("only_")
    catalogue = Catalogue(package)
    assert own_languages(package) == (language,)
    assert catalogue.say("seat.0", reader) == f"A {language}"
    assert catalogue.say("event.takes", reader, {"count": 3}) == f"3 {language}"
    assert catalogue.has("seat.0")
    assert catalogue.has("event.takes")
    assert not catalogue.has("seat.1")
    assert page_in(package, "rules", reader) == f"# Rules {language}"


def test_a_package_without_any_page_says_so(package: str) -> None:
    with pytest.raises(FileNotFoundError, match=r"no page lesson\.en\.md"):
        page_in(package, "lesson", "en")
