"""Which language a reader gets: any that is installed, by what the client prefers."""

import pytest

from ludotheque.server import language
from ludotheque.server.language import choose_language, match_language


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
