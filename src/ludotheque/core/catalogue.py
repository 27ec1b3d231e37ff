"""Sentences for people: one JSON catalogue per language for the program and one per game, in `locales/<language>.json`.

A `Text` is a sentence that is not yet in a language; code refers to catalogue keys only. docs/translating.md has the format.
"""

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from json import loads
from typing import Final, TypeAlias

PROGRAM: Final = "ludotheque"
"""The package whose catalogue holds what the program itself says."""
FALLBACK: Final = "en"
"""Read where a catalogue lacks a language or a key. A game without English falls back to the language that it has."""
FOLDER: Final = "locales"

Fact: TypeAlias = "str | int | float | Text"
"""What fills a placeholder; a `Text` is translated with the sentence around it."""


@cache
def languages() -> tuple[str, ...]:
    """The languages that the program has a catalogue for, English first: a new one is a new file."""
    found = (
        file.name.removesuffix(".json") for file in (files(PROGRAM) / FOLDER).iterdir() if file.name.endswith(".json")
    )
    return tuple(sorted(found, key=lambda language: (language != FALLBACK, language)))


def own_languages(package: str) -> tuple[str, ...]:
    """The languages that a package has a catalogue in; the first is read where another lacks a sentence: English, if it is there."""
    folder = files(package) / FOLDER
    found = (
        [file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json")]
        if folder.is_dir()
        else []
    )
    return tuple(sorted(found, key=lambda language: (language != FALLBACK, language)))


def own_sentences(package: str, language: str) -> Mapping[str, str]:
    """The sentences that a package's catalogue of one language has itself."""
    return _templates(package, language)


def fallback_of(package: str) -> str:
    """The language that a package is read in where it lacks the reader's."""
    return next(iter(own_languages(package)), FALLBACK)


@cache
def _templates(package: str, language: str) -> Mapping[str, str]:
    file = files(package) / FOLDER / f"{language}.json"
    if not file.is_file():
        return {}
    templates: Mapping[str, str] = loads(file.read_text("utf-8"))
    return templates


@cache
def _with_fallback(package: str, language: str) -> Mapping[str, str]:
    return {**_templates(package, fallback_of(package)), **_templates(package, language)}


# Plural categories of whole numbers, from the Unicode CLDR (plural rules, cardinals). Languages not listed are as English.


def _slavic(count: int, *, many_ones: bool) -> str:
    if count % 10 == 1 and count % 100 != 11 and (many_ones or count == 1):
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"


def _czech(count: int) -> str:
    return "one" if count == 1 else "few" if count in (2, 3, 4) else "other"


def _zero_is_one(count: int) -> str:
    return "one" if count in (0, 1) else "other"


_PLURALS: Final[Mapping[str, Callable[[int], str]]] = {
    **dict.fromkeys(("fr", "pt", "hy"), _zero_is_one),
    **dict.fromkeys(("ja", "ko", "zh", "vi", "th", "id"), lambda _: "other"),
    **dict.fromkeys(("ru", "uk", "be", "sr", "hr", "bs"), lambda count: _slavic(count, many_ones=True)),
    "pl": lambda count: _slavic(count, many_ones=False),
    **dict.fromkeys(("cs", "sk"), _czech),
}


def plural_category(count: int, language: str) -> str:
    """The CLDR category of a whole number: `one`, `few`, `many` or `other`."""
    rule = _PLURALS.get(language.split("-", maxsplit=1)[0])
    if rule is not None:
        return rule(abs(count))
    return "one" if abs(count) == 1 else "other"


class Text(ABC):
    """A sentence in every language. Texts can be compared, hashed and pickled."""

    @abstractmethod
    def sentence(self, language: str) -> str:
        """The sentence in the reader's language."""

    def translations(self) -> dict[str, str]:
        """The sentence in every installed language."""
        return {language: self.sentence(language) for language in languages()}

    def __str__(self) -> str:
        return self.sentence(FALLBACK)


@dataclass(frozen=True)
class Message(Text):
    """A catalogue's sentence with its facts."""

    package: str
    key: str
    facts: tuple[tuple[str, Fact], ...] = ()

    def sentence(self, language: str) -> str:
        """The sentence with its facts filled in."""
        facts = {name: fact.sentence(language) if isinstance(fact, Text) else fact for name, fact in self.facts}
        return Catalogue(self.package).say(self.key, language, facts)


@dataclass(frozen=True)
class Literal(Text):
    """The same words in every language, such as what another program printed."""

    words: str

    def sentence(self, language: str) -> str:
        """The words."""
        del language
        return self.words


@dataclass(frozen=True)
class PerLanguage(Text):
    """Words worked out for each language, such as a list of what can be typed."""

    words: tuple[tuple[str, str], ...]

    def sentence(self, language: str) -> str:
        """The words of that language, or the English ones."""
        known = dict(self.words)
        return known.get(language, known[FALLBACK])


def literal(words: str) -> Text:
    """A text that is the same in every language."""
    return Literal(words)


def per_language(words: Callable[[str], str]) -> Text:
    """A text that a function gives for each installed language."""
    return PerLanguage(tuple((language, words(language)) for language in languages()))


def text(key: str, /, **facts: Fact) -> Text:
    """A sentence of the program's catalogue."""
    return Message(PROGRAM, key, tuple(facts.items()))


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one package, in every language that its `locales` folder has."""

    package: str

    def templates(self, language: str) -> Mapping[str, str]:
        """All sentences of a language by key; where it has none, those of the package's first language, usually English."""
        return _with_fallback(self.package, language)

    def has(self, key: str) -> bool:
        """Whether the catalogue has a sentence of that key."""
        return key in self.templates(FALLBACK) or f"{key}_other" in self.templates(FALLBACK)

    def say(self, key: str, language: str, facts: Mapping[str, object] | None = None) -> str:
        """The sentence of that key with the facts filled in; the fact `count` chooses among plural forms."""
        templates = self.templates(language)
        template = templates.get(key)
        if template is None:
            count = (facts or {}).get("count")
            category = plural_category(count, language) if isinstance(count, int) else "other"
            template = templates.get(f"{key}_{category}") or templates[f"{key}_other"]
        return template.format_map(facts or {})

    def text(self, key: str, /, **facts: Fact) -> Text:
        """A sentence of this catalogue that is not yet in a language."""
        return Message(self.package, key, tuple(facts.items()))


def bare(typed: str) -> str:
    """A text as people type it in a hurry: without accents and capitals, and with single blanks."""
    apart = unicodedata.normalize("NFD", " ".join(typed.split()).lower())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def page_in(package: str, name: str, language: str) -> str:
    """A page of a package (`rules.fr.md`) in a language; where it lacks that, in English or in whatever language there is."""
    folder = files(package)
    found = sorted(
        file.name for file in folder.iterdir() if file.name.startswith(f"{name}.") and file.name.endswith(".md")
    )
    for wanted in (f"{name}.{language}.md", f"{name}.{FALLBACK}.md", *found):
        if (folder / wanted).is_file():
            return (folder / wanted).read_text("utf-8")
    raise FileNotFoundError(f"the package {package} has no page {name}.{FALLBACK}.md")
