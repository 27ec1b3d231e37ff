"""One word for each thing, in every text that players read: the tables *Words* in docs/rules say which.

Texts are the values of all catalogues (lessons, boards, log, errors, command line) and the paragraphs of the rules pages and of the
players' part of the manual.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from clauses import PAGES
from ludotheque.core import languages

SOURCES = Path(__file__).parents[1] / "src" / "ludotheque"
MANUAL = PAGES.parent / "players"
GAMES = {"twisty": "twisty", "wykersham": "wykersham", "yam-master": "yam_master", "yikerz": "yikerz"}
LANGUAGES = {"en": 0, "fr": 1}
"""The tables' columns of words, after the thing; the columns of words not to use come two further."""
NO_IMPERATIVES = {"assez", "chez", "nez"}
"""French words in -ez that do not address anybody."""


class Text(NamedTuple):
    """A text that players read, and where it stands."""

    where: str
    text: str


class Banned(NamedTuple):
    """A word that the tables rule out, alone or unless another word explains it."""

    word: str
    unless: str | None = None

    def found_in(self, text: str) -> list[str]:
        inner = re.escape(self.word.strip("*")).replace("'", "[’']").replace(r"\ ", r"\s+")
        start = r"\b\w+" if self.word.startswith("*") else r"\b"
        end = r"\w*\b" if self.word.endswith("*") else r"\b"
        found = [one for one in re.findall(start + inner + end, text, re.IGNORECASE) if one not in NO_IMPERATIVES]
        if self.unless and re.search(rf"\b{re.escape(self.unless)}\b", text):
            return []
        return found


def table(page: str) -> list[list[str]]:
    """The rows of a page's table of words: thing, English, French, not in English, not in French."""
    _, _, section = (PAGES / f"{page}.md").read_text("utf-8").partition("\n## Words\n")
    lines = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    assert rows, page
    assert all(len(row) == 5 for row in rows), page
    return rows


@cache
def banned(page: str, language: str) -> tuple[Banned, ...]:
    """The words that a page's table rules out in a language."""
    words = (one.strip() for row in table(page) for one in row[3 + LANGUAGES[language]].split(",") if one.strip())
    parts = (re.fullmatch(r"([^\[]+?)(?: \[(.+)\])?", word) for word in words)
    return tuple(Banned(part[1], part[2]) for part in parts if part)


def plain(text: str) -> str:
    """A text without what is typed or filled in: code, placeholders, names of options and of players."""
    text = re.sub(r"`[^`]*`|\{[^}]*\}|--[\w-]+|\b(?:bot|cmd):\S*|\[[A-Z]+\]|\S*://\S*|\S+\.\w{2,4}\b", "¤", text)
    return re.sub(r"\s+", " ", text)


def sentences(folder: Path, language: str) -> Iterator[Text]:
    for key, value in json.loads((folder / "locales" / f"{language}.json").read_text("utf-8")).items():
        yield Text(f"{folder.name}/{language} {key}", value)


def paragraphs(file: Path) -> Iterator[Text]:
    """The paragraphs of a page, without drawings in letters and without the link to the same page in another language."""
    page = re.sub(r"^```text.*?^```$", "", file.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"^```.*$|^\[[^\]]+\]\(\w+\.\w+\.md\)$", "", page, flags=re.MULTILINE)
    for place, paragraph in enumerate(re.split(r"\n\s*\n|\n(?=- |\d\. |\|)", page)):
        if paragraph.strip():
            yield Text(f"{file.parent.name}/{file.name}, part {place}", paragraph)


def texts(game: str | None, language: str) -> list[Text]:
    """What players read of a game, or of the program itself."""
    if game is None:
        manual = sorted(MANUAL.glob(f"*.{language}.md"))
        return [*sentences(SOURCES, language), *(text for page in manual for text in paragraphs(page))]
    folder = SOURCES / "games" / GAMES[game]
    return [*sentences(folder, language), *paragraphs(folder / f"rules.{language}.md")]


def wrong_words(found: list[Text], words: tuple[Banned, ...]) -> list[str]:
    return [f"{where}: {one}" for where, text in found for word in words for one in word.found_in(plain(text))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [None, *GAMES])
def test_players_read_no_word_outside_the_vocabulary(game: str | None, language: str) -> None:
    words = banned("README", language) + (banned(game, language) if game else ())
    assert wrong_words(texts(game, language), words) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_games_table_is_one_that_players_read(game: str) -> None:
    for language, column in LANGUAGES.items():
        read = " ".join(re.sub(r"\s+", " ", text) for _, text in texts(game, language)).lower()
        words = [row[1 + column].lower() for row in table(game)]
        stems = [re.escape(word.rstrip("*")) for word in words]
        assert [stem for stem in stems if not re.search(rf"\b{stem}", read)] == []


def test_every_language_has_its_column() -> None:
    assert set(languages()) == set(LANGUAGES)


# Typography

FRENCH = [text for game in (None, *GAMES) for text in texts(game, "fr")]
ENGLISH = [text for game in (None, *GAMES) for text in texts(game, "en")]


def badly_set_in_french(text: str) -> list[str]:
    """Straight apostrophes, and punctuation without its space."""
    text = plain(text)
    found = re.findall(r"\w+'\w+", text)
    found += re.findall(r"\w+[;!?](?=\s|$)", text.replace("Yikerz!", "")) + re.findall(r"[^\W\d]{2,}:(?=\s|$)", text)
    return found + re.findall(r"«\S+|\S+»", text)


def badly_set_in_english(text: str) -> list[str]:
    """A space before punctuation."""
    return re.findall(r"\w+ [;:!?](?=\s|$)", plain(text))


def test_french_has_its_apostrophes_and_its_spaces() -> None:
    typed = re.compile(r"action\.magnet|'ludotheque\[")
    found = [
        f"{where}: {one}" for where, text in FRENCH if not typed.search(where) for one in badly_set_in_french(text)
    ]
    assert found == []


def test_english_has_no_space_before_punctuation() -> None:
    assert [f"{where}: {one}" for where, text in ENGLISH for one in badly_set_in_english(text)] == []


@pytest.mark.parametrize("game", [None, *GAMES])
def test_the_page_and_the_rules_have_typographic_apostrophes_in_english(game: str | None) -> None:
    shown = [
        one for one in texts(game, "en") if " page." in one.where or "rules.en.md" in one.where or "blurb" in one.where
    ]
    assert shown
    assert [f"{where}: {text}" for where, text in shown if re.search(r"\w'\w|\w'(?= )", plain(text))] == []


# The checker itself


@pytest.mark.parametrize(
    ("game", "language", "sentence", "found"),
    [
        ("wykersham", "fr", "Tu peux faire coulisser ce rail.", "coulisser"),
        ("wykersham", "fr", "Une poussée qui fait un but.", "poussée"),
        ("wykersham", "fr", "Pose une bille dans la ligne 3.", "ligne"),
        ("wykersham", "fr", "Un double : la rangée du milieu, ou un split.", "split"),
        ("wykersham", "en", "Line 3, or a split.", "split"),
        ("wykersham", "en", "If you push the rail, you score.", "push"),
        ("yikerz", "fr", "Choisis une pile.", "pile"),
        ("yikerz", "fr", "Last Yiker !", "Last Yiker"),
        ("yikerz", "en", "Two magnets snap together.", "snap"),
        ("twisty", "fr", "Après 100 manches, la partie est nulle.", "manches"),
        ("yam-master", "fr", "Le Prédateur retire un pion.", "Prédateur"),
        ("README", "fr", "Choisissez un nom.", "Choisissez"),
        ("README", "fr", "Ce n’est pas votre tour.", "votre"),
        ("README", "fr", "Le bot de niveau 3 réfléchit.", "bot"),
        ("README", "en", "Who forgets takes two pieces.", "Who forgets"),
    ],
)
def test_a_planted_word_is_found(game: str, language: str, sentence: str, found: str) -> None:
    assert wrong_words([Text("planted", sentence)], banned(game, language)) == [f"planted: {found}"]


@pytest.mark.parametrize(
    ("game", "language", "sentence"),
    [
        ("wykersham", "fr", "Un split : une bille dans n, l’autre dans la rangée du dé."),
        ("wykersham", "en", "A split: one marble into n, one into line 3."),
        ("README", "fr", "Il y a assez de robots, de bot:1 à bot:5, chez eux ; écris `vous` ou --bot."),
        ("yikerz", "en", "{pile} is a placeholder."),
    ],
)
def test_words_that_are_explained_or_typed_are_fine(game: str, language: str, sentence: str) -> None:
    assert wrong_words([Text("planted", sentence)], banned(game, language)) == []


def test_bad_typography_is_found() -> None:
    assert badly_set_in_french("L'hôte a dit: «non» !") == ["L'hôte", "dit:", "«non»"]
    assert badly_set_in_french("But! Pourquoi?") == ["But!", "Pourquoi?"]
    assert badly_set_in_french("L’hôte a dit : « Non ! » Yikerz! se joue à 12:30.") == []
    assert badly_set_in_english("Goal !") == ["Goal !"]
    assert badly_set_in_english("Goal! Why? {x}: y") == []
